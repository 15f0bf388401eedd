// The player's own page: a new seat is shown at once, and the browser tells what is new, where it
// may and is asked to.

import { all } from "./dom.js";

const AT_ONCE = 10; // seconds: sooner than that the page itself is new
const live = () => document.getElementById("live");
const told = document.querySelector("[data-new-seat]");

// --- A new seat, from the seats that everybody has ---------------------------------------------
let round = live()?.dataset.round ?? "";
document.addEventListener("pulse", async ({ detail: pulse }) => {
  const now = String(pulse.tables?.round ?? "");
  if (!told || now === round || pulse.spread < AT_ONCE) return;
  const version = pulse.versions.seats;
  const answer = await fetch(`${told.dataset.from}?v=${version}`, { credentials: "omit" });
  if (!answer.ok) return;
  const { label, seats } = await answer.json();
  const place = seats[told.dataset.number];
  round = now;
  if (!place) return;
  const words = told.dataset.newSeat
    .replace("{round}", label)
    .replace("{table}", place[0])
    .replace("{seat}", place[1]);
  told.querySelector("strong").textContent = words;
  told.hidden = false;
  tell(words);
});

// --- What is new, told by the browser ------------------------------------------------------------
const ask = document.querySelector("[data-ask-notices]");
const allowed = () => globalThis.Notification?.permission === "granted";

const tell = (words) => {
  navigator.vibrate?.([200, 100, 200]);
  if (!allowed() || !document.hidden) return;
  try {
    new Notification(document.title, { body: words, tag: location.pathname });
  } catch {
    // Some phones allow it to installed apps alone; the page and the vibration tell it.
  }
};

// Over plain http, as on a laptop at the venue, browsers have no notices.
if (ask && globalThis.Notification && isSecureContext) {
  const show = () => {
    ask.hidden = Notification.permission !== "default";
    // Somebody who is to be told has the page ask on while it lies in the background.
    document.documentElement.toggleAttribute("data-awake", allowed());
  };
  ask.querySelector("button").addEventListener("click", async () => {
    await Notification.requestPermission();
    show();
  });
  show();
}

let notice = live()?.dataset.notice;
document.addEventListener("htmx:after:swap", () => {
  const now = live()?.dataset.notice;
  if (now === undefined || now === notice) return;
  notice = now;
  round = live().dataset.round;
  for (const one of all("[data-new-seat]")) one.hidden = true;
  tell(now);
});
