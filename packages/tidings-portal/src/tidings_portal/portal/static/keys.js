// Keys for those who read much: from article to article, save, mark, find. Everything works without them, and whoever
// is in the way of a single letter (WCAG 2.2, 2.1.4) turns them off; the browser remembers that.
"use strict";

{
  const help = document.getElementById("keys");
  const told = document.getElementById("told");
  const inList = [...document.querySelectorAll("main [data-article], main .card, main .row, main .moment")].filter(
    (one, at, all) => all.indexOf(one) === at && one.querySelector("h2 a, h3 a"));
  const page = document.querySelector("[data-read]");
  const storage = {
    get: (where, name) => { try { return where.getItem(name); } catch { return null; } },
    set: (where, name, value) => { try { where.setItem(name, value); } catch { /* a browser that keeps nothing */ } },
  };
  const linkOf = (one) => one.querySelector("h2 a, h3 a");
  let waiting = false; // for the second key after g

  // An article knows the list it was opened from, so that the next key leads to the next article.
  const trail = () => { try { return JSON.parse(storage.get(sessionStorage, "tidings.list") || "[]"); } catch { return []; } };
  if (!page && inList.length > 1) {
    const paths = inList.map((one) => linkOf(one).getAttribute("href"));
    storage.set(sessionStorage, "tidings.list", JSON.stringify(paths.filter((path, at) => paths.indexOf(path) === at).slice(0, 200)));
  }

  const current = () => inList.findIndex((one) => one.contains(document.activeElement));

  const go = (step) => {
    if (page) {
      const paths = trail();
      const at = paths.indexOf(location.pathname);
      const next = at < 0 ? undefined : paths[at + step];
      if (next && next.startsWith("/")) location.assign(next);
      return;
    }
    const at = current();
    const next = inList[at < 0 ? (step > 0 ? 0 : inList.length - 1) : at + step];
    if (!next) return;
    linkOf(next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };

  const tell = (key) => {
    told.textContent = told.getAttribute(`data-told-${key}`);
    clearTimeout(tell.timer);
    tell.timer = setTimeout(() => { told.textContent = ""; }, 2500);
  };

  const send = async (number, what) => {
    const token = document.querySelector(".look input[name=token]").value;
    const answer = await fetch(`/article/${number}/${what}`, {
      method: "POST", redirect: "manual", body: new URLSearchParams({ token }),
    }).catch(() => null);
    return answer !== null && (answer.ok || answer.type === "opaqueredirect");
  };

  const count = (change) => {
    const shown = document.querySelector("[data-count]");
    if (shown && /^\d{1,3}$/.test(shown.textContent)) shown.textContent = Math.max(0, Number(shown.textContent) + change);
  };

  const mark = async (one) => {
    const wasUnread = one.classList.contains("is-unread");
    if (!await send(one.dataset.article, wasUnread ? "read" : "unread")) return tell("failed");
    for (const same of document.querySelectorAll(`main [data-article="${one.dataset.article}"]`)) {
      same.classList.toggle("is-unread", !wasUnread);
      same.classList.toggle("is-read", wasUnread);
    }
    count(wasUnread ? -1 : 1);
    return tell(wasUnread ? "read" : "unread");
  };

  const press = (what) => {
    const form = page && page.querySelector(what);
    if (form) form.requestSubmit();
  };

  const chosen = () => { const one = inList[current()]; return one && one.dataset.article ? one : null; };

  const does = {
    j: () => go(1),
    k: () => go(-1),
    o: () => { const one = inList[current()]; if (one) linkOf(one).click(); },
    v: () => { const link = page && page.querySelector("[rel~=external]"); if (link) link.click(); },
    "/": () => { const field = document.querySelector("#q, #find"); if (field) { field.focus(); field.select(); } },
    "?": () => help.showModal(),
    g: () => { waiting = true; setTimeout(() => { waiting = false; }, 1500); },
  };
  if ("person" in document.body.dataset) {
    does.s = async () => {
      if (page) return press("form[action$='/save'], form[action$='/unsave']");
      const one = chosen();
      return one && tell(await send(one.dataset.article, "save") ? "saved" : "failed");
    };
    does.m = () => (page ? press("form[action$='/read'], form[action$='/unread']") : chosen() && mark(chosen()));
  }
  const ways = { f: "/", l: "/latest", ...("person" in document.body.dataset ? { u: "/unread", s: "/saved" } : {}) };

  const isOff = () => storage.get(localStorage, "tidings.keys") === "off";
  const isTyping = (at) => at.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName);

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open || isOff()) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const way = waiting ? ways[event.key] : undefined;
    waiting = false;
    const doing = way ? () => location.assign(way) : does[event.key];
    if (!doing) return;
    event.preventDefault();
    doing();
  });

  for (const button of document.querySelectorAll("[data-keys]")) {
    button.classList.remove("scripted");
    button.addEventListener("click", () => help.showModal());
  }
  const turn = help.querySelector("[data-keys-off]");
  const labels = [turn.textContent, turn.dataset.keysOff];
  const label = () => { turn.textContent = labels[isOff() ? 1 : 0]; };
  label();
  turn.addEventListener("click", () => { storage.set(localStorage, "tidings.keys", isOff() ? "on" : "off"); label(); });
}
