// A screen in the hall. It turns its pages by the server's time, so that two televisions side by
// side show the same, counts down, moves a little each minute, and never needs a hand.

import { all } from "./dom.js";
import { minutes, reading, serverNow } from "./time.js";

const AGAIN = 20000; // ms between two looks for a server that does not beat
const ROUND = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];
const STEP = 0.35; // hundredths of the screen's height: 4 px of 1080
const START_SHOWN = 60000; // ms
const root = document.documentElement;
const picture = () => document.getElementById("picture");
const build = picture()?.dataset.build;

// --- Pages -------------------------------------------------------------------------------
// The same stands in tournament/queries/screen_pages.py.
const turn = () => {
  const { seconds, paused } = picture().dataset;
  const pages = all("[data-page]");
  if (pages.length < 2 || paused !== undefined) return;
  const up = Math.floor(serverNow() / (seconds * 1000)) % pages.length;
  pages.forEach((page, n) => {
    page.hidden = n !== up;
  });
  all("[data-dot]").forEach((dot, n) => {
    dot.classList.toggle("on", n === up);
  });
};

// --- A message that counts down -------------------------------------------------------------
const HOUR = 3600000;
const time = (ms) => {
  const whole = Math.ceil(ms / 1000) * 1000;
  if (whole < HOUR) return minutes(whole);
  return `${Math.floor(whole / HOUR)}:${minutes(whole % HOUR).padStart(5, "0")}`;
};
const countDown = () => {
  for (const message of all("[data-message-until]")) {
    const left = message.dataset.messageUntil * 1000 - serverNow();
    message.hidden = left <= 0;
    message.querySelector("[data-left]").textContent = time(Math.max(0, left));
  }
};

// --- Nothing burns in -----------------------------------------------------------------------
const move = () => {
  const [x, y] = ROUND[Math.floor(serverNow() / 60000) % ROUND.length];
  picture().style.translate = `${x * STEP}vh ${y * STEP}vh`;
};

// --- The tone when the time is over -----------------------------------------------------------
let sound;
let clock = null;
let before;
const tone = () => {
  if (!sound) return;
  for (const [at, pitch] of [
    [0, 523],
    [0.5, 392],
  ]) {
    const voice = new OscillatorNode(sound, { frequency: pitch });
    const gain = new GainNode(sound, { gain: 0 });
    const from = sound.currentTime + at;
    gain.gain.linearRampToValueAtTime(0.25, from + 0.05);
    gain.gain.exponentialRampToValueAtTime(0.001, from + 1.2);
    voice.connect(gain).connect(sound.destination);
    voice.start(from);
    voice.stop(from + 1.3);
  }
  root.dataset.toned = "yes";
};
const listen = () => {
  const { state } = reading(clock, serverNow(), "");
  if (before === "running" && state === "over") tone();
  before = state;
};
document.addEventListener("pulse", ({ detail }) => {
  clock = detail.clock;
  listen();
});

// --- One touch ----------------------------------------------------------------------------------
const stayAwake = () => navigator.wakeLock?.request("screen").catch(() => {});
const button = document.querySelector("[data-start]");
let hiding;
const offer = () => {
  if (!button || sound) return;
  button.hidden = false;
  clearTimeout(hiding);
  // It would burn in where nobody ever touches it.
  hiding = setTimeout(() => {
    button.hidden = true;
  }, START_SHOWN);
};
button?.addEventListener("click", () => {
  sound = new AudioContext();
  button.hidden = true;
  stayAwake();
  root.requestFullscreen?.().catch(() => {});
});
addEventListener("pointermove", offer);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) stayAwake();
});

// --- Every second of the server's time ------------------------------------------------------------
const tick = () => {
  turn();
  countDown();
  move();
  listen();
  setTimeout(tick, 1000 - (serverNow() % 1000));
};

document.addEventListener("htmx:after:swap", () => {
  // The program was renewed meanwhile, and so is this page.
  if (picture()?.dataset.build !== build) location.reload();
  turn();
  countDown();
  move();
});
// An event that is hidden has no beat; its own address says what is so, and when that is over.
setInterval(() => {
  if (root.classList.contains("offline")) window.htmx?.trigger(picture(), "news", {}, false);
}, AGAIN);
if (picture()) {
  root.classList.add("js");
  stayAwake();
  offer();
  tick();
}
