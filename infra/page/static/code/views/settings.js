/** A person's own decisions: the switch, what is never remembered, taking it along, erasing it. */

import { h } from "../dom.js";
import { t } from "../language.js";
import { exportCard } from "../parts/exporting.js";
import { importCard } from "../parts/importing.js";
import { rulesCard } from "../parts/rules.js";
import { eraseCard, switchCard } from "../parts/switching.js";

export async function settingsView(page) {
  const { service } = page;
  const [{ body: settings }, { body: rules }] = await Promise.all([service.settings(), service.rules()]);
  // There is a receipt where something was erased, and nowhere else.
  const receipt = settings.erase && (await service.receipt()).body;
  return h("div", {},
    h("h1", { tabindex: "-1" }, t("settings.title")),
    switchCard(page, settings, receipt),
    settings.context_memory ? rulesCard(page, rules) : "", // there are none while memory is off
    exportCard(page),
    settings.enabled ? importCard(page) : "",
    settings.enabled ? eraseCard(page) : "",
  );
}
