/**
 * Signs in by OpenID Connect: authorization code with PKCE, no secret, no cookie.
 *
 * The access token lives in this module's memory and nowhere else. What waits for the way back from the issuer (state
 * and verifier, good for one use) lies in sessionStorage, which is this tab's alone.
 */

const WAITING = "context-memory.sign-in";
const RETURNS = "context-memory.returned";
const EARLY_SECONDS = 30; // a token that is about to expire would be refused on its way

/** The issuer refused, or answered what we did not ask for. */
export class SignInFailed extends Error {}

/** Another person than the one whose memory stands here has signed in. */
export class SomebodyElse extends SignInFailed {}

/** Somebody was asked to sign in again, and did not. */
export class SessionEnded extends Error {}

export class Session {
  #settings;
  #endpoints;
  #token = null;
  #expires = 0;
  #whose = null; // stays when the token is over: what stands on the page is this person's

  /** `settings`: config.json. */
  constructor(settings) {
    this.#settings = settings;
  }

  /** The token, or null when there is none or it is about to expire. */
  get token() {
    return Date.now() < this.#expires ? this.#token : null;
  }

  /** Forget the token: the service refused it, or somebody signs out. */
  end() {
    this.#token = null;
    this.#expires = 0;
  }

  /** Leave this page for the issuer's. */
  async leave() {
    const { address, waiting } = await this.#request();
    sessionStorage.setItem(WAITING, JSON.stringify(waiting));
    location.assign(address);
  }

  /** Sign in where the address says that we come back from the issuer; false when it does not. */
  async arrive() {
    const answer = new URLSearchParams(location.search);
    if (!answer.has("state")) return false;
    const kept = sessionStorage.getItem(WAITING);
    sessionStorage.removeItem(WAITING);
    // The code is used up; whoever looks at the address or goes back shall not find it.
    history.replaceState(null, "", location.pathname + location.hash);
    if (kept === null) {
      // No sign-in waits in this tab: another one opened us, see `again`.
      new BroadcastChannel(RETURNS).postMessage(Object.fromEntries(answer));
      return "elsewhere";
    }
    const waiting = JSON.parse(kept);
    await this.#redeem(Object.fromEntries(answer), waiting);
    history.replaceState(null, "", location.pathname + waiting.place);
    return true;
  }

  /** Sign in in a window beside this one, so that nothing that stands here is lost. */
  async again() {
    // Opened at once, for browsers allow it only while they remember the click.
    const beside = open("about:blank", "context-memory-sign-in", "popup,width=480,height=640");
    const { address, waiting } = await this.#request();
    const channel = new BroadcastChannel(RETURNS);
    const answer = new Promise((resolve) => {
      channel.addEventListener("message", ({ data }) => data.state === waiting.state && resolve(data));
    });
    if (beside) beside.location.replace(address);
    try {
      await this.#redeem(await answer, waiting);
    } finally {
      channel.close();
      beside?.close();
    }
  }

  async #request() {
    this.#endpoints ??= await discovered(this.#settings.issuer);
    const waiting = { state: random(), verifier: random(), place: location.hash };
    const address = new URL(this.#endpoints.authorization_endpoint);
    const query = {
      ...this.#settings.sign_in_parameters,
      response_type: "code",
      client_id: this.#settings.client_id,
      redirect_uri: here(),
      scope: this.#settings.scope,
      state: waiting.state,
      code_challenge: await challenge(waiting.verifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    return { address: address.href, waiting };
  }

  async #redeem(answer, waiting) {
    if (answer.state !== waiting.state) throw new SignInFailed("the answer is not to our question");
    if (answer.iss !== undefined && answer.iss !== this.#settings.issuer) throw new SignInFailed("another issuer answered");
    if (answer.code === undefined) throw new SignInFailed(answer.error ?? "no code");
    this.#endpoints ??= await discovered(this.#settings.issuer);
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      code: answer.code,
      redirect_uri: here(),
      client_id: this.#settings.client_id,
      code_verifier: waiting.verifier,
    });
    const response = await fetch(this.#endpoints.token_endpoint, { method: "POST", body: form, credentials: "omit" });
    if (!response.ok) throw new SignInFailed("the issuer refused the code");
    const issued = await response.json();
    const whose = speaker(issued.access_token, this.#settings.identity_claims);
    // A version's number says nothing of whose it is: what one has written would be saved as another's memory.
    if (this.#whose !== null && this.#whose !== whose) throw new SomebodyElse("somebody else has signed in");
    this.#whose = whose;
    this.#token = issued.access_token;
    this.#expires = Date.now() + 1000 * ((issued.expires_in ?? 300) - EARLY_SECONDS);
  }
}

/** Whom a token speaks for, as one text. `claims`: names of those that the service tells people apart by. */
export function speaker(token, claims) {
  const payload = token.split(".")[1].replace(/-/g, "+").replace(/_/g, "/");
  const said = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0))));
  return JSON.stringify(claims.map((claim) => said[claim] ?? null));
}

function here() {
  return location.origin + location.pathname;
}

async function discovered(issuer) {
  const response = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, { credentials: "omit" });
  if (!response.ok) throw new SignInFailed("the issuer says nothing of itself");
  return response.json();
}

function random() {
  return written(crypto.getRandomValues(new Uint8Array(32)));
}

/** The S256 challenge of a verifier. */
export async function challenge(verifier) {
  return written(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function written(bytes) {
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
