// What is typed and not saved yet is kept on this device: after a reload, the back button or a flat
// battery the form stands as it was left.

import { all, on } from "./dom.js";
import { work } from "./outbox.js";

const OWN = ["csrfmiddlewaretoken", "seen"];
const OLD = 2 * 24 * 3600 * 1000; // ms
const nameOf = (form) => form.dataset.unsaved + (form.dataset.number ?? "");
const typed = (form) => [...new FormData(form)].filter(([name]) => !OWN.includes(name));

const keep = (form, sent = false) => {
  const row = { form: nameOf(form), fields: typed(form), sent, at: Date.now() };
  return work("unsaved", (store) => store.put(row)).catch(() => {});
};
export const forget = (form) => work("unsaved", (store) => store.delete(nameOf(form)));

// A form gets back what was kept a moment after it has opened. What a quick hand enters before that
// is left as it is, and kept after it: else it would take the place of what is still to come back.
const resumed = new WeakMap(); // by form: a promise
const touched = new WeakMap(); // by form: names
const enter = async (box) => {
  const { form } = box;
  touched.set(form, (touched.get(form) ?? new Set()).add(box.name));
  await started;
  await resumed.get(form);
  await keep(form);
};
on("input", "[data-unsaved] [name]", enter);
// A role is taken back by a click that changes nothing else.
on("click", "[data-unsaved] input", (box, e) => e.isTrusted && enter(box));
on("submit", "[data-unsaved]", (form, e) => e.defaultPrevented || keep(form, true));
on("click", "[data-begin-anew]", async ({ form }) => {
  await forget(form);
  form.reset();
  form.querySelector("[data-unsaved-line]").hidden = true;
  filled(form);
});

const filled = (form) => form.dispatchEvent(new CustomEvent("filled", { bubbles: true }));

const restore = (form, { fields, sent, at }) => {
  const given = (box) => fields.filter(([name]) => name === box.name).map(([, value]) => value);
  for (const box of form.elements) {
    // The mark of what was sent comes along, so that it counts once; else there is a new one.
    if (!box.name || OWN.includes(box.name) || (box.type === "hidden" && !sent)) continue;
    if (touched.get(form)?.has(box.name)) continue;
    const values = given(box);
    if (box.type === "radio" || box.type === "checkbox") box.checked = values.includes(box.value);
    else if (values.length) box.value = values[0];
  }
  const line = form.querySelector("[data-unsaved-line]");
  line.hidden = false;
  line.querySelector("time").textContent = new Date(at).toLocaleTimeString(
    document.documentElement.lang,
    { hour: "2-digit", minute: "2-digit", hour12: false },
  );
  filled(form);
};

// As it was left, if it was: a form that has just opened.
export const resume = (form) => {
  const kept = work("unsaved", (store) => store.get(nameOf(form)));
  resumed.set(
    form,
    kept.then((row) => row && restore(form, row)).catch(() => {}),
  );
};

// The answer to what was saved names its mark; what is old nobody misses.
const start = async () => {
  const mark = document.cookie.match(/(?:^|; )saved=([^;]*)/)?.[1];
  const rows = await work("unsaved", (store) => store.getAll());
  const over = ({ at, fields }) =>
    at < Date.now() - OLD || fields.some(([name, value]) => name === "key" && value === mark);
  await work("unsaved", (store) => {
    for (const row of rows.filter(over)) store.delete(row.form);
  });
  all("[data-unsaved]:not([data-bound])").forEach(resume);
};
const started = start().catch(() => {});
