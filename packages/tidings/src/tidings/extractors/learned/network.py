"""A small network that judges the blocks of a page together, as arrays. The core runs it.

Trees ask of each block what was worked out for it by hand. The network makes some numbers of a block's features, mixes
them with those of its neighbours, of the boxes around it, of blocks at the same path and of the whole page, and does so
again. One of the means over the page is by how much each block has to say of the story, which is learned too
(attention). By itself it is about as good as the trees; it is wrong elsewhere, so the mean of both is better than
either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel

Floats = NDArray[np.float32]

#: The neighbours and the boxes (from the nearest outwards) that a block is told of; beside them two paths, the page,
#: and the page by attention.
STEPS: Final = (-2, -1, 1, 2)
BOXES: Final = (0, 1, 3, 5)
CONTEXTS: Final = len(STEPS) + len(BOXES) + 2 + 1 + 1
#: The logarithm of how much one block may have to say, against another.
MOST_ATTENTION: Final = 8.0
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

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the network as arrays to be stored, under names that begin alike."""
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
