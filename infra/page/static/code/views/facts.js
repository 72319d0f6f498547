/** Single facts, which assistants are reminded of when a question is about them: looked through, corrected, removed. */

import { button, fill, freshId, h, picture } from "../dom.js";
import { counted, t } from "../language.js";
import { orElse } from "../parts/beside.js";
import { held, hold, release } from "../parts/drafts.js";
import { factShown } from "../parts/fact.js";
import { attempted, sentence } from "../parts/failures.js";
import { editor } from "../parts/note.js";
import { hush, tell } from "../parts/notices.js";
import { matching } from "../search.js";
import { Problem } from "../service.js";

const SHOWN = 50;
const LONGEST = 500;
const PLACE = "facts"; // of drafts

export async function factsView({ service, named: sought }) {
  const [kept, turns] = await Promise.all([service.allFacts(), orElse(lastTurns(service), new Map())]);
  let facts = kept, wanted = "", shown = Math.max(SHOWN, kept.findIndex(({ id }) => id === sought) + 1);
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
    facts = await service.allFacts();
    redraw(focused);
  };
  const part = (fact) => attempted(() => done(async () => {
    try {
      await service.partFact(fact.id);
    } catch (error) {
      if (!isRefused(error)) throw error;
      tell(t("fact.no_room"), { kind: "bad", stays: true });
      return;
    }
    tell(counted("fact.parted", fact.merged.texts.length));
  }, "h1"));
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
        facts = await service.allFacts();
      } catch (error) {
        if (!isGone(error)) return isRefused(error) ? t("fact.refused") : sentence(error);
        facts = await service.allFacts();
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
    const move = (tier) => attempted(() => done(() => service.changeFact(fact.id, { tier }), `${self} select`));
    const acts = { edit, move, part: () => part(fact), remove: () => remove(fact) };
    return fill(shown, factShown(fact, { acts, turn: turns.get(fact.source.turn_id), sought: fact.id === sought }));
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

/** The last messages by their ids. */
async function lastTurns(service) {
  const { body } = await service.turns();
  return new Map(body.turns.map((turn) => [turn.turn_id, turn]));
}

function isGone(error) {
  return error instanceof Problem && error.name === "unknown_fact";
}

function isRefused(error) {
  return error instanceof Problem && error.status === 422;
}

function again({ text, tier, keywords }) {
  return { text, tier, keywords };
}

function sum(facts, found, wanted) {
  if (!facts.length) return "";
  return wanted.trim() ? counted("facts.found", found.length) : counted("facts.count", facts.length);
}
