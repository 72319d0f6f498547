/** One thing that is remembered: its text, what can be done with it, and its editor in place. */

import { button, fill, freshId, h, iconButton, picture } from "../dom.js";
import { t } from "../language.js";

const LONGEST = 2000;

/** A bullet `{id, text, pinned}` as a list item; `acts` are `{edit, pin, origin, remove}`. */
export function note(bullet, acts) {
  const short = bullet.text.length > 60 ? `${bullet.text.slice(0, 57)}…` : bullet.text;
  const act = (icon, key, run, attributes) => iconButton(icon, t(key, { text: short }), run, attributes);
  return h("li", { class: bullet.pinned ? "note pinned" : "note", "data-id": bullet.id },
    h("div", { class: "text", dir: "auto" }, written(bullet.text), bullet.pinned && " ", bullet.pinned && h("span", { class: "mark" }, picture("pin"), t("note.pinned"))),
    acts && h("div", { class: "acts" },
      act("edit", "note.edit", acts.edit),
      act("pin", "note.pin", acts.pin, { "aria-pressed": String(bullet.pinned) }),
      act("origin", "note.origin", acts.origin),
      act("remove", "note.remove", acts.remove),
    ),
  );
}

/** A bullet's text; lines below the first that begin with `- ` are a list of their own. */
function written(text) {
  const [first, ...rest] = text.split("\n");
  const below = rest.filter((line) => line.startsWith("- ")).map((line) => h("li", {}, line.slice(2)));
  return below.length === rest.length && rest.length ? [h("span", {}, first), h("ul", {}, below)] : [h("span", {}, text)];
}

/**
 * A form for a note's text, which begins with `draft`. `keep` is told what is typed; `save` is called with the text, and
 * its answer says why the form stays open; `leave` is called when it is put away or nothing is another than before.
 * `longest` is how many characters it may have. Escape leaves, Control or Command with Enter saves.
 */
export function editor(label, text, { draft, keep, save, leave, longest = LONGEST }) {
  const id = freshId("editor");
  const area = h("textarea", { id, rows: "3", maxlength: longest, spellcheck: "true", dir: "auto", on: { input: () => keep(area.value) } });
  const trouble = h("p", { class: "trouble", role: "alert" });
  area.value = draft;
  const submit = async (event) => {
    event?.preventDefault();
    const written = area.value.trim();
    if (!written || written === text) return leave();
    form.inert = true;
    const message = await save(written);
    form.inert = false;
    if (message) {
      fill(trouble, message);
      area.focus();
    }
    return undefined;
  };
  const keys = (event) => {
    if (event.isComposing) return; // a key for whoever puts signs together, as in Chinese
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit();
  };
  const form = h("form", { class: "editor", on: { submit, keydown: keys } },
    h("label", { for: id }, label),
    area,
    trouble,
    h("div", { class: "answers" },
      button(t("cancel"), leave),
      h("button", { type: "submit", class: "primary" }, t("save")),
    ),
  );
  return form;
}
