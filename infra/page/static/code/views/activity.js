/** What became of the last messages: of the memory and of single facts, and the way to take that back. */

import { button, h } from "../dom.js";
import { counted, known, t, when } from "../language.js";
import { orElse } from "../parts/beside.js";
import { attempted } from "../parts/failures.js";
import { factsSaid, leftSomething, outcomeSaid, tone } from "../parts/learned.js";
import { takenBack } from "../parts/unlearning.js";
import { wayTo } from "../shell.js";

export async function activityView({ service, redraw, named: sought }) {
  const [{ body }, facts, { body: settings }] = await Promise.all([service.turns(), orElse(service.allFacts(), []), orElse(service.settings(), { body: {} })]);
  const takeBack = (one) => attempted(async () => (await takenBack(service, one)) && redraw());
  const item = (one) => turn(one, {
    facts: facts.filter(({ source }) => source.turn_id === one.turn_id),
    takeBack: () => takeBack(one),
    sought: one.turn_id === sought,
  });
  return h("div", {},
    h("h1", { tabindex: "-1" }, t("activity.title")),
    h("p", { class: "lead" }, t("activity.lead"), " ", kept(settings)),
    body.turns.length ? h("ol", { class: "turns" }, body.turns.map(item)) : h("p", { class: "quiet" }, t("activity.empty")),
  );
}

/** What becomes of the text of a message; nobody is told that it goes where that is not known. */
function kept({ keep_turns_days: days }) {
  if (days === 0) return t("activity.gone");
  return days ? counted("activity.kept", days) : "";
}

/** A message; `facts` are those that stand and were learned from it. */
function turn(one, { facts, takeBack, sought }) {
  const { occurred_at: occurred, reason, revision, turn_id: id } = one;
  const why = known("why", reason), noted = factsSaid(one.facts);
  return h("li", { class: `${tone(one)}${sought ? " sought" : ""}`, tabindex: sought && "-1", "data-named": sought },
    h("p", {}, h("strong", {}, outcomeSaid(one))),
    noted && h("p", {}, t("activity.facts", { what: noted })),
    facts.length ? h("ul", { class: "learned" }, facts.map(({ id: fact, text }) => h("li", { dir: "auto" }, h("a", { href: wayTo("facts", fact) }, text)))) : "",
    h("p", { class: "quiet" },
      h("time", { datetime: occurred }, when(occurred)),
      why && ` · ${why}`,
      revision ? [" · ", h("a", { href: "#/history" }, t("activity.change", { n: revision }))] : "",
    ),
    h("p", { class: "id" }, t("activity.id", { id })),
    leftSomething(one) ? button(t("unlearn.button"), takeBack, { kind: "link", "aria-label": t("unlearn.this", { when: when(occurred) }) }) : "",
  );
}
