// Typing the paper sheet of an edition: Enter and the arrows go on, sums as they grow, and whether
// they are those on the paper. Whether a deal can be, the server says.

import { all } from "./dom.js";

const form = document.querySelector("[data-typing-edition]");
const boxes = all("input[data-seat], input[data-paper-sum]", form);
const save = form.querySelector("[data-save]");
const columns = all(".typing-col.typing-deal", form).map((column) => ({
  column,
  inputs: all("input[data-seat]", column),
}));
const number = (box) => Number(box.value.trim()) || 0;
const sum = (list) => list.reduce((all, one) => all + one, 0);

const refresh = () => {
  for (const { column, inputs } of columns) {
    const foot = column.querySelector("[data-sum]");
    if (foot) foot.textContent = inputs.some((box) => box.value) ? sum(inputs.map(number)) : "";
  }
  for (const paper of all("[data-paper-sum]", form)) {
    const seat = paper.dataset.paperSum;
    const total = sum(
      columns.map(({ inputs }) => {
        const box = inputs.find((one) => one.dataset.seat === seat);
        if (!box) return 0;
        // An empty column leaves what stands on the sheet; a penalty takes a deal whatever is typed.
        const typed = inputs.some((one) => one.value);
        return typed ? number(box) : Number(box.parentElement.dataset.stands ?? 0);
      }),
    );
    const wrong = Boolean(paper.value.trim()) && number(paper) !== total;
    paper.placeholder = total;
    paper.parentElement.classList.toggle("wrong", wrong);
    paper.ariaInvalid = String(wrong);
  }
};

const go = (box) => {
  box?.focus();
  box?.select?.();
};
const place = (box) => box.dataset.seat ?? box.dataset.paperSum;
const beside = (box, step) => {
  const row = boxes.filter((one) => place(one) === place(box));
  return row[row.indexOf(box) + step];
};

form.addEventListener("input", refresh);
form.addEventListener("keydown", (e) => {
  const box = e.target;
  if (!boxes.includes(box) || e.ctrlKey || e.metaKey || e.altKey || e.isComposing) return;
  const at = boxes.indexOf(box);
  const keys = {
    Enter: () => go(boxes[at + 1] ?? save),
    ArrowDown: () => go(boxes[at + 1] ?? save),
    ArrowUp: () => go(boxes[at - 1]),
    ArrowRight: () => go(beside(box, 1)),
    ArrowLeft: () => go(beside(box, -1)),
    Backspace: box.value ? undefined : () => go(boxes[at - 1]),
  };
  if (!keys[e.key]) return;
  e.preventDefault();
  keys[e.key]();
});
form.addEventListener("focusin", (e) => boxes.includes(e.target) && e.target.select());
form.addEventListener("filled", refresh);
addEventListener("pageshow", refresh);
refresh();
go(boxes.find((box) => box.ariaInvalid === "true") ?? boxes[0]);
