import { Defuddle } from 'defuddle/node';
console.log = console.warn = console.error = () => {};
async function read(document, url) {
  const made = await Defuddle(document, url, {});
  return made && { html: made.content, title: made.title, author: made.author, date: made.published };
}
