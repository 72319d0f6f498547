/**
 * Makes elements. What a person wrote becomes text nodes and nothing else: no function here takes markup.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. `on` maps events to listeners; `true` sets an empty attribute; false, null
 * and undefined leave attributes and children out; strings become text.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.flat().filter((child) => child !== false && child !== null && child !== undefined));
  return element;
}

/** A button that runs `act`; `kind` is one of the classes of controls.css. */
export function button(label, act, { kind = "plain", ...attributes } = {}) {
  return h("button", { type: "button", class: kind, on: { click: act }, ...attributes }, label);
}

/** A button that shows only a picture; `label` is what it is called. */
export function iconButton(icon, label, act, attributes = {}) {
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, on: { click: act }, ...attributes }, picture(icon));
}

/** Text for screen readers alone. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

/** Replace all that an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(Boolean));
  return element;
}

let counted = 0;
/** An id that nothing else on the page has. */
export function freshId(stem) {
  counted += 1;
  return `${stem}-${counted}`;
}

const PATHS = {
  edit: "M4 20h4L19 9a2.8 2.8 0 0 0-4-4L4 16v4",
  pin: "M12 16v5M8 4h8l-1 6 3 3v3H6v-3l3-3-1-6z",
  origin: "M12 8h.01M11 12h1v5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18",
  remove: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  add: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6 6 18",
};

/** One of the pictures above, which screen readers pass over. */
export function picture(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}
