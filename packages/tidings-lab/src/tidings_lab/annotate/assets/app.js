// The annotation page: keys and clicks become requests, answers become colours. The server holds all state.
import {Shown} from './frame.js';
import {List} from './list.js';

const KEYS = {t: 'title', h: 'heading', b: 'body', a: 'author', d: 'date', c: 'caption', m: 'comment',
  l: 'lead', o: 'note', x: 'none'};
const HELP = [
  ['j ↓', 'next unit'], ['k ↑', 'unit before'], ['shift + j k ↑ ↓', 'extend the selection'], ['esc', 'only the unit at the cursor'],
  ...Object.entries(KEYS).map(([key, mark]) => [key, mark === 'none' ? 'no mark' : mark]),
  ['space, enter', 'mark as before; again to take it away'], ['u, ctrl z', 'undo'], ['U, ctrl y', 'redo'], ['s', 'save as gold'],
  ['n', 'next page'], ['p', 'page before'], ['v', 'list what the page does not show, too'], ['1, 2', 'take the first or second opinion'], ['?', 'this help'],
];
const $ = id => document.getElementById(id);
const shown = new Shown($('frame')), list = new List($('units'));
let project, at = -1, page = null, visits = [], cursor = 0, anchor = 0, brush = 'body', all = false, queue = Promise.resolve();

// -- asking the server ---------------------------------------------------------------------------------------

async function ask(path, body) {
  const options = body === undefined ? {} : {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)};
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error('the server does not answer; what you did before is on its disk. Start it again and reload');
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

// One request at a time, in the order of the keys.
function inOrder(work) {
  queue = queue.then(work).catch(error => say(error.message, true));
  return queue;
}

function say(text, wrong = false) {
  $('status').textContent = text;
  $('status').toggleAttribute('data-wrong', wrong);
}

// -- showing -------------------------------------------------------------------------------------------------

async function open(number) {
  if (number < 0 || number >= project.pages.length) return;
  at = number;
  let found;
  try {
    found = await ask(`page/${number}`);
  } catch (error) {
    page = null;
    visits = [];
    list.show([], [], null);
    $('gone').hidden = false;
    $('gone').textContent = error.message;
    paintPages();
    throw error;
  }
  $('gone').hidden = true;
  page = found;
  await shown.show(page.html);
  all = unseen().words > unseen().of / 2;  // a page that shows its story only by script
  choose();
  document.title = `${page.id} – Annotate – Tidings`;
  location.hash = `page-${number + 1}`;
  const first = visits.findIndex(unit => page.opinions ? !page.decided.includes(unit) : page.marks[unit] !== 0);
  cursor = anchor = visits.length ? Math.max(first, 0) : -1;
  paintAll();
  move(cursor);
  document.documentElement.dataset.ready = number + 1;
  say(page.url || page.id);
}

const reading = () => page.units.map((unit, place) => place).filter(place => !page.units[place].hidden);

// What the page has but does not show without its scripts: menus that fold out, sometimes the story.
function unseen() {
  const size = places => places.reduce((sum, place) => sum + page.units[place].text.length, 0);
  const places = reading().filter(place => !shown.boxOf(place));
  return {places: new Set(places), words: size(places), of: size(reading())};
}

function choose() {
  const {places} = unseen(), kept = place => all || page.marks[place] !== 0 || !places.has(place);
  visits = reading().filter(place => page.opinions ? page.opinions[place] : kept(place));
  list.show(page.units, visits, page.opinions);
  const rest = page.opinions ? 0 : reading().length - visits.length;
  $('more').hidden = !rest && !(all && places.size && !page.opinions);
  $('more').textContent = rest ? `and ${rest} more that the page does not show (v)` : 'leave out what the page does not show (v)';
}

function showAll() {
  const unit = visits[cursor];
  all = !all;
  choose();
  cursor = anchor = visits.length ? Math.max(visits.indexOf(unit), 0) : -1;
  paintAll();
}

function take(said) {
  Object.assign(page, said);
  project.pages[at].state = said.state;
  paintAll();
}

function paintAll() {
  const decided = new Set(page.decided), counts = {};
  page.marks.forEach((mark, unit) => {
    const name = project.marks[mark];
    counts[name] = (counts[name] ?? 0) + 1;
    shown.paint(unit, name);
    list.paint(unit, name, decided.has(unit));
  });
  for (const button of $('legend').children) {
    const mark = button.dataset.mark;
    button.setAttribute('aria-checked', String(mark === brush));
    button.querySelector('small').textContent = mark === 'none' ? '' : `${counts[mark] ?? 0}`;
  }
  $('undo').disabled = !page.undo;
  $('redo').disabled = !page.redo;
  paintRecord();
  paintPages();
  paintSelection();
}

function paintRecord() {
  const {page_type, lang, is_sure} = page.record ?? {page_type: '', lang: '', is_sure: true};
  $('type').value = page_type;
  if (document.activeElement !== $('lang')) $('lang').value = lang;
  $('sure').checked = is_sure;
}

