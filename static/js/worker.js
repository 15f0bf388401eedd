// A table's page survives a reload without a net, where there is https: the page last seen, and the
// files it is made of. It touches nothing that is sent.
/// <reference lib="webworker" />

const KEPT = "tables-1";
const SLOW = 4000; // ms, then the kept page is better than none

const fresh = async (request) => {
  const answer = await fetch(request, { signal: AbortSignal.timeout(SLOW) });
  const cache = await caches.open(KEPT);
  if (answer.ok) await cache.put(request, answer.clone());
  // The event is over, or the table is no more.
  else if (answer.status === 404 || answer.status === 410) await cache.delete(request);
  return answer;
};
const kept = async (request) => (await caches.open(KEPT)).match(request, { ignoreVary: true });

addEventListener("fetch", (e) => {
  const { request } = e;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode !== "navigate" && !pathname.startsWith("/static/")) return;
  // Where nothing is kept, the slow answer is the only one.
  e.respondWith(fresh(request).catch(async () => (await kept(request)) ?? fetch(request)));
});
addEventListener("activate", (e) => {
  e.waitUntil(clients.claim());
});
