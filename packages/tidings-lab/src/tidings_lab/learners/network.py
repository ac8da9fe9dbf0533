"""Training the network of the default extractor: gradients by hand, in NumPy, a page at a time.

The network is small and a page has some hundred blocks, so a training of 800 pages takes about a minute on one core
without any library made for it.

What is learned is the chance of each block (cross entropy, blocks counted by their words), and with it the F measure
that a choice by these chances would have on the page, which is what the extractor is judged by.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.learned.network import BOXES, CONTEXTS, MOST_ATTENTION, PARTS, STEPS, BlockNetwork, Mixing
from tidings_lab.learners.features import BlockFeatures

Floats = NDArray[np.float32]
Told = Callable[[str], None]

#: Borders of a feature, by quantiles of its values: at most one less.
_QUANTILES: Final = 17
_SAMPLED: Final = 60  # blocks of each page that borders are found by
_WARM: Final = 0.15  # share of all steps in which the rate rises
_BETAS: Final = (0.9, 0.999)
_LONGEST: Final = 1.0  # that the gradient of a step may be
_LAYER: Final = len(PARTS)


@dataclass(frozen=True, slots=True, eq=False)
class NetworkPage:
    """A page to learn from: features of its blocks as the network is told them, who stands around whom, and gold."""

    rows: Floats  # features × blocks: shares of borders, from -1 to 1
    means: Any  # sparse, groups × blocks: the mean of boxes, paths and the page
    place: NDArray[np.int64]  # contexts × blocks: which of these groups
    spread: Any  # sparse, groups × (contexts · blocks): the other way round
    content: Floats  # of each block, the share of it that is gold
    words: Floats
    roots: Floats  # of words: what each block counts in means
    importance: Floats  # of each block, the weight of the page in it


def network_page(
    found: BlockFeatures, rows: Floats, share: NDArray[np.float64], importance: NDArray[Any]
) -> NetworkPage:
    """A page to learn from; `rows` as `scaled` gives them."""
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix
    count, weight = len(found.words), np.sqrt(found.words.astype(np.float64))
    places: list[NDArray[np.integer]] = []
    members: list[NDArray[np.integer]] = []
    sizes = 0
    for level in BOXES:
        boxes, place = np.unique(found.boxes[level], return_inverse=True)
        members += [np.arange(found.low[box], found.high[box]) for box in boxes.tolist()]
        places.append(place + sizes)
        sizes += len(boxes)
    for group in (*found.paths, np.zeros(count, np.int64)):
        order, numbers = np.argsort(group, kind="stable"), int(group.max()) + 1
        members += np.split(order, np.searchsorted(group[order], np.arange(1, numbers)))
        places.append(group + sizes)
        sizes += numbers
    of_group = np.repeat(np.arange(sizes), [len(one) for one in members])
    block = np.concatenate(members)
    total = np.bincount(of_group, weight[block], sizes)
    means = csr_matrix((weight[block] / np.maximum(total[of_group], 1e-9), (of_group, block)), (sizes, count))
    place = np.array(places, np.int64)
    spread = csr_matrix((np.ones(place.size), (place.ravel(), np.arange(place.size))), (sizes, place.size))
    return NetworkPage(
        rows,
        means.astype(np.float32),
        place,
        spread.astype(np.float32),
        share.astype(np.float32),
        found.words.astype(np.float32),
        weight.astype(np.float32),
        np.asarray(importance, np.float32),
    )


def borders_of(rows: Sequence[Floats], untold: Sequence[bool], seed: int) -> tuple[Floats, NDArray[np.int64]]:
    """Borders of each feature, in the middle between quantiles of its values on some blocks of each page; and where
    those of each feature begin and end. A feature that is not to be told has none.
    """
    random = np.random.default_rng(seed)
    some = np.concatenate([one[:, random.permutation(one.shape[1])[:_SAMPLED]] for one in rows], axis=1)
    found: list[Floats] = []
    for values, is_untold in zip(some, untold, strict=True):
        steps = np.unique(np.quantile(values, np.linspace(0.005, 0.995, _QUANTILES)))
        middle = np.unique(((steps[1:] + steps[:-1]) / 2).astype(np.float32))
        found.append(middle[:0] if is_untold else middle)
    return np.concatenate(found), np.cumsum([0, *map(len, found)])


def scaled(rows: Floats, border: Floats, bounds: NDArray[np.int64]) -> Floats:
    """For each feature the share of its borders that it is above, from -1 to 1; 0 where there are none."""
    told = np.zeros(rows.shape, np.float32)
    for row, values in enumerate(rows):
        borders = border[bounds[row] : bounds[row + 1]]
        if len(borders):
            told[row] = np.searchsorted(borders, values, side="left") * (2 / len(borders)) - 1
    return told


@dataclass(frozen=True, slots=True)
class NetworkTraining:
    """The figures of training."""

    units: int = 24  # numbers that are made of each block; 48 are no better
    told: int = 8  # of these, what others are told
    layers: int = 2
    rounds: int = 30
    pages: int = 16  # a step
    rate: float = 0.003
    decay: float = 0.05  # of weights, by the rate
    deaf: float = 0.1  # share of features, and of units, that are not heard in a step
    measure: float = 0.5  # what the F measure of a page counts beside the chances of its blocks
    seed: int = 1

    def run(
        self, pages: Sequence[NetworkPage], border: Floats, bounds: NDArray[np.int64], told: Told = lambda _: None
    ) -> BlockNetwork:
        """Learn from pages."""
        random = np.random.default_rng(self.seed)
        weights = self._begin(len(pages[0].rows), random)
        moments = [(np.zeros_like(one), np.zeros_like(one)) for one in weights]
        steps, step = self.rounds * math.ceil(len(pages) / self.pages), 0
        for round_ in range(self.rounds):
            order, lost = random.permutation(len(pages)), 0.0
            for begin in range(0, len(order), self.pages):
                some = order[begin : begin + self.pages]
                heard = (random.random(len(pages[0].rows)) >= self.deaf).astype(np.float32)
                gradient = [np.zeros_like(one) for one in weights]
                for place in some.tolist():
                    lost += self._learn(weights, gradient, pages[place], heard, random, 1 / len(some))
                step += 1
                self._step(weights, gradient, moments, step, _rate(step / steps) * self.rate)
            told(f"round {round_ + 1} of {self.rounds}: loss {lost / len(pages):.4f}")
        return self._network(weights, border, bounds)

    def _begin(self, features: int, random: np.random.Generator) -> list[Floats]:
        def drawn(rows: int, *columns: int) -> Floats:
            bound = 1 / math.sqrt(rows)
            return random.uniform(-bound, bound, (rows, *columns)).astype(np.float32)

        units, told = self.units, self.told
        weights = [drawn(features, units), np.zeros(units, np.float32)]
        for _ in range(self.layers):
            weights += [drawn(units, told), drawn(units + 1)]
            weights += [drawn(units + CONTEXTS * told, units), np.zeros(units, np.float32)]
        return [*weights, drawn(units), np.zeros(1, np.float32)]

    def _learn(
        self,
        weights: list[Floats],
        gradient: list[Floats],
        page: NetworkPage,
        heard: Floats,
        random: np.random.Generator,
        share: float,
    ) -> float:
        """Add a page's share of the gradient; what is lost on it."""
        count = len(page.words)
        rows = page.rows * heard[:, None]
        masks = [
            (random.random((self.units, count)) >= self.deaf).astype(np.float32) / np.float32(1 - self.deaf)
            for _ in range(self.layers + 1)
        ]
        # Forwards; what is needed on the way back is kept.
        units = np.maximum(weights[0].T @ rows + weights[1][:, None], 0) * masks[0]
        begun, layers = units, []
        for number in range(self.layers):
            said_by, attention, heard_by, bias = weights[2 + _LAYER * number :][:_LAYER]
            said = np.maximum(said_by.T @ units, 0)
            asked = attention[:-1] @ units + attention[-1]
            weight = np.exp(np.clip(asked, -MOST_ATTENTION, MOST_ATTENTION)) * page.roots
            weight /= weight.sum()
            told = np.concatenate((units, _around(page, said, weight)))
            made = np.maximum(heard_by.T @ told + bias[:, None], 0)
            layers.append((units, said, asked, weight, told, made))
            units = (units + made) * masks[number + 1]
        odds = weights[-2] @ units + weights[-1][0]
        lost, slope = self._loss(page, odds)
        slope *= share
        # And backwards.
        gradient[-2] += units @ slope
        gradient[-1] += slope.sum()
        back = weights[-2][:, None] * slope
        for number in reversed(range(self.layers)):
            said_by, attention, heard_by, _ = weights[2 + _LAYER * number :][:_LAYER]
            of_said_by, of_attention, of_heard_by, of_bias = gradient[2 + _LAYER * number :][:_LAYER]
            units, said, asked, weight, told, made = layers[number]
            back = back * masks[number + 1]
            inner = back * (made > 0)
            of_heard_by += told @ inner.T
            of_bias += inner.sum(axis=1)
            of_told = heard_by @ inner
            around = of_told[self.units :].reshape(CONTEXTS, self.told, count)
            of_mean = around[-1].sum(axis=1)  # by attention, told to every block
            of_said = (_back(page, around) + np.outer(of_mean, weight)) * (said > 0)
            of_asked = weight * (of_mean @ (said - (said @ weight)[:, None])) * (np.abs(asked) < MOST_ATTENTION)
            of_said_by += units @ of_said.T
            of_attention[:-1] += units @ of_asked
            of_attention[-1] += of_asked.sum()
            back = back + of_told[: self.units] + said_by @ of_said + np.outer(attention[:-1], of_asked)
        back = back * masks[0] * (begun > 0)
        gradient[0] += rows @ back.T
        gradient[1] += back.sum(axis=1)
        return lost

    def _loss(self, page: NetworkPage, odds: Floats) -> tuple[float, Floats]:
        """What is lost, and how it changes with the logarithm of each block's odds."""
        is_content = (page.content > 0.5).astype(np.float32)
        probability = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        lost = float((page.importance * (np.logaddexp(0, odds) - is_content * odds)).sum())
        slope = page.importance * (probability - is_content)
        right, in_all = (
            (probability * page.words * page.content).sum(),
            (page.words * (probability + page.content)).sum(),
        )
        measured = 2 * right / in_all
        change = 2 * page.words * (page.content - measured / 2) / in_all
        return lost + self.measure * float(1 - measured), slope - self.measure * change * probability * (
            1 - probability
        )

    def _step(
        self,
        weights: list[Floats],
        gradient: list[Floats],
        moments: list[tuple[Floats, Floats]],
        step: int,
        rate: float,
    ) -> None:
        """AdamW (Loshchilov and Hutter 2019), gradients cut to a length."""
        length = math.sqrt(sum(float((one * one).sum()) for one in gradient))
        shorter = min(1.0, _LONGEST / (length + 1e-6))
        for one, long, (mean, square) in zip(weights, gradient, moments, strict=True):
            slope = long * shorter
            np.add(mean, (1 - _BETAS[0]) * (slope - mean), out=mean)
            np.add(square, (1 - _BETAS[1]) * (slope * slope - square), out=square)
            by = np.sqrt(square / (1 - _BETAS[1] ** step)) + 1e-8
            np.subtract(one, rate * (self.decay * one + mean / (1 - _BETAS[0] ** step) / by), out=one)

    def _network(self, weights: list[Floats], border: Floats, bounds: NDArray[np.int64]) -> BlockNetwork:
        """The network over counts of borders instead of shares from -1 to 1."""
        borders = np.diff(bounds)
        scale = (2 / np.maximum(borders, 1)).astype(np.float32)[:, None]
        first = np.where(borders[:, None] > 0, weights[0], 0).astype(np.float32)
        layers = tuple(Mixing(*weights[2 + _LAYER * number :][:_LAYER]) for number in range(self.layers))
        bias = (weights[1] - first.sum(axis=0, dtype=np.float64)).astype(np.float32)
        return BlockNetwork(border, bounds, first * scale, bias, layers, weights[-2], np.float32(weights[-1][0]))


