"""A small convolution over a sequence of blocks: forward, and backward for learning, in plain NumPy.

The features of each block become a few numbers; each further layer adds to them what it makes of those of the blocks
around it (He et al. 2016, residual layers; Yu and Koltun 2016, growing distances); the last layer makes one number of
them, the logarithm of the odds. Several pages run at once, joined with gaps in which everything is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # float32 at work, float64 where slopes are checked

#: Neighbours that a layer sees, in its own distances.
_OFFSETS: Final = (-2, -1, 0, 1, 2)


class Batch(NamedTuple):
    """Pages joined, with gaps."""

    inputs: Array  # a row a block
    mask: Array  # 1 for blocks, 0 in gaps; a column
    content: Array
    weight: Array


class Gradients(NamedTuple):
    """The loss of a batch, and its slope by each weight."""

    loss: float
    slopes: tuple[Array, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Weights: a matrix and a bias for each layer, the first and the last of one block alone."""

    weights: tuple[Array, ...]
    distances: tuple[int, ...]  # between the neighbours that each middle layer sees

    @classmethod
    def drawn(cls, features: int, width: int, distances: tuple[int, ...], random: np.random.Generator) -> Network:
        """Random weights, small enough that every layer's sums are of about the same size."""
        shapes = [(features, width), *[(len(_OFFSETS) * width, width)] * len(distances), (width, 1)]
        weights: list[Array] = []
        for place, shape in enumerate(shapes):
            spread = np.sqrt(2 / shape[0]) * (1.0 if place == 0 else 0.5)
            weights += [(random.standard_normal(shape) * spread).astype(np.float32), np.zeros(shape[1], np.float32)]
        return cls(tuple(weights), distances)

    @property
    def gap(self) -> int:
        """Empty rows between pages, so that none sees another."""
        return max(self.distances, default=0) * max(_OFFSETS)

    def log_odds(self, inputs: Array, mask: Array) -> Array:
        """For each row the logarithm of the odds."""
        return self._forward(inputs, mask)[0]

    def gradients(self, batch: Batch) -> Gradients:
        """The weighted logistic loss, and its slopes found backwards."""
        odds, layers, middle = self._forward(batch.inputs, batch.mask)
        total = max(batch.weight.sum(), np.finfo(np.float32).tiny)
        loss = float((batch.weight * (np.logaddexp(0, odds) - batch.content * odds)).sum() / total)
        wrong = (batch.weight * (1 / (1 + np.exp(-np.clip(odds, -30, 30))) - batch.content) / total)[:, None]
        slopes: list[Array] = [wrong.sum(axis=0), layers[-1].T @ wrong]
        back = wrong @ self.weights[-2].T
        for place in range(len(self.distances), 0, -1):
            window, added = middle[place - 1]
            back = back * batch.mask
            own = back * (added > 0)
            slopes += [own.sum(axis=0), window.T @ own]
            back = back + _unwindow(own @ self.weights[2 * place].T, self.distances[place - 1])
        first = back * batch.mask * (layers[0] > 0)
        slopes += [first.sum(axis=0), batch.inputs.T @ first]
        return Gradients(loss, tuple(reversed(slopes)))

    def _forward(self, inputs: Array, mask: Array) -> tuple[Array, list[Array], list[tuple[Array, Array]]]:
        """The output, what each layer gave, and what the middle ones saw and added."""
        weights = self.weights
        layers, middle = [np.maximum(inputs @ weights[0] + weights[1], 0) * mask], []
        for place, distance in enumerate(self.distances, 1):
            window = _window(layers[-1], distance)
            added = np.maximum(window @ weights[2 * place] + weights[2 * place + 1], 0)
            middle.append((window, added))
            layers.append((layers[-1] + added) * mask)
        return (layers[-1] @ weights[-2] + weights[-1])[:, 0], layers, middle


def joined(pages: Sequence[Array], contents: Sequence[Array], importances: Sequence[Array], gap: int) -> Batch:
    """Pages one after the other, with gaps around each; blocks are rows."""
    ends = np.cumsum([len(page) + gap for page in pages])
    length = int(ends[-1]) + gap if len(ends) else gap
    width = pages[0].shape[1] if pages else 0
    kind = pages[0].dtype if pages else np.dtype(np.float32)
    batch = Batch(np.zeros((length, width), kind), *(np.zeros(shape, kind) for shape in ((length, 1), length, length)))
    for end, page, content, importance in zip(ends.tolist(), pages, contents, importances, strict=True):
        here = slice(end - len(page), end)
        batch.inputs[here], batch.mask[here] = page, 1
        batch.content[here], batch.weight[here] = content, importance
    return batch


def _window(rows: Array, distance: int) -> Array:
    """Each row with its neighbours side by side."""
    reach = distance * max(_OFFSETS)
    padded = np.pad(rows, ((reach, reach), (0, 0)))
    return np.concatenate([padded[reach + distance * step :][: len(rows)] for step in _OFFSETS], axis=1)


def _unwindow(windows: Array, distance: int) -> Array:
    """The slopes of windows, gathered at the rows they came from."""
    count, reach = len(windows), distance * max(_OFFSETS)
    width = windows.shape[1] // len(_OFFSETS)
    padded = np.zeros((count + 2 * reach, width), windows.dtype)
    for place, step in enumerate(_OFFSETS):
        low = reach + distance * step
        padded[low : low + count] += windows[:, place * width : (place + 1) * width]
    return padded[reach : reach + count]
