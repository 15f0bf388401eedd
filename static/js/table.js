// A table without a net: what is entered goes through the outbox, and while nothing gets out, the
// whole sheet is played, read, handed in and confirmed on the page that is open.
// With a net all is as it ever was: the server's own page follows each step.

import { payoutOf, readDeal } from "./deal.js";
import { all, on, reachable } from "./dom.js";
import { factsOf, fill, paidOn } from "./editions.js";
import { entries, newKey, put, remove, send } from "./outbox.js";
import { release } from "./lodestar.js";
import { forget, resume } from "./unsaved.js";

const facts = document.getElementById("table"); // a template: its parts come in as they are needed
const { token, players, sheet, name } = facts.dataset;
const version = Number(facts.dataset.version);
const LETTERS = { miner: "m", saboteur: "s", selfish: "x" };
const ROLES = { m: "miner", s: "saboteur", x: "selfish" };
const DAY = 24 * 3600 * 1000; // ms that what was sent is kept
const SOON = 3000; // ms that a person waits before the page goes on by itself
const soon = () => new Promise((done) => setTimeout(done, SOON));

// --- What stands, as far as this phone knows ----------------------------------------------------
// The page's own facts, and over them what was entered since.
const known = async () => {
  const kept = (await entries()).filter((one) => one.token === token);
  const since = kept.filter((one) => one.version === undefined || one.version > version);
  const deals = facts.dataset.deals.split(",");
  let status = facts.dataset.status;
  for (const { body } of since) {
    if (body.kind === "deal") deals[body.number - 1] = textOf(body);
    if (body.kind === "submit") status = "second" in facts.dataset ? "submitted" : "confirmed";
    if (body.kind === "confirm") status = "confirmed";
  }
  return { deals, status, since, left: kept.filter((one) => one.version === undefined) };
};
const textOf = ({ roles, connector, facts }) => facts ?? `${roles}:${connector}`;
const DEAL_FORM = "[data-deal-form], [data-edition-form]";
const missing = (deals) => deals.indexOf("") + 1;

// --- Keeping and sending -------------------------------------------------------------------------
const keep = async (form, label, more) => {
  const { deals } = await known();
  const seen = more.kind === "deal" ? deals[more.number - 1] : deals.join(",");
  const body = { players, seen, reopened: "reopened" in facts.dataset, ...more };
  const shown = form.querySelector("[data-deal-result] .result")?.outerHTML;
  const labels = { label: `${name} · ${label}`, table: facts.dataset.number, shown };
  await put({ token, key: newKey(), made: Date.now(), ...labels, body });
  forget(form);
  await Promise.race([send(), soon()]);
  await goOn();
};

// The server's page if all has arrived; else the next step here.
const goOn = async () => {
  const { left } = await known();
  if (!left.length) location.assign(sheet);
  else if (!left[0].problem) await step();
  else all("form[data-sent]").forEach(release);
};

const bodyOf = {
  deal: (form) => {
    if ("editionForm" in form.dataset)
      return { kind: "deal", number: Number(form.dataset.number), facts: factsOf(form) };
    const { seats, connector } = readDeal(form);
    const roles = seats.map((one) => LETTERS[one.role]).join("");
    const number = Number(form.dataset.number);
    return { kind: "deal", number, roles, connector: Number(connector) || 0 };
  },
  submit: () => ({ kind: "submit" }),
  confirm: (form) => ({ kind: "confirm", seat: Number(new FormData(form).get("person")) }),
};

on("submit", "[data-keeps]", async (form, e) => {
  // What is incomplete has been told already.
  if (e.defaultPrevented) return;
  e.preventDefault();
  if (form.dataset.sent) return; // a nervous thumb
  form.dataset.sent = "yes";
  e.submitter?.setAttribute("aria-busy", "true");
  const more = bodyOf[form.dataset.keeps](form);
  try {
    await keep(form, form.dataset.label.replace("%n", more.number), more);
  } catch {
    // Nothing can be kept here: storage full, or a browser that has none. The plain form still can.
    document.querySelector("[data-nothing-kept]").hidden = false;
    form.submit();
  }
});

// --- The next step, without the server -----------------------------------------------------------
// How each step looks comes from the server once, and is kept until the next table.
const steps = document.createElement("template");
const learnSteps = async () => {
  const name = `steps ${document.documentElement.lang} ${token} ${players}`;
  if (!localStorage[name]) {
    const answer = await fetch(facts.dataset.steps);
    if (!answer.ok || !answer.headers.has("Lodestar-Time")) return;
    for (const old of Object.keys(localStorage))
      if (old.startsWith("steps ")) localStorage.removeItem(old);
    localStorage[name] = await answer.text();
  }
  steps.innerHTML = localStorage[name];
  facts.dataset.steps = "kept";
};
const learnt = learnSteps().catch(() => {});
const part = (which, from = steps) =>
  from.content.querySelector(`[data-step="${which}"]`).cloneNode(true);

const step = async (number, table) => {
  await Promise.race([learnt, soon()]);
  if (!steps.innerHTML) return; // it is kept all the same
  const { deals, status } = await known();
  const wanted = number || missing(deals);
  const open = wanted ? (table ? "table" : "deal") : "submit";
  const which = status === "open" ? open : status === "submitted" ? "confirm" : "done";
  const shown = part(which);
  for (const one of all("[data-deal-no]", shown)) one.textContent = wanted;
  for (const one of all("[data-deal-link]", shown)) one.hidden = !deals[one.dataset.dealLink - 1];
  shown.querySelector("[data-sheet-here]")?.replaceWith(sheetOf(deals));
  // Back stays here: the page before could not be loaded.
  if (!document.querySelector("#main > [data-step]")) history.pushState("step", "");
  document.getElementById("main").replaceChildren(shown);
  const form = shown.querySelector(DEAL_FORM);
  if (form) enter(form, wanted, deals);
  scrollTo(0, 0);
  shown.tabIndex = -1;
  shown.focus({ preventScroll: true });
};

