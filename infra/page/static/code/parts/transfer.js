/** Taking the memory along, and bringing one in: nothing is brought in that was not shown before. */

import { button, fill, freshId, h } from "../dom.js";
import { language, named, t } from "../language.js";
import { Problem } from "../service.js";
import { attempted, sentence } from "./failures.js";
import { keep, keepExport, today } from "./files.js";
import { tell } from "./notices.js";
import { operationsList, summary } from "./operations.js";
import { droppedSentences } from "./saving.js";

const MOST_BYTES = 1_000_000;

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

export function importCard({ service, redraw }) {
  const file = freshId("file"), area = freshId("text");
  const text = h("textarea", { id: area, rows: "5", spellcheck: "false", dir: "auto" });
  const chosen = h("input", { type: "file", id: file, accept: ".md,.txt,.json,text/markdown,text/plain,application/json" });
  const outcome = h("div", { class: "preview", "aria-live": "polite" });
  const complain = (message) => fill(outcome, h("p", { class: "trouble", role: "alert" }, message));

  chosen.addEventListener("change", async () => {
    const [one] = chosen.files;
    if (one && one.size > MOST_BYTES) complain(t("failure.body_too_large"));
    else if (one) text.value = await one.text();
  });

  const apply = async (body, mode, etag) => {
    try {
      const answer = await service.bringIn(body, mode, etag);
      const dropped = droppedSentences(answer.body.changes);
      tell([t("import.done"), ...dropped].join(" "), { stays: dropped.length > 0 });
      redraw();
    } catch (error) {
      // Somebody was faster: what would change now is another thing, which has to be looked at again.
      if (error instanceof Problem && error.status === 412) await preview(t("import.again"));
      else complain(sentence(error));
    }
  };

  const preview = async (before) => {
    if (!text.value.trim()) return complain(t("import.nothing"));
    const body = readable(text.value), mode = root.querySelector("input[type=radio]:checked").value;
    fill(outcome, h("p", { class: "quiet" }, t("loading")));
    try {
      const { body: shown } = await service.preview(body, mode);
      fill(outcome,
        before && h("p", { class: "warning" }, before),
        h("h3", { tabindex: "-1" }, summary(shown.operations)),
        operationsList(shown.operations),
        shown.removed.length ? h("p", { class: "warning" }, t("import.removed")) : "",
        shown.removed.length ? h("ul", {}, shown.removed.map(({ kind, count }) => h("li", {}, `${named("taken", kind)}: ${count.toLocaleString(language())}`))) : "",
        shown.cut.length ? h("ul", { class: "warning" }, shown.cut.map(({ text: one }) => h("li", {}, t("dropped.cut", { text: one })))) : "",
        h("p", { class: "quiet" }, t("import.size", { tokens: shown.tokens, cap: shown.cap })),
        shown.facts ? h("p", { class: "quiet" }, t("import.facts", shown.facts)) : "",
        shown.operations.length || shown.facts?.stored ? button(t("import.apply"), () => apply(body, mode, shown.etag), { kind: "primary" }) : "",
      );
      outcome.querySelector("h3").focus();
    } catch (error) {
      complain(sentence(error));
    }
    return undefined;
  };

  const choice = (mode) => {
    const id = freshId("mode");
    return h("li", {},
      h("input", { type: "radio", id, name: "mode", value: mode, checked: mode === "merge" }),
      h("label", { for: id }, t(`import.${mode}`)));
  };

  const root = h("section", { class: "card" },
    h("h2", {}, t("import.title")),
    h("p", {}, t("import.explain")),
    h("form", { on: { submit: (event) => { event.preventDefault(); preview(); } } },
      h("label", { for: file }, t("import.file")), chosen,
      h("label", { for: area }, t("import.text")), text,
      h("fieldset", {}, h("legend", {}, t("import.mode")), h("ul", { class: "checks" }, ["merge", "replace"].map(choice))),
      h("div", {}, h("button", { type: "submit", class: "plain" }, t("import.preview"))),
    ),
    outcome,
  );
  return root;
}

/** An export as the document that it is, anything else as Markdown. */
function readable(text) {
  try {
    const document = JSON.parse(text);
    if (document?.format === "context-memory/export") return document;
  } catch {
    // No JSON, so it is Markdown.
  }
  return { memory: text };
}
