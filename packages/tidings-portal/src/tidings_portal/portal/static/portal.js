// What the portal does better with a script; everything works without it.
"use strict";

// A picture that cannot be loaded leaves no hole: what holds it goes with it.
const withoutPicture = (image) =>
  (image.closest(".card-picture, .row-picture, .lead-picture, .gallery li, figure") ?? image).remove();
document.addEventListener("error", (event) => event.target.matches?.("main img") && withoutPicture(event.target), true);
for (const image of document.querySelectorAll("main img")) {
  if (image.complete && image.naturalWidth === 0 && image.src) withoutPicture(image);
}

// Reading counts: told once an article has been in view for some seconds, never by the request for the page itself.
const article = document.querySelector("[data-read]");
if (article && navigator.sendBeacon) {
  let seconds = 0;
  const timer = setInterval(() => {
    if (document.visibilityState === "visible" && ++seconds >= 5) {
      clearInterval(timer);
      navigator.sendBeacon("/beacon", new URLSearchParams({ article: article.dataset.read, mark: article.dataset.mark }));
    }
  }, 1000);
}

// Read aloud (DANA thesis, section 6.1): with the device's own voices, in the language of the text; then the stories that
// the page names as related, one after the other, without leaving it: a new page would have to be allowed to speak first.
const aloud = (page) => {
  const parts = [...page.querySelectorAll("[data-aloud]")].flatMap((part) =>
    [...part.querySelectorAll("h1, h2, h3, h4, p, li, blockquote, figcaption")].concat(part.matches("h1, p") ? [part] : []));
  return parts.filter((part, at) => !parts.slice(0, at).some((other) => other.contains(part)));
};
for (const button of document.querySelectorAll("[data-listen]")) {
  if (!("speechSynthesis" in window)) {
    button.hidden = true;
    continue;
  }
  const listen = button.textContent;
  button.classList.remove("scripted");
  let isOn = false;
  let related = [];
  const ended = () => { isOn = false; button.textContent = listen; button.setAttribute("aria-pressed", "false"); };
  const goOn = async () => {
    const address = isOn ? related.shift() : undefined;
    if (!address) { ended(); return; }
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (isOn) read(aloud(page));
    } catch {
      goOn();
    }
  };
  const read = (spoken) => {
    if (!spoken.length) { goOn(); return; }
    spoken.forEach((part, at) => {
      const words = new SpeechSynthesisUtterance(part.textContent);
      words.lang = part.closest("[lang]").lang;
      if (at === spoken.length - 1) words.onend = goOn;
      speechSynthesis.speak(words);
    });
  };
  button.addEventListener("click", () => {
    if (isOn) { ended(); speechSynthesis.cancel(); return; }
    isOn = true;
    const links = [...document.querySelectorAll("[data-related] a[href^='/article/']")].map((link) => link.pathname);
    related = [...new Set(links)].filter((address) => address !== location.pathname);
    read(aloud(document));
    button.textContent = button.dataset.stop;
    button.setAttribute("aria-pressed", "true");
  });
  addEventListener("pagehide", () => speechSynthesis.cancel());
}

// A picture that does not come leaves no box behind.
const empty = (picture) => picture.closest(".card-picture, .row-picture, .lead-picture, .outlet")?.remove();
addEventListener("error", (event) => { if (event.target instanceof HTMLImageElement) empty(event.target); }, true);
for (const picture of document.images) if (picture.complete && !picture.naturalWidth && picture.loading !== "lazy") empty(picture);

for (const button of document.querySelectorAll("[data-print]")) {
  button.classList.remove("scripted");
  button.addEventListener("click", () => print());
}

// What is being read appears by itself: the part of the page that changes is asked for again, for a minute at most, and
// not under somebody's hands.
const lookAgain = async (times) => {
  const old = document.querySelector("#live[data-refresh]");
  if (!old || times > 24) return;
  if (!old.contains(document.activeElement) && document.visibilityState === "visible") {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
    if (answer && answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#live");
      if (fresh && !old.contains(document.activeElement)) old.replaceWith(document.adoptNode(fresh));
    }
  }
  setTimeout(lookAgain, 2500, times + 1);
};
setTimeout(lookAgain, 2000, 0);

// Marking as read while scrolling, for those who chose it: what has gone out of view at the top is told, a few at a time.
const list = document.querySelector("[data-scrolling]");
if (list && "IntersectionObserver" in window) {
  const passed = new Set();
  const tell = () => {
    if (!passed.size) return;
    const articles = [...passed].slice(0, 100);
    articles.forEach((one) => passed.delete(one));
    const token = document.querySelector(".look input[name=token]").value;
    fetch("/unread/seen", { method: "POST", keepalive: true, body: new URLSearchParams({ token, articles: articles.join(",") }) }).catch(() => {});
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (isIntersecting || boundingClientRect.bottom > 0 || !target.classList.contains("is-unread")) continue;
      target.classList.replace("is-unread", "is-read");
      passed.add(target.dataset.article);
      observer.unobserve(target);
    }
  });
  for (const one of list.querySelectorAll("[data-article]")) observer.observe(one);
  setInterval(tell, 2000);
  addEventListener("pagehide", tell);
}

// Without a network: what was opened or saved is kept by a worker of this site (offline.js). Where nobody is known any
// more, nothing is.
if ("serviceWorker" in navigator && isSecureContext) {
  if ("person" in document.body.dataset) {
    navigator.serviceWorker.register("/offline.js").catch(() => {});
    if (location.pathname === "/saved") {
      const paths = [...document.querySelectorAll("main .row-title a")].map((link) => link.getAttribute("href"));
      navigator.serviceWorker.ready.then((worker) => worker.active.postMessage(paths));
    }
  } else if (location.pathname !== "/offline") {
    caches.delete("tidings-pages");
    caches.delete("tidings-pictures");
  }
}
const keptList = document.querySelector("[data-kept]");
if (keptList && "caches" in window) {
  caches.open("tidings-pages").then(async (cache) => {
    for (const request of (await cache.keys()).reverse()) {
      const { pathname } = new URL(request.url);
      if (!/^\/article\/\d+$/.test(pathname)) continue;
      const kept = new DOMParser().parseFromString(await (await cache.match(request)).text(), "text/html");
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = pathname;
      link.dir = "auto";
      link.textContent = kept.querySelector("h1")?.textContent || pathname;
      line.append(link);
      keptList.append(line);
    }
  }).catch(() => {});
}

// In a row of pages that is wider than the screen, the one that is open is seen.
// By the row alone: scrollIntoView would have the Tab key begin there, behind the link that skips to the text.
for (const current of document.querySelectorAll("nav [aria-current='page']")) {
  const nav = current.closest("nav");
  const row = [nav, ...nav.querySelectorAll("ul")].find((box) => box.scrollWidth > box.clientWidth + 1);
  if (!row) continue;
  const [inner, outer] = [current.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.left < outer.left) row.scrollLeft += inner.left - outer.left;
  else if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right;
}
