// Keeps the files of this export in the browser: a second visit needs no network.

const VERSION = "VERSION";
const FILES = ["FILES"];

async function keep() {
  const cache = await caches.open(VERSION);
  // From the server, whatever the browser holds of an earlier release under the same name.
  const fresh = (file) => cache.add(new Request(file, { cache: "reload" }));
  await Promise.allSettled(["./", ...FILES].map(fresh));
}

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  await self.clients.claim();
}

// What is kept of this version is given at once; the rest, and what is not kept, is asked for.
async function answer(request) {
  const cache = await caches.open(VERSION);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}

addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(forgetOlder()));
addEventListener("fetch", (event) => {
  const isOurs = new URL(event.request.url).origin === location.origin;
  if (isOurs && event.request.method === "GET") event.respondWith(answer(event.request));
});
