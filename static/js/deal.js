// A deal: counters that fill, one tap to take back, the result as it will be written.
// The payouts come with the page; nothing is computed here that the rules say.

import { all, on } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const SIDES = ["saboteur", "selfish"];

export const readDeal = (form) => {
  const seats = all(".seat[data-seat]", form).map((seat) => ({
    seat: seat.dataset.seat,
    // The cards that are left are miners': nobody has to mark them.
    role: seat.querySelector(":checked")?.value ?? "miner",
  }));
  const connector = form.querySelector(".picks :checked")?.value;
  const count = (role) => seats.filter((s) => s.role === role).length;
  return { seats, connector, counts: { saboteur: count("saboteur"), selfish: count("selfish") } };
};

const problemOf = (form, { connector, counts }) => {
  if (connector === undefined) return "connector";
  // For the staff, who may let other numbers of cards stand with a reason.
  if ("anyRoles" in form.dataset) return null;
  return SIDES.find((side) => counts[side] !== Number(form.dataset[side] ?? 0)) ?? null;
};

// What this deal pays: with nobody at the gold it depends on how many saboteurs were dealt.
export const payoutOf = (form, { seats, connector, counts }) => {
  const payouts = JSON.parse(form.dataset.payouts);
  if (connector === "none") return payouts.none[counts.saboteur];
  return payouts[seats.find((s) => s.seat === connector)?.role ?? "miner"];
};

const preview = (form, deal) => {
  const result = form.querySelector("[data-deal-result]");
  const ready = problemOf(form, deal) === null;
  if (result) result.hidden = !ready;
  // The button looks ready when the deal is; a screen reader hears the outcome.
  form.dataset.ready = ready ? "yes" : "no";
  const said = form.querySelector("[data-said]");
  if (!ready && said) said.textContent = "";
  if (!ready) return;
  const payout = payoutOf(form, deal);
  for (const words of all("[data-outcome]", form))
    words.hidden = words.dataset.outcome !== payout.outcome;
  const outcome = form.querySelector(`[data-outcome="${payout.outcome}"]`)?.textContent.trim();
  if (said && outcome && said.textContent !== outcome) said.textContent = outcome;
  for (const { seat, role } of deal.seats) {
    const row = all("[data-result]", form).find((r) => r.dataset.result === seat);
    if (!row) continue;
    const paid = seat === deal.connector ? payout.connector : payout.roles[role];
    // A deal loss takes what this seat would have got.
    const [points, star] = "zero" in row.dataset ? [0, 0] : paid;
    const number = row.querySelector("[data-points]");
    number.textContent = points;
    number.classList.toggle("some", points > 0);
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

// "1 Ana, 4 Bea": the seats that carry this role now.
const marks = (form, role) =>
  all(".seat[data-seat]", form)
    .filter((seat) => seat.querySelector(":checked")?.value === role)
    .map((seat) => `${seat.dataset.seat} ${seat.querySelector(".seat-name").textContent.trim()}`)
    .join(", ");

const setRole = (seat, role) => {
  const radio = seat.querySelector(`input[value="${role}"]`);
  if (radio) radio.checked = true;
  seat.dataset.role = role;
};

const tapRole = (form, radio) => {
  const seat = radio.closest(".seat");
  // The same card again takes it back. A radio can't tell by itself: it is checked before the
  // click.
  if (radio.value !== "miner" && seat.dataset.role === radio.value) return setRole(seat, "miner");
  seat.dataset.role = radio.value;
  // Only one such card in the deal: the new tap moves it.
  if (form.dataset[radio.value] !== "1" || "anyRoles" in form.dataset) return;
  for (const other of all(".seat[data-seat]", form))
    if (other !== seat && other.querySelector(":checked")?.value === radio.value)
      setRole(other, "miner");
};

// Click, not change: a radio that is checked already changes no more.
on("click", "[data-deal-form] .seat input[type=radio]", (radio) => {
  tapRole(radio.form, radio);
  refresh(radio.form);
});
on("change", "[data-deal-form] .picks input", (radio) => {
  const { form } = radio;
  refresh(form);
  const next = form.querySelector(".seats");
  // The first answer leads on to the next question, where that is below the edge of the screen.
  if (form.dataset.asked || !next || next.getBoundingClientRect().top < innerHeight * 0.6) return;
  form.dataset.asked = "yes";
  next.closest(".deal-step").scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
});
on("submit", "[data-deal-form]", (form, e) => {
  const problem = problemOf(form, readDeal(form));
  // Other buttons of the form need no deal that is complete.
  if (!problem || !e.submitter?.matches("[data-save]")) return;
  e.preventDefault();
  for (const line of all("[data-problem]", form)) {
    line.hidden = line.dataset.problem !== problem;
    if (line.hidden) continue;
    const marked = line.querySelector("[data-marked]");
    if (marked) marked.textContent = marks(form, problem) || marked.dataset.none;
    // Text takes the focus only so, and with the focus it is read out.
    line.tabIndex = -1;
    line.focus();
  }
});

// However it was filled, a form counts as it stands.
const begin = (form) => {
  for (const seat of all(".seat[data-seat]", form))
    seat.dataset.role = seat.querySelector(":checked")?.value ?? "miner";
  refresh(form);
};
on("filled", "[data-deal-form]", begin);
// The browser fills it again after going back.
const start = () => all("[data-deal-form]").forEach(begin);
addEventListener("pageshow", start);
start();
