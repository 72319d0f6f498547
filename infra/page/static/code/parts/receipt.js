/** What an erasure did: counts and times, no content. */

import { button, h } from "../dom.js";
import { day, language, named, t, when } from "../language.js";
import { keep } from "./files.js";

/** A receipt: `running`, `provisional` until nothing that was under way can write any more, then `final`. */
export function receiptCard(receipt) {
  const { items = {}, ...objects } = receipt.counts;
  const counts = Object.entries({ ...objects, ...items }).filter(([, count]) => count > 0);
  const facts = [
    [t("receipt.requested"), receipt.requested_at && when(receipt.requested_at)],
    [t("receipt.first"), receipt.first_sweep_at && when(receipt.first_sweep_at)],
    [t("receipt.second"), receipt.second_sweep_at && when(receipt.second_sweep_at)],
    [t("receipt.backups"), receipt.backups_expire_on && day(receipt.backups_expire_on)],
    ...counts.map(([kind, count]) => [named("erased", kind), count.toLocaleString(language())]),
  ].filter(([, value]) => value);
  return h("section", { class: "card receipt", "aria-label": t("receipt.title") },
    h("h3", {}, t("receipt.title")),
    h("p", {}, named("receipt", receipt.status)),
    h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    receipt.signature && h("p", { class: "quiet" }, t("receipt.proof")),
    button(t("receipt.save"), () => keep("receipt.json", "application/json", JSON.stringify(receipt, null, 2))),
  );
}
