/** Bringing notes into the memory, with the single facts of an export. */

import { button, fill, h } from "../dom.js";
import { factsFile, notesFile } from "../incoming.js";
import { language, named, t } from "../language.js";
import { Problem } from "../service.js";
import { factsReport, factsSummary } from "./facts_report.js";
import { sentence } from "./failures.js";
import { tell } from "./notices.js";
import { operationsList, summary } from "./operations.js";
import { droppedSentences } from "./saving.js";

/** Show in `outcome` what would change, and let it be brought in from there. */
export async function bringNotes({ service, redraw, outcome, complain, text, mode }) {
  const body = notesFile(text);

  const apply = async (etag) => {
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
        shown.facts ? [h("h3", {}, t("import.facts_summary", { what: factsSummary(shown.facts) })), ...factsReport(shown.facts, factsFile(text).words)] : "",
        shown.operations.length || shown.facts?.stored ? button(t("import.apply"), () => apply(shown.etag), { kind: "primary" }) : "",
      );
      outcome.querySelector("h3").focus();
    } catch (error) {
      complain(sentence(error));
    }
  };

  await preview();
}