function paintPages() {
  const saved = project.pages.filter(one => one.state === 'saved').length;
  [...$('pages').options].forEach((option, place) => {
    const {id, state} = project.pages[place];
    option.textContent = `${{saved: '✓', begun: '•', new: ' '}[state]} ${place + 1}/${project.pages.length}  ${id}`;
  });
  $('pages').value = String(at);
  const undecided = page?.opinions ? visits.filter(unit => !page.decided.includes(unit)).length : 0;
  const here = page?.opinions ? `${visits.length - undecided} of ${visits.length} decided · ` : '';
  const done = page?.opinions ? (visits.length - undecided) / Math.max(visits.length, 1) : saved / project.pages.length;
  $('progress').querySelector('span').style.width = `${100 * done}%`;
  $('progress').querySelector('b').textContent = `${here}${saved} of ${project.pages.length} saved`;
  $('progress').setAttribute('aria-valuemax', project.pages.length);
  $('progress').setAttribute('aria-valuenow', saved);
  $('save').disabled = !page;
  $('previous').disabled = at <= 0;
  $('next').disabled = at >= project.pages.length - 1;
}

const selection = () => visits.slice(Math.min(cursor, anchor), Math.max(cursor, anchor) + 1);

function paintSelection() {
  const chosen = cursor < 0 ? [] : selection(), unit = visits[cursor];
  list.select(chosen, unit);
  drawBoxes(chosen, unit);
  const opinions = page.opinions?.[unit];
  $('opinions').hidden = !opinions;
  $('opinions').replaceChildren(...(opinions ?? []).map((mark, place) => {
    const button = document.createElement('button'), text = document.createElement('span'), key = document.createElement('kbd');
    button.dataset.mark = mark;
    text.textContent = `${place ? 'second' : 'first'}: ${mark}`;
    key.textContent = place + 1;
    button.append(text, key);
    button.addEventListener('click', () => decide(place));
    return button;
  }));
}

function drawBoxes(chosen, unit) {
  $('boxes').replaceChildren(...chosen.flatMap(one => {
    const box = shown.boxOf(one);
    if (!box) return [];
    const frame = place(document.createElement('div'), box);
    frame.classList.toggle('low', box.top < 24);
    if (one === unit) {
      const name = document.createElement('b');
      name.textContent = project.marks[page.marks[one]];
      frame.append(name);
    }
    return [frame];
  }));
}

function place(element, box) {
  Object.assign(element.style, {left: `${box.left - 4}px`, top: `${box.top - 3}px`, width: `${box.width + 8}px`, height: `${box.height + 6}px`});
  return element;
}

// -- acting --------------------------------------------------------------------------------------------------

function move(to, extend = false) {
  if (cursor < 0) return;
  cursor = Math.min(Math.max(to, 0), visits.length - 1);
  if (!extend) anchor = cursor;
  shown.scrollTo(visits[cursor]);
  paintSelection();
}

// What the units are is asked when their turn comes: an answer may still be on its way.
function send(units, nameNow) {
  if (!page || !units.length) return;
  const number = at;
  inOrder(async () => {
    const said = await ask(`page/${number}/mark`, {units, mark: nameNow()});
    if (number === at) take(said);
  });
}

function mark(name, units = selection()) {
  brush = name;
  send(units, () => name);
}

// With the mark they all have already, take it away.
function toggle(name, units = selection()) {
  send(units, () => units.every(unit => project.marks[page.marks[unit]] === name) ? 'none' : name);
}

function decide(opinion) {
  const unit = visits[cursor], mine = page?.opinions?.[unit];
  if (!mine) return;
  mark(mine[opinion], [unit]);
  move(cursor + 1);
}

function act(name) {
  if (!page) return;
  const number = at;
  inOrder(async () => {
    const said = await ask(`page/${number}/${name}`, {});
    if (number === at) take(said);
    if (name === 'save') say(`saved in ${project.folder}`);
  });
}

// Sent when both are there: a record has a type and a language.
function describe() {
  const record = {page_type: $('type').value, lang: $('lang').value, is_sure: $('sure').checked}, number = at;
  if (!page || !record.page_type || !$('lang').value || !$('lang').checkValidity()) return;
  inOrder(async () => {
    const said = await ask(`page/${number}/describe`, record);
    if (number === at) take(said);
  });
}

const turn = step => inOrder(() => open(at + step));

const ACTIONS = {
  j: () => move(cursor + 1), k: () => move(cursor - 1), ArrowDown: () => move(cursor + 1), ArrowUp: () => move(cursor - 1),
  J: () => move(cursor + 1, true), K: () => move(cursor - 1, true),
  Home: () => move(0), End: () => move(visits.length - 1), Escape: () => move(cursor),
  PageDown: () => shown.scrollBy(0, $('frame').clientHeight * 0.8), PageUp: () => shown.scrollBy(0, $('frame').clientHeight * -0.8),
  ' ': () => toggle(brush), Enter: () => toggle(brush), u: () => act('undo'), U: () => act('redo'), s: () => act('save'),
  n: () => turn(1), p: () => turn(-1), v: showAll, 1: () => decide(0), 2: () => decide(1), '?': () => $('help').showModal(),
  Delete: () => mark('none'), Backspace: () => mark('none'),
};

