import { JSDOM, VirtualConsole } from 'jsdom'; import { createInterface } from 'readline';
const quiet = new VirtualConsole();
for await (const line of createInterface({ input: process.stdin })) {
  let made = {};
  try {
    const { html, url } = JSON.parse(line);
    const document = new JSDOM(html, { url, virtualConsole: quiet }).window.document;
    made = await read(document, url);
  } catch (error) { made = { error: String(error) }; }
  process.stdout.write(JSON.stringify(made ?? {}) + '\n');
}
