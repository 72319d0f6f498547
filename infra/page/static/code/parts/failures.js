/** What went wrong, in words that help. */

import { button, h } from "../dom.js";
import { counted, named, t } from "../language.js";
import { Problem, Unreachable } from "../service.js";
import { SessionEnded } from "../session.js";
import { tell } from "./notices.js";

const OWNER = new Set(["user_id", "company_id"]); // a file that is brought in says whose it is

/** One or two sentences about an error; what is no error of the service or the network is a mistake of ours. */
export function sentence(error) {
  if (error instanceof Unreachable) return t(navigator.onLine ? "failure.unreachable" : "failure.offline");
  if (error instanceof SessionEnded) return t("failure.signed_out");
  if (!(error instanceof Problem)) throw error;
  if (error.body.tokens && error.body.cap) return t("failure.over_cap", { tokens: error.body.tokens, cap: error.body.cap });
  if (OWNER.has(error.body.field)) return t("failure.another_owner");
  const wait = error.retryAfter ? ` ${counted("failure.wait", error.retryAfter)}` : "";
  return named("failure", error.name) + wait;
}

/** What stands in place of something that could not be fetched. */
export function failed(error, again) {
  return h("div", { class: "failed", role: "alert" }, h("p", {}, sentence(error)), button(t("again"), again, { kind: "primary" }));
}

/** Run what a person asked for; whatever goes wrong is told, and the answer is undefined. */
export async function attempted(act) {
  try {
    return await act();
  } catch (error) {
    tell(sentence(error), { kind: "bad", stays: true });
    return undefined;
  }
}
