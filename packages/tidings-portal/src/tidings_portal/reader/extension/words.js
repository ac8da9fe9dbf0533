// What the pages say, in the browser's language: elements with data-said have the text of that name.
"use strict";

const word = (name, ...told) => chrome.i18n.getMessage(name, told.map(String)) || name;

document.documentElement.lang = chrome.i18n.getUILanguage();
document.documentElement.dir = chrome.i18n.getMessage("@@bidi_dir") || "ltr";
for (const element of document.querySelectorAll("[data-said]")) {
  element.textContent = word(element.dataset.said, ...(element.dataset.told ? [element.dataset.told] : []));
}
