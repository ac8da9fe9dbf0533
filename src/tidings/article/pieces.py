"""The chosen pieces of a page's runs, and what stands between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, starmap
from typing import Final, NamedTuple

import numpy as np

from tidings.article.context import Context, Contexts
from tidings.article.inlines import Part, common
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, any_set

_BR: Final = tags.NUMBERS["br"]
#: Pieces, and blocks, that are made at the same time; the stories of hardly any page have more.
TOGETHER: Final = 4096


class Piece(NamedTuple):
    """What is chosen of one run."""

    start: int  # in the text of the page
    end: int
    run: int
    block: int  # of the page
    follows: bool  # all text between the piece before and this one is chosen
    context: Context
    said: str | None = None  # what stands for its text


class Chosen(NamedTuple):
    """The chosen pieces that a reader sees, in reading order, as columns."""

    start: Ints
    end: Ints
    run: Ints
    block: Ints
    follows: Bools

    def between(self, first: int, last: int) -> Chosen:
        """The pieces first … last - 1."""
        some = slice(first, last)
        return Chosen(self.start[some], self.end[some], self.run[some], self.block[some], self.follows[some])

    def pieces(self, page: Page, contexts: Contexts) -> Iterator[Piece]:
        """The same one by one, with what stands around each."""
        for first in range(0, len(self.run), TOGETHER):
            some = self.between(first, first + TOGETHER)
            around = [contexts[element] for element in page.runs.element[some.run].tolist()]
            yield from starmap(Piece, zip(*(column.tolist() for column in some), around, strict=True))


def chosen_pieces(page: Page, shown: Spans) -> Chosen:
    """The pieces of a page that are chosen, of what a reader sees."""
    starts, ends, run = shown.pieces(page.runs.text_start, page.runs.text_end)
    span = np.searchsorted(shown.starts, starts, side="right")
    return Chosen(starts, ends, run, page.runs.block[run], np.diff(span, prepend=0) == 0)


def holding(page: Page, shown: Spans, tag: int) -> Ints:
    """The elements of a tag that stand around chosen text."""
    elements, runs = page.elements, page.runs
    found = np.flatnonzero(elements.tag == tag)
    if not len(found) or not len(shown):
        return found[:0]
    if has_outlived(page):
        around: set[int] = set()
        for element in runs.element[shown.runs(page)].tolist():
            at = element
            while at > 0 and at not in around:
                around.add(at)
                at = elements.parent.item(at)
        return np.array([element for element in found.tolist() if element in around], np.int64)
    first, last = elements.first[found], elements.last[found]
    some = first < last
    found, first, last = found[some], first[some], last[some]
    begun = np.searchsorted(shown.starts, runs.text_end[last - 1])
    over = np.searchsorted(shown.ends, runs.text_start[first], side="right")
    return np.asarray(found[begun > over])


def has_outlived(page: Page) -> bool:
    """Whether text stands in an element that was closed before: `<a><p>one<a>two</a>three`, where `a` ends `a`."""
    known: bool | None = page.memo.get(has_outlived)
    if known is None:
        last, parent = page.elements.last, page.elements.parent
        known = page.memo[has_outlived] = any_set(last[1:] > last[parent[1:]])
    return known


def parts(page: Page, found: Sequence[Piece]) -> list[Part]:
    """Pieces with what stands between them, neighbours of one style made one."""
    text = page.text
    style = found[0].context.style
    texts = [_said(text, found[0])]
    made: list[Part] = []
    for before, piece in pairwise(found):
        gap = gap_between(text, before.end, piece.start, piece.follows)
        own = piece.context.style
        if own == style:
            texts.append(gap)
        else:
            made += ("".join(texts), style), (gap, common(style, own))
            texts, style = [], own
        texts.append(_said(text, piece))
    made.append(("".join(texts), style))
    return made


def _said(text: str, piece: Piece) -> str:
    return text[piece.start : piece.end] if piece.said is None else piece.said


def gap_between(text: str, end: int, start: int, follows: bool) -> str:
    """What stands between two pieces; where something was left out, a space, or a line break if there was one."""
    gap = text[end:start]
    return gap if follows else "\n" if "\n" in gap else " "


def exact_parts(page: Page, found: Sequence[Piece]) -> Iterator[Part]:
    """As `parts`, for preformatted text: line breaks and blank space between runs as they are in the source."""
    before: Piece | None = None
    for piece in found:
        if before is not None:
            style = common(before.context.style, piece.context.style)
            yield _exact_gap(page, before, piece), style
        yield _said(page.text, piece), piece.context.style
        before = piece


def _exact_gap(page: Page, before: Piece, piece: Piece) -> str:
    gap = page.text[before.end : piece.start]
    if not piece.follows:
        return "\n" if "\n" in gap else " "
    first, last = int(page.piece[before.run]), int(page.piece[piece.run])
    codes = page.cut.codes[first:last].tolist()
    if before.block == piece.block and _BR not in codes:
        return gap
    # The text of the page has one line feed for any number of breaks, and no blank space beside them.
    source = page.source
    starts, ends = page.cut.piece_start[first : last + 1].tolist(), page.cut.piece_end[first : last + 1].tolist()
    starts[0], ends[-1] = int(page.runs.end[before.run]), int(page.runs.start[piece.run])
    blanks = [source[start:end] for start, end in zip(starts, ends, strict=True)]
    signs = ["\n" if code == _BR else "" for code in codes] + [""]
    exact = "".join(("" if blank.strip() else blank) + sign for blank, sign in zip(blanks, signs, strict=True))
    return exact if "\n" in exact else exact + "\n"
