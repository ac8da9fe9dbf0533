"""The lines of code as its source has them: exact, without gutters, buttons and labels.

Lines may be elements (`span.line`, `div.view-line`, rows of a table), or end with a line feed or a `br`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.article.units import LONGEST_TAG, inside, start_tag, text_of
from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import any_set
from tidings.page.references import unescape
from tidings.page.tag_sets import among, tag_set
from tidings.text.patterns import late_pattern

PRE: Final = tags.numbers("pre listing xmp")
_NESTED: Final = tag_set(tags.numbers("div p table pre tr li"))
#: Elements whose content is no text of the page.
_UNREAD: Final = tag_set(tags.SKIPPED)
_BR, _ROWS, _BOXES = tags.NUMBERS["br"], tags.numbers("tr li"), tags.numbers("div p")
_LINE_TAGS: Final = _ROWS | _BOXES
_BUTTON_TAG: Final = late_pattern(r"<button(?![\w-])", re.IGNORECASE)
#: What the start tag of an element inside code says of it, as bits.
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
#: Elements of code that are looked at.
_MOST: Final = 60_000


@lru_cache(maxsize=8192)
def signs_of(tag: str) -> int:
    """What a start tag says; the same ones stand in code again and again."""
    found = attributes(tag)
    names = f" {found.get('class', '').lower()} "
    told = 0
    if (
        _BUTTON_TAG.match(tag)
        or "hidden" in found
        or found.get("role") == "button"
        or "user-select:none" in found.get("style", "").replace(" ", "").lower()
        or (NO_CODE.search(names) and not names.strip().startswith("language-"))
    ):
        told |= FURNITURE
    if LINE.search(names) or "data-line" in found:
        told |= _LINE_SIGN
    if EDITORS.search(names):
        told |= EDITOR
    if _LABEL.search(names) or tag[:11].lower() == "<figcaption":
        told |= LABELS
    return told


class _SpelledSigns(dict[int, int]):
    """What the start tags of a page say, by the numbers of their spellings."""

    def __init__(self, page: Page) -> None:
        self._start_tags = page.start_tags

    def __missing__(self, number: int) -> int:
        return self.setdefault(number, signs_of(self._start_tags.spelling(number)[:LONGEST_TAG]))


def signs(page: Page, body: int) -> list[int]:
    """What the start tags of the elements inside an element say, as many as are looked at."""
    known: tuple[int, list[int]] | None = page.memo.get(signs)
    if known is None or known[0] != body:
        by_spelling: _SpelledSigns | None = page.memo.get(_SpelledSigns)
        if by_spelling is None:
            by_spelling = page.memo[_SpelledSigns] = _SpelledSigns(page)
        within = inside(page, body)[:_MOST]
        numbers = page.start_tags.numbers(within.start, within.stop)
        found = [by_spelling[number] if number >= 0 else -1 for number in numbers]
        if -1 in numbers:  # without text
            for place, number in enumerate(numbers):
                if number < 0:
                    found[place] = signs_of(start_tag(page, within[place]))
        known = page.memo[signs] = body, found
    return known[1]


def is_furniture(page: Page, element: int) -> bool:
    """Return whether an element inside code is none: a gutter, a button."""
    return bool(signs_of(start_tag(page, element)) & FURNITURE)


def code_text(page: Page, body: int) -> str:
    """Return the text of an element of code, exact."""
    skipped = _skipped(page, body)
    if lines := _lines(page, body, skipped):
        return "\n".join(_raw(page, line, _within(page, line, skipped)).removesuffix("\n") for line in lines)
    text = _raw(page, body, skipped)
    return text.removeprefix("\n") if page.elements.tag.item(body) in PRE else text


def _within(page: Page, line: int, skipped: list[int]) -> list[int]:
    """Of elements in order those inside another."""
    return skipped[bisect_left(skipped, line) : bisect_left(skipped, inside(page, line).stop)]


def _lines(page: Page, body: int, skipped: list[int]) -> list[int]:
    """Return the elements that are lines, if all the text is in them but for some that are no code."""
    found: list[int] = []
    behind = -1
    within = inside(page, body)[:_MOST]
    numbers = page.elements.tag[within.start : within.stop].tolist()
    for element, number, told in zip(within, numbers, signs(page, body), strict=True):
        if element < behind or not (told & _LINE_SIGN or number in _LINE_TAGS):
            continue
        is_line = bool(told & _LINE_SIGN) or number in _ROWS
        if not is_line and number in _BOXES and not _nested_blocks(page, element):
            is_line = True
        if is_line and not told & FURNITURE:
            found.append(element)
            behind = inside(page, element).stop
    if not found:
        return []
    runs = sum(page.elements.last.item(one) - page.elements.first.item(one) for one in found)
    beside = sum(
        page.elements.last.item(one) - page.elements.first.item(one)
        for one in skipped
        if not ((at := bisect_left(found, one) - 1) >= 0 and one < inside(page, found[at]).stop)
    )
    whole = page.elements.last.item(body) - page.elements.first.item(body)
    if runs + beside >= whole and len(found) > 1:
        return found
    # Line feeds between lines are runs of white space in preformatted text.
    texts = sum(len(text_of(page, one)) for one in found) + len(found)
    rest = sum(len(text_of(page, one)) for one in skipped)
    return found if texts + rest >= len(text_of(page, body)) and len(found) > 1 else []


def _nested_blocks(page: Page, element: int) -> bool:
    within = inside(page, element)
    return bool(among(page.elements.tag[within.start : within.stop], _NESTED).any())


def _skipped(page: Page, body: int) -> list[int]:
    """Return the elements in it that are no code, none inside another."""
    found: list[int] = []
    behind = -1
    for element, told in enumerate(signs(page, body), body + 1):
        if told & FURNITURE and element >= behind:
            found.append(element)
            behind = inside(page, element).stop
    return found


def _unread(page: Page, element: int) -> list[int]:
    """Return the elements inside an element whose content is no text of the page."""
    within = inside(page, element)
    found = among(page.elements.tag[within.start : within.stop], _UNREAD).nonzero()[0].tolist()
    return [within.start + place for place in found]


def _raw(page: Page, element: int, skipped: list[int]) -> str:
    """Return the visible text between the tags of an element, line breaks as line feeds."""
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
    for one in (*skipped, *_unread(page, element)):
        low, high = page.opened.item(one) + 1 - first, page.closed.item(one) + 1 - first
        is_code[max(low, 0) : max(high, 0)] = False
        breaks[max(low, 0) : max(high, 0)] = False
    if has_hidden:
        is_code[page.piece[runs][hidden] - first] = False
    source = page.source
    some, places = is_code.nonzero()[0], breaks.nonzero()[0]
    pieces = [source[start:end] for start, end in zip(starts[some].tolist(), ends[some].tolist(), strict=True)]
    text = "".join(pieces)
    if "&" in text:
        pieces = [unescape(piece) if "&" in piece else piece for piece in pieces]
        text = "".join(pieces)
    if not len(places):  # most lines: words in spans
        return text
    borders = [*some.searchsorted(places, "right").tolist(), len(some)]
    return _parted(pieces, [*codes[places].tolist(), 0], borders)


def _parted(pieces: list[str], codes: list[int], borders: list[int]) -> str:
    """Join pieces of code with line feeds where the tags between them begin a line.

    Args:
        pieces: the texts.
        codes: the tags that may begin a line, and 0 for the end.
        borders: for each of them the piece behind it.
    """
    parts: list[str] = []
    is_parted = False  # a box begins or ends here, so that another line does
    at = 0
    for code, behind in zip(codes, borders, strict=True):
        if at < behind:
            if is_parted and parts and not parts[-1].endswith("\n") and not pieces[at].startswith("\n"):
                parts.append("\n")
            parts += pieces[at:behind]
            is_parted = False
            at = behind
        if code == _BR:
            parts.append("\n")
        elif code and code != -_BR:
            is_parted = True
    return "".join(parts)
