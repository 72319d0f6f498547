/** One single fact: its text, how often it comes up, where it comes from, and what it was merged from. */

import { button, h, iconButton } from "../dom.js";
import { counted, day, named, t } from "../language.js";
import { wayTo } from "../shell.js";

const TIERS = ["core", "contextual", "archival"];

/**
 * What an item of the list holds; `acts` are `{edit, move, part, remove}`. `turn` is the message that the fact was
 * learned from, where that is among the last ones; `sought` says that the address names this fact.
 */
export function factShown(fact, { acts, turn, sought }) {
  const short = fact.text.length > 60 ? `${fact.text.slice(0, 57)}…` : fact.text;
  return [
    h("p", { class: sought ? "text sought" : "text", dir: "auto", tabindex: sought && "-1", "data-named": sought }, fact.text),
    h("div", { class: "about" },
      h("select", { "aria-label": t("fact.tier", { text: short }), on: { change: ({ target }) => acts.move(target.value) } },
        TIERS.map((tier) => h("option", { value: tier, selected: tier === fact.tier }, named("tier", tier)))),
      h("time", { datetime: fact.last_confirmed_at }, t("fact.confirmed", { when: day(fact.last_confirmed_at) })),
      iconButton("edit", t("note.edit", { text: short }), acts.edit),
      iconButton("remove", t("note.remove", { text: short }), acts.remove),
    ),
    turn && h("p", { class: "quiet" }, h("a", { href: wayTo("activity", turn.turn_id) }, t("fact.learned", { when: day(turn.occurred_at) }))),
    fact.merged?.texts.length ? merged(fact.merged, short, acts.part) : "",
    fact.supersedes.length ? before(fact.supersedes) : "",
  ];
}

/** What a fact said before, the newest first. */
function before(past) {
  return h("details", { class: "before" },
    h("summary", {}, t("fact.before")),
    h("ul", {}, past.map(({ text, replaced_at: at }) => h("li", {}, h("span", { dir: "auto" }, text), " ", h("span", { class: "quiet" }, t("fact.until", { when: day(at) }))))),
  );
}

/** What a fact was merged from, and the way back for as long as there is one. */
function merged({ at, until, texts }, short, part) {
  return h("details", { class: "merged" },
    h("summary", {}, counted("fact.made_of", texts.length)),
    h("ul", {}, texts.map((text) => h("li", { dir: "auto" }, text))),
    h("p", { class: "quiet" }, t("fact.merged", { at: day(at), until: day(until) })),
    button(t("fact.part"), part, { "aria-label": t("fact.part_this", { text: short }) }),
  );
}
