// Three buttons: the page of the tab goes to one's own Tidings, as it stands, when one of them is pressed.
"use strict";

const MOST = 5_000_000; // characters; the server takes no more
const at = (name) => document.getElementById(name);
const say = (text) => { at("said").textContent = text; };

// Runs in the tab.
const taken = () => ({ html: document.documentElement.outerHTML, url: location.href });

async function tab() {
  const asked = Number(new URLSearchParams(location.search).get("tab")); // opened in a tab of its own, for tests
  if (asked) return asked;
  const [found] = await chrome.tabs.query({ active: true, currentWindow: true });
  return found.id;
}

async function page() {
  const [{ result }] = await chrome.scripting.executeScript({ target: { tabId: await tab() }, func: taken });
  if (result.html.length > MOST) throw new Error(word("too_large"));
  return result;
}

async function ask(path, told) {
  const { address, token } = await chrome.storage.local.get({ address: "", token: "" });
  if (!address) throw new Error(word("no_address"));
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(`${address}/api/v1${path}`, {
      method: "POST", headers, body: JSON.stringify(told), credentials: "omit", redirect: "error",
    });
  } catch {
    throw new Error(word("unreachable", address));
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.detail || said.title || word("answer", answer.status));
  return said;
}

function chosen(told) {
  const name = at("with").value.trim();
  return name ? { ...told, with: name } : told;
}

async function read() {
  const article = await ask("/extract", { ...chosen(await page()), format: "json" });
  if (!article.blocks || !article.blocks.length) throw new Error(word("no_story"));
  await chrome.scripting.executeScript({ target: { tabId: await tab() }, files: ["reading.js"] });
  await chrome.scripting.executeScript({
    target: { tabId: await tab() }, func: (told) => globalThis.tidingsShow(told), args: [article],
  });
  say(word("shown"));
}

async function keep() {
  const { address } = await chrome.storage.local.get({ address: "" });
  const kept = await ask("/articles", chosen(await page()));
  at("link").href = `${address}/article/${kept.id}`;
  at("link").hidden = false;
  say(word("kept", kept.id));
}

async function add() {
  const { url } = await page();
  const added = await ask("/sources", { address: new URL(url).origin });
  say(added.new ? word("added", added.items.map((one) => one.title || one.address).join(", ")) : word("known"));
}

for (const [name, does] of Object.entries({ read, keep, add })) {
  at(name).addEventListener("click", async () => {
    say("…");
    try {
      await does();
    } catch (error) {
      say(error.message);
    }
  });
}
