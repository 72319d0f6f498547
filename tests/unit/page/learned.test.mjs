import assert from "node:assert/strict";
import { test } from "node:test";
import { factsSaid, leftSomething, outcomeSaid, tone } from "../../../infra/page/static/code/parts/learned.js";

const none = { added: 0, confirmed: 0, superseded: 0, deleted: 0 };
const done = (outcome, counts = {}) => ({ status: "done", outcome, ...none, ...counts });
const noop = { status: "done", outcome: "noop" };

test("what became of facts is said by counts, else by how it ended", () => {
  assert.equal(factsSaid(done("stored", { added: 2, superseded: 1, deleted: 1 })), "2 noted, 1 replaced, and 1 removed");
  assert.equal(factsSaid(done("nothing")), "nothing new");
  assert.equal(factsSaid({ status: "queued", outcome: null, ...none }), "waiting to be read");
  assert.equal(factsSaid({ status: "dead", outcome: "dead", ...none }), "could not be read");
});

test("a message that only taught facts has not taught nothing", () => {
  assert.equal(outcomeSaid({ ...noop, facts: done("stored", { added: 1 }) }), "Something was noted as single facts");
  assert.equal(outcomeSaid({ ...noop, facts: done("nothing") }), "Nothing new to remember");
  assert.equal(outcomeSaid({ status: "done", outcome: "malformed", facts: done("stored") }), "The model's answer was of no use; nothing was changed");
  assert.equal(outcomeSaid({ status: "queued", outcome: null }), "Waiting to be read");
});

test("nothing is said of facts where none are wanted, or where the message itself ended it", () => {
  assert.deepEqual([undefined, { status: "none" }, done("skipped")].map(factsSaid), [null, null, null]);
});

test("the worse of both ends marks a message, and what was stored comes before what was not", () => {
  const marked = (facts, of = noop) => tone({ ...of, facts });
  assert.equal(marked(done("nothing")), "calm");
  assert.equal(marked(done("stored", { added: 1 })), "good");
  assert.equal(marked({ status: "queued" }), "waiting");
  assert.equal(marked({ status: "dead", outcome: "dead" }), "bad");
  assert.equal(marked(done("malformed")), "bad");
  assert.equal(marked(done("stored"), { status: "dead", outcome: null }), "bad");
  assert.equal(marked(undefined, { status: "queued", outcome: null }), "waiting");
  assert.equal(marked(done("skipped"), { status: "done", outcome: "dropped_disabled" }), "bad");
});

test("only what is left behind can be taken back", () => {
  assert.equal(leftSomething({ outcome: "updated", facts: done("nothing") }), true);
  assert.equal(leftSomething({ outcome: "noop", facts: done("stored", { superseded: 1 }) }), true);
  assert.equal(leftSomething({ outcome: "noop", facts: done("stored", { confirmed: 1 }) }), false);
  assert.equal(leftSomething({ outcome: "noop" }), false);
});
