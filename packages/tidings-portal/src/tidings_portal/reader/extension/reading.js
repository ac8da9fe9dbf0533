// The story over the page it came from, made of text alone: no markup of a page or a server is ever parsed here.
"use strict";

globalThis.tidingsShow = (article) => {
  document.getElementById("tidings-reading")?.remove();
  const host = document.createElement("div");
  host.id = "tidings-reading";
  host.style.cssText = "all: initial; position: fixed; inset: 0; z-index: 2147483647;";
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    main { position: absolute; inset: 0; overflow: auto; background: #fdfcf8; color: #1b1b1b; font: 19px/1.6 Georgia, serif; }
    article { max-width: 38rem; margin: 0 auto; padding: 3rem 1rem 6rem; }
    h1 { line-height: 1.2; } pre { overflow: auto; font-size: .8em; } .meta { font: .8em system-ui, sans-serif; opacity: .75; }
    button { position: fixed; top: 1rem; inset-inline-end: 1rem; font: 16px system-ui, sans-serif; padding: .4rem .8rem; }
    blockquote { border-inline-start: 3px solid; margin: 1em 0; padding-inline-start: 1em; }
    @media (prefers-color-scheme: dark) { main { background: #17191c; color: #e6e4df; } }`);
  root.adoptedStyleSheets = [sheet];
  const made = (name, text = "") => {
    const element = document.createElement(name);
    element.textContent = text;
    return element;
  };
  const tags = { heading: "h2", list_item: "li", quote: "blockquote", code: "pre", preformatted: "pre", caption: "figcaption" };
  const text = (block) => block.text ?? (block.inlines || []).map((one) => one.text).join("");
  const story = made("article");
  story.lang = article.language || "";
  story.dir = article.direction || "auto";
  story.append(made("h1", article.title || document.title));
  const about = [(article.authors || []).join(", "), article.site, (article.published || "").slice(0, 10)].filter(Boolean);
  const meta = made("p", about.join(" · "));
  meta.className = "meta";
  story.append(meta);
  for (const block of article.blocks) {
    const said = text(block);
    if (said) story.append(made(tags[block.kind] || "p", said));
  }
  const close = made("button", globalThis.chrome?.i18n?.getMessage("close") || "Close");
  const away = () => { host.remove(); removeEventListener("keydown", key, true); };
  const key = (event) => { if (event.key === "Escape") away(); };
  close.addEventListener("click", away);
  addEventListener("keydown", key, true);
  const main = made("main");
  main.append(close, story);
  root.append(main);
  document.documentElement.append(host);
  close.focus();
};
