// What was opened or saved is there without a network too. Nothing is kept that was not shown to this browser, and
// nothing is fetched from elsewhere; whoever signs out takes it along (portal.js).
"use strict";

const PAGES = "tidings-pages", FILES = "tidings-files-{version}", PICTURES = "tidings-pictures";
const MOST = { [PAGES]: 300, [PICTURES]: 600 };
const KEPT = /^\/(article\/\d+|story\/\d+|saved|unread|latest)?$/;

// Pages that a link or bookmark elsewhere may lead to, which is told by how the browser itself asks for them.
const ASKING = /^\/(read|save|sign-in|r|how)(\/|$)/;

const keep = async (name, request, answer) => {
  const cache = await caches.open(name);
  await cache.delete(request);
  await cache.put(request, answer);
  const all = await cache.keys();
  if (MOST[name]) await Promise.all(all.slice(0, Math.max(0, all.length - MOST[name])).map((one) => cache.delete(one)));
};

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fetch("/offline").then((answer) => answer.ok && keep(PAGES, "/offline", answer)).catch(() => {}));
});

addEventListener("activate", (event) => {
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((one) => one.startsWith("tidings-files-") && one !== FILES).map((one) => caches.delete(one))))
    .then(() => clients.claim()));
});

const page = async (request, path) => {
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected && KEPT.test(path)) await keep(PAGES, request, answer.clone());
    return answer;
  } catch (error) {
    const cache = await caches.open(PAGES);
    return await cache.match(request) || await cache.match(path, { ignoreSearch: true }) || await cache.match("/offline") || Promise.reject(error);
  }
};

const file = async (request, name) => {
  const known = await caches.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await keep(name, request, answer.clone());
  return answer;
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/static/")) event.respondWith(file(request, FILES));
  else if (/^\/(picture|icon)\//.test(pathname)) event.respondWith(file(request, PICTURES));
  else if (request.mode === "navigate" && !ASKING.test(pathname)) event.respondWith(page(request, pathname));
});

// The saved articles, when their list is looked at.
addEventListener("message", (event) => {
  const paths = Array.isArray(event.data) ? event.data.filter((one) => /^\/article\/\d+$/.test(one)).slice(0, 100) : [];
  event.waitUntil((async () => {
    const cache = await caches.open(PAGES);
    for (const path of paths) {
      if (await cache.match(path)) continue;
      const answer = await fetch(path, { headers: { accept: "text/html" } }).catch(() => null);
      if (answer && answer.ok) await keep(PAGES, path, answer);
    }
  })());
});
