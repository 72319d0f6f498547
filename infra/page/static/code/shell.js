/** The frame around every view: name, language, ways to go, and the way out. */

import { button, fill, h } from "./dom.js";
import { LANGUAGES, chooseLanguage, language, t } from "./language.js";

const VIEWS = ["memory", "facts", "history", "activity", "settings"];

/** The view that the address names. */
export function place() {
  const [view] = steps();
  return VIEWS.includes(view) ? view : "memory";
}

/** What the address names within its view; null where that is nothing, or nothing that can be read. */
export function within() {
  try {
    return decodeURIComponent(steps()[1] ?? "") || null;
  } catch {
    return null;
  }
}

/** The address of one thing within a view. */
export function wayTo(view, id) {
  return `#/${view}/${encodeURIComponent(id)}`;
}

function steps() {
  return location.hash.replace("#/", "").split("/");
}

/** Draw the frame; gives the element that views are put into. `signedIn` shows the ways to go. */
export function frame({ signedIn, redraw, leave }) {
  const content = h("main", { id: "content", tabindex: "-1" });
  const skip = (event) => {
    event.preventDefault(); // a fragment would name another view
    content.focus();
  };
  fill(document.getElementById("page"),
    h("a", { class: "skip", href: "#content", on: { click: skip } }, t("skip")),
    h("header", { class: "top" },
      h("p", { class: "name" }, t("name")),
      h("div", { class: "tools" }, languages(redraw), signedIn && button(t("sign_out"), leave, { kind: "link" })),
    ),
    signedIn && h("nav", { "aria-label": t("nav") }, h("ul", {}, VIEWS.map(way))),
    content,
  );
  document.title = signedIn ? `${t(`nav.${place()}`)} · ${t("name")}` : t("name");
  return content;
}

function way(view) {
  return h("li", {}, h("a", { href: `#/${view}`, "aria-current": view === place() && "page" }, t(`nav.${view}`)));
}

function languages(redraw) {
  const choose = ({ target }) => {
    chooseLanguage(target.value);
    redraw();
    document.querySelector(".tools select").focus(); // where the person is: another language is no other place
  };
  return h("select", { "aria-label": t("language"), on: { change: choose } },
    Object.entries(LANGUAGES).map(([tag, name]) => h("option", { value: tag, lang: tag, selected: tag === language() }, name)));
}
