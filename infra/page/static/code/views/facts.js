/** Single facts, which assistants are reminded of when a question is about them: looked through, corrected, removed. */

import { button, fill, freshId, h, iconButton, picture } from "../dom.js";
import { counted, day, named, t } from "../language.js";
import { held, hold, release } from "../parts/drafts.js";
import { attempted, sentence } from "../parts/failures.js";
import { editor } from "../parts/note.js";
import { hush, tell } from "../parts/notices.js";
import { matching } from "../search.js";
import { Problem } from "../service.js";

const TIERS = ["core", "contextual", "archival"];
const SHOWN = 50;
const LONGEST = 500;
const PLACE = "facts"; // of drafts

export async function factsView({ service }) {
  let facts = await allFacts(service);
  let wanted = "", shown = SHOWN;
  const list = h("ul", { class: "facts" }), foot = h("div", { class: "foot" }), told = h("p", { class: "quiet", role: "status" });
  const lead = h("p", { class: "lead" });

  const redraw = (focused) => {
    const found = matching(facts, wanted);
    fill(list, found.slice(0, shown).map(item));
    fill(lead, t(facts.length ? "facts.lead" : "facts.empty"));
    fill(told, sum(facts, found, wanted));
    form.hidden = !facts.length;
    fill(foot, fresh(), found.length > shown && button(t("facts.more"), more));
    (focused && root.querySelector(focused))?.focus();
  };
  const more = () => {
    shown += SHOWN;
    redraw(`.facts li:nth-child(${shown - SHOWN + 1}) button`);
  };
  /** Do what somebody asked for, and show what stands then; a fact that is gone by now is told. */
  const done = async (act, focused) => {
    try {
      await act();
    } catch (error) {
      if (!isGone(error)) throw error;
      tell(t("fact.gone"), { kind: "bad", stays: true });
    }
    facts = await allFacts(service);
    redraw(focused);
  };
  const remove = (fact) => attempted(() => done(async () => {
    await service.removeFact(fact.id);
    tell(t("fact.removed"), { action: { label: t("undo"), act: () => attempted(() => done(() => service.addFact(again(fact)), "h1")) } });
  }, "h1"));

  /** The editor of a draft: `before` is the text of the fact that it changes, null where it is a new one. */
  const writing = ({ before, text: draft }, label, save, back) => editor(label, before ?? "", {
    draft,
    longest: LONGEST,
    keep: (text) => hold(PLACE, before, text),
    leave: () => {
      release(PLACE, before);
      redraw(back);
    },
    save: async (text) => {
      try {
        await save(text);
        release(PLACE, before);
        facts = await allFacts(service);
      } catch (error) {
        if (!isGone(error)) return error instanceof Problem && error.status === 422 ? t("fact.refused") : sentence(error);
        facts = await allFacts(service);
        redraw(".foot textarea"); // where words stand whose fact is gone
        tell(t("fact.gone"), { kind: "bad", stays: true });
        return "";
      }
      redraw("h1");
      tell(t("fact.saved"));
      return "";
    },
  });

  function fresh() {
    const drafts = held(PLACE).filter(({ before }) => !facts.some(({ text }) => text === before));
    if (drafts.length) return drafts.map((draft) => writing(draft, t("fact.new"), (text) => service.addFact({ text }), ".foot .add"));
    const add = () => {
      hold(PLACE, null, "");
      redraw(".foot textarea");
    };
    return [button([picture("add"), t("fact.add")], add, { kind: "add" })];
  }

  function item(fact) {
    const self = `[data-fact="${CSS.escape(fact.id)}"]`;
    const draft = held(PLACE).find(({ before }) => before === fact.text);
    const shown = h("li", { "data-fact": fact.id });
    if (draft) return fill(shown, writing(draft, t("fact.change"), (text) => service.changeFact(fact.id, { text }), `${self} button`));
    const edit = () => {
      hush();
      hold(PLACE, fact.text, fact.text);
      redraw(`${self} textarea`);
    };
    const short = fact.text.length > 60 ? `${fact.text.slice(0, 57)}…` : fact.text;
    const move = ({ target }) => attempted(() => done(() => service.changeFact(fact.id, { tier: target.value }), `${self} select`));
    return fill(shown,
      h("p", { class: "text", dir: "auto" }, fact.text),
      h("div", { class: "about" },
        h("select", { "aria-label": t("fact.tier", { text: short }), on: { change: move } },
          TIERS.map((tier) => h("option", { value: tier, selected: tier === fact.tier }, named("tier", tier)))),
        h("time", { datetime: fact.last_confirmed_at }, t("fact.confirmed", { when: day(fact.last_confirmed_at) })),
        iconButton("edit", t("note.edit", { text: short }), edit),
        iconButton("remove", t("note.remove", { text: short }), () => remove(fact)),
      ),
    );
  }

  const id = freshId("search");
  const search = h("input", { type: "search", id, autocomplete: "off", on: { input: ({ target }) => {
    wanted = target.value;
    shown = SHOWN;
    redraw();
  } } });
  const form = h("form", { class: "search", role: "search", on: { submit: (event) => event.preventDefault() } }, h("label", { for: id }, t("facts.search")), search);
  const root = h("div", {}, h("h1", { tabindex: "-1" }, t("facts.title")), lead, form, told, list, foot);
  redraw();
  return root;
}

/** All facts of the person, those that were stated last first. */
async function allFacts(service) {
  const facts = [];
  for (let after = null, first = true; first || after; first = false) {
    const { body } = await service.facts(after);
    facts.push(...body.facts);
    after = body.next;
  }
  return facts.sort((one, other) => other.last_confirmed_at.localeCompare(one.last_confirmed_at) || one.text.localeCompare(other.text));
}

function isGone(error) {
  return error instanceof Problem && error.name === "unknown_fact";
}

function again({ text, tier, keywords }) {
  return { text, tier, keywords };
}

function sum(facts, found, wanted) {
  if (!facts.length) return "";
  return wanted.trim() ? counted("facts.found", found.length) : counted("facts.count", facts.length);
}
