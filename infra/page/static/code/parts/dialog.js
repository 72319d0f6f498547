/** Questions that have to be answered before anything else. */

import { button, freshId, h } from "../dom.js";
import { t } from "../language.js";

/**
 * Ask, and give what was answered: the `value` of the button that was pressed, null when the question was put away.
 *
 * `answers`: `[{label, value, kind}]`, the first of which has the focus: let it be the harmless one.. `body` may be
 * nodes. `extra` are buttons that answer nothing and leave the question open; it also goes away once `until` is fulfilled.
 */
export function ask({ title, body, answers, extra = [], until }) {
  return new Promise((resolve) => {
    const heading = freshId("question");
    const dialog = h("dialog", { "aria-labelledby": heading });
    const buttons = answers.map(({ label, value, kind }) => button(label, () => end(value), { kind: kind ?? "plain" }));
    const back = document.activeElement;
    function end(value) {
      if (!dialog.isConnected) return;
      dialog.close();
      dialog.remove();
      if (back?.isConnected) back.focus();
      resolve(value);
    }
    dialog.append(
      h("h2", { id: heading }, title),
      h("div", { class: "body" }, body),
      extra.length ? h("div", { class: "extra" }, extra) : "",
      h("div", { class: "answers" }, buttons),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      end(null);
    });
    document.body.append(dialog);
    dialog.showModal();
    (extra[0] && until ? extra[0] : buttons[0]).focus();
    until?.then(() => end(null));
  });
}

/** Show something that needs no answer. */
export function show(title, ...body) {
  return ask({ title, body, answers: [{ label: t("close"), value: null }] });
}
