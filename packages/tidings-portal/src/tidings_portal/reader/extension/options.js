// The address of one's own Tidings and a token; both stay in this browser.
"use strict";

const at = (name) => document.getElementById(name);

chrome.storage.local.get({ address: "", token: "" }).then((kept) => {
  at("address").value = kept.address;
  at("token").value = kept.token;
});

at("form").addEventListener("submit", async (event) => {
  event.preventDefault();
  let origin;
  try {
    origin = new URL(at("address").value).origin;
  } catch {
    at("said").textContent = word("wrong_address");
    return;
  }
  // Asked for here, once, for this one address: nothing else can be reached.
  const allowed = await chrome.permissions.request({ origins: [`${origin}/*`] });
  if (!allowed) {
    at("said").textContent = word("not_allowed", origin);
    return;
  }
  await chrome.storage.local.set({ address: origin, token: at("token").value.trim() });
  at("said").textContent = word("saved");
});
