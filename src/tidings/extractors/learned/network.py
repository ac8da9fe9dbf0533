"""A small network that judges the blocks of a page together, run in plain NumPy.

Trees ask of each block what was worked out for it by hand. The network makes some numbers of a block's features, mixes
them with those of its neighbours, of the boxes around it, of blocks at the same path and of the whole page, and does so
again. One of the means over the page is by how much each block has to say of the story, which is learned too
(attention). By itself it is about as good as the trees; it is wrong elsewhere, so the mean of both is better than
either.

Each sum is made one term after the other, in the order in which `core/src/look/network.rs` makes it, and of exact
operations alone: the same bits on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned.context import LookedAt
from tidings.extractors.learned.trees import exponential, slices

Floats = NDArray[np.float32]
Weight = NDArray[np.float64]

#: The neighbours and the boxes (from the nearest outwards) that a block is told of; beside them two paths, the page,
#: and the page by attention.
STEPS: Final = (-2, -1, 1, 2)
BOXES: Final = (0, 1, 3, 5)
CONTEXTS: Final = len(STEPS) + len(BOXES) + 2 + 1 + 1
#: The logarithm of how much one block may have to say, against another.
MOST_ATTENTION: Final = 8.0
#: Blocks of a page that it judges: a few have no surroundings to tell, as on none of the pages that it learned from;
#: and memory is bounded. Of 3,916 pages of news sites the largest has 6,220.
LEAST_BLOCKS: Final = 8
MOST_BLOCKS: Final = 1 << 14
#: Borders that a feature may be told by: how many of them it is above is a byte.
_MOST_BORDERS: Final = 255


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """One layer: what a block tells others of itself, and what it makes of what it is told."""

    said: Floats  # units × told: to those around it
    attention: Floats  # units, and a bias: how much it has to say to the whole page
    heard: Floats  # (units + contexts × told) × units: from itself and from those around it
    bias: Floats


PARTS: Final = tuple(one.name for one in fields(Mixing))


@dataclass(frozen=True, slots=True, eq=False)
class BlockNetwork:
    """What was learned: each feature is how many of its borders it is above."""

    border: Floats  # of all features, one behind the other, rising
    bounds: NDArray[np.int64]  # feature f has the borders bounds[f] … bounds[f + 1] - 1
    first: Floats  # features × units
    bias: Floats
    layers: tuple[Mixing, ...]
    last: Floats
    last_bias: np.float32

    def __post_init__(self) -> None:
        units, features = len(self.bias), len(self.first)
        fits = (
            self.first.shape == (features, units)
            and self.last.shape == (units,)
            and self.bounds.shape == (features + 1,)
            and (self.bounds[0], self.bounds[-1]) == (0, len(self.border))
            and all(0 <= size <= _MOST_BORDERS for size in np.diff(self.bounds).tolist())
        )
        for layer in self.layers:
            told = layer.said.shape[1] if layer.said.ndim == 2 else 0
            heard = (units + CONTEXTS * told, units)
            fits &= layer.said.shape == (units, told) and layer.attention.shape == (units + 1,)
            fits &= layer.heard.shape == heard and layer.bias.shape == (units,)
        if fits:  # the borders of each feature rise: how many a value is above is found by halving, or by asking all
            feature = np.repeat(np.arange(features), np.diff(self.bounds))
            fits = bool(((np.diff(self.border) > 0) | (np.diff(feature) > 0)).all())
        if not (fits and units and self.layers):
            raise BadModel("the network's arrays do not fit together: train the model again")

    def log_odds(self, found: LookedAt, rows: Callable[[int, int], Floats]) -> NDArray[np.float64]:
        """The logarithm of the odds of each block; `rows` gives the features of the blocks from one to another."""
        count = len(found.words)
        units = np.empty((len(self.bias), count), np.float32)
        for first, last in slices(count):
            units[:, first:last] = np.maximum(_weighed(self.first, self._counts(rows(first, last)), self.bias), 0)
        weight = np.sqrt(found.words.astype(np.float64))
        for layer in self.layers:
            said = np.maximum(_weighed(layer.said, units, np.zeros(layer.said.shape[1], np.float32)), 0)
            asked = _weighed(layer.attention[:-1, None], units, layer.attention[-1:])[0].astype(np.float64)
            attention = exponential(np.clip(asked, -MOST_ATTENTION, MOST_ATTENTION)) * weight
            around = _BlockContexts(found, weight, attention, said)
            heard = np.empty_like(units)
            for first, last in slices(count):
                told = np.concatenate((units[:, first:last], around.rows(first, last)))
                heard[:, first:last] = np.maximum(_weighed(layer.heard, told, layer.bias), 0)
            units = units + heard
        odds: NDArray[np.float64] = _weighed(self.last[:, None], units, np.array([self.last_bias]))[0].astype(
            np.float64
        )
        return odds

    def _counts(self, rows: Floats) -> Floats:
        """For each feature how many of its borders it is above."""
        counts = np.empty(rows.shape, np.float32)
        for row, values in enumerate(rows):
            borders = self.border[self.bounds[row] : self.bounds[row + 1]]
            counts[row] = np.searchsorted(borders, values, side="left")
        return counts

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The network as arrays to be stored, under names that begin alike."""
        arrays: dict[str, NDArray[Any]] = {
            f"{name}.border": self.border,
            f"{name}.bounds": self.bounds.astype(np.int32),
            f"{name}.first": self.first,
            f"{name}.bias": self.bias,
            f"{name}.last": self.last,
            f"{name}.last_bias": np.array(self.last_bias),
        }
        for number, layer in enumerate(self.layers):
            arrays |= {f"{name}.layer{number}.{part}": getattr(layer, part) for part in PARTS}
        return arrays

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> BlockNetwork | None:
        """From stored arrays; None where there are none, as in models of earlier versions.

        Raises:
            BadModel: some are missing, or they do not fit together.
        """
        if f"{name}.first" not in arrays:
            return None
        layers: list[Mixing] = []
        while f"{name}.layer{len(layers)}.said" in arrays:
            layers.append(Mixing(*(_floats(arrays[f"{name}.layer{len(layers)}.{part}"]) for part in PARTS)))
        try:
            border, first, bias, last = (
                _floats(arrays[f"{name}.{part}"]) for part in ("border", "first", "bias", "last")
            )
            bounds, last_bias = arrays[f"{name}.bounds"].astype(np.int64), np.float32(arrays[f"{name}.last_bias"])
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None
        return cls(border, bounds, first, bias, tuple(layers), last, last_bias)


