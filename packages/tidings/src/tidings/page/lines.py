"""The source in lines of even length: what line-based methods work on.

DANA thesis 4.3.1: scripts, styles and comments are taken out, and line breaks are set anew so that the result does not
depend on how the source happens to be laid out. What is left is code (tags) and text (runs, white space folded), in
turn. Every `line_length`-th character a new line begins; inside text it begins behind the next space, so that no word
is broken; a run in a script without spaces is one line. A line is then two numbers, how much code and which text stand
before it, and what it holds is a difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tidings.errors import BadParameter
from tidings.page import tags
from tidings.page.columns import Bools, Columns, Ints, sums

if TYPE_CHECKING:
    from tidings.page.page import Page

_SCRIPT, _STYLE = tags.NUMBERS["script"], tags.NUMBERS["style"]


@dataclass(frozen=True, eq=False)
class Lines(Columns):
    """Where each line begins: after so much code, at a position of the page's text, in or before a run."""

    code: Ints
    text: Ints
    run: Ints
    tag_start: Ints  # how much code stands before each tag, and before the end; scripts and comments count nothing
    run_from: Ints  # the text that counts as a run's: with the space before it; one more for the end of the text
    run_to: Ints

    def code_sums(self, weights: Ints | None = None) -> Ints:
        """For each line how much code it holds; with weights, as if the tags had those lengths."""
        if weights is None:
            return _steps(self.code, self.tag_start[-1])
        before = sums(weights)
        tag = np.searchsorted(self.tag_start, self.code, side="right") - 1
        inside = np.minimum(self.code - self.tag_start[tag], np.concatenate((weights, (0,)))[tag])
        return _steps(before[tag] + inside, before[-1])

    def text_sums(self, before: Ints) -> Ints:
        """For each line how much of its text counts, from counts before each position of the whole text."""
        done = sums(before[self.run_to] - before[self.run_from[:-1]])
        return _steps(done[self.run] + before[self.text] - before[self.run_from[self.run]], done[-1])

    def run_sums(self, starts: Ints, chosen: Bools) -> Ints:
        """For each line how many characters it holds of the chosen runs, each counted from its start on."""
        if not len(starts):
            return np.zeros(len(self), np.int64)
        done = sums(np.where(chosen, self.run_to - starts, 0))
        run = np.minimum(self.run, len(starts) - 1)
        into = np.maximum(self.text - starts[run], 0) * (chosen[run] & (self.run < len(starts)))
        return _steps(done[self.run] + into, done[-1])

    def text_ranges(self, stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return where the page's text begins and ends in stretches of lines, each from its first to its last."""
        text, size, end = self.text, len(self.text), self.run_from.item(-1)
        return [(text.item(first), text.item(last + 1) if last + 1 < size else end) for first, last in stretches]


def lines(page: Page, line_length: int) -> Lines:
    """Break the source of a page, cleaned, into lines."""
    if line_length < 1:
        raise BadParameter(f"line_length is {line_length}; a line has at least one character")
    runs, pieces = page.runs, page.cut
    codes = np.abs(pieces.codes)
    taken_out = (codes == 0) | (codes == _SCRIPT) | (codes == _STYLE)
    if page.is_part:
        taken_out |= ~_tags_in_scope(page)
    length = pieces.tag_end - pieces.tag_start
    length[taken_out] = 0
    tag_start = sums(length)

    # For each run, and for the end: code and text before it. Piece i stands before tag i.
    count = len(page.piece)
    code_before = np.full(count + 1, tag_start[-1])
    code_before[:-1] = tag_start[page.piece]
    run_from = np.full(count + 1, len(page.text))
    run_from[:-1] = runs.text_start
    run_from[1:-1] -= runs.text_start[1:] - runs.text_end[:-1] == 1  # one space or line break before it
    text_before = sums(runs.text_end - run_from[:-1])

    place = code_before + text_before  # of each run in the stream of code and text
    targets = np.arange(0, place[-1], line_length)
    run = np.searchsorted(code_before[:-1] + text_before[1:], targets, side="right")
    text = run_from[run]
    code = targets - text_before[run]
    inside = np.flatnonzero(targets > place[run])
    if len(inside):
        within = run[inside]
        code[inside] = code_before[within]
        start, end = text[inside] + targets[inside] - place[within], runs.text_end[within]
        spaces = np.flatnonzero(page.text_codes == 32)
        behind = np.concatenate((spaces + 1, (len(page.text),)))[np.searchsorted(spaces, start)]
        text[inside] = np.minimum(behind, end)
    new = np.ones(len(run), np.bool_)
    new[1:] = (code[1:] > code[:-1]) | (text[1:] > text[:-1])
    return Lines(code[new], text[new], run[new], tag_start, run_from, runs.text_end)


def _steps(reached: Ints, total: np.int64) -> Ints:
    """From what stands before each line to what is in it."""
    held = np.empty_like(reached)
    np.subtract(reached[1:], reached[:-1], out=held[:-1])
    held[-1:] = total - reached[-1:]
    return held


def _tags_in_scope(page: Page) -> Bools:
    """For a part of a page: the tags of elements that hold a kept run."""
    opened, elements = page.opened, page.elements
    holds = (elements.first < elements.last) & (opened >= 0)
    keep = np.zeros(len(page.cut.codes), np.bool_)
    keep[opened[holds]] = True
    ends = page.closed[holds]
    keep[ends[ends < len(keep)]] = True
    return keep
