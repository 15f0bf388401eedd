// The draft under the organiser's hand: taps, keys and drags without a new page.
// Every step is a link or a button that works without this; htmx fetches it and puts it in place.

import { all } from "./dom.js";

const draft = () => document.getElementById("draft");
const live = document.getElementById("draft-live");

// --- The answer in its place: nothing jumps, the focus stays, and what happened is said --------
const of = (act) => (e) => {
  if (e.detail.ctx?.target?.id === "draft") act(e.detail.ctx, e);
};
const topOf = (id) => document.getElementById(id)?.getBoundingClientRect().top;

// Whoever moves, wherever they are afterwards; else what was pressed.
const anchorOf = ({ sourceElement, request }) => {
  const player = request.form && new FormData(request.form).get("player");
  const picked = sourceElement.id === "put-back" ? draft().dataset.picked : player;
  return picked ? `pick-${picked}` : (request.submitter ?? sourceElement).id;
};

const said = () => {
  const told = draft().querySelector("[data-said]")?.textContent.trim();
  return (told || draft().querySelector("#hand p")?.textContent || "").replace(/\s+/g, " ");
};

document.addEventListener(
  "htmx:before:swap",
  of((ctx) => {
    ctx.anchor = anchorOf(ctx);
    ctx.top = topOf(ctx.anchor);
    delete ctx.request.anchor; // the link's own, for a browser without scripts
  }),
);
document.addEventListener(
  "htmx:after:swap",
  of((ctx) => {
    const element = document.getElementById(ctx.anchor) ?? draft().querySelector("a, button");
    // The browser would scroll it into view; the line below keeps it where the eye was.
    element?.focus({ preventScroll: true });
    const now = topOf(ctx.anchor);
    if (ctx.top !== undefined && now !== undefined) scrollBy(0, now - ctx.top);
    live.textContent = said();
  }),
);
// No network: the browser says so in its own words.
document.addEventListener(
  "htmx:error",
  of(() => location.reload()),
);

const settled = () =>
  new Promise((done) => {
    document.addEventListener("htmx:finally:request", done, { once: true });
  });

// --- Keys: arrows go from person to person and from table to table, Escape puts back -----------
const STOPS = "#draft :is(a.seat-name, button.target:not(#place-out))";
const beside = (now, step) => {
  const card = now.closest("[data-table]");
  const cards = all("#draft [data-table]");
  const next = cards[cards.indexOf(card) + step];
  if (!card || !next) return null;
  const row = all(".seat-name, .target", card).indexOf(now);
  const rows = all(".seat-name, .target", next);
  // The next table may be smaller: then its last seat.
  return rows[Math.min(row, rows.length - 1)];
};

document.addEventListener("keydown", (e) => {
  if (e.key === "Escape") {
    // Escape during a drag calls off the drag, not what was picked before.
    if (drag) return stop();
    document.getElementById("put-back")?.click();
    return;
  }
  const now = document.activeElement?.closest?.(STOPS);
  if (!now || e.ctrlKey || e.metaKey || e.altKey) return;
  const stops = all(STOPS);
  const next = {
    ArrowDown: () => stops[stops.indexOf(now) + 1],
    ArrowUp: () => stops[stops.indexOf(now) - 1],
    ArrowRight: () => beside(now, 1),
    ArrowLeft: () => beside(now, -1),
  }[e.key]?.();
  if (!next) return;
  e.preventDefault();
  next.focus();
});

// --- Drag: picking somebody up and tapping where the pointer lets go ---------------------------
const START = 8; // pixels before a press becomes a drag
const EDGE = 70; // how near to the edge the page begins to scroll
let drag = null;

const targetAt = (x, y) => {
  const under = document.elementFromPoint(x, y);
  const button = under?.closest("button.target");
  const row = button ? null : under?.closest(".person");
  const card = under?.closest("[data-table]");
  return (
    button ??
    row?.querySelector("button.target") ??
    (under?.closest("[data-out]") && document.getElementById("place-out")) ??
    (card && document.getElementById(`place-${card.dataset.table}`)) ??
    null
  );
};

const stop = () => {
  if (!drag) return;
  drag.ghost?.remove();
  for (const lit of all(".drop-here")) lit.classList.remove("drop-here");
  document.documentElement.classList.remove("dragging");
  drag = null;
};

const begin = () => {
  drag.on = true;
  drag.ghost = Object.assign(document.createElement("div"), { className: "drag-ghost" });
  drag.ghost.append(drag.name, document.createElement("small"));
  document.body.append(drag.ghost);
  document.documentElement.classList.add("dragging");
  // Where they may go comes from the server: the drop waits for that answer.
  drag.ready = draft().dataset.picked === drag.number ? Promise.resolve() : settled();
  if (draft().dataset.picked !== drag.number) drag.link.click();
};

const follow = (e) => {
  const { ghost } = drag;
  // Above the pointer, so that a finger does not cover it, and never beyond the right edge.
  ghost.style.transform = `translate(${Math.min(e.clientX + 12, innerWidth - ghost.offsetWidth)}px, ${e.clientY - 54}px)`;
  const target = targetAt(e.clientX, e.clientY);
  for (const lit of all(".drop-here")) if (lit !== target) lit.classList.remove("drop-here");
  target?.classList.add("drop-here");
  ghost.querySelector("small").textContent = target?.querySelector("small")?.textContent ?? "";
  if (e.clientY < EDGE) scrollBy(0, -12);
  if (e.clientY > innerHeight - EDGE) scrollBy(0, 12);
};

// The click that ends a drag is no tap.
const swallowClick = () => {
  const swallow = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  // Not every drag ends in a click: the next real one must get through.
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
};

document.addEventListener("pointerdown", (e) => {
  const grip = e.target.closest?.("#draft [data-grip]");
  const row = e.target.closest?.("#draft .person");
  // A finger on a row scrolls the page; it drags by the grip alone.
  if (!row || e.button || !(grip || e.pointerType === "mouse")) return;
  const link = row.querySelector("a.seat-name");
  if (!link) return;
  const name = link.firstChild.nodeValue.trim();
  drag = { x: e.clientX, y: e.clientY, number: row.dataset.seat, name, link, id: e.pointerId };
});

document.addEventListener("pointermove", (e) => {
  if (!drag || e.pointerId !== drag.id) return;
  if (!drag.on && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < START) return;
  if (!drag.on) begin();
  follow(e);
});

document.addEventListener("pointerup", async (e) => {
  if (!drag || e.pointerId !== drag.id) return;
  const { on, ready } = drag;
  if (!on) return stop();
  swallowClick();
  stop();
  await ready;
  // Looked up after waiting: the answer may have put new buttons there.
  const target = targetAt(e.clientX, e.clientY);
  if (target) target.form.requestSubmit(target);
  else document.getElementById("put-back")?.click();
});

document.addEventListener("pointercancel", stop);
// The browser's own drag of a link would take the pointer away.
document.addEventListener("dragstart", (e) => e.target.closest?.("#draft") && e.preventDefault());
