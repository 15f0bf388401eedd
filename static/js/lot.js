// Draws a lot again in the reader's own browser, from what stands on the page, and says whether
// the fingerprint and the order are the ones shown. WebCrypto asks for https (or this computer).
const hex = (bytes) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const shown = (within, selector) =>
  [...within.querySelectorAll(selector)].map((one) => one.textContent.trim());

const redraw = async (secret, purpose, players) => {
  // The key is the bytes that the hex stands for, not its letters.
  const bytes = Uint8Array.from(secret.match(/../g), (pair) => parseInt(pair, 16));
  const key = await crypto.subtle.importKey(
    "raw",
    bytes,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const ticket = async (player) => {
    const text = new TextEncoder().encode(`${purpose}\n${player}`);
    return { player, drawn: hex(await crypto.subtle.sign("HMAC", key, text)) };
  };
  const tickets = await Promise.all(players.map(ticket));
  // Not `localeCompare`: digits and letters in the order of their bytes, as everywhere else.
  tickets.sort((a, b) => (a.drawn < b.drawn ? -1 : 1));
  return {
    fingerprint: hex(await crypto.subtle.digest("SHA-256", bytes)),
    order: tickets.map(({ player }) => player),
  };
};

for (const check of document.querySelectorAll("[data-lot]")) {
  const lot = check.closest("article");
  const purpose = check.dataset.lot;
  // In a venue's network without https there is none: the line of Python is left.
  check.hidden = !globalThis.crypto?.subtle;
  check.querySelector("button").addEventListener("click", async () => {
    const [secret] = shown(lot, "[data-secret]");
    const [fingerprint] = shown(lot, "[data-fingerprint]");
    const order = shown(lot, "[data-player]");
    const found = await redraw(secret, purpose, order);
    const same = {
      fingerprint: found.fingerprint === fingerprint,
      order: String(found.order) === String(order),
    };
    for (const words of check.querySelectorAll("[data-says]")) {
      const [what, answer] = words.dataset.says.split(" ");
      words.hidden = same[what] !== (answer === "yes");
    }
    check.querySelector("[data-found-fingerprint]").textContent = found.fingerprint;
    check.querySelector("[data-found-order]").textContent = found.order.join(", ");
    check.querySelector("[data-found]").hidden = false;
  });
}
