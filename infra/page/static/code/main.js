/** Starts the page: who it serves (config.json), who is there (session), what is shown (the address). */

import { button, fill, h } from "./dom.js";
import { takeLanguage, t } from "./language.js";
import { ask } from "./parts/dialog.js";
import { releaseAll } from "./parts/drafts.js";
import { failed } from "./parts/failures.js";
import { hush, tell } from "./parts/notices.js";
import { Problem, Service, Unreachable } from "./service.js";
import { Session, SessionEnded, SomebodyElse } from "./session.js";
import { frame, place, within } from "./shell.js";
import { activityView } from "./views/activity.js";
import { factsView } from "./views/facts.js";
import { historyView } from "./views/history.js";
import { memoryView } from "./views/memory.js";
import { settingsView } from "./views/settings.js";

const VIEWS = { memory: memoryView, facts: factsView, history: historyView, activity: activityView, settings: settingsView };
const WAS_IN = "context-memory.was-in"; // a mere yes, so that a reload asks the issuer again without a click

let session, service, shown = new AbortController(), asking;

async function start() {
  takeLanguage();
  try {
    const settings = await (await fetch("config.json")).json();
    session = new Session(settings);
    service = new Service(settings.api_url, session, signInAgain);
    const arrived = await session.arrive();
    if (arrived === "elsewhere") return farewell();
    if (arrived) sessionStorage.setItem(WAS_IN, "yes");
    else if (sessionStorage.getItem(WAS_IN)) return enter();
  } catch (error) {
    console.error(error);
    return welcome(t("sign_in.failed"));
  }
  const inside = session.token !== null; // from now on, also after the token has expired
  const show = () => (inside ? draw(true) : welcome());
  addEventListener("hashchange", () => { hush(); show(); });
  addEventListener("offline", () => tell(t("failure.offline"), { kind: "bad", stays: true }));
  addEventListener("online", hush);
  addEventListener("pageshow", ({ persisted }) => persisted && !document.body.hasChildNodes() && location.reload());
  return show();
}

/** Show what the address names. `focused`: somebody went there, so that reading begins at its title. */
async function draw(focused = false) {
  shown.abort();
  shown = new AbortController();
  const { signal } = shown, redraw = () => draw(true);
  const content = frame({ signedIn: true, redraw: () => draw(), leave });
  fill(content, h("p", { class: "loading", role: "status" }, t("loading")));
  try {
    const view = await VIEWS[place()]({ service, signal, redraw, named: within() });
    if (signal.aborted) return;
    fill(content, view);
    if (focused) arrive(content);
  } catch (error) {
    if (![Problem, Unreachable, SessionEnded].some((kind) => error instanceof kind)) throw error;
    if (!signal.aborted) fill(content, h("h1", {}, t(`nav.${place()}`)), failed(error, redraw));
  }
}

/** Begin to read at what the address names, else at the title. */
function arrive(content) {
  const named = content.querySelector("[data-named]");
  if (named) named.focus();
  else content.querySelector("h1").focus({ preventScroll: true });
}

async function enter() {
  sessionStorage.removeItem(WAS_IN); // set again on arrival: an issuer that refuses shall not be asked in circles
  try {
    await session.leave();
  } catch (error) {
    console.error(error);
    welcome(t("sign_in.failed"));
  }
}

function welcome(trouble) {
  const content = frame({ signedIn: false, redraw: () => welcome(trouble) });
  fill(content, h("div", { class: "welcome" },
    h("h1", { tabindex: "-1" }, t("welcome.title")),
    h("p", { class: "lead" }, t("welcome.lead")),
    trouble && h("p", { class: "trouble", role: "alert" }, trouble),
    button(t("sign_in"), enter, { kind: "primary" }),
  ));
}

function farewell() {
  frame({ signedIn: false, redraw: farewell }).append(h("h1", {}, t("sign_in.back")), h("p", { class: "lead" }, t("sign_in.close")));
  close();
}

function leave() {
  session.end();
  releaseAll();
  sessionStorage.clear();
  document.body.replaceChildren(); // browsers keep whole pages for the way back
  location.replace(location.pathname);
}

/** The session has ended: ask to sign in beside this page, once for all requests that wait for it. */
function signInAgain() {
  asking ??= signedInBeside().finally(() => { asking = undefined; });
  return asking;
}

async function signedInBeside() {
  let arrived;
  const until = new Promise((resolve) => { arrived = resolve; });
  const beside = () =>
    session.again().then(arrived, (error) => {
      console.error(error);
      tell(t(error instanceof SomebodyElse ? "again.other" : "sign_in.failed"), { kind: "bad", stays: true });
    });
  await ask({
    title: t("again.title"),
    body: h("p", {}, t("again.body")),
    extra: [button(t("sign_in"), beside, { kind: "primary" })],
    answers: [{ label: t("again.later"), value: null }],
    until,
  });
  if (!session.token) throw new SessionEnded("nobody signed in again");
}

start();
