/** Short messages at the foot of the page, read out as they come. */

import { button, fill, h, iconButton } from "../dom.js";
import { t } from "../language.js";

const SHOWN_MS = 12_000;
let timer;

/** Say something; `action` is `{label, act}` for a button beside it, `stays` keeps it until somebody closes it. */
export function tell(text, { action, stays = false, kind = "good" } = {}) {
  clearTimeout(timer);
  const act = () => {
    hush();
    action.act();
  };
  fill(
    document.getElementById("notices"),
    h("div", { class: `notice ${kind}` },
      h("span", {}, text),
      action && button(action.label, act, { kind: "link" }),
      iconButton("close", t("close"), hush),
    ),
  );
  if (!stays) timer = setTimeout(hush, SHOWN_MS);
}

/** Say nothing more. */
export function hush() {
  clearTimeout(timer);
  fill(document.getElementById("notices"));
}
