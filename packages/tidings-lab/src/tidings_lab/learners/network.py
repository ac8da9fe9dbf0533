"""Training of the network of the default extractor: manual gradients in NumPy, page by page.

The network is small and a page has some hundred blocks, so training on 800 pages takes about a minute on one core
without a deep-learning library. The loss is the cross entropy of the block probabilities, weighted by words, plus the F
measure of a selection by these probabilities on the page, which is the extractor's objective.
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
Report = Callable[[str], None]

#: The number of quantiles for the borders of a feature; there is at most one border less.
_QUANTILES: Final = 17
_SAMPLED: Final = 60  # blocks of each page for computing borders
_WARM: Final = 0.15  # share of all steps in which the rate rises (warm-up)
_BETAS: Final = (0.9, 0.999)
_LONGEST: Final = 1.0  # maximal norm of a step's gradient (clipping)
_LAYER: Final = len(PARTS)


@dataclass(frozen=True, slots=True, eq=False)
class NetworkPage:
    """The training data of a page for the block network: scaled features, connections between blocks, and
    ground truth.
    """

    rows: Floats  # features × blocks: shares of borders, from -1 to 1
    means: Any  # sparse, groups × blocks: averages over boxes, paths and the page
    place: NDArray[np.int64]  # contexts × blocks: the group of each block
    spread: Any  # sparse, groups × (contexts · blocks): the transposed assignment
    content: Floats  # share of each block's words in the ground truth
    words: Floats  # of each block; 0 for blocks that are not judged
    roots: Floats  # square roots of words: the weights of blocks in averages
    importance: Floats  # the weight of each block, including that of the page


def network_page(
    features: BlockFeatures, rows: Floats, share: NDArray[np.float64], importance: NDArray[Any]
) -> NetworkPage:
    """Return a page as training data of the network.

    Args:
        features: the features of its blocks.
        rows: the same features, scaled (`scaled`).
        share: the share of each block that belongs to the article.
        importance: the weight of each block.
    """
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix
    count, weight = len(features.words), np.sqrt(features.words.astype(np.float64))
    places: list[NDArray[np.integer]] = []
    members: list[NDArray[np.integer]] = []
    sizes = 0
    for level in BOXES:
        boxes, place = np.unique(features.boxes[level], return_inverse=True)
        members += [np.arange(features.low[box], features.high[box]) for box in boxes.tolist()]
        places.append(place + sizes)
        sizes += len(boxes)
    for group in (*features.paths, np.zeros(count, np.int64)):
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
        np.where(importance > 0, features.words, 0).astype(np.float32),
        weight.astype(np.float32),
        np.asarray(importance, np.float32),
    )


def borders_of(rows: Sequence[Floats], unused: Sequence[bool], seed: int) -> tuple[Floats, NDArray[np.int64]]:
    """Return the sorted borders by which feature values are scaled, concatenated, and the index range of each feature.

    Borders are midpoints between quantiles of the values on some blocks of each page. An unused feature has none.

    Args:
        rows: the features of each page, a row per feature.
        unused: whether each feature is unused.
        seed: selects the blocks.
    """
    random = np.random.default_rng(seed)
    sample = np.concatenate([one[:, random.permutation(one.shape[1])[:_SAMPLED]] for one in rows], axis=1)
    borders: list[Floats] = []
    for values, is_unused in zip(sample, unused, strict=True):
        steps = np.unique(np.quantile(values, np.linspace(0.005, 0.995, _QUANTILES)))
        middle = np.unique(((steps[1:] + steps[:-1]) / 2).astype(np.float32))
        borders.append(middle[:0] if is_unused else middle)
    return np.concatenate(borders), np.cumsum([0, *map(len, borders)])


def scaled(rows: Floats, border: Floats, bounds: NDArray[np.int64]) -> Floats:
    """Scale features to -1 … 1: the share of a feature's borders that are below the value.

    Features without borders are 0.

    Args:
        rows: the features of a page, a row per feature.
        border: the borders of all features, concatenated.
        bounds: where the borders of each feature begin in `border`, and the end.
    """
    result = np.zeros(rows.shape, np.float32)
    for row, values in enumerate(rows):
        borders = border[bounds[row] : bounds[row + 1]]
        if len(borders):
            result[row] = np.searchsorted(borders, values, side="left") * (2 / len(borders)) - 1
    return result


@dataclass(frozen=True, slots=True)
class NetworkTraining:
    """The parameters of training the block network."""

    units: int = 24  # hidden size; 48 is no better
    message_size: int = 8
    layers: int = 2
    rounds: int = 30  # epochs
    pages: int = 16  # per step
    rate: float = 0.003
    decay: float = 0.05  # of weights, multiplied by the rate
    dropout: float = 0.1  # of features and of units
    measure: float = 0.5  # weight of the page's F measure in the loss
    seed: int = 1

    def run(
        self, pages: Sequence[NetworkPage], border: Floats, bounds: NDArray[np.int64], report: Report = lambda _: None
    ) -> BlockNetwork:
        """Train a block network on pages."""
        random = np.random.default_rng(self.seed)
        weights = self._begin(len(pages[0].rows), random)
        moments = [(np.zeros_like(array), np.zeros_like(array)) for array in weights]
        steps, step = self.rounds * math.ceil(len(pages) / self.pages), 0
        for round_ in range(self.rounds):
            order, lost = random.permutation(len(pages)), 0.0
            for begin in range(0, len(order), self.pages):
                batch = order[begin : begin + self.pages]
                kept_features = (random.random(len(pages[0].rows)) >= self.dropout).astype(np.float32)
                gradient = [np.zeros_like(array) for array in weights]
                for place in batch.tolist():
                    lost += self._learn(weights, gradient, pages[place], kept_features, random, 1 / len(batch))
                step += 1
                self._step(weights, gradient, moments, step, _rate(step / steps) * self.rate)
            report(f"round {round_ + 1} of {self.rounds}: loss {lost / len(pages):.4f}")
        return self._network(weights, border, bounds)

    def _begin(self, features: int, random: np.random.Generator) -> list[Floats]:
        def drawn(rows: int, *columns: int) -> Floats:
            bound = 1 / math.sqrt(rows)
            return random.uniform(-bound, bound, (rows, *columns)).astype(np.float32)

        units, size = self.units, self.message_size
        weights = [drawn(features, units), np.zeros(units, np.float32)]
        for _ in range(self.layers):
            weights += [drawn(units, size), drawn(units + 1)]
            weights += [drawn(units + CONTEXTS * size, units), np.zeros(units, np.float32)]
        return [*weights, drawn(units), np.zeros(1, np.float32)]

    def _learn(
        self,
        weights: list[Floats],
        gradient: list[Floats],
        page: NetworkPage,
        kept_features: Floats,
        random: np.random.Generator,
        share: float,
    ) -> float:
        """Add a page's share of the gradient; return the loss of the page."""
        count = len(page.words)
        rows = page.rows * kept_features[:, None]
        masks = [
            (random.random((self.units, count)) >= self.dropout).astype(np.float32) / np.float32(1 - self.dropout)
            for _ in range(self.layers + 1)
        ]
        # Forward pass; `layers` stores the values that the backward pass needs.
        units = np.maximum(weights[0].T @ rows + weights[1][:, None], 0) * masks[0]
        initial, layers = units, []
        for number in range(self.layers):
            message_weights, attention, update_weights, bias = weights[2 + _LAYER * number :][:_LAYER]
            messages = np.maximum(message_weights.T @ units, 0)
            attention_logits = attention[:-1] @ units + attention[-1]
            weight = np.exp(np.clip(attention_logits, -MOST_ATTENTION, MOST_ATTENTION)) * page.roots
            weight /= weight.sum()
            inputs = np.concatenate((units, _contexts(page, messages, weight)))
            updates = np.maximum(update_weights.T @ inputs + bias[:, None], 0)
            layers.append((units, messages, attention_logits, weight, inputs, updates))
            units = (units + updates) * masks[number + 1]
        odds = weights[-2] @ units + weights[-1][0]
        loss, slope = self._loss(page, odds)
        slope *= share
        # Backward pass.
        gradient[-2] += units @ slope
        gradient[-1] += slope.sum()
        back = weights[-2][:, None] * slope
        for number in reversed(range(self.layers)):
            message_weights, attention, update_weights, _ = weights[2 + _LAYER * number :][:_LAYER]
            of_message_weights, of_attention, of_update_weights, of_bias = gradient[2 + _LAYER * number :][:_LAYER]
            units, messages, attention_logits, weight, inputs, updates = layers[number]
            back = back * masks[number + 1]
            inner = back * (updates > 0)
            of_update_weights += inputs @ inner.T
            of_bias += inner.sum(axis=1)
            of_inputs = update_weights @ inner
            of_contexts = of_inputs[self.units :].reshape(CONTEXTS, self.message_size, count)
            of_mean = of_contexts[-1].sum(axis=1)  # the attention-weighted mean, which every block receives
            of_messages = (_message_gradient(page, of_contexts) + np.outer(of_mean, weight)) * (messages > 0)
            of_logits = (
                weight
                * (of_mean @ (messages - (messages @ weight)[:, None]))
                * (np.abs(attention_logits) < MOST_ATTENTION)
            )
            of_message_weights += units @ of_messages.T
            of_attention[:-1] += units @ of_logits
            of_attention[-1] += of_logits.sum()
            back = back + of_inputs[: self.units] + message_weights @ of_messages + np.outer(attention[:-1], of_logits)
        back = back * masks[0] * (initial > 0)
        gradient[0] += rows @ back.T
        gradient[1] += back.sum(axis=1)
        return loss

    def _loss(self, page: NetworkPage, odds: Floats) -> tuple[float, Floats]:
        """Return the loss, and its derivative with respect to each block's log-odds."""
        is_content = (page.content > 0.5).astype(np.float32)
        probability = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        loss = float((page.importance * (np.logaddexp(0, odds) - is_content * odds)).sum())
        slope = page.importance * (probability - is_content)
        right, in_all = (
            (probability * page.words * page.content).sum(),
            (page.words * (probability + page.content)).sum(),
        )
        measured = 2 * right / in_all
        change = 2 * page.words * (page.content - measured / 2) / in_all
        return loss + self.measure * float(1 - measured), slope - self.measure * change * probability * (
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
        """Update the weights: AdamW (Loshchilov and Hutter 2019) with gradient clipping."""
        length = math.sqrt(sum(float((array * array).sum()) for array in gradient))
        factor = min(1.0, _LONGEST / (length + 1e-6))
        for array, slope_of, (mean, square) in zip(weights, gradient, moments, strict=True):
            slope = slope_of * factor
            np.add(mean, (1 - _BETAS[0]) * (slope - mean), out=mean)
            np.add(square, (1 - _BETAS[1]) * (slope * slope - square), out=square)
            scale = np.sqrt(square / (1 - _BETAS[1] ** step)) + 1e-8
            np.subtract(array, rate * (self.decay * array + mean / (1 - _BETAS[0] ** step) / scale), out=array)

    def _network(self, weights: list[Floats], border: Floats, bounds: NDArray[np.int64]) -> BlockNetwork:
        """Convert trained weights to a network whose inputs are counts of borders instead of shares from -1 to 1."""
        borders = np.diff(bounds)
        scale = (2 / np.maximum(borders, 1)).astype(np.float32)[:, None]
        first = np.where(borders[:, None] > 0, weights[0], 0).astype(np.float32)
        layers = tuple(Mixing(*weights[2 + _LAYER * number :][:_LAYER]) for number in range(self.layers))
        bias = (weights[1] - first.sum(axis=0, dtype=np.float64)).astype(np.float32)
        return BlockNetwork(border, bounds, first * scale, bias, layers, weights[-2], np.float32(weights[-1][0]))


def _rate(share: float) -> float:
    """Return the learning rate, relative to its maximum, at a share of all training steps.

    It warms up from a 25th, then decays as a cosine.
    """
    if share < _WARM:
        return 0.04 + 0.96 * (0.5 - math.cos(math.pi * share / _WARM) / 2)
    return 0.5 + math.cos(math.pi * (share - _WARM) / (1 - _WARM)) / 2


def _contexts(page: NetworkPage, messages: Floats, attention: Floats) -> Floats:
    """Return the messages that each block receives from other blocks: from neighbours, layout groups and the whole
    page.
    """
    size, count = messages.shape
    result = np.zeros((CONTEXTS, size, count), messages.dtype)
    for place, step in enumerate(STEPS):
        if abs(step) < count:
            result[place, :, max(-step, 0) : count - max(step, 0)] = messages[:, max(step, 0) : count + min(step, 0)]
    result[len(STEPS) : -1] = (page.means @ messages.T)[page.place].transpose(0, 2, 1)
    result[-1] = (messages @ attention)[:, None]
    return result.reshape(CONTEXTS * size, count)


def _message_gradient(page: NetworkPage, of_contexts: Floats) -> Floats:
    """Return the gradient of the messages, given that of the received messages."""
    _, size, count = of_contexts.shape
    of_groups = page.spread @ of_contexts[len(STEPS) : -1].transpose(0, 2, 1).reshape(-1, size)
    gradient: Floats = np.ascontiguousarray((page.means.T @ of_groups).T)
    for place, step in enumerate(STEPS):
        if abs(step) < count:
            gradient[:, max(step, 0) : count + min(step, 0)] += of_contexts[
                place, :, max(-step, 0) : count - max(step, 0)
            ]
    return gradient
