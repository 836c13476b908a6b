// Service worker: files with a hash in their name come from the cache; all other files come from the network and, without a network, from
// the cache, which holds the pages that were visited with all that they loaded, or the whole course.
const KEPT = "fstats-live";
const SHOWN = ["document", "script", "style", "image", "font", "manifest"]; // kinds of files that a visited page needs
let stopped = false; // the reader stopped the loading of the course
const here = new URL("./", self.location.href);

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", (event) => {
  stopped = !event.data.keep;
  if (!stopped) event.waitUntil(keep(event.data.only));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(here.href)) event.respondWith(answer(event, request));
});

const plain = (address) => address.split(/[?#]/)[0];
const answer = async (event, request) => {
  const cache = await caches.open(KEPT).catch(() => null), name = plain(request.url).replace(/\/$/, "/index.html");
  const kept = await cache?.match(name).catch(() => null);
  if (kept && name.includes("/live/")) return kept;
  try {
    const found = await fetch(request);
    if (cache && found.ok && SHOWN.includes(request.destination)) event.waitUntil(cache.put(name, found.clone()).catch(() => {}));
    return found;
  } catch (error) {
    if (kept) return kept;
    if (name.endsWith("/live/files.json")) return new Response("null"); // without a network the current files of the site are unknown
    throw error;
  }
};
const keep = async (only) => { // cache the files in `only`, or the whole course without `only`; delete files of earlier versions
  const cache = await caches.open(KEPT).catch(() => null);
  if (!cache) return;
  const sizes = await (await fetch(new URL("live/files.json", here), { cache: "no-cache" })).json();
  const wanted = new Set(Object.keys(sizes).map((name) => new URL(name, here).href));
  for (const { url } of await cache.keys()) if (!wanted.has(url)) await cache.delete(url);
  for (const url of wanted) {
    if (stopped) return;
    if (only && !only.includes(url)) continue;
    if (url.includes("/live/") && (await cache.match(url))) continue;
    const found = await fetch(url, { cache: "no-cache" }).catch(() => null);
    if (found?.ok) await cache.put(url, found).catch(() => {}); // without free space the file is loaded each time
  }
  if (only) return;
  for (const client of await self.clients.matchAll()) client.postMessage({ kept: true });
};
