// Lodestar's own script. Every page works without it; it only makes things quicker under a thumb.
// All words come from the HTML, so that they are translated. No eval: the CSP is 'self'.

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const on = (event, selector, act) =>
  document.addEventListener(event, (e) => {
    const found = e.target.closest?.(selector);
    if (found) act(found, e);
  });

// Changes a button's words, which stand last in it, after its icon; gives the old ones.
const say = (button, words) => {
  const old = button.lastChild.nodeValue;
  button.lastChild.nodeValue = words;
  return old;
};

// --- Pressed buttons: show it at once, and send only once -------------------------------
const release = (form) => {
  delete form.dataset.sent;
  for (const button of all("[aria-busy]", form)) {
    button.removeAttribute("aria-busy");
    if (button.dataset.words) say(button, button.dataset.words);
  }
};

const press = (form, button) => {
  form.dataset.sent = "yes";
  setTimeout(() => release(form), form.method === "get" ? 3000 : 15000);
  if (!button) return;
  if (button.dataset.busy) button.dataset.words = say(button, button.dataset.busy);
  button.setAttribute("aria-busy", "true");
};

// On window, so that it runs after everybody who may call the submission off.
addEventListener("submit", (e) => {
  const form = e.target;
  if (e.defaultPrevented || "again" in form.dataset || form.method === "dialog") return;
  if (form.dataset.sent) e.preventDefault();
  else press(form, e.submitter);
});
addEventListener("pageshow", () => all("form[data-sent]").forEach(release));

// --- Errors: the summary has the focus ---------------------------------------------------
const showErrors = (within) => within.querySelector?.("[data-error-summary]")?.focus();

// --- Live parts rest while nobody looks, or while somebody uses them ---------------------
// htmx sends itself the event "every"; caught on the way down, it never arrives.
// "Use" is more than the focus: what was typed stays when the finger has gone elsewhere.
const begun = (control) =>
  control.value !== control.defaultValue || control.checked !== control.defaultChecked;
const resting = (part) =>
  document.hidden ||
  part.contains(document.activeElement) ||
  part.querySelector("[data-sent], details[open]") ||
  all("input:not([type=hidden]), textarea", part).some(begun);
document.addEventListener(
  "every",
  (e) => {
    if (e.target.matches?.("[data-live]") && resting(e.target)) e.stopImmediatePropagation();
  },
  true,
);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) for (const part of all("[data-live]")) window.htmx?.trigger(part, "every", {}, false);
});

// --- Theme -------------------------------------------------------------------------------
on("submit", "[data-theme-switch]", (form, e) => {
  e.preventDefault();
  const theme = e.submitter?.value || "";
  document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  form.querySelector(`button:not([value="${theme}"])`)?.focus();
});

