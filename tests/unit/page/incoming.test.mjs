import assert from "node:assert/strict";
import { test } from "node:test";
import { factsFile, looksLikeFacts, notesFile } from "../../../infra/page/static/code/incoming.js";

const everything = { format: "context-memory/export", memory: "# User Memory", facts: [{ text: "A." }], user_id: "lena" };
const shared = { format: "context-memory/facts", facts: ["A.", { text: " B. " }, 7] };
const lines = '\ufeff\n{"text": "A.", "tier": "core"}\n"B."\nno JSON';
const bullets = "# core\n\n- A.\n* B.\n  goes on";

test("facts are told from notes by what they look like", () => {
  const facts = [shared, ["A."]].map((one) => JSON.stringify(one)).concat(lines, bullets, '"A."');
  assert.deepEqual(facts.map(looksLikeFacts), facts.map(() => true));
  const notes = ["## Identity\n- A.", "- A.", "", "7", "{ no JSON", "Core values", "[1] a note", JSON.stringify(everything)];
  assert.deepEqual(notes.map(looksLikeFacts), notes.map(() => false));
});

test("an export goes into the memory as the document that it is, and anything else as Markdown", () => {
  assert.deepEqual(notesFile(JSON.stringify(everything)), everything);
  assert.deepEqual(notesFile('{"memory": "A."}'), { memory: '{"memory": "A."}' });
  assert.deepEqual(notesFile("- A."), { memory: "- A." });
});

test("of an export that is brought in as facts its facts are read, and whose they are", () => {
  const { body, words } = factsFile(JSON.stringify(everything));
  assert.deepEqual(body, { facts: [{ text: "A." }], user_id: "lena" });
  assert.equal(words(1), "A.");
});

test("entries of a list are told by their number, and what has no text says nothing", () => {
  const { body, words } = factsFile(JSON.stringify(shared));
  assert.deepEqual(body, { facts: shared.facts });
  assert.deepEqual([1, 2, 3, 4].map(words), ["A.", "B.", "", ""]);
});

test("JSON lines are sent as they stand, and a line says its text, or itself where it is no JSON", () => {
  const { body, words } = factsFile(lines);
  assert.deepEqual(body, { jsonl: lines });
  assert.deepEqual([1, 2, 3, 4, 9].map(words), ["", "A.", "B.", "no JSON", ""]);
});

test("bullets are sent as Markdown, and a line says what stands behind its sign", () => {
  const { body, words } = factsFile(bullets);
  assert.deepEqual(body, { markdown: bullets });
  assert.deepEqual([3, 4, 9].map(words), ["A.", "B.", ""]);
});
