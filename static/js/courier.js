// No net at all: what was not sent leaves the phone as a picture. Another phone that has net opens
// its address and sends it in the table's name; what stands behind the # no server sees.

import { all } from "./dom.js";
import { entries, put, send } from "./outbox.js";
import { correction, generate } from "./vendor/lean-qr.min.js";

const KINDS = ["deal", "declined", "submit", "confirm"];
const FIELDS = ["kind", "number", "roles", "connector", "seen", "seat", "reopened"];

const encode = (value) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
const decode = (text) => {
  const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0))));
};

const addressOf = (kept) => {
  const [{ token, body, table }] = kept;
  const packed = kept.map((one) => [one.key, ...FIELDS.map((name) => one.body[name] ?? "")]);
  return `${location.origin}/carry/#${encode([token, table, body.players, packed])}`;
};

// As one path: sharp at any size, and nothing but black on white.
const picture = (address) => {
  const code = generate(address, { minCorrectionLevel: correction.L });
  const rows = [];
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) rows.push(`M${x} ${y}h1v1h-1z`);
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", `-4 -4 ${code.size + 8} ${code.size + 8}`);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", rows.join(""));
  svg.append(path);
  return svg;
};

document.addEventListener(
  "toggle",
  async ({ target }) => {
    const box =
      target.open && target.matches("[data-courier]") && target.querySelector("[data-qr]");
    const kept = box ? (await entries()).filter((one) => one.version === undefined) : [];
    if (!kept.length) return;
    // A phone may have served another table before: the one that is open here comes first.
    const here = document.getElementById("table").dataset.token;
    const mine = kept.filter((one) => one.token === here);
    const token = mine.length ? here : kept[0].token;
    const address = addressOf(kept.filter((one) => one.token === token));
    box.dataset.address = address;
    box.replaceChildren(picture(address));
  },
  true, // it does not bubble
);

// --- The phone that carries --------------------------------------------------------------------
const list = document.querySelector("[data-carried]");
// Anybody may have made the address: nothing that could lead elsewhere than to a table, or that
// could not be sent and would hold up the rest.
const check = (whether) => {
  if (!whether) throw new Error("unread");
};
const MOST = 40; // entries that a table can have

const take = async () => {
  const [token, table, players, packed] = decode(location.hash.slice(1));
  check(/^[\w-]{16,40}$/.test(token) && packed.length <= MOST);
  check(packed.every(([key, kind]) => /^[\w-]{16,36}$/.test(key) && KINDS.includes(kind)));
  const known = new Set((await entries()).map((one) => one.key));
  for (const [key, ...fields] of packed) {
    const body = Object.fromEntries(FIELDS.map((name, at) => [name, fields[at]]));
    const label = `${list.dataset.table.replace("%n", table)} · ${list.dataset[body.kind].replace("%n", body.number)}`;
    // Read twice, it is still one.
    if (!known.has(key))
      await put({ token, key, label, made: Date.now(), body: { ...body, players, carried: true } });
  }
  history.replaceState(null, "", location.pathname);
};

const tell = async () => {
  const carried = (await entries()).filter((one) => one.body.carried);
  list.replaceChildren(
    ...carried.map((one) => {
      const row = document.getElementById("carried").content.cloneNode(true);
      row.querySelector("b").textContent = one.label;
      const state = one.problem ? "stopped" : one.version === undefined ? "waiting" : "sent";
      for (const words of all("[data-is]", row)) words.hidden = words.dataset.is !== state;
      return row;
    }),
  );
};

const carry = async () => {
  if (location.hash.length > 1) await take();
  await tell();
  document.addEventListener("outbox", tell);
  await send();
};
if (list)
  carry().catch(() => {
    document.querySelector("[data-unread]").hidden = false;
  });
