"""A small convolution over the sequence of blocks, in plain NumPy (compare Web2Text, Vogels et al. 2018).

Learned by Adam (Kingma and Ba 2015) with a rate that falls to zero; the seed decides the order of pages and the first
weights, so the same pages give the same network on the same machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.learned.trees import chances
from tidings.lab.learners.rivals.network import Array, Network, joined
from tidings.lab.learners.rivals.scaling import Scale
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, check, draw

#: Adam's figures, as published.
_FIRST, _SECOND, _LEAST = 0.9, 0.999, 1e-8
_MOST_BLOCKS: Final = 1500  # of a page in training: what stands behind teaches little and takes its time


@dataclass(frozen=True, slots=True, eq=False)
class ConvolutionJudge:
    """A trained network."""

    scale: Scale
    network: Network

    @property
    def size(self) -> int:
        """All weights, means and deviations."""
        scales = self.scale.centre.nbytes + self.scale.spread.nbytes
        return scales + sum(weights.nbytes for weights in self.network.weights)

    def chances(self, rows: Rows, /) -> Chances:
        """The chance of each block."""
        inputs = self.scale(rows.T)
        mask = np.ones((len(inputs), 1), np.float32)
        return chances(self.network.log_odds(inputs, mask).astype(np.float64))


@dataclass(frozen=True, slots=True)
class Convolution:
    """The learner."""

    width: int = 32
    distances: tuple[int, ...] = (1, 3)
    rounds: int = 12
    pages: int = 16  # that are looked at before each step
    rate: float = 0.003
    decay: float = 1e-4  # of weights, with each step at full rate (Loshchilov and Hutter 2019)
    seed: int = 1

    def fit(self, pages: Sequence[TaughtPage], /) -> ConvolutionJudge:
        """A network from whole pages."""
        check(pages)
        random = np.random.default_rng(self.seed)
        scale = Scale.of(draw(pages, seed=self.seed).rows)
        network = Network.drawn(pages[0].rows.shape[0], self.width, self.distances, random)
        adam = _Adam([np.zeros_like(one) for one in network.weights], [np.zeros_like(one) for one in network.weights])
        steps = self.rounds * -(-len(pages) // self.pages)
        step = 0
        for _ in range(self.rounds):
            order = random.permutation(len(pages))
            for start in range(0, len(order), self.pages):
                some = [pages[place] for place in order[start : start + self.pages].tolist()]
                batch = joined(
                    [scale(page.rows[:, :_MOST_BLOCKS].T) for page in some],
                    [page.content[:_MOST_BLOCKS].astype(np.float32) for page in some],
                    [page.importance[:_MOST_BLOCKS].astype(np.float32) for page in some],
                    network.gap,
                )
                step += 1
                rate = self.rate * (1 - (step - 1) / steps)
                slopes = network.gradients(batch).slopes
                network = Network(adam.moved(network.weights, slopes, step, rate, self.decay), self.distances)
        return ConvolutionJudge(scale, network)


@dataclass(frozen=True, slots=True, eq=False)
class _Adam:
    """The running means of slopes and of their squares."""

    mean: list[Array]
    square: list[Array]

    def moved(
        self, weights: tuple[Array, ...], slopes: tuple[Array, ...], step: int, rate: float, decay: float
    ) -> tuple[Array, ...]:
        """The weights after one step."""
        moved = []
        for place, (weight, slope) in enumerate(zip(weights, slopes, strict=True)):
            self.mean[place] = _FIRST * self.mean[place] + (1 - _FIRST) * slope
            self.square[place] = _SECOND * self.square[place] + (1 - _SECOND) * slope**2
            mean, square = self.mean[place] / (1 - _FIRST**step), self.square[place] / (1 - _SECOND**step)
            moved.append(weight - rate * (mean / (np.sqrt(square) + _LEAST) + decay * weight))
        return tuple(moved)
