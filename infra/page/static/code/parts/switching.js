/** On, off, erased: nothing here happens without a question that says what it means. */

import { button, freshId, h } from "../dom.js";
import { named, t } from "../language.js";
import { ask } from "./dialog.js";
import { attempted } from "./failures.js";
import { keepExport } from "./files.js";
import { tell } from "./notices.js";
import { receiptCard } from "./receipt.js";

/** The switch. `settings` is what GET settings answers; `redraw` shows the page anew. */
export function switchCard({ service, redraw }, settings, receipt) {
  const on = settings.context_memory, label = freshId("switch"), erasing = settings.erase?.state === "running";
  const turn = () => attempted(async () => {
    if (on ? !(await confirmed(service, "off")) : false) return;
    await service.switch(!on, on);
    tell(t(on ? "switch.is_off" : "switch.is_on"));
    redraw();
  });
  return h("section", { class: "card" },
    h("div", { class: "switch-row" },
      h("h2", { id: label }, t("switch.title")),
      h("button", {
        type: "button", role: "switch", class: "switch", "aria-checked": String(on), "aria-labelledby": label,
        disabled: erasing, on: { click: turn },
      }, h("span", { "aria-hidden": "true" }, t(on ? "switch.on" : "switch.off"))),
    ),
    h("p", {}, t(on ? "switch.explain_on" : "switch.explain_off")),
    !settings.enabled && settings.reason !== "user_off" ? h("p", { class: "banner" }, named("off", settings.reason)) : "",
    receipt && receiptCard(receipt),
  );
}

/** Erase everything, and leave memory on. */
export function eraseCard({ service, redraw }) {
  const erase = () => attempted(async () => {
    if (!(await confirmed(service, "erase"))) return;
    await service.erase();
    tell(t("erase.done"));
    redraw();
  });
  return h("section", { class: "card" },
    h("h2", {}, t("erase.title")),
    h("p", {}, t("erase.explain")),
    button(t("erase.button"), erase, { kind: "danger" }),
  );
}

/** Ask before everything goes for good, and offer to take it along first; `what` is `off` or `erase`. */
function confirmed(service, what) {
  return ask({
    title: t(`confirm.${what}.title`),
    body: [h("p", {}, t(`confirm.${what}.body`)), h("p", { class: "warning" }, t("confirm.for_good"))],
    extra: [button(t("confirm.export"), () => attempted(() => keepExport(service)))],
    answers: [
      { label: t("cancel"), value: false },
      { label: t(`confirm.${what}.yes`), value: true, kind: "danger" },
    ],
  });
}
