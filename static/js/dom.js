// What every script of ours uses. It does nothing by itself, so loading it twice is harmless.

export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

export const on = (event, selector, act) =>
  // On the document: parts that htmx puts in place later need no binding of their own.
  document.addEventListener(event, (e) => {
    // The target may be the document itself, which has no `closest`.
    const found = e.target.closest?.(selector);
    if (found) act(found, e);
  });

// Whether our server answers now; a hotel's network that answers for it is none.
export const reachable = () =>
  fetch("/health/", { cache: "no-store", signal: AbortSignal.timeout(3000) })
    .then((answer) => answer.ok && answer.headers.has("Lodestar-Time"))
    .catch(() => false);

// Whether somebody uses a part: swapped now, what they do would be gone. That is more than the
// focus: what was typed stays when the finger has gone elsewhere.
const begun = (control) =>
  control.value !== control.defaultValue || control.checked !== control.defaultChecked;
export const used = (part) =>
  part.contains(document.activeElement) ||
  part.querySelector("[data-sent], details[open]:not([data-open])") ||
  all("input:not([type=hidden]), textarea", part).some(begun);