// A deal's form, empty or as the deal stands.
const enter = (form, number, deals) => {
  form.dataset.number = number;
  form.action = `${sheet}deals/${number}/`; // where it goes if nothing can be kept
  const text = deals[number - 1];
  if ("editionForm" in form.dataset) {
    form.dataset.before = JSON.stringify(sumsOf(form, deals.slice(0, number - 1)));
    fill(form, text);
  } else enterRoles(form, text);
  form.dispatchEvent(new CustomEvent("filled", { bubbles: true }));
  resume(form);
};
const enterRoles = (form, text) => {
  const [roles, connector] = text.split(":");
  for (const box of all("input[type=radio]", form)) {
    const seat = Number(box.name.replace("role-", ""));
    box.checked = seat
      ? box.value === (connector ? ROLES[roles[seat - 1]] : "miner")
      : Boolean(connector) && box.value === (connector === "0" ? "none" : connector);
  }
};

// Points and star of each seat in each deal, by the rules of an edition.
const paidBy = (form, deals, losses) =>
  paidOn(JSON.parse(form.dataset.rules), deals, Number(form.dataset.seats), losses);
const sumsOf = (form, deals) =>
  paidBy(form, deals, {}).reduce(
    (sums, paid) => sums.map((one, seat) => one + (paid?.[seat][0] ?? 0)),
    Array(Number(form.dataset.seats)).fill(0),
  );

// The sheet, with points and stars of the deals that the page did not know.
const sheetOf = (deals) => {
  const shown = part("sheet", facts);
  const table = shown.querySelector("table");
  const were = facts.dataset.deals.split(",");
  const losses = JSON.parse(facts.dataset.losses);
  const form = part("deal").querySelector(DEAL_FORM);
  const write = (seat, index, points, star) => {
    const cell = table.rows[seat].cells[index + 2];
    cell.textContent = points;
    cell.dataset.points = points;
    cell.toggleAttribute("data-star", Boolean(star));
    // A duel is won by all of its deals: its mark stands at their sum.
    if (star && !("editionForm" in form.dataset)) cell.append(part("star", facts));
  };
  if ("editionForm" in form.dataset)
    // All of them: what a deal pays can rest on those before it.
    paidBy(form, deals, losses).forEach((paid, index) => {
      paid?.forEach(([points, star], seat) => {
        write(seat + 1, index, points, star);
      });
    });
  else
    deals.forEach((text, index) => {
      if (text === were[index]) return;
      const [roles, connector] = text.split(":");
      const seats = [...roles].map((letter, at) => ({ seat: String(at + 1), role: ROLES[letter] }));
      const counts = { saboteur: seats.filter((one) => one.role === "saboteur").length };
      const paid = payoutOf(form, {
        seats,
        connector: connector === "0" ? "none" : connector,
        counts,
      });
      for (const { seat, role } of seats) {
        const [points, star] = losses[index + 1]?.includes(Number(seat))
          ? [0, 0]
          : seat === connector
            ? paid.connector
            : paid.roles[role];
        write(seat, index, points, star);
      }
    });
  for (const row of all("tbody tr", table)) {
    const sum = all("[data-points]", row).reduce((all, one) => all + Number(one.dataset.points), 0);
    const stars = all("[data-star]", row).map(() => part("star", facts));
    const total = document.createElement("strong");
    total.textContent = sum;
    row.lastElementChild.replaceChildren(total, ...stars);
  }
  return shown;
};

// A deal is to be entered: on its own page if the server can be reached, else here.
on("click", "[data-deal-link]", async (link, e) => {
  if (e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  const here = await reachable();
  if (here && link.href) location.assign(link.href);
  else step(Number(link.dataset.dealLink));
});

const toSheet = async () => ((await reachable()) ? location.assign(sheet) : step(0, true));
on("click", "[data-table-step]", toSheet);
on("click", "[data-next-deal]", () => step());
// Handed in, and nobody but this phone knows it: what is wrong in it is put right here.
on("click", "[data-take-back]", async () => {
  const { left } = await known();
  const handedIn = left.filter(({ body }) => body.kind === "submit" || body.kind === "confirm");
  await remove(handedIn.map((one) => one.id));
  await Promise.race([send(), soon()]);
  await toSheet();
});

// --- Coming back to the page ---------------------------------------------------------------------
document.addEventListener("decided", goOn);
addEventListener("popstate", () => document.querySelector("#main > [data-step]") && goOn());
// All has arrived while the sheet was read here: the server's page tells the rest. Not under the
// thumb of somebody who has begun to answer: that answer is sent, and the page follows then.
document.addEventListener("outbox", ({ detail }) => {
  const shown = document.querySelector("#main > [data-step]");
  if (!shown || shown.dataset.step === "deal" || detail.length) return;
  if (!shown.querySelector("input:checked")) location.assign(sheet);
});

// A page that is older than what the server has acknowledged: the server may have fallen back to
// its second copy. What it has already counts once anyway, so all of that is sent again.
const start = async () => {
  const kept = await entries();
  await remove(
    kept.filter((one) => one.version && one.made < Date.now() - DAY).map((one) => one.id),
  );
  const mine = kept.filter((one) => one.token === token);
  for (const one of mine) if (one.version > version) await put({ ...one, version: undefined });
  if (!(await known()).left.length) return;
  await Promise.race([send(), soon()]);
  await goOn();
};
start().catch(() => {
  document.querySelector("[data-nothing-kept]").hidden = false;
});
navigator.serviceWorker?.register("/t/worker.js").catch(() => {});
