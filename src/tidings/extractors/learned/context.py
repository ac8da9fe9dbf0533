"""The second look: what the first says of a block's surroundings, put beside what it says of the block.

A block alone cannot tell that it belongs to another story, to the comments, to a list of links with long texts. The
chances that the first look gives to its neighbours, to the boxes around it, to blocks at the same path, and to the
page as a whole can.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.features import BlockFeatures, Floats

_LIKELY: Final = 0.5


def _prefix(values: NDArray[np.generic]) -> NDArray[np.float64]:
    out = np.zeros(len(values) + 1)
    np.cumsum(values, out=out[1:])
    return out


def best_box(found: BlockFeatures, chance: NDArray[np.float64]) -> tuple[int, float]:
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


def context(found: BlockFeatures, chance: NDArray[np.float64]) -> tuple[tuple[str, ...], Floats]:
    """Names and rows of the second look's own features."""
    count = len(found.words)
    words = found.words.astype(np.float64)
    expected_words = chance * words
    weight, likely = _prefix(words), _prefix(expected_words)
    total, content = max(float(weight[-1]), 1.0), float(likely[-1])
    some = max(content, 1)
    rank = np.arange(count)
    rows = np.empty((len(NAMES), count), np.float32)
    borders = list(accumulate(map(len, _SECTIONS.values()), initial=0))
    sections = {section: rows[first:last] for section, (first, last) in zip(_SECTIONS, pairwise(borders), strict=True)}

    padded = np.full(count + 6, -0.1)
    padded[3:-3] = chance
    for row, step in zip(sections["chance"], (0, *_STEPS), strict=True):
        row[:] = padded[3 + step : 3 + step + count]
    reach = np.array(_REACHES)[:, None]
    low, high = np.maximum(rank - reach, 0), np.minimum(rank + (reach + 1), count)
    sections["near"][:] = (likely[high] - likely[low]) / np.maximum(weight[high] - weight[low], 1)
    sections["sides"][0] = (content - likely[1:]) / some
    sections["sides"][1] = likely[:-1] / some

    boxes = np.array(found.boxes)
    low, high = found.low[boxes], found.high[boxes]
    held, inside = weight[high] - weight[low], likely[high] - likely[low]
    by_box = sections["boxes"].reshape(_BOXES, 3, count)
    by_box[:, 0] = inside / np.maximum(held, 1)
    by_box[:, 1] = inside / some
    by_box[:, 2] = (inside - expected_words) / np.maximum(held - words, 1)
    by_path = sections["paths"].reshape(_PATHS, 2, count)
    for row, group in zip(by_path, found.groups, strict=True):
        of_group, size = np.bincount(group, expected_words), np.bincount(group, words)
        row[0] = (of_group / np.maximum(size, 1))[group]
        row[1] = (of_group / some)[group]

    sure = np.flatnonzero((chance > _LIKELY) & (words >= 8))
    first, last = (int(sure[0]), int(sure[-1])) if len(sure) else (0, count - 1)
    longest = int(np.argmax(expected_words)) if count else 0
    away = rank - np.array((first, last, longest))[:, None]
    sections["from"][:] = np.sign(away) * np.log1p(np.abs(away))
    # How many unlikely words stand between the block and the surest one.
    unlikely = _prefix((1 - chance) * words)
    best, expected = best_box(found, chance)
    page = sections["page"]
    page[0] = np.log1p(np.abs(unlikely[:-1] - unlikely[longest]))
    page[1] = (rank >= found.low[best]) & (rank < found.high[best])
    page[2] = expected
    page[3] = content / total
    page[4] = np.log1p(content)
    page[5] = float((np.minimum(chance, 1 - chance) * words).sum()) / some
    page[6] = float((words * (chance > 0.9)).sum()) / total
    return NAMES, rows
