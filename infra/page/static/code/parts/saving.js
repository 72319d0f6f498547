/** Carries a person's change out on what counts; where somebody was faster, the person decides. */

import { h } from "../dom.js";
import { between, carriedOut, inverse } from "../difference.js";
import { named, t } from "../language.js";
import { Problem } from "../service.js";
import { ask } from "./dialog.js";
import { tell } from "./notices.js";
import { operationsList } from "./operations.js";

/** Save one operation on `memory` (`{sections, etag}`): gives the memory that counts now, or null when it was put away. */
export async function saved(service, operation, memory) {
  let base = memory;
  for (;;) {
    try {
      const answer = await service.change(carriedOut(operation, base.sections).sections, base.etag);
      report(operation, answer);
      return remembered(answer);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 412)) throw error;
      const theirs = remembered(await service.memory());
      if (!(await decided(operation, base, theirs))) return null;
      base = theirs;
    }
  }
}

/** An answer's memory with its ETag, as the views keep it. */
export function remembered({ body, etag }) {
  return { ...body, etag };
}

/** Sentences about what the policy did not let stand, and what went to make room. */
export function droppedSentences({ dropped, cut }) {
  return [
    ...dropped.map(({ text, reason }) =>
      text ? t("dropped.text", { text, reason: named("dropped", reason) }) : t("dropped.some", { reason: named("dropped", reason) }),
    ),
    ...cut.map(({ text }) => t("dropped.cut", { text })),
  ];
}

async function decided(operation, base, theirs) {
  const { fits } = carriedOut(operation, theirs.sections);
  const body = [
    h("p", {}, t("conflict.body")),
    operationsList(between(base.sections, theirs.sections)),
    h("h3", {}, t("conflict.mine")),
    operationsList([operation]),
    fits ? "" : h("p", { class: "warning" }, t(operation.after === null ? "conflict.gone" : "conflict.lost")),
  ];
  const answers = [{ label: t("conflict.leave"), value: false }];
  if (fits || operation.after !== null)
    answers.push({ label: t(fits ? "conflict.apply" : "conflict.add"), value: true, kind: "primary" });
  return ask({ title: t("conflict.title"), body, answers });
}

function report(operation, { body }) {
  const dropped = droppedSentences(body.changes);
  if (dropped.length) tell(dropped.join(" "), { kind: "bad", stays: true });
  else tell(t(`saved.${operation.kind}`), { action: { label: t("undo"), act: () => undo(operation) } });
}

function undo(operation) {
  dispatchEvent(new CustomEvent("undo", { detail: inverse(operation) }));
}
