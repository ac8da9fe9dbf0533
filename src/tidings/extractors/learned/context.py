"""The second look: what the first says of a block's surroundings, put beside what it says of the block.

A block alone cannot tell that it belongs to another story, to the comments, to a list of links with long texts. The
chances that the first look gives to its neighbours, to the boxes around it, to blocks at the same path, and to the
page as a whole can.
"""

from __future__ import annotations

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


def context(found: BlockFeatures, chance: NDArray[np.float64]) -> tuple[tuple[str, ...], Floats]:
    """Names and rows of the second look's own features."""
    count = len(found.words)
    words = found.words.astype(np.float64)
    weight, likely = _prefix(words), _prefix(chance * words)
    total, content = max(float(weight[-1]), 1.0), float(likely[-1])
    rank = np.arange(count)
    columns: dict[str, NDArray[np.generic] | float] = {"chance": chance}
    padded = np.concatenate((np.full(3, -0.1), chance, np.full(3, -0.1)))
    for step in (-3, -2, -1, 1, 2, 3):
        columns[f"chance{step:+d}"] = padded[3 + step : 3 + step + count]
    for reach in (2, 5, 12):
        low, high = np.maximum(rank - reach, 0), np.minimum(rank + reach + 1, count)
        columns[f"near{reach}"] = (likely[high] - likely[low]) / np.maximum(weight[high] - weight[low], 1)
    columns["ahead"] = (content - likely[1:]) / max(content, 1)
    columns["back"] = likely[:-1] / max(content, 1)
    for level, box in enumerate(found.boxes, 1):
        low, high = found.low[box], found.high[box]
        held, inside = weight[high] - weight[low], likely[high] - likely[low]
        columns[f"box{level}_chance"] = inside / np.maximum(held, 1)
        columns[f"box{level}_content"] = inside / max(content, 1)
        columns[f"box{level}_others"] = (inside - chance * words) / np.maximum(held - words, 1)
    for level, group in enumerate(found.groups, 1):
        of_group, size = np.bincount(group, chance * words), np.bincount(group, words)
        columns[f"path{level}_chance"] = (of_group / np.maximum(size, 1))[group]
        columns[f"path{level}_content"] = (of_group / max(content, 1))[group]
    sure = np.flatnonzero((chance > _LIKELY) & (words >= 8))
    first, last = (int(sure[0]), int(sure[-1])) if len(sure) else (0, count - 1)
    columns["before_first"] = np.sign(rank - first) * np.log1p(np.abs(rank - first))
    columns["behind_last"] = np.sign(rank - last) * np.log1p(np.abs(rank - last))
    longest = int(np.argmax(chance * words)) if count else 0
    columns["from_surest"] = np.sign(rank - longest) * np.log1p(np.abs(rank - longest))
    # How many unlikely words stand between the block and the surest one.
    unlikely = _prefix((1 - chance) * words)
    columns["gap"] = np.log1p(np.abs(unlikely[rank] - unlikely[longest]))
    best, expected = best_box(found, chance)
    columns["in_best"] = (rank >= found.low[best]) & (rank < found.high[best])
    columns["best_expected"] = expected
    columns["page_content"] = content / total
    columns["page_content_words"] = np.log1p(content)
    columns["page_doubt"] = float((np.minimum(chance, 1 - chance) * words).sum()) / max(content, 1)
    columns["page_sure"] = float((words * (chance > 0.9)).sum()) / total
    rows = np.empty((len(columns), count), np.float32)
    for row, column in zip(rows, columns.values(), strict=True):
        row[:] = column
    return tuple(f"second_{name}" for name in columns), rows
