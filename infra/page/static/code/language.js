/** What the page says, in the language of the browser or the one that was chosen. Messages stand in messages/. */

import de from "./messages/de.js";
import en from "./messages/en.js";

const MESSAGES = { en, de };
const KEPT = "context-memory.language";

export const LANGUAGES = { en: "English", de: "Deutsch" };

/** The first language of `wanted` that there is, else English. */
export function best(wanted) {
  return wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in MESSAGES) ?? "en";
}

let spoken = "en";

/** Take the language that was chosen on this machine, else the browser's. */
export function takeLanguage() {
  const kept = localStorage.getItem(KEPT);
  speak(kept in MESSAGES ? kept : best(navigator.languages));
}

/** Speak a language from now on, and remember that on this machine. */
export function chooseLanguage(tag) {
  localStorage.setItem(KEPT, tag);
  speak(tag);
}

function speak(tag) {
  spoken = tag;
  document.documentElement.lang = tag;
}

/** The language that is spoken now. */
export function language() {
  return spoken;
}

/** A message, with `{name}` replaced by values; a key that is missing is a mistake of ours and is thrown. */
export function t(key, values = {}) {
  const message = MESSAGES[spoken][key];
  if (message === undefined) throw new Error(`no message ${key}`);
  return message.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** A message about `count` things: `<key>.one` or `<key>.other`. */
export function counted(key, count) {
  return t(`${key}.${new Intl.PluralRules(spoken).select(count)}`, { count: count.toLocaleString(spoken) });
}

/** The message `<family>.<member>`, or `<family>.unknown` for a member that this release does not know. */
export function named(family, member) {
  const key = `${family}.${member}`;
  return t(key in MESSAGES[spoken] ? key : `${family}.unknown`, { name: member });
}

/** The message `<family>.<member>`, or null where there is none: what only we would understand is not shown. */
export function known(family, member) {
  return MESSAGES[spoken][`${family}.${member}`] ?? null;
}

/** A section's heading as this language has it; files keep the English one. */
export function heading(section) {
  return MESSAGES[spoken][`section.${section}`] ?? section;
}

/** Date and time of day of an ISO moment, in this machine's zone. */
export function when(moment) {
  return new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeStyle: "short" }).format(new Date(moment));
}

/** A date alone, of an ISO date. */
export function day(date) {
  return new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(date));
}

/** Items as this language lists them: "a, b and c". */
export function listed(items) {
  return new Intl.ListFormat(spoken).format(items);
}
