// A judge is called: ages that tick, a sound for judges, the table's own bar that follows its call.

import { all, on, used } from "./dom.js";
import { serverNow } from "./time.js";

const root = document.documentElement;
const rings = document.querySelector("meta[name=pulse][data-rings]");
const SOUND = "calls:sound";

// Private mode keeps nothing.
const keep = (store, name, value) => {
  try {
    store.setItem(name, value);
  } catch {}
};
const kept = (store, name) => {
  try {
    return store.getItem(name);
  } catch {
    return null;
  }
};

// --- What grows by itself ------------------------------------------------------------------
const words = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

const tick = () => {
  const now = serverNow();
  for (const age of all("[data-age-of]")) age.textContent = words(now - Number(age.dataset.ageOf));
  // Minutes that somebody has changed are theirs.
  for (const box of all("[data-lost-since]"))
    if (box.value === box.defaultValue && box !== document.activeElement) {
      const lost = Math.ceil((now - Number(box.dataset.lostSince)) / 60000);
      box.defaultValue = box.value = String(Math.min(Math.max(0, lost), Number(box.max)));
    }
  for (const row of all("[data-late]")) judge(row, now);
};

// Which infraction coming late is by now: five minutes to the second are still the smaller one.
const judge = (row, now) => {
  const starts = Number(row.dataset.starts);
  const seconds = Math.floor((now - starts) / 1000);
  const [minor, major] = row.dataset.codes.split(" ");
  const code = seconds < 0 ? "" : seconds <= Number(row.dataset.late) ? minor : major;
  for (const way of all("[data-code]", row)) way.hidden = way.dataset.code !== code;
  // The start has come: from now on it counts.
  const list = row.closest("[data-follows]");
  if (code && row.querySelector("[data-before]") && list && !used(list))
    window.htmx?.trigger(list, "news", {}, false);
};

let ticking;
const run = () => {
  clearTimeout(ticking);
  tick();
  if (!document.hidden) ticking = setTimeout(run, 1000 - (serverNow() % 1000));
};

// --- The table's own bar -------------------------------------------------------------------
const followCall = (pulse) => {
  const bar = document.querySelector("[data-call-of]");
  const { tables } = pulse;
  if (!bar || !tables || String(tables.round) !== bar.dataset.round) return;
  const now = tables.called[bar.dataset.callOf] ?? "";
  if (now !== bar.dataset.called && !used(bar)) window.htmx?.trigger(bar, "news", {}, false);
};

// --- Judges hear it ------------------------------------------------------------------------
let audio = null;
const beep = () => {
  if (!audio || audio.state !== "running") return;
  const start = audio.currentTime;
  [880, 660, 880].forEach((pitch, place) => {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    const from = start + place * 0.22;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0, from);
    loud.gain.linearRampToValueAtTime(0.4, from + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.001, from + 0.2);
    tone.connect(loud).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.21);
  });
};

const wanted = () => kept(localStorage, SOUND) === "on";
const wake = async () => {
  audio ??= window.AudioContext ? new AudioContext() : null;
  await audio?.resume();
  // From now on the tab asks while it is hidden as well.
  if (audio?.state === "running") root.dataset.awake = "on";
  showSound();
};

const showSound = () => {
  const isOn = wanted() && root.dataset.awake === "on";
  for (const button of all("[data-sound]")) {
    button.textContent = isOn ? button.dataset.on : button.dataset.off;
    button.ariaPressed = String(isOn);
  }
};

on("click", "[data-sound]", async () => {
  const off = wanted() && root.dataset.awake === "on";
  keep(localStorage, SOUND, off ? "off" : "on");
  if (off) {
    delete root.dataset.awake;
    showSound();
    return;
  }
  await wake();
  beep();
});
// After another page was opened no sound is allowed before a touch; any will do.
if (rings) document.addEventListener("pointerdown", () => wanted() && !audio && wake());

const title = document.title;
const badge = (count) => {
  document.title = count ? `(${count}) ${title}` : title;
};

// The calls that this tab has rung for: a page that is opened does not ring for them again.
const heard = `calls:${rings?.content}`;
const ring = (pulse) => {
  const { tables } = pulse;
  const called = Object.entries(tables?.called ?? {}).filter(([, state]) => state === "open");
  const calls = called.map(([table]) => `${tables.round}/${table}`);
  const before = (kept(sessionStorage, heard) ?? "").split(" ");
  badge(calls.length);
  keep(sessionStorage, heard, calls.join(" "));
  if (calls.every((call) => before.includes(call))) return;
  if (wanted()) beep();
  // Before the first touch browsers allow neither.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([250, 120, 250]);
};

// --- The judges' list is made anew beneath the reader: what was unfolded stays so -------------
let unfolded = new Map();
document.addEventListener("htmx:before:swap", () => {
  unfolded = new Map(all("#watch details[id]").map((one) => [one.id, one.open]));
});
const unfold = () => {
  for (const one of all("#watch details[id]:not([data-pressed])"))
    one.open = unfolded.get(one.id) ?? one.open;
  // But for what the press itself has opened: who has just come stands first there, with the
  // penalty as the next press.
  for (const one of all("#watch [data-pressed]")) {
    delete one.dataset.pressed;
    one.querySelector("li").scrollIntoView({ block: "nearest" });
  }
};

// --- Start ---------------------------------------------------------------------------------
document.addEventListener("pulse", (e) => {
  followCall(e.detail);
  if (rings) ring(e.detail);
});
document.addEventListener("htmx:after:swap", () => {
  unfold();
  run();
});
document.addEventListener("visibilitychange", run);
run();
showSound();
