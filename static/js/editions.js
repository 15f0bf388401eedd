// The deals of the editions that clubs play: what a form says as one short text, and what it pays.
// The server has the last word; here it is shown before a deal is saved, and while there is no net.
// Both are held to the same worked cases (tests/vectors/editions.jsonl).

import { all, on } from "./dom.js";

const sum = (list) => list.reduce((all, one) => all + one, 0);
const seatsOf = (list, wanted) => list.flatMap((one, at) => (wanted(one) ? [at + 1] : []));

// --- A deal as a short text (docs/decisions/deal-facts.md) ----------------------------------------
export const parse = (rules, text) => {
  if (!text.includes(":")) return { points: text.split("/").map(Number) };
  const [letters, connector, ...rest] = text.split(":");
  const deal = { roles: [...letters].map((one) => rules.roles[one]), connector: Number(connector) };
  if (rules.game === "base")
    return { ...deal, gold: rest[0]?.split("/").map((cards) => [...cards].map(Number)) };
  const [doors = "", crystals = "", jailed = "", thieves = ""] = rest;
  return {
    ...deal,
    doors: [...doors].map((one) => rules.roles[one]),
    crystals: Number(crystals),
    jailed: jailed ? jailed.split("/").map(Number) : [],
    thieves: thieves ? thieves.split("/").map((pair) => pair.split(">").map(Number)) : [],
  };
};

// --- What a deal pays -----------------------------------------------------------------------------
// How many gold cards each seat takes: from who reached the gold downwards, miner by miner.
export const cardsOf = (rules, roles, connector) => {
  const miners = roles
    .map((_, step) => (connector - 1 - step + roles.length) % roles.length)
    .filter((seat) => roles[seat] === "miner");
  const drawn = rules.each ? miners.length : Math.min(roles.length, rules.most);
  const taken = roles.map(() => 0);
  for (let card = 0; card < drawn && miners.length; card++) taken[miners[card % miners.length]]++;
  return taken;
};

const payBase = (rules, { roles, connector, gold }) => {
  if (connector)
    return { winner: "miners", points: roles.map((_, seat) => sum(gold?.[seat] ?? [])) };
  const saboteurs = roles.filter((role) => role === "saboteur").length;
  const paid = saboteurs ? rules.paid[saboteurs] : 0;
  return {
    winner: saboteurs ? "saboteurs" : "nobody",
    points: roles.map((role) => (role === "saboteur" ? paid : 0)),
  };
};

const OTHER = { blue: "green", green: "blue" };
const sidesOf = ({ roles, connector, doors }) => {
  if (!connector) return ["saboteur", "profiteer"];
  const free = Object.keys(OTHER).filter((colour) => !doors.includes(OTHER[colour]));
  const own = roles[connector - 1];
  const teams = !(own in OTHER)
    ? free
    : free.includes(own)
      ? [own]
      : free.filter((colour) => colour === OTHER[own]);
  return [...teams, "profiteer", ...(teams.length ? ["boss"] : [])];
};

const steal = ({ thieves, jailed, roles }, points, before) => {
  const cards = thieves.filter(([thief]) => !jailed.includes(thief));
  if (!cards.length) return;
  const from = (seat) => (seat - cards.at(-1)[0] + roles.length) % roles.length;
  for (const [thief, victim] of [...cards].sort(([one], [two]) => from(one) - from(two))) {
    if (before[victim - 1] + points[victim - 1] < 1) continue;
    points[victim - 1]--;
    points[thief - 1]++;
  }
};

const payDwarfs = (rules, deal, before) => {
  const { roles, jailed, crystals } = deal;
  const free = (role, seat) => !jailed.includes(seat + 1) && role;
  const sides = sidesOf(deal);
  const winners = seatsOf(roles.map(free), (role) => sides.includes(role));
  const each = rules.paid[winners.length] ?? rules.many;
  const geologists = roles.map(free).filter((role) => role === "geologist").length;
  const points = roles.map((role, seat) => {
    if (winners.includes(seat + 1)) return Math.max(0, each - (rules.less[role] ?? 0));
    return free(role, seat) === "geologist" ? Math.floor(crystals / geologists) : 0;
  });
  steal(deal, points, before);
  return { winners, points };
};

