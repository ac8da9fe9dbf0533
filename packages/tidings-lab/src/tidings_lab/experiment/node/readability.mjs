import { Readability } from '@mozilla/readability';
async function read(document) {
  const made = new Readability(document).parse();
  return made && { html: made.content, title: made.title, author: made.byline, date: made.publishedTime };
}
