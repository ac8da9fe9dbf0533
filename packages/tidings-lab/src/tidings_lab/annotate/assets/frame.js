// The page itself, in a frame that runs no script and loads nothing. We lay a cover over it and ask the frame what is
// under the pointer, so that no click, no key and no focus ever reaches what the page holds.

const GONE = 'script,link,meta,base,iframe,frame,object,embed,applet,portal,source,track,video,audio,param,template';
const ADDRESSES = new Set([
  'src', 'srcset', 'href', 'xlink:href', 'action', 'formaction', 'ping', 'background', 'poster', 'data', 'cite', 'longdesc',
  'lowsrc', 'dynsrc', 'profile', 'manifest', 'codebase', 'classid', 'usemap', 'target', 'autofocus', 'imagesrcset', 'srcdoc',
]);
// Colours on the page, which is light whatever the browser prefers.
const COLOURS = {
  title: '209 73 91', heading: '224 142 0', body: '47 127 214', author: '139 92 214', date: '14 159 131', caption: '194 71 143',
  comment: '122 129 144', lead: '60 140 90', note: '150 110 60',
};
const STYLE = `
  html,body{overflow:auto!important;height:auto!important;max-height:none!important;position:static!important}
  html{scroll-behavior:auto!important;padding-bottom:40vh}
  img:not([src]),noscript:not(:has([data-tidings])){display:none!important}
  *,*::before,*::after{animation:none!important;transition:none!important}
  tidings-run{pointer-events:auto!important;border-radius:2px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
` + Object.entries(COLOURS).map(([mark, rgb]) =>
  `tidings-run[data-mark=${mark}]{background:rgb(${rgb}/.24)!important;box-shadow:0 2px rgb(${rgb})!important}`).join('');

// Nothing may be asked of another machine; the policy would refuse it, and say so in the console.
const quiet = css => css
  .replace(/@import[^;]{0,2000};?/gi, '')
  .replace(/url\(\s*(?!['"]?(?:data:|#))[^)]{0,2000}\)?/gi, 'none')
  .replace(/(?:-webkit-)?image-set\([^)]{0,2000}\)?/gi, 'none');

function clean(page) {
  page.querySelectorAll(GONE).forEach(element => element.remove());
  page.querySelectorAll('style').forEach(style => { style.textContent = quiet(style.textContent); });
  let links = 0;
  for (const element of page.querySelectorAll('*')) {
    for (const {name, value} of [...element.attributes]) {
      const low = name.toLowerCase();
      if (low.startsWith('on')) element.removeAttribute(name);
      else if (low === 'style') element.setAttribute(name, quiet(value));
      else if (low === 'src' && /^\s*data:image\/(?:png|gif|jpeg|webp)[;,]/i.test(value)) continue;
      else if (low === 'href' && element.localName === 'a') element.setAttribute(name, `#tidings-${links++}`);
      else if (ADDRESSES.has(low)) element.removeAttribute(name);
    }
    if (element.localName === 'a') element.setAttribute('tabindex', '-1');
    if (element.localName === 'form') element.setAttribute('inert', '');
  }
}

export class Shown {
  constructor(frame) {
    this.frame = frame;
    this.runs = new Map();
  }

  get document() { return this.frame.contentDocument; }

  async show(html) {
    await this.#blank(/^\s*(?:<!--[^>]{0,400}-->\s*)*<!doctype/i.test(html) ? 'frame' : 'frame-quirks');
    // The frame's own parser: what it makes is under the frame's policy from the start.
    const page = new this.frame.contentWindow.DOMParser().parseFromString(html, 'text/html');
    clean(page);
    const inner = this.document;
    inner.replaceChild(inner.adoptNode(page.documentElement), inner.documentElement);
    const style = inner.createElement('style');
    style.textContent = STYLE;
    inner.documentElement.append(style);
    this.#unfix();
    this.runs.clear();
    for (const run of inner.querySelectorAll('tidings-run')) {
      const unit = Number(run.dataset.tidings);
      if (!this.runs.has(unit)) this.runs.set(unit, []);
      this.runs.get(unit).push(run);
    }
  }

  #blank(address) {
    return new Promise(done => {
      this.frame.addEventListener('load', done, {once: true});
      this.frame.src = `${address}?${Math.random()}`;  // a new document, also for the same address
    });
  }

  // Banners that stand still would cover the text for good.
  #unfix() {
    const view = this.frame.contentWindow;
    for (const element of [...this.document.querySelectorAll('body *:not(tidings-run)')].slice(0, 20000)) {
      const {position} = view.getComputedStyle(element);
      if (position === 'fixed' || position === 'sticky') element.style.setProperty('position', 'static', 'important');
    }
  }

  paint(unit, mark) {
    for (const run of this.runs.get(unit) ?? []) run.dataset.mark = mark;
  }

  // The unit under a point: of the run there, or of the only unit in the element there.
  unitAt(x, y) {
    const stack = this.document?.elementsFromPoint(x, y) ?? [];
    for (const element of stack) {
      const run = element.closest('tidings-run');
      if (run) return Number(run.dataset.tidings);
    }
    for (const element of stack) {
      const inside = element.querySelectorAll('tidings-run');
      if (inside.length && inside.length < 60 && new Set([...inside].map(run => run.dataset.tidings)).size === 1)
        return Number(inside[0].dataset.tidings);
      if (inside.length) break;
    }
    return null;
  }

  // The smallest box around a unit, in the coordinates of the frame; null where the page does not show it.
  boxOf(unit) {
    const all = (this.runs.get(unit) ?? []).flatMap(run => [...run.getClientRects()]).filter(box => box.width && box.height);
    if (!all.length) return null;
    const left = Math.min(...all.map(box => box.left)), top = Math.min(...all.map(box => box.top));
    const right = Math.max(...all.map(box => box.right)), bottom = Math.max(...all.map(box => box.bottom));
    return {left, top, width: right - left, height: bottom - top};
  }

  scrollBy(x, y) { this.frame.contentWindow?.scrollBy(x, y); }

  scrollTo(unit) {
    const box = this.boxOf(unit), height = this.frame.clientHeight;
    if (box && (box.top < height * 0.12 || box.top + Math.min(box.height, height / 2) > height * 0.88))
      this.scrollBy(0, box.top - height * 0.35);
  }
}