// `text`: a deal; `before`: what each had until then. Null where it is not entered.
export const payout = (rules, text, before) => {
  if (!text) return null;
  if (text === "void") return { points: before.map(() => 0) };
  const deal = parse(rules, text);
  if (deal.points) {
    const [one, two] = deal.points;
    const ahead = one === two ? "nobody" : one > two ? 1 : 2;
    return { points: deal.points, ...(rules.game === "duel" ? { winner: ahead } : {}) };
  }
  return rules.game === "base" ? payBase(rules, deal) : payDwarfs(rules, deal, before);
};

// All deals of a sheet: points, and a star where a duel is won. `losses`: deal -> seats.
export const paidOn = (rules, deals, seats, losses) => {
  let before = Array(seats).fill(0);
  const paid = deals.map((text) => {
    const found = payout(rules, text, before);
    if (found) before = before.map((one, seat) => one + found.points[seat]);
    return found;
  });
  const counted = paid.map((found, at) =>
    found?.points.map((one, seat) => (losses[at + 1]?.includes(seat + 1) ? 0 : one)),
  );
  const sums = before.map((_, seat) => sum(counted.map((points) => points?.[seat] ?? 0)));
  // A duel is won by all of its deals: before the last nobody has.
  const last = counted.every(Boolean) ? counted.length - 1 : -1;
  return counted.map((points, at) =>
    points?.map((one, seat) => [
      one,
      rules.game === "duel" && at === last && sums[seat] > sums[1 - seat] ? 1 : 0,
    ]),
  );
};

// --- The form ---------------------------------------------------------------------------------------
const rulesOf = (form) => JSON.parse(form.dataset.rules);
const rolesIn = (form) =>
  all("[data-seat]", form).map((seat) => seat.querySelector(":checked")?.value ?? "");
const connectorIn = (form) => Number(form.querySelector(".picks :checked")?.value) || 0;
const goldBox = (form, seat) => form.elements[`gold-${seat}`];
const letterOf = (rules, role) => Object.keys(rules.roles).find((one) => rules.roles[one] === role);
const checked = (form, name) => all(`[name="${name}"]:checked`, form).map((one) => one.value);

const problemOf = (form, rules) => {
  const seats = Number(form.dataset.seats);
  if (rules.game === "duel") {
    const golds = Array.from({ length: seats }, (_, at) => goldBox(form, at + 1).value.trim());
    return golds.every((one) => /^\d{1,2}$/.test(one)) ? null : "gold";
  }
  if (!form.querySelector(".picks :checked")) return "connector";
  const roles = rolesIn(form);
  if (roles.includes("")) return "roles";
  const count = (role) => roles.filter((one) => one === role).length;
  if (rules.game === "base")
    return [rules.dealt, rules.dealt - 1].includes(count("saboteur")) ? null : "saboteur";
  return Object.keys(rules.cards).some((role) => count(role) > rules.cards[role]) ? "counts" : null;
};

// What the form says, as it is stored; null while something is missing.
export const factsOf = (form) => {
  const rules = rulesOf(form);
  if (problemOf(form, rules)) return null;
  const seats = Array.from({ length: Number(form.dataset.seats) }, (_, at) => at + 1);
  if (rules.game === "duel")
    return seats.map((seat) => Number(goldBox(form, seat).value)).join("/");
  const roles = rolesIn(form);
  const connector = connectorIn(form);
  const parts = [roles.map((role) => letterOf(rules, role)).join(""), connector];
  if (rules.game === "base") {
    const cards = seats.map((seat) => [...goldBox(form, seat).value.replace(/\D/g, "")].sort());
    if (connector) parts.push(cards.map((one) => one.join("")).join("/"));
    return parts.join(":");
  }
  const pairs = all("[data-thief]", form)
    .map((line) => all("select", line).map((box) => box.value))
    .filter(([thief, victim]) => thief && victim);
  parts.push(
    connector
      ? checked(form, "doors")
          .map((one) => one[0])
          .join("")
      : "",
    (roles.includes("geologist") && Number(form.elements.crystals.value)) || "",
    checked(form, "jailed").join("/"),
    pairs.map((pair) => pair.join(">")).join("/"),
  );
  return parts.join(":").replace(/:+$/, "");
};

