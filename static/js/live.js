// Pages that follow an event: one small question every five seconds, and only what has changed is
// fetched. They say how old they are, and find their way back by themselves.

import { all, used } from "./dom.js";
import { learn, minutes, reading, serverNow } from "./time.js";

const EVERY = 5000; // ms
const MOST = 60000;
const OFFLINE_AFTER = 3; // failures in a row
const root = document.documentElement;
const address = document.querySelector("meta[name=pulse]")?.content;

let pulse = null;
let etag = "";
let failures = 0;
let timer;
let asking = false;

// --- The pulse ---------------------------------------------------------------------------
const ask = async () => {
  const sent = Date.now();
  const answer = await fetch(address, {
    cache: "no-store",
    credentials: "omit",
    headers: etag ? { "If-None-Match": etag } : {},
    signal: AbortSignal.timeout(15000),
  });
  const server = Number(answer.headers.get("Lodestar-Time"));
  // A copy from a cache on the way tells an older time.
  if (server && !answer.headers.has("Age")) learn(sent, Date.now(), server);
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(answer.status);
  pulse = await answer.json();
  etag = answer.headers.get("ETag") ?? "";
};

const resting = () => document.hidden && !root.hasAttribute("data-awake");

const beat = async () => {
  // Hidden tabs rest: they ask again as soon as somebody looks. But one that is to tell something
  // (ticket.js, calls.js) goes on.
  if (asking || resting()) return;
  asking = true;
  clearTimeout(timer);
  try {
    await ask();
    failures = 0;
    tellAge();
    tick();
    document.dispatchEvent(new CustomEvent("pulse", { detail: pulse }));
    await Promise.all(all("[data-part]").map(refresh));
    for (const page of all("[data-follows]")) follow(page);
  } catch {
    failures += 1;
    if (failures === OFFLINE_AFTER) tellOffline();
  }
  asking = false;
  document.dispatchEvent(new CustomEvent("followed"));
  const wait = Math.min(MOST, EVERY * 2 ** failures);
  clearTimeout(timer);
  timer = setTimeout(beat, wait * (0.8 + Math.random() * 0.4));
};

// --- Parts that everybody sees alike -------------------------------------------------------
const version = (name) => {
  const found = pulse.parts[name] ?? pulse.versions[name];
  return typeof found === "object" ? found[root.lang] : found;
};

const refresh = async (part) => {
  const wanted = version(part.dataset.part);
  if (String(wanted) === part.dataset.since || used(part)) return;
  const answer = await fetch(`${part.dataset.from}?v=${wanted ?? 0}`, { credentials: "omit" });
  if (!answer.ok) throw new Error(answer.status);
  const words = await answer.text();
  if (used(part)) return; // somebody began while it was on its way
  part.innerHTML = words;
  part.dataset.since = answer.headers.get("Lodestar-Version");
  mark(part);
  part.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
};

// --- Pages of one person, which the server makes for them alone ------------------------------
const due = new WeakMap();

const changed = (page) =>
  page.dataset.follows.split(" ").some((one) => {
    const [name, seen] = one.split(":");
    const now = version(name);
    return now !== undefined && String(now) !== seen;
  });

const stateOf = (table) => {
  if (!pulse.tables || !table) return "";
  return (
    ["open", "submitted"].find((state) => pulse.tables[state].includes(Number(table))) ??
    "confirmed"
  );
};

const follow = (page) => {
  // What happened at one's own table is shown at once; what happened to all, in turn.
  const { table, state } = page.dataset;
  const own = table && state && stateOf(table) !== state;
  if (!own && !changed(page)) return due.delete(page);
  const seconds = own || page.dataset.turn !== "own" ? 0 : pulse.spread;
  if (!due.has(page) || own) due.set(page, Date.now() + Math.random() * seconds * 1000);
  if (Date.now() < due.get(page) || used(page)) return;
  due.delete(page);
  window.htmx?.trigger(page, "news", {}, false);
};

// --- How old ---------------------------------------------------------------------------------
const clockOf = (zone) =>
  new Intl.DateTimeFormat(root.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    timeZone: zone || undefined,
  });

const tellAge = () => {
  root.classList.remove("offline");
  for (const line of all("[data-as-of]")) {
    line.dataset.last = serverNow();
    line.textContent = line.dataset.asOf.replace("{time}", age(line));
  }
};
const age = (line) => clockOf(line.dataset.zone).format(new Date(Number(line.dataset.last)));

const tellOffline = () => {
  root.classList.add("offline");
  for (const line of all("[data-as-of]")) {
    const since = line.dataset.last ? age(line) : "…";
    line.textContent = line.dataset.offline.replace("{time}", since);
  }
};

// --- Clocks ------------------------------------------------------------------------------------
let ticking;
const tick = () => {
  clearTimeout(ticking);
  const clocks = all("[data-clock]");
  if (pulse) for (const clock of clocks) show(clock);
  // At the whole second of the server's time, on every screen of the hall.
  if (clocks.length && !document.hidden) ticking = setTimeout(tick, 1000 - (serverNow() % 1000));
};

const show = (clock) => {
  const { state, ms, text } = reading(pulse.clock, serverNow(), clock.dataset.clock);
  clock.hidden = state === "none";
  if (clock.dataset.state !== state) {
    clock.dataset.state = state;
    // What a page offers may be something else at zero.
    const page = clock.closest("[data-turns]");
    if (page && !used(page)) window.htmx?.trigger(page, "news", {}, false);
  }
  const [time, words] = [clock.querySelector("b"), clock.querySelector("span")];
  // What is long over counts up no more.
  time.textContent = state === "over" ? "0:00" : minutes(ms);
  words.textContent = text || clock.dataset[`say${state[0].toUpperCase()}${state.slice(1)}`] || "";
};

// --- You ---------------------------------------------------------------------------------------
// The ticket that this phone has opened, by the start number alone; nothing of it is sent.
const event = /\/live\/([^/]+)\//.exec(address)?.[1];
const remember = () => {
  const ticket = document.querySelector("[data-own-number]");
  try {
    if (ticket) localStorage.setItem(`own:${event}`, ticket.dataset.ownNumber);
    return localStorage.getItem(`own:${event}`);
  } catch {
    return ticket?.dataset.ownNumber; // private mode
  }
};
const own = address && remember();
const mark = (within) => {
  if (!own) return;
  for (const row of all(`[data-number="${CSS.escape(own)}"]`, within)) row.classList.add("own");
};

// --- Start ---------------------------------------------------------------------------------------
if (address) {
  mark(document);
  beat();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    beat();
    tick();
  });
  // `pageshow` comes with the first look as well, which asks already.
  addEventListener("pageshow", (e) => e.persisted && beat());
  addEventListener("online", beat);
  document.addEventListener("htmx:after:swap", tick);
}
