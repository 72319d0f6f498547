/** What became of a message: of the memory and of single facts, how that is told, and how it is marked. */

import { counted, known, listed, named, t } from "../language.js";

const KINDS = ["added", "confirmed", "superseded", "deleted"];
const STORED = new Set(["updated", "updated_partial", "forgotten"]);
const CALM = new Set(["noop", "unchanged", "skipped_blank", "dropped_superseded"]);
const NOTHING = new Set(["nothing", "skipped"]);

/** What became of a message. One that only taught facts has not taught nothing. */
export function outcomeSaid({ status, outcome, facts }) {
  if (status !== "done" || !outcome) return named("status", status);
  return CALM.has(outcome) && facts?.outcome === "stored" ? t("activity.only_facts") : named("outcome", outcome);
}

/** What became of a message's facts, in words; null where there is nothing to say beside what became of the memory. */
export function factsSaid(facts) {
  if (!facts || facts.status === "none") return null;
  if (facts.status !== "done") return known("noted", facts.status);
  const parts = KINDS.filter((kind) => facts[kind]).map((kind) => counted(`noted.${kind}`, facts[kind]));
  return parts.length ? listed(parts) : known("noted", facts.outcome);
}

/** How a message's end is marked: `bad` before `waiting`, `good` and `calm`, whichever of memory and facts it is of. */
export function tone({ status, outcome, facts }) {
  const tones = new Set([toneOfMemory(status, outcome), toneOfFacts(facts)]);
  return ["bad", "waiting", "good", "calm"].find((one) => tones.has(one));
}

/** Whether a message has left something that can be taken back. */
export function leftSomething({ outcome, facts }) {
  return STORED.has(outcome) || Boolean(facts?.added || facts?.superseded);
}

function toneOfMemory(status, outcome) {
  if (status === "dead") return "bad";
  if (status !== "done") return "waiting";
  if (STORED.has(outcome)) return "good";
  return CALM.has(outcome) ? "calm" : "bad";
}

function toneOfFacts(facts) {
  if (!facts || facts.status === "none") return "calm";
  if (facts.status === "dead") return "bad";
  if (facts.status !== "done") return "waiting";
  if (facts.outcome === "stored") return "good";
  return NOTHING.has(facts.outcome) || facts.outcome.startsWith("dropped_") ? "calm" : "bad";
}
