"""Read the exact lines of code from the source, without gutters, buttons and labels.

Lines may be elements (`span.line`, `div.view-line`, table rows) or end with a line feed or a `br`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.article.units.units import LONGEST_TAG, inside, start_tag, text_of
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import any_set
from tidings.page.references import unescape
from tidings.page.tag_sets import among, tag_set
from tidings.text.patterns import late_pattern

PRE: Final = tags.numbers("pre listing xmp")
_NESTED: Final = tag_set(tags.numbers("div p table pre tr li"))
#: Elements whose content is not part of the page's text.
_UNREAD: Final = tag_set(tags.SKIPPED)
_BR, _ROWS, _BOXES = tags.NUMBERS["br"], tags.numbers("tr li"), tags.numbers("div p")
_LINE_TAGS: Final = _ROWS | _BOXES
_BUTTON_TAG: Final = late_pattern(r"<button(?![\w-])", re.IGNORECASE)
#: Properties of an element inside code, as bits.
FURNITURE, _LINE_SIGN, EDITOR, LABELS = 1, 2, 4, 8
_STARTS_LINE: Final = tags.numbers("p div li tr h1 h2 h3 h4 h5 h6 ul ol dl dt dd table blockquote section article pre")
_BREAKS: Final = tag_set(_STARTS_LINE | {_BR})
EDITORS: Final = late_pattern(
    r"\s(?:codemirror-code|codemirror-lines|view-lines|ace_text-layer|syntaxhighlighter|crayon-table|crayon-main)\s"
)
LINE: Final = late_pattern(
    r"\s(?:line|code-?line|codeline|cl|cm-line|view-line|ace_line|token-line|crayon-line|codemirror-line|hljs-ln-line|"
    r"react-code-line-contents|blob-code|blob-code-inner|ec-line|code__line|row-line|source-line|loc)(?:\s|$)|"
    r"\s(?:line-?\d+|line_\d+|code-line-\d+|number\d+)\s"
)
NO_CODE: Final = late_pattern(
    r"(?:^|[\s_-])(?:gutter\w*|lineno\w*|linenos?|linenumbers?|line-?numbers?(?!-mode)|line_numbers?|hljs-ln-n\w*|"
    r"crayon-nums?\w*|blob-num|ace_gutter\w*|codemirror-gutter\w*|codemirror-linenumber|cm-gutters?|react-syntax-highlighter-line-number|"
    r"copy\w*|btn\w*|button\w*|toolbar\w*|clipboard-copy|code-header|codeheader|sr-only|visually-hidden|screen-reader\w*|"
    r"tooltip\w*|rouge-gutter|code-lang\w*|lang-?label|language-?label|margin-view\w*|filename|code-?title|code-?name|prompt-number)(?:$|[\s_-])|\s(?:ln|lnt)\s"
)
_LABEL: Final = late_pattern(r"(?:^|[\s_-])(?:lang|language|label|filename|file-?name|title|caption|header|name|tab)")
#: The maximum number of elements of a code block that are read.
_MOST: Final = 60_000


@lru_cache(maxsize=8192)
def signs_of(tag: str) -> int:
    """Return what a start tag inside code looks like, as bits: a button or gutter (`FURNITURE`), a line of code, an
    editor, a label. Cached, because tags repeat in code.
    """
    values = attributes(tag)
    names = f" {values.get('class', '').lower()} "
    bits = 0
    if (
        _BUTTON_TAG.match(tag)
        or "hidden" in values
        or values.get("role") == "button"
        or "user-select:none" in values.get("style", "").replace(" ", "").lower()
        or (NO_CODE.search(names) and not names.strip().startswith("language-"))
    ):
        bits |= FURNITURE
    if LINE.search(names) or "data-line" in values:
        bits |= _LINE_SIGN
    if EDITORS.search(names):
        bits |= EDITOR
    if _LABEL.search(names) or tag[:11].lower() == "<figcaption":
        bits |= LABELS
    return bits


class _SpelledSigns(dict[int, int]):
    """A cache of the bits of `signs_of` for the start tags of a page, by the number of the tag's spelling."""

    def __init__(self, page: Page) -> None:
        self._start_tags = page.start_tags

    def __missing__(self, number: int) -> int:
        return self.setdefault(number, signs_of(self._start_tags.spelling(number)[:LONGEST_TAG]))


def signs(page: Page, body: int) -> list[int]:
    """Return the properties of the elements inside an element, up to the maximum number."""
    cached: tuple[int, list[int]] | None = page.memo.get(signs)
    if cached is None or cached[0] != body:
        by_spelling: _SpelledSigns | None = page.memo.get(_SpelledSigns)
        if by_spelling is None:
            by_spelling = page.memo[_SpelledSigns] = _SpelledSigns(page)
        descendants = inside(page, body)[:_MOST]
        numbers = page.start_tags.numbers(descendants.start, descendants.stop)
        bits = [by_spelling[number] if number >= 0 else -1 for number in numbers]
        if -1 in numbers:  # without text
            for place, number in enumerate(numbers):
                if number < 0:
                    bits[place] = signs_of(start_tag(page, descendants[place]))
        cached = page.memo[signs] = body, bits
    return cached[1]


def is_furniture(page: Page, element: int) -> bool:
    """Return whether an element inside code is a gutter, button or similar."""
    return bool(signs_of(start_tag(page, element)) & FURNITURE)


