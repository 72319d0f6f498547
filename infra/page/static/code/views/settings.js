/** A person's own decisions: the switch, what is never remembered, taking it along, erasing it. */

import { h } from "../dom.js";
import { t } from "../language.js";
import { rulesCard } from "../parts/rules.js";
import { eraseCard, switchCard } from "../parts/switching.js";
import { exportCard, importCard } from "../parts/transfer.js";
import { Problem } from "../service.js";

export async function settingsView(page) {
  const { service } = page;
  const [settings, rules, receipt] = await Promise.all([service.settings(), service.rules(), lastReceipt(service)]);
  return h("div", {},
    h("h1", { tabindex: "-1" }, t("settings.title")),
    switchCard(page, settings.body, receipt),
    rulesCard(page, rules.body),
    exportCard(page),
    settings.body.enabled ? importCard(page) : "",
    settings.body.enabled ? eraseCard(page) : "",
  );
}

/** The newest receipt; null where nothing was ever erased. */
async function lastReceipt(service) {
  try {
    return (await service.receipt()).body;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
