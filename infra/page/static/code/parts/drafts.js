/**
 * What somebody writes and has not saved yet. It outlives the drawing of a view, so that nothing that is done beside an
 * open editor takes its words away; and whoever closes the page with such words is asked.
 */

const open = new Map();
const place = (section, before) => JSON.stringify([section, before]);

/** Keep `text`, which shall take the place of the note `before`, or be a new one where that is null. */
export function hold(section, before, text) {
  open.set(place(section, before), { section, before, text });
}

/** It was saved or put away. */
export function release(section, before) {
  open.delete(place(section, before));
}

/** Let everything go, for whoever signs out. */
export function releaseAll() {
  open.clear();
}

/** All that is being written in a section, as `{section, before, text}`. */
export function held(section) {
  return [...open.values()].filter((draft) => draft.section === section);
}

addEventListener("beforeunload", (event) => {
  if ([...open.values()].some(({ before, text }) => text !== (before ?? ""))) event.preventDefault();
});
