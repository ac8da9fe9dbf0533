"""The source in lines of equal length, for line-based methods.

DANA thesis 4.3.1: scripts, styles and comments are removed, and line breaks are set anew so that the result does not
depend on the layout of the source. What remains is code (tags) and text (runs with white space folded), alternating. A
new line begins at every `line_length`-th character; inside text it begins after the next space, so that no word is
split; a run in a script without spaces is one line. A line is then two numbers, the amounts of code and text before it,
and its content is a difference.
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
    """The lines of a page's source. For each line: the number of characters of markup before it, and the text offset
    and text run at which it starts.
    """

    code: Ints
    text: Ints
    run: Ints
    tag_start: Ints  # code before each tag and before the end, without scripts and comments
    run_from: Ints  # start of a run's text including the space before it; one more for the end
    run_to: Ints

    def code_sums(self, weights: Ints | None = None) -> Ints:
        """Return the number of characters of markup in each line. `weights` are other lengths of the tags, in order."""
        if weights is None:
            return _steps(self.code, self.tag_start[-1])
        before = sums(weights)
        tag = np.searchsorted(self.tag_start, self.code, side="right") - 1
        inside = np.minimum(self.code - self.tag_start[tag], np.concatenate((weights, (0,)))[tag])
        return _steps(before[tag] + inside, before[-1])

    def text_sums(self, before: Ints) -> Ints:
        """Return the number of characters of text in each line. `before` is the number of characters to count before
        each offset of the text (prefix sums).
        """
        done = sums(before[self.run_to] - before[self.run_from[:-1]])
        return _steps(done[self.run] + before[self.text] - before[self.run_from[self.run]], done[-1])

    def run_sums(self, starts: Ints, chosen: Bools) -> Ints:
        """Return the number of text characters in each line, counting only selected runs of text.

        Args:
            starts: the text offset from which each run is counted.
            chosen: whether each run is counted.
        """
        if not len(starts):
            return np.zeros(len(self), np.int64)
        done = sums(np.where(chosen, self.run_to - starts, 0))
        run = np.minimum(self.run, len(starts) - 1)
        into = np.maximum(self.text - starts[run], 0) * (chosen[run] & (self.run < len(starts)))
        return _steps(done[self.run] + into, done[-1])

    def text_ranges(self, stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return the text offsets (start, end) of ranges of lines, given as (first line, last line)."""
        text, size, end = self.text, len(self.text), self.run_from.item(-1)
        return [(text.item(first), text.item(last + 1) if last + 1 < size else end) for first, last in stretches]


def lines(page: Page, line_length: int) -> Lines:
    """Split the cleaned source of a page into lines."""
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

    # Code and text before each run and before the end. Piece i is before tag i.
    count = len(page.piece)
    code_before = np.full(count + 1, tag_start[-1])
    code_before[:-1] = tag_start[page.piece]
    run_from = np.full(count + 1, len(page.text))
    run_from[:-1] = runs.text_start
    run_from[1:-1] -= runs.text_start[1:] - runs.text_end[:-1] == 1  # one space or line break before it
    text_before = sums(runs.text_end - run_from[:-1])

    place = code_before + text_before  # position of each run in the stream of code and text
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
    """Convert cumulative amounts before each line to the amounts in each line."""
    inside = np.empty_like(reached)
    np.subtract(reached[1:], reached[:-1], out=inside[:-1])
    inside[-1:] = total - reached[-1:]
    return inside


def _tags_in_scope(page: Page) -> Bools:
    """Return which tags belong to elements that contain text of this part of a page."""
    opened, elements = page.opened, page.elements
    holds = (elements.first < elements.last) & (opened >= 0)
    keep = np.zeros(len(page.cut.codes), np.bool_)
    keep[opened[holds]] = True
    ends = page.closed[holds]
    keep[ends[ends < len(keep)]] = True
    return keep
