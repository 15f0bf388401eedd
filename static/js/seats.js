// Find one's seat as letters are typed: all names are on the page, so nothing is asked of the server.
// What is typed is folded as tournament/spelling.py does it; the names come folded, in all the ways
// to write them.

import { all } from "./dom.js";

const box = document.querySelector("[data-find]");
const answer = document.getElementById("answer");
const letters = JSON.parse(document.getElementById("letters").textContent);
const pairs = Object.keys(letters).filter((one) => one.length > 1);
const MOST = 20;

const plain = (text) => text.normalize("NFKD").toLowerCase().normalize("NFKD");

// Accents are what Unicode would put before a iota below; vowel signs, which are letters, are not.
const isAccent = (mark) =>
  mark === "\u0345" || `a\u0345${mark}`.normalize("NFD") !== `a\u0345${mark}`;

const folded = (typed) => {
  let text = plain(typed.replace(/['’‘‛ʼʻʽʹ´`′＇·‧]/g, "")).replace(/\p{M}/gu, (mark) =>
    isAccent(mark) ? "" : mark,
  );
  for (const pair of pairs) text = text.replaceAll(pair, letters[pair]);
  text = [...text].map((one) => letters[one] ?? one).join("");
  return text
    .replace(/\p{Cf}/gu, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .replace(/[iy]+/g, "i")
    .trim();
};
const numberIn = (typed) => {
  const text = plain(typed).replace(/\p{Mn}|[\s.:°]/gu, "");
  const found = /^(#|no|nº|n|nr|num|numero)?(\d{1,9})$/.exec(text);
  return found && { signed: Boolean(found[1]), number: String(Number(found[2])) };
};

const finds = (typed) => {
  const asked = numberIn(typed);
  if (asked)
    return ({ number, spelled }) =>
      number === asked.number || (!asked.signed && spelled.split(/[ |]/).includes(asked.number));
  const words = folded(typed).split(" ").filter(Boolean);
  return ({ number, spelled }) =>
    words.length > 0 &&
    words.every((word) =>
      /^\d+$/.test(word)
        ? word === number || spelled.split(/[ |]/).includes(word)
        : spelled.includes(word),
    );
};

const fill = (name, seat = {}) => {
  const copy = document.querySelector(`template[data-answer="${name}"]`).content.cloneNode(true);
  for (const slot of all("[data-slot]", copy)) slot.textContent = seat[slot.dataset.slot];
  const link = copy.querySelector("a");
  if (link) link.href = `?q=${seat.number}`;
  return copy;
};

const seatOf = (row) => ({
  number: row.dataset.number,
  name: row.querySelector(".seat-name").textContent.trim(),
  seat: row.querySelector(".seat-no").textContent.trim(),
  table: row.closest(".table-card").id.replace("table-", ""),
  round: row.closest("[data-round]").dataset.round,
});

const search = () => {
  const typed = box.value.trim();
  if (!typed) return answer.replaceChildren();
  const fits = finds(typed);
  const rows = all("#all-tables [data-spelled]").filter((row) => fits(row.dataset));
  if (!rows.length) return answer.replaceChildren(fill("nobody"));
  if (rows.length === 1) return answer.replaceChildren(fill("found", seatOf(rows[0])));
  const list = document.createElement("ul");
  list.className = "answers";
  list.append(...rows.slice(0, MOST).map((row) => fill("one-of", seatOf(row))));
  answer.replaceChildren(list);
};

box.addEventListener("input", search);
// Another round is published while somebody looks.
document.addEventListener("refreshed", () => box.value && search());
box.form.addEventListener("submit", (e) => {
  e.preventDefault();
  search();
});
