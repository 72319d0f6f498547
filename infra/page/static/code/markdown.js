/** Reads the body of `memory.md`, as the service writes it, into sections. It is read for showing; the service reads again. */

/** `[{heading, bullets: [text]}]`: lines that start with `- ` begin a bullet, indented ones go on with it. */
export function sectionsOf(markdown) {
  const sections = [];
  for (const line of markdown.split("\n")) {
    const bullets = sections.at(-1)?.bullets;
    if (line.startsWith("## ")) sections.push({ heading: line.slice(3).trim(), bullets: [] });
    else if (bullets && line.startsWith("- ")) bullets.push(line.slice(2));
    else if (bullets?.length && /^\s+\S/.test(line)) bullets.push(`${bullets.pop()}\n${line.replace(/^ {2}/, "")}`);
  }
  return sections;
}
