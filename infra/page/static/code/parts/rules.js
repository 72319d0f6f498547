/** What shall never be remembered: kinds of things, and phrases. Each change counts at once. */

import { button, fill, freshId, h, iconButton } from "../dom.js";
import { counted, t } from "../language.js";
import { attempted } from "./failures.js";
import { tell } from "./notices.js";

const KINDS = ["health", "religion", "politics", "family", "location"];
const MOST = 20;
const LONGEST = 100;

export function rulesCard({ service }, given) {
  let rules = { phrases: given.phrases, kinds: given.kinds };
  const root = h("section", { class: "card" });

  const put = (changed, focused) => attempted(async () => {
    const { body } = await service.deny(changed);
    rules = { phrases: body.phrases, kinds: body.kinds };
    tell(body.removed ? counted("rules.removed", body.removed) : t("rules.saved"));
  }).then(() => {
    draw();
    root.querySelector(focused)?.focus();
  });

  const kind = (name, room) => {
    const id = freshId("kind");
    const flip = ({ target }) => put({
      ...rules, kinds: target.checked ? [...rules.kinds, name] : rules.kinds.filter((other) => other !== name),
    }, `input[value="${name}"]`);
    return h("li", {},
      h("input", { type: "checkbox", id, value: name, checked: rules.kinds.includes(name), disabled: !room && !rules.kinds.includes(name), on: { change: flip } }),
      h("label", { for: id }, t(`kind.${name}`)),
    );
  };

  const phrase = (text) => h("li", {}, h("span", { dir: "auto" }, text),
    iconButton("close", t("rules.drop", { phrase: text }), () =>
      put({ ...rules, phrases: rules.phrases.filter((other) => other !== text) }, "input[type=text]")));

  function draw() {
    const id = freshId("phrase"), left = MOST - rules.phrases.length - rules.kinds.length;
    const field = h("input", { type: "text", id, maxlength: LONGEST, autocomplete: "off", dir: "auto", disabled: left < 1 });
    const add = (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (text && !rules.phrases.includes(text)) put({ ...rules, phrases: [...rules.phrases, text] }, "input[type=text]");
    };
    fill(root,
      h("h2", {}, t("rules.title")),
      h("p", {}, t("rules.explain")),
      h("fieldset", {}, h("legend", {}, t("rules.kinds")), h("ul", { class: "checks" }, KINDS.map((name) => kind(name, left > 0)))),
      h("form", { class: "inline", on: { submit: add } },
        h("label", { for: id }, t("rules.phrase")),
        h("div", { class: "row" }, field, h("button", { type: "submit", class: "plain", disabled: left < 1 }, t("rules.add"))),
      ),
      rules.phrases.length ? h("ul", { class: "phrases", "aria-label": t("rules.phrases") }, rules.phrases.map(phrase)) : "",
      h("p", { class: "quiet" }, counted("rules.left", Math.max(0, left))),
    );
  }

  draw();
  return root;
}