// --- Small helpers -----------------------------------------------------------------------
on("change", "select[data-autosubmit]", (select) => select.form.requestSubmit());
on("click", "[data-print]", () => print());
on("click", "[data-copy]", async (button) => {
  const text = button.dataset.copy;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without https there is no clipboard: take the old way.
    const box = Object.assign(document.createElement("textarea"), { value: text });
    button.after(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
  if (!button.dataset.copied || button.ariaLive) return;
  button.ariaLive = "polite";
  const words = say(button, button.dataset.copied);
  setTimeout(() => {
    say(button, words);
    button.ariaLive = null;
  }, 2500);
});
document.addEventListener("click", (e) => {
  for (const menu of all("details.menu[open]")) if (!menu.contains(e.target)) menu.open = false;
});
document.addEventListener("keydown", (e) => {
  const menu = e.key === "Escape" && document.activeElement?.closest("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// --- Clocks and the projector's pages ----------------------------------------------------
const clock = (time) => {
  const left = Math.round((Date.parse(time.dataset.countdown) - Date.now()) / 1000);
  if (Number.isNaN(left)) return;
  const seconds = Math.abs(left);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  const start = minutes < 100 ? minutes : `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  time.classList.toggle("over", left < 0);
  time.textContent = `${left < 0 ? "+" : ""}${start}:${two(seconds % 60)}`;
};

// Counted from the clock on the wall, so that a swapped-in list stays at its page.
const turn = (screen) => {
  const pages = all(".screen-page", screen);
  if (!pages.length) return;
  const current = Math.floor(Date.now() / 1000 / (Number(screen.dataset.turn) || 12)) % pages.length;
  pages.forEach((page, i) => (page.hidden = i !== current));
  const count = document.querySelector("[data-turn-count]");
  if (count) count.textContent = pages.length > 1 ? `${current + 1} / ${pages.length}` : "";
};

const tick = () => {
  all("[data-countdown]").forEach(clock);
  all("[data-turn]").forEach(turn);
};
setInterval(tick, 1000);

// --- A deal: counters, one tap to take back, the result as it will be written ------------
const SIDES = ["saboteur", "selfish"];

const readDeal = (form) => {
  const seats = all(".seat[data-seat]", form).map((seat) => ({
    seat: seat.dataset.seat,
    role: seat.querySelector(":checked")?.value ?? "miner",
  }));
  const connector = form.querySelector(".picks :checked")?.value;
  const count = (role) => seats.filter((s) => s.role === role).length;
  return { seats, connector, counts: { saboteur: count("saboteur"), selfish: count("selfish") } };
};

const problemOf = (form, { connector, counts }) => {
  if (connector === undefined) return "connector";
  if ("anyRoles" in form.dataset) return null;
  return SIDES.find((side) => counts[side] !== Number(form.dataset[side] ?? 0)) ?? null;
};

const outcomeOf = ({ seats, connector }) => {
  if (connector === "none") return "saboteurs";
  const role = seats.find((s) => s.seat === connector)?.role;
  return { selfish: "selfish", saboteur: "saboteur-connected" }[role] ?? "miners";
};

// What one seat takes: [points, star]. A preview only; the server counts again.
const takings = ({ seat, role }, outcome, connector, data) => {
  const connected = seat === connector;
  if (outcome === "saboteurs") return role === "saboteur" ? [data.saboteurPoints, true] : [0, false];
  if (outcome === "selfish") return connected ? [data.selfishPoints, true] : [0, false];
  if (role !== "miner") return [0, false];
  return connected ? [data.connectorPoints, true] : [data.minerPoints, false];
};

const preview = (form, deal) => {
  const result = form.querySelector("[data-deal-result]");
  const ready = problemOf(form, deal) === null;
  if (result) result.hidden = !ready;
  if (!ready) return;
  const outcome = outcomeOf(deal);
  for (const words of all("[data-outcome]", form)) words.hidden = words.dataset.outcome !== outcome;
  for (const seat of deal.seats) {
    const row = all("[data-result]", form).find((r) => r.dataset.result === seat.seat);
    if (!row) continue;
    const zeroed = "zero" in row.dataset;
    const [points, star] = zeroed ? [0, false] : takings(seat, outcome, deal.connector, form.dataset);
    const number = row.querySelector("[data-points]");
    number.textContent = points;
    number.classList.toggle("some", Number(points) > 0);
    row.querySelector("[data-star]").hidden = !star;
  }
};

const refresh = (form) => {
  const deal = readDeal(form);
  for (const side of SIDES) {
    const counter = form.querySelector(`[data-counter="${side}"]`);
    if (!counter) continue;
    const wanted = Number(form.dataset[side]);
    counter.querySelector("[data-count]").textContent = deal.counts[side];
    counter.classList.toggle("full", deal.counts[side] === wanted);
    counter.classList.toggle("over", deal.counts[side] > wanted);
  }
  for (const line of all("[data-problem]", form)) line.hidden = true;
  preview(form, deal);
};

const setRole = (seat, role) => {
  const radio = seat.querySelector(`input[value="${role}"]`);
  if (radio) radio.checked = true;
  seat.dataset.role = role;
};

const tapRole = (form, radio) => {
  const seat = radio.closest(".seat");
  if (radio.value !== "miner" && seat.dataset.role === radio.value) return setRole(seat, "miner");
  seat.dataset.role = radio.value;
  // Only one such card in the deal: the new tap moves it.
  if (form.dataset[radio.value] !== "1" || "anyRoles" in form.dataset) return;
  for (const other of all(".seat[data-seat]", form))
    if (other !== seat && other.querySelector(":checked")?.value === radio.value) setRole(other, "miner");
};

on("click", "[data-deal-form] .seat input[type=radio]", (radio) => {
  tapRole(radio.form, radio);
  refresh(radio.form);
});
on("change", "[data-deal-form] .picks input", (radio) => refresh(radio.form));
on("submit", "[data-deal-form]", (form, e) => {
  const problem = problemOf(form, readDeal(form));
  if (!problem || !e.submitter?.matches("[data-save]")) return;
  e.preventDefault();
  for (const line of all("[data-problem]", form)) {
    line.hidden = line.dataset.problem !== problem;
    if (line.hidden) continue;
    line.tabIndex = -1;
    line.focus();
  }
});

const startDeals = () => {
  for (const form of all("[data-deal-form]")) {
    for (const seat of all(".seat[data-seat]", form))
      seat.dataset.role = seat.querySelector(":checked")?.value ?? "miner";
    refresh(form);
  }
};
const start = (within) => {
  showErrors(within);
  tick();
  startDeals();
};
document.addEventListener("htmx:after:swap", (e) => start(e.target));
addEventListener("pageshow", startDeals);
start(document);
