/** Where a note comes from: every change that made it what it is. */

import { h } from "../dom.js";
import { named, t, when } from "../language.js";
import { show } from "./dialog.js";

/** Show the chain of a bullet, newest change first. */
export async function showOrigin(service, bullet) {
  const { body } = await service.origins();
  const found = body.bullets.find(({ id }) => id === bullet.id);
  await show(t("origin.title"), h("blockquote", { dir: "auto" }, bullet.text), chain(found?.chain ?? []));
}

function chain(links) {
  if (!links.length) return h("p", { class: "quiet" }, t("origin.gone"));
  return h("ol", { class: "chain" }, links.map((link) =>
    h("li", {},
      h("p", {}, h("strong", {}, named("origin", link.kind)), " ", named("writer", link.writer)),
      h("p", { class: "quiet" }, when(link.written_at), link.model && ` · ${t("history.model", { model: link.model })}`),
      link.turn_id && h("p", { class: "quiet" }, t("origin.turn", { turn: link.turn_id })),
    ),
  ));
}