// A form, empty or as a deal stands.
export const fill = (form, text) => {
  const rules = rulesOf(form);
  const deal = text && text !== "void" ? parse(rules, text) : {};
  const roles = deal.roles ?? [];
  for (const box of all("[name=connector]", form))
    box.checked = deal.roles ? box.value === String(deal.connector || "none") : false;
  for (const box of all("[data-seat] input", form)) {
    const role = roles[Number(box.name.replace("role-", "")) - 1];
    box.checked = box.value === (role ?? (rules.game === "base" ? "miner" : ""));
  }
  for (const box of all('[name^="gold-"]', form)) {
    const seat = Number(box.name.replace("gold-", "")) - 1;
    box.value =
      rules.game === "duel" ? (deal.points?.[seat] ?? "") : (deal.gold?.[seat] ?? []).join("");
  }
  for (const name of ["doors", "jailed"])
    for (const box of all(`[name="${name}"]`, form))
      box.checked = (deal[name] ?? []).map(String).includes(box.value);
  if (form.elements.crystals) form.elements.crystals.value = deal.crystals || "";
  all("[data-thief]", form).forEach((line, at) => {
    const pair = deal.thieves?.[at] ?? ["", ""];
    all("select", line).forEach((box, which) => {
      box.value = pair[which];
    });
  });
};

// --- On the page --------------------------------------------------------------------------------------
// One card is one button: each tap shows the next number of nuggets.
const showCards = (form, rules) => {
  const connector = connectorIn(form);
  const taken = connector ? cardsOf(rules, rolesIn(form), connector) : [];
  for (const row of all("[data-gold]", form)) {
    const number = taken[row.dataset.gold - 1] ?? 0;
    const box = goldBox(form, row.dataset.gold);
    const kept = box.value.replace(/\D/g, "").slice(0, number).padEnd(number, "1");
    // Until somebody has said who reached the gold, what was typed stays.
    if (connector) box.value = kept;
    row.hidden = !number;
    const cards = row.querySelector("[data-cards]");
    while (cards.children.length > number) cards.lastElementChild.remove();
    while (cards.children.length < number) {
      const card = document.createElement("button");
      card.type = "button";
      card.className = "gold-card";
      cards.append(card);
    }
    [...cards.children].forEach((card, at) => {
      card.textContent = kept[at];
      card.dataset.nuggets = kept[at];
      const words = cards.dataset.words.replace("{name}", cards.dataset.name);
      card.ariaLabel = words.replace("{n}", kept[at]);
    });
  }
};

const ASKED = {
  connector: (form) => connectorIn(form) > 0,
  geologist: (form) => rolesIn(form).includes("geologist"),
};

const outcome = (form, { winner, winners }) => {
  const words = JSON.parse(form.dataset.words);
  const name = (seat) =>
    form.querySelector(`[data-result="${seat}"] .seat-name`).firstChild.textContent.trim();
  if (winners)
    return winners.length
      ? words.winners.replace("%(names)s", winners.map(name).join(", "))
      : words.none;
  return typeof winner === "number" ? words.ahead.replace("%(name)s", name(winner)) : words[winner];
};

