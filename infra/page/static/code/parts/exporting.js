/** Taking the memory along. */

import { button, h } from "../dom.js";
import { t } from "../language.js";
import { attempted } from "./failures.js";
import { keep, keepExport, today } from "./files.js";

export function exportCard({ service }) {
  const markdown = async () => {
    const { body } = await service.memory();
    keep(`memory-${today()}.md`, "text/markdown", body.memory ?? "");
  };
  return h("section", { class: "card" },
    h("h2", {}, t("export.title")),
    h("p", {}, t("export.explain")),
    h("div", { class: "row" },
      button(t("export.all"), () => attempted(() => keepExport(service))),
      button(t("export.markdown"), () => attempted(markdown)),
    ),
  );
}
