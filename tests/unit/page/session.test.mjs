import assert from "node:assert/strict";
import { test } from "node:test";
import { challenge, speaker } from "../../../infra/page/static/code/session.js";

test("a challenge is that of RFC 7636, appendix B", async () => {
  assert.equal(await challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

function token(payload) {
  return `head.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.signature`;
}

test("people are told apart by the claims that the service goes by, in whatever script they are written", () => {
  const claims = ["sub", "company_id"];
  const lena = speaker(token({ sub: "l\u00e9na", company_id: "acme", exp: 1 }), claims);
  assert.equal(speaker(token({ exp: 2, company_id: "acme", sub: "l\u00e9na" }), claims), lena);
  for (const other of [{ sub: "le\u0301na", company_id: "acme" }, { sub: "l\u00e9na", company_id: "acme2" }, { sub: "l\u00e9na" }])
    assert.notEqual(speaker(token(other), claims), lena);
});
