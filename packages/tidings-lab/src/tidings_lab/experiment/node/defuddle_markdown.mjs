import { Defuddle } from 'defuddle/node';
console.log = console.warn = console.error = () => {};
async function read(document, url) {
  const made = await Defuddle(document, url, { markdown: true });
  const markdown = made?.contentMarkdown ?? made?.content;
  return made && { markdown, title: made.title, author: made.author, date: made.published };
}
