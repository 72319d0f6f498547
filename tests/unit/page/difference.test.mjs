import assert from "node:assert/strict";
import { test } from "node:test";
import { between, carriedOut, inverse, marked } from "../../../infra/page/static/code/difference.js";
import { sectionsOf } from "../../../infra/page/static/code/markdown.js";

const sections = (identity, skills = []) => [
  { heading: "Identity", bullets: identity },
  { heading: "Skills", bullets: skills },
];
const change = (before, after) => ({ kind: "changed", section: "Identity", before, after });

test("what mostly stays is changed, the rest comes and goes", () => {
  const before = sections(["Lives in Basel.", "Works at a bank in Zurich.", "Stays."]);
  const after = sections(["Works at a bank in Geneva.", "Stays."], ["Knows Rust."]);
  assert.deepEqual(between(before, after), [
    { kind: "removed", section: "Identity", before: "Lives in Basel.", after: null },
    change("Works at a bank in Zurich.", "Works at a bank in Geneva."),
    { kind: "added", section: "Skills", before: null, after: "Knows Rust." },
  ]);
});

test("blanks make no difference", () => {
  assert.deepEqual(between(sections(["Lives  in\nBasel."]), sections(["Lives in Basel."])), []);
});

test("a section that only one side has counts", () => {
  const [operation] = between([], [{ heading: "Skills", bullets: ["Knows Go."] }]);
  assert.deepEqual(operation, { kind: "added", section: "Skills", before: null, after: "Knows Go." });
});

test("a change is carried out where its note stands, and on nothing else", () => {
  const { sections: now, fits } = carriedOut(change("B", "C"), sections(["A", "B"], ["B"]));
  assert.deepEqual(now, sections(["A", "C"], ["B"]));
  assert.equal(fits, true);
});

test("a change of a note that is gone does not fit, and keeps the words", () => {
  const { sections: now, fits } = carriedOut(change("B", "C"), sections(["A"]));
  assert.deepEqual(now, sections(["A", "C"]));
  assert.equal(fits, false);
});

test("removing what is gone does nothing and does not fit", () => {
  const removal = { kind: "removed", section: "Identity", before: "B", after: null };
  assert.deepEqual(carriedOut(removal, sections(["A"])), { sections: sections(["A"]), fits: false });
});

test("bullets of answers are carried out on, too, and what is sent are texts", () => {
  const answered = [{ heading: "Identity", bullets: [{ id: "1", text: "A", pinned: true }] }];
  const addition = { kind: "added", section: "Identity", before: null, after: "B" };
  assert.deepEqual(carriedOut(addition, answered), { sections: [{ heading: "Identity", bullets: ["A", "B"] }], fits: true });
});

test("the first note of an empty memory begins its section", () => {
  const addition = { kind: "added", section: "Identity", before: null, after: "A" };
  assert.deepEqual(carriedOut(addition, []), { sections: [{ heading: "Identity", bullets: ["A"] }], fits: true });
  const late = { kind: "removed", section: "Identity", before: "A", after: null };
  assert.deepEqual(carriedOut(late, []), { sections: [], fits: false });
});

test("taking back what was done leads to where it began", () => {
  for (const operation of [change("B", "C"), { kind: "added", section: "Identity", before: null, after: "D" }]) {
    const start = sections(["A", "B"]);
    const there = carriedOut(operation, start).sections;
    assert.deepEqual(carriedOut(inverse(operation), there).sections, start);
  }
});

test("words that differ are marked on both sides", () => {
  const [old, fresh] = marked("Lives in Basel now.", "Lives in Bern now.");
  assert.deepEqual(old, [{ text: "Lives in ", same: true }, { text: "Basel ", same: false }, { text: "now.", same: true }]);
  assert.deepEqual(fresh.map(({ text }) => text).join(""), "Lives in Bern now.");
  assert.equal(fresh[1].same, false);
});

test("a stored memory is read back into sections", () => {
  const markdown = "# User Memory\n\n## Identity\n- Leads a team.\n  - in Basel\n\n## Skills\n_(empty)_\n";
  assert.deepEqual(sectionsOf(markdown), sections(["Leads a team.\n- in Basel"]));
});