const preview = (form, rules) => {
  const text = factsOf(form);
  form.querySelector("[data-deal-result]").hidden = text === null;
  form.dataset.ready = text === null ? "no" : "yes";
  const said = form.querySelector("[data-said]");
  if (text === null) {
    said.textContent = "";
    return;
  }
  const before = JSON.parse(form.dataset.before);
  const paid = payout(rules, text, before);
  const told = outcome(form, paid);
  form.querySelector("[data-outcome-words]").textContent = told;
  if (said.textContent !== told) said.textContent = told;
  for (const row of all("[data-result]", form)) {
    // A deal loss takes what this seat would have got.
    const points = "zero" in row.dataset ? 0 : paid.points[row.dataset.result - 1];
    const number = row.querySelector("[data-points]");
    number.textContent = points;
    number.classList.toggle("some", points > 0);
  }
};

const refresh = (form) => {
  const rules = rulesOf(form);
  for (const part of all("[data-when]", form)) part.hidden = !ASKED[part.dataset.when](form);
  if (rules.game === "base") showCards(form, rules);
  const counter = form.querySelector('[data-counter="saboteur"]');
  if (counter) {
    const marked = rolesIn(form).filter((role) => role === "saboteur").length;
    counter.querySelector("[data-count]").textContent = marked;
    counter.classList.toggle("full", marked === rules.dealt);
    counter.classList.toggle("over", marked > rules.dealt);
  }
  for (const row of all("[data-amounts]", form)) {
    const value = form.elements[row.dataset.amounts].value.trim();
    for (const one of all("button", row)) one.ariaPressed = String(one.value === value);
  }
  // One empty line for a thief is enough at a time.
  let empty = 0;
  for (const line of all("[data-thief]", form)) {
    if (!all("select", line).every((box) => box.value)) empty++;
    line.hidden = empty > 1;
  }
  for (const line of all("[data-problem]", form)) line.hidden = true;
  preview(form, rules);
};

on("click", "[data-edition-form] [data-seat] input", (radio) => {
  const seat = radio.closest("[data-seat]");
  const { form } = radio;
  // In the base game the same card again takes it back.
  if (rulesOf(form).game === "base" && seat.dataset.role === radio.value && radio.value !== "miner")
    seat.querySelector('[value="miner"]').checked = true;
  seat.dataset.role = seat.querySelector(":checked").value;
  refresh(form);
});
on("click", ".gold-card", (card) => {
  const row = card.closest("[data-gold]");
  const { form } = goldBox(card.closest("form"), row.dataset.gold);
  const box = goldBox(form, row.dataset.gold);
  const at = [...card.parentElement.children].indexOf(card);
  const cards = [...box.value];
  cards[at] = String((Number(cards[at]) % 3) + 1);
  box.value = cards.join("");
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
on("click", ".amount", (button) => {
  const { form } = button;
  const box = form.elements[button.parentElement.dataset.amounts];
  box.value = button.value;
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
on("click", "[data-step-by]", (button) => {
  const box = button.form.elements.crystals;
  box.value = Math.min(20, Math.max(0, Number(box.value) + Number(button.dataset.stepBy)));
  box.dispatchEvent(new Event("input", { bubbles: true }));
});
for (const event of ["change", "input"])
  on(event, "[data-edition-form] :is(input, select)", (box) => refresh(box.form));

on("submit", "[data-edition-form]", (form, e) => {
  const problem = problemOf(form, rulesOf(form));
  // Other buttons of the form need no deal that is complete.
  if (!problem || !e.submitter?.matches("[data-save]")) return;
  e.preventDefault();
  for (const line of all("[data-problem]", form)) {
    line.hidden = line.dataset.problem !== problem;
    if (line.hidden) continue;
    // Text takes the focus only so, and with the focus it is read out.
    line.tabIndex = -1;
    line.focus();
  }
});

// However it was filled, a form counts as it stands.
const begin = (form) => {
  for (const seat of all("[data-seat]", form))
    seat.dataset.role = seat.querySelector(":checked")?.value ?? "";
  refresh(form);
};
on("filled", "[data-edition-form]", begin);
// The browser fills it again after going back.
const start = () => all("[data-edition-form]").forEach(begin);
addEventListener("pageshow", start);
start();
