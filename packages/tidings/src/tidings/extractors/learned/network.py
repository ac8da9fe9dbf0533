"""The weights of a small neural network that classifies the blocks of a page together; the core runs it.

The trees classify each block by hand-made features. The network instead learns a few numbers from a block's features
and mixes them with those of its neighbours, of the boxes around it, of blocks at the same path, and of the whole page,
twice. One of the page means is weighted by learned attention. Alone it is about as good as the trees, but its errors
differ, so the mean of both is better than either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel

Floats = NDArray[np.float32]

#: The neighbours and the boxes (from the nearest outwards) whose messages a block receives. Further contexts: two
#: paths, the mean of the page, and the attention-weighted mean of the page.
STEPS: Final = (-2, -1, 1, 2)
BOXES: Final = (0, 1, 3, 5)
CONTEXTS: Final = len(STEPS) + len(BOXES) + 2 + 1 + 1
#: The largest logarithm of an attention weight.
MOST_ATTENTION: Final = 8.0
#: Borders per feature: the number of borders below a value is stored in a byte.
_MOST_BORDERS: Final = 255


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """The weights of a layer, in which each block sends a message to other blocks.

    A block's new state depends on its own state and on the messages it receives.
    """

    message: Floats  # units × size of a message
    attention: Floats  # units, and a bias: weight of the block's message in the page's mean
    update: Floats  # (units + contexts × size of a message) × units
    bias: Floats


PARTS: Final = tuple(field.name for field in fields(Mixing))


@dataclass(frozen=True, slots=True, eq=False)
class BlockNetwork:
    """The network's weights. The value of a feature is the number of its borders that are below it."""

    border: Floats  # of all features concatenated, ascending for each feature
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
            size = layer.message.shape[1] if layer.message.ndim == 2 else 0
            fits &= layer.message.shape == (units, size) and layer.attention.shape == (units + 1,)
            fits &= layer.update.shape == (units + CONTEXTS * size, units) and layer.bias.shape == (units,)
        if fits:  # the core counts the borders below a value by bisection, so they have to ascend
            feature = np.repeat(np.arange(features), np.diff(self.bounds))
            fits = bool(((np.diff(self.border) > 0) | (np.diff(feature) > 0)).all())
        if not (fits and units and self.layers):
            raise BadModel("the network's arrays do not fit together: train the model again")

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the network as arrays for a model file; `name` is their prefix."""
        arrays: dict[str, NDArray[Any]] = {
            f"{name}.border": self.border,
            f"{name}.bounds": self.bounds.astype(np.int32),
            f"{name}.first": self.first,
            f"{name}.bias": self.bias,
            f"{name}.last": self.last,
            f"{name}.last_bias": np.array(self.last_bias),
        }
        for number, layer in enumerate(self.layers):
            prefix = f"{name}.layer{number}"
            arrays |= {f"{prefix}.{part}": getattr(layer, part) for part in PARTS}
        return arrays

    @classmethod
    def all_of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> tuple[BlockNetwork, ...]:
        """Create the networks of an expert from stored arrays; `name` is the prefix of all their arrays.

        Raises:
            BadModel: arrays are missing or do not fit together.
        """
        networks: list[BlockNetwork] = []
        while f"{name}{len(networks)}.first" in arrays:
            networks.append(cls._of_arrays(f"{name}{len(networks)}", arrays))
        return tuple(networks)

    @classmethod
    def _of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> BlockNetwork:
        layers: list[Mixing] = []
        while f"{name}.layer{len(layers)}.{PARTS[0]}" in arrays:
            prefix = f"{name}.layer{len(layers)}"
            try:
                layers.append(Mixing(*(_floats(arrays[f"{prefix}.{part}"]) for part in PARTS)))
            except KeyError as missing:
                raise BadModel(f"the model file has no {missing}: train the model again") from None
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
