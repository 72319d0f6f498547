import assert from "node:assert/strict";
import { test } from "node:test";
import { challenge } from "../../../infra/page/static/code/session.js";

test("a challenge is that of RFC 7636, appendix B", async () => {
  assert.equal(await challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});
