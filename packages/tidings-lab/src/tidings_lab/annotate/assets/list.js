// The list of units beside the page: also for what the page itself does not show without its scripts.

export class List {
  constructor(element) {
    this.element = element;
    this.items = [];
  }

  show(units, visits, opinions) {
    this.items = [];
    this.element.replaceChildren(...visits.map(unit => {
      const item = document.createElement('li'), mark = document.createElement('b'), text = document.createElement('span');
      item.id = `unit-${unit}`;
      item.dataset.unit = unit;
      item.setAttribute('role', 'option');
      text.textContent = units[unit].text;
      text.dir = 'auto';
      item.title = `<${units[unit].tag}>`;
      item.classList.toggle('differs', Boolean(opinions?.[unit]));
      item.append(mark, text);
      this.items[unit] = item;
      return item;
    }));
  }

  paint(unit, mark, decided) {
    const item = this.items[unit];
    if (!item) return;
    item.dataset.mark = mark;
    item.classList.toggle('decided', decided);
    item.firstElementChild.textContent = mark === 'none' ? '' : mark;
  }

  select(chosen, cursor) {
    for (const item of this.element.querySelectorAll('[aria-selected=true],[aria-current]')) {
      item.removeAttribute('aria-current');
      item.setAttribute('aria-selected', 'false');
    }
    for (const unit of chosen) this.items[unit]?.setAttribute('aria-selected', 'true');
    const item = this.items[cursor];
    if (!item) return;
    item.setAttribute('aria-current', 'true');
    item.scrollIntoView({block: 'nearest'});
    this.element.setAttribute('aria-activedescendant', item.id);
  }

  unitOf(target) {
    const item = target.closest('li');
    return item ? Number(item.dataset.unit) : null;
  }
}
