"""Find footnotes and sidenotes, and the references to them.

A reference is a short link to a place on the same page, in superscript or with a note-like name; the note is the
element at that place. Both are found together from the link and its target, in the markup of Markdown converters,
Wikipedia, Word, Google Docs and LibreOffice. A sidenote is found by its element, which is inside the line. Backlinks
are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import partial
from itertools import accumulate
from typing import Final
from urllib.parse import unquote

import numpy as np

from tidings.article.model.blocks import Block, Inline, Kind
from tidings.article.model.constructors import changed
from tidings.article.model.inlines import Style, style_of
from tidings.article.units.places import HALF
from tidings.article.units.units import FoundUnits, UnitRange, attributes_of, classes_of, inside, named, tag_of, text_of
from tidings.page import Page, tags
from tidings.text.patterns import late_pattern

_LINK: Final = tags.NUMBERS["a"]
_SHORT: Final = late_pattern(
    r"\A[\[(]?\s*(?:note\s+|fn\s*)?([0-9]{1,4}|[a-zA-Z]{1,2}|[ivxlcIVXLC]{1,6}|[*†‡§¶‖#⁎]{1,4}|"
    r"nb\s?\d{1,3}|[a-z]+ \d{1,3})\s*[\])]?\Z"
)
_BACK: Final = late_pattern(
    r"\A[\s\[(]*(?:[↩⏎↑^⬆↵⤴˄︎️]+.*|back.*|return.*|jump (?:up|back).*|(?:[a-z]|\d{1,2}\.\d{1,2})|\^)[\s\])]*\Z",
    re.IGNORECASE,
)
_NAMED: Final = late_pattern(r"fn|note|cite|ftn|ref|endn|(?:^|[#_-])en-?\d", re.IGNORECASE)
_NO_NOTE: Final = late_pattern(r"toc|heading|section|nav|page", re.IGNORECASE)
_ASIDE: Final = late_pattern(
    r"\s(?:sidenote|marginnote|margin-note|side-note|footnote-inline|inline-footnote|sidenote-content|ltx_note_outer)\s"
)
_ID: Final = late_pattern(r"""\s(?:id|name)\s*=\s*(?:"([^"\0]*)"|'([^'\0]*)'|([^\s>"'\0]+))""", re.IGNORECASE)
_HOLDERS: Final = frozenset("li p div aside section dd td tr blockquote article span".split())
_LEADING: Final = late_pattern(r"\A\s*[\[(]?(?:\d{1,4}|[*†‡§]{1,3}|[a-z])[\])]?[.:]?\s*\Z")
_STOP: Final = late_pattern(r"\A[\s.:)\]]+(?=\S)")
_LONGEST: Final = 8000
_MOST: Final = 2000
#: Characters of a start tag that are searched for its id.
_NAMED_WITHIN: Final = 400


def find_notes(units: FoundUnits) -> None:
    """Find the notes of the selected text and the references to them."""
    _sidenotes(units)
    references = _references(units)
    if not references:
        return
    page = units.page
    targets = _targets(page, {name for _, name in references})
    labels: dict[int, str] = {}
    by_note: dict[int, list[int]] = {}
    for element, name in references:
        target = targets.get(name)
        note = _note(page, target, element) if target is not None else None
        if note is not None:
            by_note.setdefault(note, []).append(element)
    backs = _backs(page, by_note)
    for note, links in by_note.items():
        first, last = units.runs(note)
        if first >= last or units.claimed[first:last].all() or page.runs.hidden[first:last].all():
            continue
        selected_links = [link for link in links if units.chosen[slice(*units.runs(link))].any()]
        is_plain = all(not _is_note_reference(page, link) for link in links)
        if is_plain and not backs.get(note):
            continue  # a link from a list of contents, or to a figure
        if not selected_links:
            continue
        label = _label(page, links[0], len(labels) + 1, set(labels.values()))
        labels[note] = label
        if units.share(first, last) < HALF:
            units.outside.add(label)
        _keep(units, note, label, backs.get(note, []))
        for link in selected_links:
            _refer(units, link, label)


