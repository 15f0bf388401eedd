// What was entered at a table and has not arrived yet. It is kept on this device first, then sent:
// in the order of its table, one at a time, from whatever page of the site is open.
// No service worker is needed: a laptop at a venue speaks plain http, which has none.

import { all, on } from "./dom.js";

const MOST = 60000; // ms between two attempts
const FINAL = [400, 404, 409, 410, 422]; // answers that another attempt would not change

// --- What is kept on this device ---------------------------------------------------------------
let opened;
const open = () =>
  // biome-ignore lint/suspicious/noAssignInExpressions: opened once, for all who ask.
  (opened ??= new Promise((done, fail) => {
    const asked = indexedDB.open("lodestar", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
      asked.result.createObjectStore("unsaved", { keyPath: "form" });
    };
    asked.onsuccess = () => {
      // Cleared, or taken away by the system while the page slept: opened anew by whoever asks next.
      asked.result.onclose = () => {
        opened = undefined;
      };
      done(asked.result);
    };
    asked.onerror = () => fail(asked.error);
  }));

// One transaction, on the disk when the promise is kept. Fails where this browser keeps nothing.
export const work = async (store, act) => {
  const writing = (await open()).transaction(store, "readwrite", { durability: "strict" });
  return new Promise((done, fail) => {
    const asked = act(writing.objectStore(store));
    writing.oncomplete = () => done(asked?.result);
    writing.onabort = () => fail(writing.error);
  });
};

export const entries = () => work("entries", (store) => store.getAll());
export const put = (entry) => work("entries", (store) => store.put(entry));
// Unless a person, or another tab, has decided about it meanwhile.
const settle = (entry, more) =>
  work("entries", (store) => {
    store.get(entry.id).onsuccess = ({ target: { result } }) =>
      result?.key === entry.key && store.put({ ...result, problem: undefined, ...more });
  });
export const remove = (ids) =>
  work("entries", (store) => {
    for (const id of ids) store.delete(id);
  });
export const newKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(15))))
    .replaceAll("+", "-")
    .replaceAll("/", "_");

// --- Sending -----------------------------------------------------------------------------------
let sending;
let wait = 0;
let timer;
let sent = 0; // while this page is open

const post = async (entry) => {
  const answer = await fetch(`/t/${entry.token}/deals/`, {
    method: "POST",
    keepalive: true,
    redirect: "error",
    headers: { "Content-Type": "application/json", "Idempotency-Key": entry.key },
    // The page that waits for the answer goes on to one that tells of it.
    body: JSON.stringify({ ...entry.body, shown: Date.now() - entry.made < 3000 }),
    signal: AbortSignal.timeout(15000),
  });
  // Whoever else answers there, a hotel's network say, is not us.
  if (!answer.headers.has("Lodestar-Time")) throw new Error("foreign");
  if (FINAL.includes(answer.status)) {
    const told = await answer.json().catch(() => ({}));
    // Told without a word it is not about the entry: a name that the server does not listen to, say.
    if (answer.status === 400 && !told.message) throw new Error(400);
    await settle(entry, { problem: { status: answer.status, ...told } });
    return false;
  }
  if (!answer.ok) throw new Error(answer.status);
  const { version } = await answer.json();
  await settle(entry, { version });
  sent += 1;
  return true;
};

const pass = async () => {
  let failed;
  const stuck = new Set();
  const next = (all) => all.find((one) => one.version === undefined && !stuck.has(one.token));
  // Asked anew each time: something may have been entered meanwhile.
  for (;;) {
    const kept = next(await entries());
    if (!kept) break;
    // A link that led nowhere may lead somewhere again: once its server has got its data back.
    const stopped = kept.problem && kept.problem.status !== 404;
    try {
      if (stopped || !(await post(kept))) stuck.add(kept.token);
    } catch (error) {
      failed = error;
      stuck.add(kept.token); // and no other table's
    }
  }
  if (failed) throw failed;
};

