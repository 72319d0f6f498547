/** What became of the last turns. */

import { h } from "../dom.js";
import { known, named, t, when } from "../language.js";

export async function activityView({ service }) {
  const { body } = await service.turns();
  return h("div", {},
    h("h1", { tabindex: "-1" }, t("activity.title")),
    h("p", { class: "lead" }, t("activity.lead")),
    body.turns.length ? h("ol", { class: "turns" }, body.turns.map(turn)) : h("p", { class: "quiet" }, t("activity.empty")),
  );
}

function turn({ occurred_at: occurred, status, outcome, reason, revision, turn_id: id }) {
  const why = known("why", reason);
  return h("li", { class: tone(status, outcome) },
    h("p", {}, h("strong", {}, status === "done" && outcome ? named("outcome", outcome) : named("status", status))),
    h("p", { class: "quiet" },
      h("time", { datetime: occurred }, when(occurred)),
      why && ` · ${why}`,
      revision ? [" · ", h("a", { href: "#/history" }, t("activity.change", { n: revision }))] : "",
    ),
    h("p", { class: "id" }, t("activity.id", { id })),
  );
}

const STORED = new Set(["updated", "updated_partial", "forgotten"]);
const CALM = new Set(["noop", "unchanged", "skipped_blank", "dropped_superseded"]);

function tone(status, outcome) {
  if (status === "dead") return "bad";
  if (status !== "done") return "waiting";
  if (STORED.has(outcome)) return "good";
  return CALM.has(outcome) ? "calm" : "bad";
}