def _references(units: FoundUnits) -> list[tuple[int, str]]:
    """Return short links to places on the page, with the names of these places."""
    page = units.page
    elements = page.elements
    references: list[tuple[int, str]] = []
    candidates = np.flatnonzero((elements.tag == _LINK) & (elements.first < elements.last))
    if not len(candidates):
        return references
    width = page.runs.text_end[elements.last[candidates] - 1] - page.runs.text_start[elements.first[candidates]]
    candidates = candidates[width <= 24]
    for element, tag in zip(candidates.tolist(), page.cut.tags(page.opened[candidates]), strict=True):
        if "#" not in tag:
            continue
        href = attributes_of(page, element).get("href", "")
        address, _, name = href.partition("#")
        if not name or (address and address.split("/")[-1] != (page.url or "").split("#")[0].split("/")[-1]):
            continue
        if _SHORT.match(text_of(page, element)) and not _NO_NOTE.search(attributes_of(page, element).get("class", "")):
            references.append((element, unquote(name)))
            if len(references) >= _MOST:
                break
    return references


def _targets(page: Page, names: set[str]) -> dict[str, int]:
    """Return the elements with given ids or names, by that id or name."""
    elements: dict[str, int] = {}
    with_name = page.holding(("id=", "name=")).tolist()
    tags_of = [tag[:_NAMED_WITHIN] for tag in page.cut.tags(page.opened[with_name])]
    behind: list[int] = []
    for match in _ID.finditer("\0".join(tags_of)):  # no source holds that sign
        name = match[1] or match[2] or match[3] or ""
        if name in names and name not in elements:
            if not behind:
                behind = list(accumulate(len(tag) + 1 for tag in tags_of))
            elements[name] = with_name[bisect_right(behind, match.start())]
    return elements


def _is_note_reference(page: Page, link: int) -> bool:
    """Return whether a link is in superscript or has a note-like name."""
    values = attributes_of(page, link)
    if values.get("role") == "doc-noteref" or "epub:type" in values or "data-footnote-ref" in values:
        return True
    ancestor = page.elements.parent.item(link)
    for _ in range(2):
        if ancestor > 0 and tag_of(page, ancestor) == "sup":
            return True
        ancestor = page.elements.parent.item(ancestor) if ancestor > 0 else 0
    if any(tag_of(page, inner) == "sup" for inner in inside(page, link)):
        return True
    names = " ".join((values.get("id", ""), values.get("class", ""), values.get("href", ""), values.get("name", "")))
    return bool(_NAMED.search(names))


def _note(page: Page, target: int, link: int) -> int | None:
    """Return the note element at the target of a link; None if the target is not a note."""
    elements = page.elements
    element = target
    if tag_of(page, element) in ("a", "sup", "b", "strong", "i", "em") or elements.first.item(
        element
    ) >= elements.last.item(element):
        while element > 0 and tag_of(page, element) not in _HOLDERS - {"span"}:
            element = elements.parent.item(element)
        if tag_of(page, element) == "td":  # the number has a cell of its own
            element = elements.parent.item(element)
    if element <= 0 or tag_of(page, element) not in _HOLDERS:
        return None
    if elements.start.item(element) <= elements.start.item(link) < elements.end.item(element):
        return None  # it points at itself
    if element < link and not _ASIDE.search(classes_of(page, element)) and tag_of(page, target) not in ("li", "aside"):
        return None  # a reference precedes its note
    if len(text_of(page, element)) > _LONGEST:
        return None
    return element


def _backs(page: Page, by_note: dict[int, list[int]]) -> dict[int, list[int]]:
    """Return the links from each note back to its reference."""
    backlinks: dict[int, list[int]] = {}
    for note in by_note:
        for element in inside(page, note)[:400]:
            if page.elements.tag.item(element) != _LINK:
                continue
            attributes = attributes_of(page, element)
            if "#" not in attributes.get("href", ""):
                continue
            label = text_of(page, element)
            names = attributes.get("class", "").lower() + attributes.get("role", "")
            if not label or _BACK.match(label) or _SHORT.match(label) or "back" in names:
                backlinks.setdefault(note, []).append(element)
    return backlinks


def _label(page: Page, link: int, number: int, used: set[str]) -> str:
    match = _SHORT.match(text_of(page, link))
    label = "-".join(match[1].split()) if match else str(number)
    if not re.fullmatch(r"[\w-]+", label) or label in used:
        label = str(number)
    while label in used:
        number += 1
        label = str(number)
    return label