def code_text(page: Page, body: int) -> str:
    """Return the exact text of a code element."""
    skipped = _skipped(page, body)
    if lines := _lines(page, body, skipped):
        return "\n".join(_raw(page, line, _within(page, line, skipped)).removesuffix("\n") for line in lines)
    text = _raw(page, body, skipped)
    return text.removeprefix("\n") if page.elements.tag.item(body) in PRE else text


def _within(page: Page, line: int, skipped: list[int]) -> list[int]:
    """Return those elements of the sorted list `skipped` that are inside the element `line`."""
    return skipped[bisect_left(skipped, line) : bisect_left(skipped, inside(page, line).stop)]


def _lines(page: Page, body: int, skipped: list[int]) -> list[int]:
    """Return the elements that are lines; empty if text other than furniture is outside them."""
    lines: list[int] = []
    behind = -1
    descendants = inside(page, body)[:_MOST]
    numbers = page.elements.tag[descendants.start : descendants.stop].tolist()
    for element, number, bits in zip(descendants, numbers, signs(page, body), strict=True):
        if element < behind or not (bits & _LINE_SIGN or number in _LINE_TAGS):
            continue
        is_line = bool(bits & _LINE_SIGN) or number in _ROWS
        if not is_line and number in _BOXES and not _nested_blocks(page, element):
            is_line = True
        if is_line and not bits & FURNITURE:
            lines.append(element)
            behind = inside(page, element).stop
    if not lines:
        return []
    runs = sum(page.elements.last.item(element_at) - page.elements.first.item(element_at) for element_at in lines)
    skipped_runs = sum(
        page.elements.last.item(element_at) - page.elements.first.item(element_at)
        for element_at in skipped
        if not ((index := bisect_left(lines, element_at) - 1) >= 0 and element_at < inside(page, lines[index]).stop)
    )
    all_runs = page.elements.last.item(body) - page.elements.first.item(body)
    if runs + skipped_runs >= all_runs and len(lines) > 1:
        return lines
    # Line feeds between lines are runs of white space in preformatted text.
    texts = sum(len(text_of(page, element_at)) for element_at in lines) + len(lines)
    rest = sum(len(text_of(page, element_at)) for element_at in skipped)
    return lines if texts + rest >= len(text_of(page, body)) and len(lines) > 1 else []


def _nested_blocks(page: Page, element: int) -> bool:
    within = inside(page, element)
    return bool(among(page.elements.tag[within.start : within.stop], _NESTED).any())


def _skipped(page: Page, body: int) -> list[int]:
    """Return the outermost elements inside code that are not code, such as buttons."""
    elements: list[int] = []
    behind = -1
    for element, bits in enumerate(signs(page, body), body + 1):
        if bits & FURNITURE and element >= behind:
            elements.append(element)
            behind = inside(page, element).stop
    return elements


def _unread(page: Page, element: int) -> list[int]:
    """Return the descendants of an element whose content is not part of the page's text."""
    descendants = inside(page, element)
    indices = among(page.elements.tag[descendants.start : descendants.stop], _UNREAD).nonzero()[0].tolist()
    return [descendants.start + place for place in indices]


def _raw(page: Page, element: int, skipped: list[int]) -> str:
    """Return the visible text between the tags of an element, with line feeds for line breaks."""
    cut = page.cut
    first, last = page.opened.item(element) + 1, page.closed.item(element)
    runs = slice(page.elements.first.item(element), page.elements.last.item(element))
    hidden = page.runs.hidden[runs]
    has_hidden = any_set(hidden)
    if first == last and not skipped:  # no tag inside
        text = "" if has_hidden else page.source[cut.piece_start.item(first) : cut.piece_end.item(first)]
        return unescape(text) if "&" in text else text
    starts, ends = cut.piece_start[first : last + 1], cut.piece_end[first : last + 1]
    codes = cut.codes[first:last]
    is_code = ends > starts
    breaks = among(np.abs(codes), _BREAKS)
    for excluded in (*skipped, *_unread(page, element)):
        low, high = page.opened.item(excluded) + 1 - first, page.closed.item(excluded) + 1 - first
        is_code[max(low, 0) : max(high, 0)] = False
        breaks[max(low, 0) : max(high, 0)] = False
    if has_hidden:
        is_code[page.piece[runs][hidden] - first] = False
    source = page.source
    code_pieces, places = is_code.nonzero()[0], breaks.nonzero()[0]
    pieces = [
        source[start:end] for start, end in zip(starts[code_pieces].tolist(), ends[code_pieces].tolist(), strict=True)
    ]
    text = "".join(pieces)
    if "&" in text:
        pieces = [unescape(piece) if "&" in piece else piece for piece in pieces]
        text = "".join(pieces)
    if not len(places):  # most lines: words in spans
        return text
    borders = [*code_pieces.searchsorted(places, "right").tolist(), len(code_pieces)]
    return _join_lines(pieces, [*codes[places].tolist(), 0], borders)


def _join_lines(pieces: list[str], codes: list[int], borders: list[int]) -> str:
    """Join pieces of code with line feeds where the tags between them start a line.

    Args:
        pieces: the texts.
        codes: the tags that may start a line, and 0 for the end.
        borders: for each tag the index of the piece after it.
    """
    parts: list[str] = []
    needs_break = False  # a box begins or ends here, so that another line does
    index = 0
    for code, behind in zip(codes, borders, strict=True):
        if index < behind:
            if needs_break and parts and not parts[-1].endswith("\n") and not pieces[index].startswith("\n"):
                parts.append("\n")
            parts += pieces[index:behind]
            needs_break = False
            index = behind
        if code == _BR:
            parts.append("\n")
        elif code and code != -_BR:
            needs_break = True
    return "".join(parts)