def _floats(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, np.float32)


def _weighed(weights: Floats, rows: Floats, bias: Floats) -> Floats:
    """The sums of weighed rows, a row for each column of the weights; one term after the other."""
    sums = np.repeat(bias[:, None], rows.shape[1], axis=1)
    for row, weight in zip(rows, weights, strict=True):
        sums += weight[:, None] * row
    return sums


class _BlockContexts:
    """What the blocks of a page are told: means of what those around them say, by the roots of their words."""

    def __init__(self, found: LookedAt, weight: Weight, attention: Weight, said: Floats) -> None:
        self._found = found
        self._said = np.pad(said, ((0, 0), (2, 2)))
        weighed = said * weight
        self._sums = np.zeros((len(said), len(weight) + 1))
        np.cumsum(weighed, axis=1, out=self._sums[:, 1:])
        self._weights = np.zeros(len(weight) + 1)
        np.cumsum(weight, out=self._weights[1:])
        self._attended = np.cumsum(said * attention, axis=1)[:, -1:] / np.cumsum(attention)[-1:]
        self._paths = [
            np.array([np.bincount(group, row) for row in weighed]) / np.bincount(group, weight)
            for group in found.groups
        ]

    def rows(self, first: int, last: int) -> Floats:
        """What the blocks first … last - 1 are told, one context behind the other."""
        found, told = self._found, len(self._said)
        rows = np.empty((CONTEXTS, told, last - first), np.float32)
        place = 0
        for step in STEPS:
            rows[place] = self._said[:, first + 2 + step : last + 2 + step]
            place += 1
        for level in BOXES:
            box = found.boxes[level][first:last]
            low, high = found.low[box], found.high[box]
            rows[place] = (self._sums[:, high] - self._sums[:, low]) / (self._weights[high] - self._weights[low])
            place += 1
        for group, means in zip(found.groups, self._paths, strict=True):
            rows[place] = means[:, group[first:last]]
            place += 1
        rows[place] = (self._sums[:, -1] / self._weights[-1])[:, None]
        rows[place + 1] = self._attended
        return rows.reshape(CONTEXTS * told, last - first)
