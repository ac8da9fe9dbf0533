() => {
  const mark = "MARK", most = MOST;
  const columns = {COLUMNS};
  const styles = [], known = new Map(), range = document.createRange();
  const copy = document.implementation.createHTMLDocument("").importNode(document.documentElement, true);
  const real = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
  const copied = document.createTreeWalker(copy, NodeFilter.SHOW_ELEMENT);
  const shown = {visibilityProperty: true};  // what is transparent fades in as soon as a script has run
  let seen = 0, over = 0;
  for (let one = real.root, twin = copied.root; one && twin; one = real.nextNode(), twin = copied.nextNode()) {
    if (one.localName !== twin.localName) break;
    const css = getComputedStyle(one), boxless = css.display === "contents";
    if (boxless) range.selectNodeContents(one);
    const box = (boxless ? range : one).getBoundingClientRect();
    if (!(box.width > 0 || box.height > 0) || !(boxless || one.checkVisibility(shown))) continue;
    if (seen >= most) { over += 1; continue; }
    let ink = 0, left = Infinity, top = Infinity, right = -Infinity, bottom = -Infinity;
    for (const text of one.childNodes) {
      if (text.nodeType !== 3 || !/\S/.test(text.data)) continue;
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        ink += line.width * line.height;
        left = Math.min(left, line.left), top = Math.min(top, line.top);
        right = Math.max(right, line.right), bottom = Math.max(bottom, line.bottom);
      }
    }
    const back = css.backgroundColor;
    const look = [
      parseFloat(css.fontSize), parseInt(css.fontWeight), css.fontFamily.slice(0, 100), css.color,
      /, 0\)$|^transparent$/.test(back) ? "" : back, css.display, css.position,
    ];
    const key = look.join("\n");
    if (!known.has(key)) { known.set(key, styles.length); styles.push(look); }
    const row = {
      left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height, ink,
      text_left: left + scrollX, text_top: top + scrollY, text_right: right + scrollX, text_bottom: bottom + scrollY,
      style: known.get(key),
    };
    for (const [name, column] of Object.entries(columns))
      column.push(isFinite(row[name]) ? Math.round(row[name] * 10) / 10 : 0);
    twin.setAttribute(mark, seen++);
  }
  const root = document.documentElement;
  return {
    html: (document.doctype ? "<!DOCTYPE html>\n" : "") + copy.outerHTML,
    columns, styles, over, width: root.scrollWidth, height: root.scrollHeight,
  };
}
