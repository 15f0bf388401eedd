// Typing a paper sheet: a digit goes on by itself, straight down each deal; the sum as it grows,
// the star beside the points, and a stop at the seat where no outcome fits any more.
// The server counts again and has the last word; without this script it has the only one.

import { all } from "./dom.js";

const form = document.querySelector("[data-typing]");
const { outcomes, readings } = JSON.parse(form.dataset.readings);
const words = JSON.parse(form.dataset.words);
const payable = new Set(form.dataset.values.split(" "));
const boxes = all("input[data-seat]", form);
const save = form.querySelector("[data-save]");
const signed = form.querySelector("[data-signed]");
const tableNo = document.querySelector("[data-table-no]");
const names = all(".names .seat-name", form).map((one) =>
  one.textContent.trim().replace(/\s+/g, " "),
);

const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (_, key) => values[key]);
const named = (seats) => seats.map((seat) => `${seat} (${names[seat - 1]})`).join(", ");
const total = (list) => list.reduce((sum, one) => sum + one, 0);

// --- What points say: looked up in what came with the page, worked out by the rules ------------
// points: a number for each seat; lost: indexes with a deal loss; open: seats still to be typed.
export const reading = (points, lost = [], open = 0) => {
  // Zeros say nothing, and the order of seats neither: so the table of readings stays small.
  const shown = points.filter(Boolean).sort((a, b) => b - a);
  const { fits = [], wrong = [] } = readings[shown.join("")] ?? {};
  // A deal loss may have been written down as 0.
  const hidden = lost.filter((seat) => !points[seat]).length;
  const possible = fits
    .filter(([, lacking]) => lacking <= hidden + open)
    .map(([one]) => outcomes[one]);
  const starred = (paid) =>
    // Only what brings a star however the deal ended.
    possible.length > 0 && possible.every((one) => one.stars.includes(paid));
  return {
    possible,
    stars: points.map((paid, seat) => Boolean(paid) && !lost.includes(seat) && starred(paid)),
    wrong: possible.length
      ? []
      : points.flatMap((paid, seat) => (paid && wrong.includes(paid) ? [seat + 1] : [])),
  };
};

// --- One deal on the page ---------------------------------------------------------------------
const columns = all(".typing-col.typing-deal", form).map((column) => {
  const number = column.dataset.deal;
  const inputs = all("input[data-seat]", column);
  const note = form.querySelector(`[data-note="${number}"]`);
  const lost = inputs.flatMap((box, seat) => ("lost" in box.parentElement.dataset ? [seat] : []));
  return { column, inputs, note, lost, told: "" };
});
const columnOf = (box) => columns.find((one) => one.inputs.includes(box));
const digit = (box) => (payable.has(box.value) ? Number(box.value) : 0);

// A deal is typed as far as `upto`; what stands after it is still to come, or to be typed anew.
const readColumn = ({ inputs, lost }, upto) => {
  // Without a box at hand: as far as anything was typed.
  const last = upto ? inputs.indexOf(upto) : inputs.findLastIndex((box) => box.value);
  const points = inputs.map((box, seat) => (seat > last ? 0 : digit(box)));
  const open = inputs.filter((_, seat) => seat > last && !lost.includes(seat)).length;
  return {
    ...reading(points, lost, open),
    points,
    open,
    last,
    empty: inputs.every((box) => !box.value),
  };
};

const saidOf = ({ possible, points, open }) => {
  const sum = total(points);
  const told = possible.map((one) =>
    open ? `${words.outcomes[one.outcome]} ${one.sum}` : words.outcomes[one.outcome],
  );
  return fill(open ? words.open : words.fits, {
    sum,
    outcomes: told.join(open ? ", " : ` ${words.or} `),
  });
};

const problemOf = (read) => {
  if (read.wrong.length) return fill(words.seats, { seats: named(read.wrong) });
  const sums = [...new Set(outcomes.map((one) => one.sum))].sort((a, b) => b - a);
  return fill(words.sum, { sum: total(read.points), sums: sums.join(", ") });
};

const show = (deal, read, wrong) => {
  const { column, inputs, note, lost } = deal;
  if (!note.querySelector("[data-says]")) return;
  const foot = column.querySelector("[data-sum]");
  foot.textContent = read.empty ? "" : total(read.points);
  foot.classList.toggle("ok", !read.empty && !read.open && read.possible.length > 0);
  foot.classList.toggle("bad", Boolean(wrong));
  for (const one of all("[data-possible]", column))
    one.classList.toggle(
      "out",
      !read.empty && !read.possible.some(({ sum }) => String(sum) === one.dataset.possible),
    );
  note.querySelector("[data-says]").textContent =
    read.empty || !read.possible.length ? "" : saidOf(read);
  const alarm = note.querySelector("[data-wrong]");
  alarm.hidden = !wrong;
  // The same words set again would be read out again.
  if (alarm.textContent !== wrong) alarm.textContent = wrong;
  // No seat is to blame for a wrong sum, so all of them are marked.
  const marked = wrong ? (read.wrong.length ? read.wrong : inputs.map((_, seat) => seat + 1)) : [];
  const differing = [];
  inputs.forEach((box, seat) => {
    const cell = box.parentElement;
    const bad = marked.includes(seat + 1) || (box.value !== "" && !payable.has(box.value));
    cell.classList.toggle("wrong", bad);
    box.setAttribute("aria-invalid", bad);
    cell.querySelector("[data-star]").hidden = !read.stars[seat];
    // An empty box above the last one typed is a 0.
    const typed = box.value !== "" || (!read.empty && seat <= read.last);
    const other =
      typed &&
      "stands" in cell.dataset &&
      // The paper may show what the penalty took.
      !lost.includes(seat) &&
      String(digit(box)) !== cell.dataset.stands;
    cell.classList.toggle("differs", other);
    if (other) differing.push(seat + 1);
  });
  const line = note.querySelector("[data-differs]");
  line.hidden = !differing.length;
  line.textContent = differing.length ? fill(words.differs, { seats: named(differing) }) : "";
  note.hidden = read.empty && !lost.length;
};

