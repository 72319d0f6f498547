/** The routes of `/v1/me`, and what can go wrong on the way there. */

/** The service answered that it will not: `name` of the problem document, else of the status; `body` as it came. */
export class Problem extends Error {
  constructor(status, body, headers) {
    super(`${status}`);
    this.status = status;
    this.body = body;
    this.name = body.type?.split(":").at(-1) ?? STATUSES[status] ?? "internal";
    this.etag = headers.get("etag");
    this.retryAfter = Number(headers.get("retry-after") ?? 0);
  }
}

/** The service could not be reached. */
export class Unreachable extends Error {}

// The gateway's own answers are no problem documents.
const STATUSES = { 403: "claim_refused", 404: "not_found", 413: "body_too_large", 429: "too_many_requests", 503: "store_unavailable" };

export class Service {
  #address;
  #session;
  #signIn;

  /** `signIn` is awaited where there is no token, or none that the service takes; then the request is made again. */
  constructor(address, session, signIn) {
    this.#address = address;
    this.#session = session;
    this.#signIn = signIn;
  }

  memory() { return this.#ask("GET", "memory"); }
  change(sections, etag) { return this.#ask("PUT", "memory", { body: { sections }, etag }); }
  origins() { return this.#ask("GET", "memory/origins"); }
  revisions(before) { return this.#ask("GET", `memory/revisions?limit=20${before ? `&before=${before}` : ""}`); }
  revision(n) { return this.#ask("GET", `memory/revisions/${n}`); }
  restore(n, etag) { return this.#ask("POST", `memory/revisions/${n}/restore`, { etag }); }
  previewUnlearning(turnIds) { return this.#ask("POST", "unlearn?preview=true", { body: { turn_ids: turnIds } }); }
  unlearn(turnIds, etag) { return this.#ask("POST", "unlearn", { body: { turn_ids: turnIds }, etag }); }
  turns() { return this.#ask("GET", "turns?limit=50"); }
  facts(after) { return this.#ask("GET", `facts?limit=500${after ? `&after=${after}` : ""}`); }
  addFact(fact) { return this.#ask("POST", "facts", { body: fact }); }
  changeFact(id, change) { return this.#ask("PUT", `facts/${id}`, { body: change }); }
  removeFact(id) { return this.#ask("DELETE", `facts/${id}`); }
  partFact(id) { return this.#ask("POST", `facts/${id}/expand`); }
  previewFacts(file) { return this.#ask("POST", "facts/import?preview=true", { body: file }); }
  bringFactsIn(file) { return this.#ask("POST", "facts/import", { body: file }); }
  pin(pins) { return this.#ask("PUT", "pins", { body: { pins } }); }
  rules() { return this.#ask("GET", "deny-rules"); }
  deny(rules) { return this.#ask("PUT", "deny-rules", { body: rules }); }
  settings() { return this.#ask("GET", "settings"); }
  switch(on, confirm) { return this.#ask("PUT", "settings", { body: confirm ? { context_memory: on, confirm } : { context_memory: on } }); }
  erase() { return this.#ask("DELETE", "memory"); }
  receipt() { return this.#ask("GET", "erasure"); }
  takeOut() { return this.#ask("GET", "export"); }
  preview(body, mode) { return this.#ask("POST", `import?preview=true&mode=${mode}`, { body }); }
  bringIn(body, mode, etag) { return this.#ask("POST", `import?mode=${mode}`, { body, etag }); }

  /** All facts of the person, those that were stated last first. */
  async allFacts() {
    const facts = [];
    for (let after = null, first = true; first || after; first = false) {
      const { body } = await this.facts(after);
      facts.push(...body.facts);
      after = body.next;
    }
    return facts.sort((one, other) => other.last_confirmed_at.localeCompare(one.last_confirmed_at) || one.text.localeCompare(other.text));
  }

  /** `{status, body, etag}` of an answer below 400. Throws Problem and Unreachable. */
  async #ask(method, path, { body, etag } = {}) {
    if (this.#session.token === null) await this.#signIn();
    const headers = { authorization: `Bearer ${this.#session.token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    if (etag) headers["if-match"] = etag;
    const response = await this.#fetch(`${this.#address}/v1/me/${path}`, {
      method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "omit",
    });
    if (response.status === 401) {
      this.#session.end();
      return this.#ask(method, path, { body, etag });
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) throw new Problem(response.status, answer, response.headers);
    return { status: response.status, body: answer, etag: response.headers.get("etag") };
  }

  async #fetch(address, options) {
    try {
      return await fetch(address, options);
    } catch (error) {
      throw new Unreachable("no answer", { cause: error });
    }
  }
}
