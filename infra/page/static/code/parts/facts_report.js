/** What becomes of each line of a file of facts, as the service tells it: what is refused first, with its reason. */

import { h, unseen } from "../dom.js";
import { counted, listed, named, t } from "../language.js";

const RESULTS = ["stored", "merged", "refused"];
const SIGNS = { stored: "+", merged: "=", refused: "×" };

/** "2 are added, 1 is known already" */
export function factsSummary(report) {
  const parts = RESULTS.filter((result) => report[result]).map((result) => counted(`brought.${result}`, report[result]));
  return parts.length ? listed(parts) : t("brought.none");
}

/** All lines; `words` gives what stands on one. Those that are taken wait behind a click where others are refused. */
export function factsReport({ lines }, words) {
  const refused = lines.filter(({ result }) => result === "refused"), taken = lines.filter(({ result }) => result !== "refused");
  const list = (some) => h("ul", { class: "operations" }, some.map((line) => shown(line, words(line.line))));
  if (!refused.length || !taken.length) return lines.length ? [list(lines)] : [];
  return [list(refused), h("details", {}, h("summary", {}, counted("brought.taken", taken.length)), list(taken))];
}

function shown({ line, result, reason }, text) {
  return h("li", { class: `line ${result}` },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[result]),
    h("div", {},
      h("span", { class: "where" }, t("brought.line", { line })),
      unseen(`${t(`line.${result}`)} `),
      text && h("p", { dir: "auto" }, text),
      reason && h("p", { class: "quiet" }, named("unfit", reason)),
    ),
  );
}