// Looks at a deal typed as far as this box; says whether the hand may go on.
const look = (deal, upto) => {
  const read = readColumn(deal, upto);
  const fits = read.empty || read.possible.length > 0;
  // While a full column is typed over it says what stands in it: no tick before that is right.
  const stands = fits && isFull(deal) ? readColumn(deal) : read;
  show(deal, stands, fits ? "" : problemOf(read));
  totals();
  if (fits) return true;
  // With the box in it: the same digits are told again at another seat.
  const now = deal.inputs.map((box) => box.value).join("-") + deal.inputs.indexOf(upto);
  const again = deal.told === now; // told once: the second time the hand knows what it does
  deal.told = now;
  if (!again) deal.note.scrollIntoView({ block: "nearest" });
  return again;
};

const isFull = ({ inputs }) => inputs.every((box) => box.value);

const totals = () => {
  for (const output of all("[data-total]", form)) {
    const seat = Number(output.dataset.total) - 1;
    const paid = columns.map(({ inputs, lost }) => {
      const box = inputs[seat];
      if (!box || lost.includes(seat)) return 0;
      // An empty column leaves what stands on the sheet.
      if (inputs.every((one) => !one.value)) return Number(box.parentElement.dataset.stands ?? 0);
      return digit(box);
    });
    output.textContent = total(paid) || "";
  }
};

// --- The hands stay on the keys ---------------------------------------------------------------
const go = (target) => {
  target?.focus();
  target?.select?.();
};
const end = () => (signed && !signed.checked ? signed : save); // the tick is not to be missed
const after = (box) => boxes[boxes.indexOf(box) + 1] ?? end();
const before = (box) => boxes[boxes.indexOf(box) - 1] ?? tableNo;
const beside = (box, step) => {
  const seat = box.dataset.seat;
  const row = boxes.filter((one) => one.dataset.seat === seat);
  return row[row.indexOf(box) + step];
};
const onward = (box) => {
  if (look(columnOf(box), box)) go(after(box));
  else box.select();
};

form.addEventListener("input", (e) => {
  const box = e.target;
  if (!boxes.includes(box)) return;
  const deal = columnOf(box);
  if (box.value && !payable.has(box.value)) {
    look(deal, box);
    const alarm = deal.note.querySelector("[data-wrong]");
    alarm.textContent = fill(words.digit, { values: [...payable].join(", ") });
    alarm.hidden = false;
    return box.select();
  }
  if (box.value) onward(box);
  // A box that was emptied is no typing: the hand stays, and nothing is stopped.
  else look(deal, undefined);
});

form.addEventListener("keydown", (e) => {
  const box = e.target;
  // Shortcuts of the browser, and keys that a word is being composed with.
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
  const keys = boxes.includes(box)
    ? {
        Enter: () => onward(box),
        ArrowDown: () => go(after(box)),
        ArrowUp: () => go(before(box)),
        ArrowRight: () => go(beside(box, 1) ?? save),
        ArrowLeft: () => go(beside(box, -1) ?? tableNo),
        // Where there is a digit the key first takes that.
        Backspace: box.value ? undefined : () => go(before(box)),
      }
    : box === save || box === signed
      ? {
          ArrowUp: () => go(boxes.at(-1)),
          ArrowLeft: () => go(boxes.at(-1)),
          Backspace: () => go(boxes.at(-1)),
          ...(box === signed && { Enter: () => go(save), ArrowDown: () => go(save) }),
        }
      : {};
  if (!keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
// The hand has left a column that was typed over: it counts as it stands.
form.addEventListener("focusout", (e) => {
  const deal = boxes.includes(e.target) && columnOf(e.target);
  if (!deal || deal.inputs.includes(e.relatedTarget) || !isFull(deal)) return;
  const read = readColumn(deal);
  show(deal, read, read.possible.length ? "" : problemOf(read));
});
form.addEventListener("focusin", (e) => boxes.includes(e.target) && e.target.select());
tableNo?.addEventListener("keydown", (e) => {
  if (e.key !== "ArrowDown") return;
  e.preventDefault();
  go(boxes[0] ?? save);
});

const start = () => {
  for (const deal of columns)
    if (deal.inputs.length) show(deal, readColumn(deal), wrongAtFirst(deal));
  totals();
};
// What the server refused stays marked until it is typed anew.
const wrongAtFirst = (deal) => {
  const read = readColumn(deal);
  return deal.inputs.some((box) => box.ariaInvalid === "true") && !read.possible.length
    ? problemOf(read)
    : "";
};
start();
// Going back, the browser fills the boxes again after this script has run.
addEventListener("pageshow", start);
form.addEventListener("filled", () => {
  start();
  go(boxes.find((box) => !box.value) ?? save);
});
const wrong =
  boxes.find((box) => box.ariaInvalid === "true") ??
  document.querySelector("#reason[aria-invalid]");
if (wrong) go(wrong);
else if (document.activeElement === document.body || boxes.includes(document.activeElement))
  go(boxes[0] ?? save);
const sheet = form.querySelector(".typing-sheet");
// All rows at once where they fit: nobody scrolls while typing.
if (sheet.offsetHeight < innerHeight) sheet.scrollIntoView({ block: "nearest" });
form.dataset.typing = "ready"; // from now on a digit goes on by itself
