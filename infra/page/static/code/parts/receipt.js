/** What an erasure did: counts and times, no content. */

import { button, h } from "../dom.js";
import { language, named, t, when } from "../language.js";
import { keep } from "./files.js";

/** A receipt, `provisional` until nothing that was under way can write any more. */
export function receiptCard(receipt) {
  const final = receipt.state === "final";
  const counts = Object.entries(receipt.counts ?? {}).filter(([, count]) => count > 0);
  const facts = [
    [t("receipt.requested"), receipt.requested_at && when(receipt.requested_at)],
    [t("receipt.completed"), receipt.completed_at && when(receipt.completed_at)],
    [t("receipt.backups"), receipt.backups_expire_at && when(receipt.backups_expire_at)],
    ...counts.map(([kind, count]) => [named("erased", kind), count.toLocaleString(language())]),
  ].filter(([, value]) => value);
  return h("section", { class: "card receipt", "aria-label": t("receipt.title") },
    h("h3", {}, t("receipt.title")),
    h("p", {}, t(final ? "receipt.final" : "receipt.provisional")),
    h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("p", { class: "quiet" }, t("receipt.proof")),
    button(t("receipt.save"), () => keep("receipt.json", "application/json", JSON.stringify(receipt, null, 2))),
  );
}
