/** Draws what a change did, bullet by bullet: told by sign, by colour and in words. */

import { h, unseen } from "../dom.js";
import { marked } from "../difference.js";
import { counted, heading, listed, t } from "../language.js";

const SIGNS = { added: "+", changed: "~", removed: "−" };

/** A list of operations; says so where there are none. */
export function operationsList(operations) {
  if (!operations.length) return h("p", { class: "quiet" }, t("operations.none"));
  return h("ul", { class: "operations" }, operations.map(line));
}

/** "2 added, 1 changed" */
export function summary(operations) {
  const parts = Object.keys(SIGNS).flatMap((kind) => {
    const count = operations.filter((operation) => operation.kind === kind).length;
    return count ? [counted(`operations.${kind}`, count)] : [];
  });
  return parts.length ? listed(parts) : t("operations.none");
}

function line({ kind, section, before, after }) {
  return h("li", { class: kind },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]),
    h("div", {},
      unseen(t(`operation.${kind}`, { section: heading(section) })),
      h("span", { class: "where", "aria-hidden": "true" }, heading(section)),
      kind === "changed" ? both(before ?? "", after ?? "") : h("p", {}, words(kind, before ?? after)),
    ),
  );
}

function words(kind, text) {
  // Forgetting takes the words out of the history and leaves that something happened.
  if (text === null || text === undefined) return h("em", {}, t("operation.redacted"));
  return kind === "removed" ? h("del", { dir: "auto" }, text) : h("ins", { dir: "auto" }, text);
}

function both(before, after) {
  const [old, fresh] = marked(before, after);
  return [
    h("p", {}, unseen(t("operation.before")), h("span", { class: "old", dir: "auto" }, old.flatMap((run) => mark("del", run)))),
    h("p", {}, unseen(t("operation.after")), h("span", { class: "new", dir: "auto" }, fresh.flatMap((run) => mark("ins", run)))),
  ];
}

/** A run of words, marked where it differs; the blank behind it is not. */
function mark(tag, { text, same }) {
  const words = text.trimEnd();
  return same ? text : [h(tag, {}, words), text.slice(words.length)];
}
