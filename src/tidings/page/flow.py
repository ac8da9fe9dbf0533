"""From pieces of source to the text a reader sees: runs, the canonical text, blocks.

White space is folded and character references are decoded piece by piece. What stands between two runs
(nothing, a space, a line break, the border of a block) is found for all runs at once from prefix sums over the tags.
Two line breaks in a row part blocks, because that is how older pages write paragraphs.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page import tags
from tidings.page.columns import Elements, distinct
from tidings.page.counts import code_points
from tidings.page.cut import Cut
from tidings.page.references import unescape
from tidings.page.tree import Tree

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_BR: Final = tags.NUMBERS["br"]
_GLUED, _SPACED, _BROKEN, _APART = 0, 1, 2, 3  # what stands between a run and the one before
_SEPARATORS: Final = ("", " ", "\n", "\n")

#: Characters that make a text be looked at: the ampersand, and all that `str.isspace` but the space itself.
_FOLDS: Final = np.zeros(0x3002, np.bool_)
_FOLDS[[*range(9, 14), *range(28, 32), 0x26, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)]] = True
_FOLDS[[0x2028, 0x2029, 0x202F, 0x205F, 0x3000]] = True


class Flow(NamedTuple):
    """The runs of a page in reading order, its text, and its blocks as ranges of runs."""

    text: str
    piece: Ints  # the piece of the cut each run is made of
    start: Ints  # source range of the run, without the white space around it
    end: Ints
    text_start: Ints
    text_end: Ints
    block: Ints  # the block each run is in
    block_first: Ints  # the runs of block b are block_first[b] … block_last[b] - 1
    block_last: Ints


def elements_of(pieces: Cut, tree: Tree, runs: Flow, size: int) -> Elements:
    """The elements of a tree with their ranges of the source, which has so many characters, and of the runs."""
    opens = np.append(pieces.tag_start, size)
    # An element ends behind its own end tag, or before the tag that ended it.
    codes = np.append(pieces.codes, 0)
    own = codes[tree.closed] == -tree.tag
    childless = tree.closed == tree.opened
    ends = np.where(own | childless, np.append(pieces.tag_end, size)[tree.closed], opens[tree.closed])
    start = opens[tree.opened]
    start[0], ends[0] = 0, size
    return Elements(
        tag=tree.tag,
        parent=tree.parent,
        depth=tree.depth,
        start=start,
        end=ends,
        first=np.searchsorted(runs.piece, tree.opened, side="right"),
        last=np.searchsorted(runs.piece, tree.closed, side="right"),
    )


def tag_set(numbers: frozenset[int]) -> Bools:
    """A set of tags as an array to index by tag number; the last place stands for tags outside the standard."""
    chosen = np.zeros(len(tags.NAMES) + 1, np.bool_)
    chosen[list(numbers)] = True
    return chosen


def among(tag: Ints, chosen: Bools) -> Bools:
    """Which tag numbers are in a `tag_set`."""
    return chosen.take(tag, mode="clip")


_BLOCK: Final = tag_set(tags.BLOCK)
_SKIPPED: Final = tag_set(tags.SKIPPED)
_PREFORMATTED: Final = tag_set(tags.PREFORMATTED)


def cover(tree: Tree, which: Bools) -> Ints:
    """How many of the chosen elements each piece stands in."""
    count = len(tree.owner)
    chosen = np.flatnonzero(which)
    if not len(chosen):
        return np.zeros(count, np.int64)
    borders = np.bincount(tree.opened[chosen] + 1, minlength=count + 1)
    borders -= np.bincount(tree.closed[chosen] + 1, minlength=count + 1)
    return np.cumsum(borders[:count])


def flow(cut: Cut, tree: Tree) -> Flow:
    """Fold the pieces into runs and join the runs into text and blocks."""
    pieces = cut.pieces
    length = cut.piece_end - cut.piece_start
    shown = (cover(tree, among(tree.tag, _SKIPPED)) == 0) & (length > 0)
    preformatted = among(tree.tag, _PREFORMATTED)
    exact = cover(tree, preformatted) > 0 if preformatted.any() else None

    piece = np.flatnonzero(shown)
    texts = list(map(str.strip, pieces[piece].tolist()))
    bare = np.fromiter(map(len, texts), np.int64, len(texts))
    spaces = np.zeros(len(pieces), np.bool_)
    spaces[piece[bare == 0]] = True  # pieces that are white space only
    texts = list(filter(None, texts))
    piece, bare = piece[bare > 0], bare[bare > 0]
    full = length[piece]
    lead = np.zeros(len(piece), np.int64)  # white space before the run in its piece
    padded = np.flatnonzero(full > bare)
    lead[padded] = [len(raw) - len(raw.lstrip()) for raw in pieces[piece[padded]].tolist()]
    start = cut.piece_start[piece] + lead
    end = start + bare
    begins, ends = lead > 0, full > lead + bare  # with white space
    for run in _to_be_folded(texts):
        text = texts[run]
        if "&" in text:
            text = unescape(text)
            if text[:1].isspace():
                begins[run] = True
            if text[-1:].isspace():
                ends[run] = True
        texts[run] = " ".join(text.split())
    if exact is not None:
        for run in np.flatnonzero(exact[piece]).tolist():
            texts[run] = unescape(pieces[piece[run]])
            start[run], end[run] = cut.piece_start[piece[run]], cut.piece_end[piece[run]]
            begins[run] = ends[run] = False
    if "" in texts:  # a run of nothing but &nbsp; and the like
        some = np.array([bool(text) for text in texts])
        spaces[piece[~some]] = True
        texts = [text for text in texts if text]
        piece, start, end, begins, ends = piece[some], start[some], end[some], begins[some], ends[some]

    between = _between(cut, piece, spaces, begins, ends)
    verbatim = exact[piece[1:]] & exact[piece[:-1]] if exact is not None else None
    separators = [_SEPARATORS[code] for code in between.tolist()]
    separators[:1] = [""] * len(separators[:1])
    if verbatim is not None:
        for run in np.flatnonzero(verbatim & (between[1:] < _APART)).tolist():
            separators[run + 1] = _verbatim(cut, int(piece[run]), int(piece[run + 1]))

    parts = [""] * (2 * len(texts))
    parts[0::2], parts[1::2] = separators, texts
    ends_at = np.cumsum(list(map(len, parts)), dtype=np.int64)
    first = np.flatnonzero(between == _APART)
    return Flow(
        text="".join(parts),
        piece=piece,
        start=start,
        end=end,
        text_start=ends_at[0::2],
        text_end=ends_at[1::2],
        block=np.cumsum(between == _APART) - 1,
        block_first=first,
        block_last=np.append(first[1:], len(piece)) if len(first) else first,
    )


def _verbatim(cut: Cut, before: int, behind: int) -> str:
    """The white space between two pieces of preformatted text, line breaks included."""
    parts = [
        ("\n" if abs(cut.codes[tag]) == _BR else "") + (cut.pieces[tag + 1] if tag + 1 < behind else "")
        for tag in range(before, behind)
    ]
    return "".join(parts)


def _to_be_folded(texts: list[str]) -> list[int]:
    """Which texts hold a character reference or white space other than single spaces."""
    codes = code_points("".join(texts))
    odd = _FOLDS[np.minimum(codes, len(_FOLDS) - 1)]
    blank = codes == 32
    odd[1:] |= blank[1:] & blank[:-1]
    places = np.flatnonzero(odd)
    if not len(places):
        return []
    ends = np.cumsum(list(map(len, texts)))
    found: list[int] = distinct(np.searchsorted(ends, places, side="right")).tolist()
    return found


def _between(cut: Cut, piece: Ints, spaces: Bools, begins: Bools, ends: Bools) -> Ints:
    """What stands before each run, as a code; the first run stands apart from nothing, and begins a block."""
    if not len(piece):
        return piece
    numbers = np.abs(cut.codes)  # of start and end tags alike
    borders = _tally(among(numbers, _BLOCK))[piece]
    breaks = _tally(numbers == _BR)[piece]
    blanks = _tally(spaces)
    between = np.full(len(piece), _APART)
    gap = np.where(blanks[piece[1:]] > blanks[piece[:-1] + 1], _SPACED, _GLUED)
    gap[begins[1:] | ends[:-1]] = _SPACED
    broken = np.diff(breaks)
    gap[broken == 1] = _BROKEN
    gap[(broken > 1) | (np.diff(borders) > 0)] = _APART
    between[1:] = gap
    return between


def _tally(flags: Bools) -> Ints:
    """How many flags are set before each place."""
    counts = np.zeros(len(flags) + 1, np.int64)
    np.cumsum(flags, out=counts[1:])
    return counts
