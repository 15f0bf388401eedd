// What every script of ours uses. It does nothing by itself, so loading it twice is harmless.

export const all = (selector, within = document) => [...within.querySelectorAll(selector)];

export const on = (event, selector, act) =>
  document.addEventListener(event, (e) => {
    const found = e.target.closest?.(selector);
    if (found) act(found, e);
  });