addEventListener('keydown', event => {
  if ($('help').open || event.altKey || ['select', 'input'].includes(event.target.localName)) return;
  let key = event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key.toLowerCase() === 'z') key = event.shiftKey ? 'U' : 'u';
    else if (key.toLowerCase() === 'y') key = 'U';
    else if (key.toLowerCase() === 's') key = 's';
    else return;
  } else if ((key === ' ' || key === 'Enter') && event.target.localName === 'button') {
    return;
  } else if (event.shiftKey && key.startsWith('Arrow')) {
    key = {ArrowDown: 'J', ArrowUp: 'K'}[key] ?? key;
  }
  const action = ACTIONS[key] ?? (KEYS[key] && (() => mark(KEYS[key])));
  if (!action) return;
  event.preventDefault();
  if (page || key === 'n' || key === 'p' || key === '?') action();
});

$('cover').addEventListener('click', event => {
  const box = $('frame').getBoundingClientRect();
  click(shown.unitAt(event.clientX - box.left, event.clientY - box.top), event.shiftKey);
});
$('cover').addEventListener('pointermove', event => {
  const box = $('frame').getBoundingClientRect(), unit = shown.unitAt(event.clientX - box.left, event.clientY - box.top);
  const edge = unit !== null && visits.includes(unit) && shown.boxOf(unit);
  $('hover').style.display = edge ? 'block' : 'none';
  if (edge) place($('hover'), edge);
  if (event.pointerType === 'touch' && event.buttons) scrolled(() => shown.scrollBy(-event.movementX, -event.movementY));
});
$('cover').addEventListener('pointerleave', () => { $('hover').style.display = 'none'; });
$('cover').addEventListener('wheel', event => {
  event.preventDefault();
  const step = event.deltaMode ? 20 : 1;
  scrolled(() => shown.scrollBy(event.deltaX * step, event.deltaY * step));
}, {passive: false});
$('units').addEventListener('click', event => {
  const unit = list.unitOf(event.target);
  if (unit !== null) move(visits.indexOf(unit), event.shiftKey);
});

function scrolled(scroll) {
  scroll();
  $('hover').style.display = 'none';
  if (page) drawBoxes(selection(), visits[cursor]);
}

function click(unit, extend) {
  const to = visits.indexOf(unit);
  if (unit === null || to < 0) return;
  if (extend) {
    move(to, true);
    mark(brush);
  } else {
    move(to);
    toggle(brush);
  }
}

new ResizeObserver(() => page && drawBoxes(selection(), visits[cursor])).observe($('sheet'));
$('previous').addEventListener('click', () => turn(-1));
$('next').addEventListener('click', () => turn(1));
$('pages').addEventListener('change', event => { inOrder(() => open(Number(event.target.value))); event.target.blur(); });
for (const name of ['undo', 'redo', 'save']) $(name).addEventListener('click', () => act(name));
$('record').addEventListener('change', describe);
$('record').addEventListener('submit', event => event.preventDefault());
$('more').addEventListener('click', () => { showAll(); $('more').blur(); });
$('ask').addEventListener('click', () => $('help').showModal());

// -- beginning -----------------------------------------------------------------------------------------------

function build() {
  $('legend').replaceChildren(...Object.entries(KEYS).map(([key, name]) => {
    const button = document.createElement('button'), swatch = document.createElement('i'), text = document.createElement('span');
    const letter = document.createElement('kbd'), count = document.createElement('small');
    button.dataset.mark = name;
    button.setAttribute('role', 'radio');
    text.textContent = name;
    letter.textContent = key;
    button.append(swatch, text, letter, count);
    button.addEventListener('click', () => { brush = name; paintAll(); button.blur(); });
    return button;
  }));
  $('help').querySelector('dl').replaceChildren(...HELP.flatMap(([keys, meaning]) => {
    const term = document.createElement('dt'), means = document.createElement('dd'), key = document.createElement('kbd');
    key.textContent = keys;
    term.append(key);
    means.textContent = meaning;
    return [term, means];
  }));
  $('type').replaceChildren(new Option('page type', ''), ...project.types.map(name => new Option(name)));
  $('pages').replaceChildren(...project.pages.map((one, place) => new Option(one.id, place)));
}

inOrder(async () => {
  project = await ask('pages');
  build();
  const asked = Number(/^#page-(\d+)$/.exec(location.hash)?.[1] ?? 0) - 1;
  const waiting = project.pages.findIndex(one => one.state !== 'saved');
  await open(asked >= 0 && asked < project.pages.length ? asked : Math.max(waiting, 0));
});
