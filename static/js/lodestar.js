// Lodestar's own script. Every page works without it; it only makes things quicker under a thumb.
// All words come from the HTML, so that they are translated. No eval: the CSP is 'self'.

import { all, on, reachable } from "./dom.js";

// Changes a button's words, which stand last in it, after its icon; gives the old ones.
const say = (button, words) => {
  const old = button.lastChild.nodeValue;
  button.lastChild.nodeValue = words;
  return old;
};

// --- Pressed buttons: show it at once, and send only once -------------------------------
export const release = (form) => {
  delete form.dataset.sent;
  for (const button of all("[aria-busy]", form)) {
    button.removeAttribute("aria-busy");
    if (button.dataset.words) say(button, button.dataset.words);
  }
};

const press = (form, button) => {
  form.dataset.sent = "yes";
  // Released again in time: a download or a lost answer leads to no new page.
  setTimeout(() => release(form), form.method === "get" ? 3000 : 15000);
  if (!button) return;
  if (button.dataset.busy) button.dataset.words = say(button, button.dataset.busy);
  button.setAttribute("aria-busy", "true");
};

// No net: nothing leads to the browser's error page, where what is on this one would be gone.
const tellNoNet = () => {
  const line = document.querySelector("[data-no-net]");
  line.hidden = false;
  line.focus();
};
const needsNet = (form) =>
  form.method === "post" &&
  !form.dataset.reached &&
  (!navigator.onLine || document.documentElement.classList.contains("offline"));
const whenReachable = async (form, button) => {
  if (!(await reachable())) return tellNoNet();
  form.dataset.reached = "yes";
  form.requestSubmit(button);
};
document.addEventListener("htmx:error", tellNoNet);

// On window, so that it runs after everybody who may call the submission off.
addEventListener("submit", (e) => {
  const form = e.target;
  if (!e.defaultPrevented && needsNet(form)) {
    e.preventDefault();
    return whenReachable(form, e.submitter);
  }
  // A dialog sends nothing; a form marked `again` may be sent as often as one likes.
  if (e.defaultPrevented || "again" in form.dataset || form.method === "dialog") return;
  if (form.dataset.sent) e.preventDefault();
  else press(form, e.submitter);
});
// Going back may show the page as it was left, its button still busy.
addEventListener("pageshow", () => all("form[data-sent]").forEach(release));

// --- Back to a page of somebody signed in: shown only while they still are -----------------
// The browser may have kept it whole, with what was typed there; nothing else asks the server.
addEventListener("pageshow", async (e) => {
  if (!e.persisted || !document.querySelector(".account form")) return;
  const { style } = document.body;
  style.visibility = "hidden";
  const answer = await fetch(location.href, { method: "HEAD", redirect: "manual" }).catch(() => {});
  if (answer?.type === "opaqueredirect") location.reload();
  else style.visibility = "";
});

// --- Errors: the summary has the focus ---------------------------------------------------
const showErrors = (within) => within.querySelector?.("[data-error-summary]")?.focus();

// --- A link into something folded unfolds it ----------------------------------------------
const unfoldTarget = () => {
  const target = document.getElementById(location.hash.slice(1));
  let unfolded = false;
  for (let fold = target; fold; fold = fold.parentElement?.closest("details")) {
    if (fold.localName !== "details" || fold.open) continue;
    fold.open = true;
    unfolded = true;
  }
  if (unfolded) target.scrollIntoView();
};
addEventListener("hashchange", unfoldTarget);
unfoldTarget();

// --- Theme -------------------------------------------------------------------------------
on("submit", "[data-theme-switch]", (form, e) => {
  e.preventDefault();
  const theme = e.submitter?.value || "";
  document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=lax`;
  // The button that was pressed is hidden now, and would take the focus with it.
  form.querySelector(`button:not([value="${theme}"])`)?.focus();
});

// --- Small helpers -----------------------------------------------------------------------
on("change", "select[data-autosubmit]", (select) => select.form.requestSubmit());
// Who is under 18 is not shown by the full name, so that choice is hidden then.
on("change", "[name=minor]", (tick) => {
  const style = tick.form.elements.name_style;
  if (tick.checked && style?.value === "full") style.value = "initial";
});
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
  // A second press while it says so would keep the thanks as the button's own words.
  if (!button.dataset.copied || button.ariaLive) return;
  button.ariaLive = "polite";
  const words = say(button, button.dataset.copied);
  setTimeout(() => {
    say(button, words);
    button.ariaLive = null;
  }, 2500);
});

// A whole page where a part was asked for: the session is over, or things went on meanwhile.
document.addEventListener("htmx:before:swap", (e) => {
  const { ctx } = e.detail;
  if (!/^\s*<!doctype/i.test(ctx.text)) return;
  e.preventDefault();
  const { redirected, url } = ctx.response.raw;
  if (redirected) location.assign(url);
  else location.reload(); // not assign: with a # in the address that would only jump
});
const posts = (e) => e.detail.ctx.request?.method === "POST";
document.addEventListener("htmx:config:request", (e) => {
  if (posts(e)) for (const box of all("[data-empties]")) box.dataset.empties = box.value;
});
document.addEventListener("htmx:after:swap", (e) => {
  showErrors(e.target);
  if (!posts(e)) return;
  // Whoever was searched for is found and dealt with: the next one is typed at once.
  for (const box of all("[data-empties]"))
    if (box.value && box.value === box.dataset.empties) {
      box.value = "";
      box.focus();
    }
});
showErrors(document);
