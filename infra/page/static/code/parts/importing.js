/** Bringing notes or single facts in, from a file or as text: nothing is brought in that was not shown before. */

import { fill, freshId, h } from "../dom.js";
import { looksLikeFacts } from "../incoming.js";
import { t } from "../language.js";
import { bringFacts } from "./bringing_facts.js";
import { bringNotes } from "./bringing_notes.js";

const MOST_BYTES = 1_000_000;

export function importCard({ service, redraw }) {
  const file = freshId("file"), area = freshId("text");
  const text = h("textarea", { id: area, rows: "5", spellcheck: "false", dir: "auto" });
  const chosen = h("input", { type: "file", id: file, accept: ".md,.txt,.json,.jsonl,.ndjson,text/markdown,text/plain,application/json" });
  const outcome = h("div", { class: "preview", "aria-live": "polite" });
  const complain = (message) => fill(outcome, h("p", { class: "trouble", role: "alert" }, message));
  let told = false; // whether somebody has said what it is

  const choice = (name, value, checked) => {
    const id = freshId(name);
    return h("li", {}, h("input", { type: "radio", id, name, value, checked }), h("label", { for: id }, t(`import.${value}`)));
  };
  const choices = (name, values) => h("fieldset", {}, h("legend", {}, t(`import.${name}`)), h("ul", { class: "checks" }, values.map((value, at) => choice(name, value, !at))));
  const kinds = choices("kind", ["notes", "facts"]), modes = choices("mode", ["merge", "replace"]);
  const picked = (group) => group.querySelector("input:checked").value;

  kinds.addEventListener("change", () => {
    told = true;
    settle();
  });
  text.addEventListener("input", () => guess());
  chosen.addEventListener("change", async () => {
    const [one] = chosen.files;
    if (one && one.size > MOST_BYTES) return complain(t("failure.body_too_large"));
    if (one) text.value = await one.text();
    return guess();
  });

  /** Take what was brought for what it looks like, unless somebody has said what it is; say so by the choice. */
  function guess() {
    if (!told) kinds.querySelector(`[value=${looksLikeFacts(text.value) ? "facts" : "notes"}]`).checked = true;
    settle();
  }
  /** What was shown of another text or kind is not what would be brought in now. */
  function settle() {
    modes.hidden = picked(kinds) === "facts";
    fill(outcome);
  }
  const preview = (event) => {
    event.preventDefault();
    if (!text.value.trim()) return complain(t("import.nothing"));
    const bring = picked(kinds) === "facts" ? bringFacts : bringNotes;
    return bring({ service, redraw, outcome, complain, text: text.value, mode: picked(modes) });
  };
  modes.addEventListener("change", settle);

  return h("section", { class: "card" },
    h("h2", {}, t("import.title")),
    h("p", {}, t("import.explain")),
    h("form", { on: { submit: preview } },
      h("label", { for: file }, t("import.file")), chosen,
      h("label", { for: area }, t("import.text")), text,
      kinds,
      modes,
      h("div", {}, h("button", { type: "submit", class: "plain" }, t("import.preview"))),
    ),
    outcome,
  );
}
