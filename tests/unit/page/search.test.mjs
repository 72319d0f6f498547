import assert from "node:assert/strict";
import { test } from "node:test";

import { matching } from "../../../infra/page/static/code/search.js";

const fact = (text, ...keywords) => ({ text, keywords });
const FACTS = [fact("Arbeitet in Zürich bei Novartis."), fact("東京に住んでいます。"), fact("Writes Rust.", "Ferris")];
const found = (wanted) => matching(FACTS, wanted).map(({ text }) => FACTS.findIndex((one) => one.text === text));

test("nothing asked for is all of them", () => assert.deepEqual(found("  "), [0, 1, 2]));
test("case and accents do not matter", () => assert.deepEqual(found("ZURICH"), [0]));
test("every word must be there, in any order", () => {
  assert.deepEqual(found("novartis zürich"), [0]);
  assert.deepEqual(found("novartis bern"), []);
});
test("a part of a word is enough, also in scripts without blanks", () => assert.deepEqual(found("東京"), [1]));
test("keywords count", () => assert.deepEqual(found("ferris"), [2]));
test("signs of patterns are signs", () => assert.deepEqual(found(".*"), []));