// Send all there is; whoever asks meanwhile waits for the same. Never fails.
export const send = () => {
  clearTimeout(timer);
  sending ??= tell(true)
    .then(pass)
    .then(
      () => {
        wait = 0;
      },
      () => {
        wait = Math.min(MOST, wait * 2 || 1000);
        timer = setTimeout(send, wait * (0.5 + Math.random()));
      },
    )
    .then(() => {
      sending = undefined;
      return tell();
    });
  return sending;
};

// --- Always said: where it is ------------------------------------------------------------------
const tell = async (busy = false) => {
  const line = document.querySelector("[data-outbox]");
  const kept = await entries().catch(() => []);
  const left = kept.filter((entry) => entry.version === undefined);
  if (!line) return;
  const stopped = left.find((entry) => entry.problem);
  const state = stopped ? "stopped" : left.length ? (busy ? "sending" : "waiting") : "sent";
  line.hidden = !left.length && !sent;
  line.dataset.outbox = state;
  for (const words of all("[data-state]", line)) words.hidden = words.dataset.state !== state;
  for (const number of all("[data-count]", line)) number.textContent = left.length;
  show(line.parentElement.querySelector("[data-stopped]"), stopped);
  document.dispatchEvent(new CustomEvent("outbox", { detail: left }));
};

// --- What could not be sent as it is: a person decides ------------------------------------------
let shown;
const show = (panel, entry) => {
  panel.hidden = !entry;
  if (!entry) return;
  const { status, message, stands, sent: mine, closed } = entry.problem;
  if (shown?.key === entry.key && shown.problem.status === status) return;
  shown = entry;
  const deal = entry.body.kind === "deal" || entry.body.kind === "declined";
  panel.dataset.stopped = !deal
    ? "sheet"
    : status !== 409
      ? "deal"
      : closed
        ? "closed"
        : "conflict";
  panel.querySelector("[data-label]").textContent = entry.label;
  panel.querySelector("[data-message]").textContent =
    message ?? panel.querySelector("[data-message]").dataset.gone;
  panel.querySelector("[data-theirs]").innerHTML = stands || "–";
  panel.querySelector("[data-mine]").innerHTML = mine || entry.shown || "";
  // Seat by seat: what is not the same on both sides.
  const [theirs, ours] = ["[data-theirs] li", "[data-mine] li"].map((one) => all(one, panel));
  theirs.forEach((row, seat) => {
    const other = ours[seat];
    for (const one of [row, other])
      one?.classList.toggle("differs", row.textContent.trim() !== other?.textContent.trim());
  });
  for (const part of all("[data-for]", panel))
    part.hidden = !part.dataset.for.split(" ").includes(panel.dataset.stopped);
  panel.focus();
};

const decide = async (act) => {
  const kept = await entries();
  const entry = kept.find((one) => one.id === shown?.id);
  if (entry?.problem) await act(entry, kept); // a second tap finds it decided
  shown = undefined;
  await send();
  document.dispatchEvent(new CustomEvent("decided"));
};
// Who handed in had read another sheet than there is now.
const readAgain = (entry, kept) =>
  remove(
    kept
      .filter((one) => one.token === entry.token && one.version === undefined)
      .filter((one) => one.body.kind === "submit" || one.body.kind === "confirm")
      .map((one) => one.id),
  );
const anew = (entry, body) =>
  put({ ...entry, key: newKey(), problem: undefined, body: { ...entry.body, ...body } });

const away = async (entry, kept) => {
  await readAgain(entry, kept);
  await remove([entry.id]);
};

const DECISIONS = {
  theirs: async (entry, kept) => {
    await readAgain(entry, kept);
    await anew(entry, { kind: "declined" });
  },
  mine: (entry) => anew(entry, { seen: entry.problem.seen }),
  again: (entry) => anew(entry, {}),
  read: away,
  away,
};
on("click", "[data-decide]", (button) => decide(DECISIONS[button.dataset.decide]));

for (const event of ["online", "focus", "pageshow"]) addEventListener(event, send);
document.addEventListener("visibilitychange", () => document.hidden || send());
send();
