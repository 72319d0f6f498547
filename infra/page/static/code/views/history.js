/** Every stored change: who, when, why, and what it did; each can be gone back to. */

import { button, fill, h } from "../dom.js";
import { between } from "../difference.js";
import { counted, known, named, t, when } from "../language.js";
import { sectionsOf } from "../markdown.js";
import { ask } from "../parts/dialog.js";
import { attempted } from "../parts/failures.js";
import { tell } from "../parts/notices.js";
import { operationsList, summary } from "../parts/operations.js";
import { droppedSentences, remembered } from "../parts/saving.js";

export async function historyView({ service, redraw }) {
  const revisions = [];
  const list = h("ol", { class: "history" });
  const more = h("p", {});
  const root = h("div", {}, h("h1", { tabindex: "-1" }, t("history.title")), h("p", { class: "lead" }, t("history.lead")), list, more);

  const fetched = async (before) => {
    const { body } = await service.revisions(before);
    revisions.push(...body.revisions);
    fill(list, revisions.map((revision, at) => entry(revision, at)));
    fill(more, body.next && button(t("history.more"), () => attempted(() => fetched(body.next))));
    if (!revisions.length) fill(more, h("span", { class: "quiet" }, t("history.empty")));
  };

  const entry = (revision, at) => {
    // Undoing the newest change is going back to the one before it.
    const target = at === 0 ? revisions[1] : revision;
    const label = t(at === 0 ? "history.undo" : "history.restore");
    return h("li", {},
      h("article", { "aria-label": t("history.entry", { n: revision.n, when: when(revision.written_at) }) },
        h("header", {},
          h("h2", {}, named("writer", revision.writer)),
          h("p", { class: "quiet" }, h("time", { datetime: revision.written_at }, when(revision.written_at)), ` · ${summary(revision.operations)}`),
        ),
        revision.redacted ? h("p", { class: "quiet" }, t("history.redacted")) : "",
        operationsList(revision.operations),
        h("footer", {},
          details(revision),
          target?.restorable ? button(label, () => attempted(() => restore(target))) : "",
        ),
      ),
    );
  };

  const restore = async (revision) => {
    const [now, then] = await Promise.all([service.memory(), service.revision(revision.n)]);
    const operations = between(now.body.sections, sectionsOf(then.body.memory));
    const answer = await ask({
      title: t("restore.title"),
      body: [h("p", {}, t("restore.body", { when: when(revision.written_at) })), operationsList(operations)],
      answers: [{ label: t("cancel"), value: false }, { label: t("restore.confirm"), value: true, kind: "primary" }],
    });
    if (!answer) return;
    const { body } = await service.restore(revision.n, remembered(now).etag);
    const dropped = droppedSentences(body.changes);
    tell([t("restore.done"), ...dropped].join(" "), { stays: dropped.length > 0 });
    redraw();
  };

  await fetched();
  return root;
}

function details(revision) {
  const facts = [
    [t("history.version"), revision.n],
    [t("history.reason"), known("why", revision.reason)],
    [t("history.model_label"), revision.model],
    [t("history.prompt"), revision.prompt_version],
    [t("history.turns"), revision.turns?.length ? counted("history.messages", revision.turns.length) : null],
  ].filter(([, value]) => value !== null && value !== undefined);
  return h("details", {}, h("summary", {}, t("history.details")),
    h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
}
