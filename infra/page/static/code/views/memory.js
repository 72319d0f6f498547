/** What is remembered, by section; every note can be changed where it stands. */

import { button, fill, h, picture } from "../dom.js";
import { counted, heading, named, t, when } from "../language.js";
import { held, hold, release } from "../parts/drafts.js";
import { attempted, sentence } from "../parts/failures.js";
import { editor, note } from "../parts/note.js";
import { hush } from "../parts/notices.js";
import { showOrigin } from "../parts/origin.js";
import { remembered, saved } from "../parts/saving.js";

const SECTIONS = [
  "Identity", "Communication Preferences", "Work Context", "Skills & Expertise", "Follow-ups", "Recent Topics",
];

export async function memoryView({ service, signal }) {
  let memory = remembered(await service.memory());
  const root = h("div", {});

  const redraw = (focused) => {
    fill(root, top(memory), sections().map(section));
    (focused && root.querySelector(focused))?.focus();
  };
  const change = async (operation) => {
    const now = await saved(service, operation, memory);
    if (now) memory = now;
    return now !== null;
  };
  const changed = async (operation, focused) => {
    await attempted(() => change(operation));
    redraw(focused);
  };
  /** The editor of a draft; `operation` makes of a text what is asked for, `back` has the focus where it is put away. */
  const writing = ({ section: name, before, text: draft }, label, operation, back) => editor(label, before ?? "", {
    draft,
    keep: (text) => hold(name, before, text),
    leave: () => {
      release(name, before);
      redraw(back);
    },
    save: async (text) => {
      try {
        if (!(await change(operation(text)))) return t("conflict.kept");
      } catch (error) {
        return sentence(error);
      }
      release(name, before);
      redraw(`[data-section="${CSS.escape(name)}"] h2`);
      return "";
    },
  });
  const pin = (bullet) =>
    attempted(async () => {
      const others = all(memory).filter(({ pinned, id }) => pinned && id !== bullet.id).map(({ id }) => id);
      await service.pin(bullet.pinned ? others : [...others, bullet.id]);
      memory = remembered(await service.memory());
      redraw(`[data-id="${CSS.escape(bullet.id)}"] [aria-pressed]`);
    });

  /** Sections in the order of the file, those without a note too where there is a first one to add. */
  function sections() {
    const known = new Map(memory.sections.map((one) => [one.heading, one]));
    const all = SECTIONS.map((name) => known.get(name) ?? { heading: name, bullets: [] });
    return all.filter(({ bullets }) => memory.enabled || bullets.length);
  }

  function section({ heading: name, bullets }) {
    const drafts = memory.enabled ? held(name) : [];
    const list = h("ul", { class: "notes" }, bullets.map((bullet) => item(name, bullet, drafts)));
    const self = `[data-section="${CSS.escape(name)}"]`;
    const add = () => {
      hold(name, null, "");
      redraw(`${self} .foot textarea`);
    };
    // Words that were meant for a note that is gone stand here, too.
    const fresh = drafts.filter(({ before }) => !bullets.some(({ text }) => text === before)).map((draft) =>
      writing(draft, t("note.new", { section: heading(name) }),
        (text) => ({ kind: "added", section: name, before: null, after: text }), `${self} .add`));
    const foot = h("div", { class: "foot" }, fresh);
    if (memory.enabled && !fresh.length) foot.append(button([picture("add"), t("note.add")], add, { kind: "add", "aria-label": t("note.add_to", { section: heading(name) }) }));
    return h("section", { "data-section": name },
      h("h2", { tabindex: "-1" }, heading(name)),
      h("p", { class: "hint" }, t(`hint.${name}`)),
      bullets.length ? list : h("p", { class: "quiet" }, t("memory.nothing_here")),
      foot,
    );
  }

  function item(name, bullet, drafts) {
    const operation = (kind, after) => ({ kind, section: name, before: bullet.text, after });
    const self = `[data-id="${CSS.escape(bullet.id)}"]`;
    const edit = () => {
      hush();
      hold(name, bullet.text, bullet.text);
      redraw(`${self} textarea`);
    };
    const acts = {
      edit,
      pin: () => pin(bullet),
      origin: () => attempted(() => showOrigin(service, bullet)),
      remove: () => changed(operation("removed", null), `[data-section="${CSS.escape(name)}"] h2`),
    };
    const draft = drafts.find(({ before }) => before === bullet.text);
    const shown = note(bullet, memory.enabled ? acts : null);
    return draft ? fill(shown, writing(draft, t("note.change"), (text) => operation("changed", text), `${self} button`)) : shown;
  }

  addEventListener("undo", ({ detail }) => changed(detail, `[data-section="${CSS.escape(detail.section)}"] h2`), { signal });
  redraw();
  return root;
}

function all(memory) {
  return memory.sections.flatMap(({ bullets }) => bullets);
}

function top(memory) {
  const { version, freshness } = memory;
  const empty = memory.enabled && !all(memory).length;
  return [
    h("h1", { tabindex: "-1" }, t("memory.title")),
    memory.enabled ? "" : h("p", { class: "banner" }, named("off", memory.reason)),
    memory.enabled ? h("p", { class: "lead" }, t(empty ? "memory.empty" : "memory.lead")) : "",
    version && h("p", { class: "quiet" }, t("memory.changed", { when: when(version.last_updated), count: version.turn_count })),
    freshness?.pending ? h("p", { class: "quiet" }, counted("memory.pending", freshness.pending)) : "",
    freshness?.failed ? h("p", { class: "quiet" }, h("a", { href: "#/activity" }, counted("memory.failed", freshness.failed))) : "",
  ];
}
