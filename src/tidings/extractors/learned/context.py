"""The second look: what the first says of a block's surroundings, put beside what it says of the block.

A block alone cannot tell that it belongs to another story, to the comments, to a list of links with long texts. The
chances that the first look gives to its neighbours, to the boxes around it, to blocks at the same path, and to the
page as a whole can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Floats = NDArray[np.float32]

_LIKELY: Final = 0.5


class LookedAt(Protocol):
    """Visible blocks, and where they stand: `BlockFeatures`, or `SeenBlocks`, of which these are fields too."""

    @property
    def words(self) -> Ints:
        """Of each block."""

    @property
    def low(self) -> Ints:
        """The first block of each element."""

    @property
    def high(self) -> Ints:
        """And the one behind its last."""

    @property
    def boxes(self) -> Sequence[NDArray[np.integer]] | NDArray[np.integer]:
        """For each block the elements of layout around it."""

    @property
    def groups(self) -> Sequence[NDArray[np.integer]]:
        """For each block the number of its path of tags."""


def _prefix(values: NDArray[np.generic]) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1)
    np.cumsum(values, out=out[1:])
    return out


def best_box(found: LookedAt, chance: NDArray[np.float64]) -> tuple[int, float]:
    """The element that would make the best choice if it were taken whole, and the F1 to be expected of it."""
    words, likely = _prefix(found.words), _prefix(chance * found.words)
    held = words[found.high] - words[found.low]
    expected = 2 * (likely[found.high] - likely[found.low]) / np.maximum(held + likely[-1], 1e-9)
    best = len(expected) - 1 - int(np.argmax(expected[::-1]))  # of equals the innermost, which comes last
    return best, float(expected[best])


_STEPS: Final = (-3, -2, -1, 1, 2, 3)
_REACHES: Final = (2, 5, 12)
_BOXES: Final = 6
_PATHS: Final = 2
_SECTIONS: Final = {
    "chance": ("chance", *(f"chance{step:+d}" for step in _STEPS)),
    "near": tuple(f"near{reach}" for reach in _REACHES),
    "sides": ("ahead", "back"),
    "boxes": tuple(f"box{level}_{what}" for level in range(1, _BOXES + 1) for what in ("chance", "content", "others")),
    "paths": tuple(f"path{level}_{what}" for level in range(1, _PATHS + 1) for what in ("chance", "content")),
    "from": ("before_first", "behind_last", "from_surest"),
    "page": tuple("gap in_best best_expected page_content page_content_words page_doubt page_sure".split()),
}
NAMES: Final = tuple(f"second_{name}" for names in _SECTIONS.values() for name in names)


def context(found: LookedAt, chance: NDArray[np.float64]) -> tuple[tuple[str, ...], Floats]:
    """Names and rows of the second look's own features."""
    return NAMES, Surroundings(found, chance).rows(0, len(found.words))


class Surroundings:
    """What the first look says of the surroundings of blocks: of the page now, of some blocks when they are asked for.

    Args:
        found: the visible blocks.
        chance: what the first look says of each.
    """

    def __init__(self, found: LookedAt, chance: NDArray[np.float64]) -> None:
        self._found = found
        self._chance = chance
        words = found.words.astype(np.float64)
        self._expected = chance * words
        self._weight, self._likely = _prefix(words), _prefix(self._expected)
        self._total, self._content = max(float(self._weight[-1]), 1.0), float(self._likely[-1])
        sure = np.flatnonzero((chance > _LIKELY) & (words >= 8))
        first, last = (int(sure[0]), int(sure[-1])) if len(sure) else (0, len(words) - 1)
        longest = int(np.argmax(self._expected)) if len(words) else 0
        self._marked = np.array((first, last, longest))[:, None]
        # How many unlikely words stand between the block and the surest one.
        self._unlikely = _prefix((1 - chance) * words)
        self._best, self._best_expected = best_box(found, chance)
        self._doubt = float(_prefix(np.minimum(chance, 1 - chance) * words)[-1])
        self._sure = float((words * (chance > 0.9)).sum())
        self._paths = [(np.bincount(group, self._expected), np.bincount(group, words)) for group in found.groups]

    def rows(self, first: int, last: int) -> Floats:
        """The rows of the blocks first … last - 1."""
        found, chance = self._found, self._chance
        weight, likely, content = self._weight, self._likely, self._content
        count, behind = last - first, slice(first + 1, last + 1)
        some_content = max(content, 1)
        words, expected_words = found.words[first:last], self._expected[first:last]
        rank = np.arange(first, last)
        rows = np.empty((len(NAMES), count), np.float32)
        borders = list(accumulate(map(len, _SECTIONS.values()), initial=0))
        sections = {section: rows[low:high] for section, (low, high) in zip(_SECTIONS, pairwise(borders), strict=True)}

        padded = np.full(count + 6, -0.1)
        before, after = max(first - 3, 0), min(last + 3, len(chance))
        padded[before - first + 3 : after - first + 3] = chance[before:after]
        for row, step in zip(sections["chance"], (0, *_STEPS), strict=True):
            row[:] = padded[3 + step : 3 + step + count]
        reach = np.array(_REACHES)[:, None]
        low, high = np.maximum(rank - reach, 0), np.minimum(rank + (reach + 1), len(chance))
        sections["near"][:] = (likely[high] - likely[low]) / np.maximum(weight[high] - weight[low], 1)
        sections["sides"][0] = (content - likely[behind]) / some_content
        sections["sides"][1] = likely[first:last] / some_content

        boxes = np.array([box[first:last] for box in found.boxes])
        low, high = found.low[boxes], found.high[boxes]
        held, inside = weight[high] - weight[low], likely[high] - likely[low]
        by_box = sections["boxes"].reshape(_BOXES, 3, count)
        by_box[:, 0] = inside / np.maximum(held, 1)
        by_box[:, 1] = inside / some_content
        by_box[:, 2] = (inside - expected_words) / np.maximum(held - words, 1)
        by_path = sections["paths"].reshape(_PATHS, 2, count)
        for row, whole, (of_group, size) in zip(by_path, found.groups, self._paths, strict=True):
            group = whole[first:last]
            row[0] = (of_group / np.maximum(size, 1))[group]
            row[1] = (of_group / some_content)[group]

        away = rank - self._marked
        sections["from"][:] = away
        page = sections["page"]
        page[0] = np.abs(self._unlikely[first:last] - self._unlikely[self._marked[2, 0]])
        page[1] = (rank >= found.low[self._best]) & (rank < found.high[self._best])
        page[2] = self._best_expected
        page[3] = content / self._total
        page[4] = content
        page[5] = self._doubt / some_content
        page[6] = self._sure / self._total
        return rows
