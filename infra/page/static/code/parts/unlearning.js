/** Taking back what was learned from one message: nothing goes that was not shown before. */

import { h } from "../dom.js";
import { counted, t, when } from "../language.js";
import { Problem } from "../service.js";
import { ask } from "./dialog.js";
import { tell } from "./notices.js";
import { operationsList } from "./operations.js";
import { droppedSentences } from "./saving.js";

/** Show what would go, and let it go when that is wanted; gives whether it went. */
export async function takenBack(service, turn) {
  for (let again = false; ; again = true) {
    const { body: shown } = await service.previewUnlearning([turn.turn_id]);
    if (!(await wanted(turn, shown, again))) return false;
    try {
      const { body } = await service.unlearn([turn.turn_id], shown.etag);
      const dropped = droppedSentences(body.changes);
      tell([t("unlearn.done"), ...dropped].join(" "), { stays: dropped.length > 0 });
      return true;
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error;
    }
  }
}

function wanted(turn, { operations, facts, pinned }, again) {
  const some = operations.length || facts.removed || facts.restored;
  const body = [
    again ? h("p", { class: "warning" }, t("import.again")) : "",
    h("p", {}, t(some ? "unlearn.body" : "unlearn.nothing", { when: when(turn.occurred_at) })),
    operations.length ? operationsList(operations) : "",
    facts.removed ? h("p", {}, counted("unlearn.removed", facts.removed)) : "",
    facts.restored ? h("p", {}, counted("unlearn.restored", facts.restored)) : "",
    pinned.length ? h("p", { class: "warning" }, t("unlearn.pinned")) : "",
  ];
  const answers = [{ label: t(some ? "cancel" : "close"), value: false }];
  if (some) answers.push({ label: t("unlearn.confirm"), value: true, kind: "primary" });
  return ask({ title: t("unlearn.title"), body, answers });
}