def _keep(units: FoundUnits, note: int, label: str, backs: list[int]) -> None:
    """Select a whole note, without its links back and its number."""
    page = units.page
    first, last = units.runs(note)
    units.chosen[first:last] = ~page.runs.hidden[first:last]
    for back in backs:
        low, high = units.runs(back)
        units.leave(low, high)
        parent = page.elements.parent.item(back)
        if tag_of(page, parent) in ("sup", "span", "cite", "b") and parent != note:
            text = text_of(page, parent)
            if _BACK.match(text) or _LEADING.match(text) or len(text) < 4:
                units.leave(*units.runs(parent))
    _leave_number(units, first, last)
    units.ranges.append(UnitRange(first, last, partial(_as_note, label)))


def _leave_number(units: FoundUnits, first: int, last: int) -> None:
    """Deselect the number at the start of a note if it is a run of its own, and Wikipedia's `^`."""
    page = units.page
    for run in range(first, min(last, first + 6)):
        if not units.chosen[run]:
            continue
        text = page.text[page.runs.text_start.item(run) : page.runs.text_end.item(run)]
        if _LEADING.match(text) or not text.strip(" ^↑[]().:\xa0"):
            units.leave(run, run + 1)
        else:
            break
    for run in range(last - 1, max(first, last - 4) - 1, -1):
        if units.chosen[run]:
            text = page.text[page.runs.text_start.item(run) : page.runs.text_end.item(run)]
            if text.strip(" \xa0↩︎️⏎↑^[]"):
                break
            units.leave(run, run + 1)


def _as_note(label: str, blocks: list[tuple[Block, int]]) -> list[tuple[Block, int]]:
    note_blocks = []
    for block, run in blocks:
        if block.kind in (Kind.PREFORMATTED, Kind.TABLE, Kind.FORMULA, Kind.EMBED):
            note_blocks.append((changed(block, depth=0, item=None, label=label), run))
        elif block.inlines:  # a box without a title has none, and its blocks become notes of their own
            first, *rest = block.inlines
            start = Inline(_STOP.sub("", first.text), *style_of(first)) if not note_blocks else first
            inlines = tuple(inline for inline in (start, *rest) if inline.text)
            if inlines:
                note_blocks.append((Block(Kind.NOTE, inlines, label=label), run))
    return note_blocks


def _refer(units: FoundUnits, link: int, label: str) -> None:
    first, last = units.runs(link)
    page = units.page
    text = text_of(page, link)
    parent = page.elements.parent.item(link)
    if tag_of(page, parent) == "sup":  # `<sup>[<a>1</a>]</sup>`
        low, high = units.runs(parent)
        parent_text = text_of(page, parent)
        if len(parent_text) <= len(text) + 2:
            first, last, text = low, high, parent_text
    units.says(first, last, text, Style(superscript=True, note=label))


def _sidenotes(units: FoundUnits) -> None:
    """Find sidenotes in or next to a line, with or without a number before them."""
    page = units.page
    number = 0
    for element in named(units, "aside"):
        if not _ASIDE.search(classes_of(page, element)):
            continue
        first, last = units.runs(element)
        before = first - 1
        while before >= 0 and page.runs.hidden[before]:
            before -= 1
        if first >= last or before < 0 or not units.chosen[before] or units.claimed[first:last].any():
            continue
        if page.runs.hidden[first:last].all():
            continue
        number += 1
        label = str(number)
        start = first
        while start < last - 1 and _LEADING.match(page.text[slice(*_span(page, start))]):
            start += 1  # its number, once or twice
        text = " ".join(page.text[_span(page, start)[0] : _span(page, last - 1)[1]].split())
        text = re.sub(r"\A(?:\d{1,3}|[*†])[.:)]?\s+", "", text)
        units.chosen[first:last] = False
        units.chosen[first] = True
        units.claimed[first:last] = True
        number_text = _number_before(units, before)
        units.says(first, last, number_text or label, Style(superscript=True, note=label))
        if tag_of(page, element) in ("aside", "div"):
            units.continuing.add(first)
        units.tail.append(Block(Kind.NOTE, (Inline(text),), label=label))


def _span(page: Page, run: int) -> tuple[int, int]:
    return page.runs.text_start.item(run), page.runs.text_end.item(run)


def _number_before(units: FoundUnits, run: int) -> str:
    """Return the number directly before a sidenote, which its reference replaces."""
    page = units.page
    text = page.text[page.runs.text_start.item(run) : page.runs.text_end.item(run)].strip()
    if re.fullmatch(r"\d{1,3}", text) and tag_of(page, page.runs.element.item(run)) in ("sup", "label", "span", "a"):
        units.leave(run, run + 1)
        return text
    return ""
