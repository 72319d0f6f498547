/** Bringing single facts in: an export's, JSON lines, or bullets of Markdown. */

import { button, fill, h } from "../dom.js";
import { factsFile } from "../incoming.js";
import { t } from "../language.js";
import { factsReport, factsSummary } from "./facts_report.js";
import { sentence } from "./failures.js";
import { tell } from "./notices.js";

/** Show in `outcome` what would become of each line, and let them be brought in from there. */
export async function bringFacts({ service, outcome, complain, text }) {
  const { body, words } = factsFile(text);

  const show = (report, ...below) => {
    fill(outcome, h("h3", { tabindex: "-1" }, t("import.facts_summary", { what: factsSummary(report) })), factsReport(report, words), below);
    outcome.querySelector("h3").focus();
  };
  const attempt = async (act) => {
    fill(outcome, h("p", { class: "quiet" }, t("loading")));
    try {
      await act();
    } catch (error) {
      complain(sentence(error));
    }
  };
  const apply = () => attempt(async () => {
    const { body: report } = await service.bringFactsIn(body);
    show(report, h("p", {}, h("a", { href: "#/facts" }, t("import.see_facts"))));
    tell(t("import.facts_done"));
  });

  await attempt(async () => {
    const { body: report } = await service.previewFacts(body);
    show(report, report.stored || report.merged ? button(t("import.apply"), apply, { kind: "primary" }) : "");
  });
}