def _rate(share: float) -> float:
    """Of the largest rate, what is left after a share of all steps: it rises from a 25th, and falls like a cosine."""
    if share < _WARM:
        return 0.04 + 0.96 * (0.5 - math.cos(math.pi * share / _WARM) / 2)
    return 0.5 + math.cos(math.pi * (share - _WARM) / (1 - _WARM)) / 2


def _around(page: NetworkPage, said: Floats, attention: Floats) -> Floats:
    """What each block is told of those around it, as the network's own order has it."""
    told, count = said.shape
    around = np.zeros((CONTEXTS, told, count), said.dtype)
    for place, step in enumerate(STEPS):
        if abs(step) < count:
            around[place, :, max(-step, 0) : count - max(step, 0)] = said[:, max(step, 0) : count + min(step, 0)]
    around[len(STEPS) : -1] = (page.means @ said.T)[page.place].transpose(0, 2, 1)
    around[-1] = (said @ attention)[:, None]
    return around.reshape(CONTEXTS * told, count)


def _back(page: NetworkPage, around: Floats) -> Floats:
    """The gradient of what blocks say, from that of what blocks are told."""
    _, told, count = around.shape
    of_groups = page.spread @ around[len(STEPS) : -1].transpose(0, 2, 1).reshape(-1, told)
    said: Floats = np.ascontiguousarray((page.means.T @ of_groups).T)
    for place, step in enumerate(STEPS):
        if abs(step) < count:
            said[:, max(step, 0) : count + min(step, 0)] += around[place, :, max(-step, 0) : count - max(step, 0)]
    return said
