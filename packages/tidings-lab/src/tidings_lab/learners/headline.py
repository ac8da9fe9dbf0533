"""Training of the weights that select the headline among its candidates.

Conditional logistic regression: of the candidates of a page (`gather`) the right one should have the highest score; the
likelihood is a softmax over the page's candidates, with a quadratic penalty. The problem is convex and is solved by
gradient steps with momentum from zero, so the same pages give the same weights everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.fields.keys import plain
from tidings.fields.titles.candidates import Candidate, gather
from tidings.fields.titles.choice import agreed, choose
from tidings.fields.titles.features import Features, features
from tidings.page import Page, Spans

Floats = NDArray[np.float64]

#: The strength of the penalty: the best of 0.3, 1 and 3 in cross-validation by site.
PENALTY: Final = 3.0
_STEPS: Final = 4000
_ROUNDED: Final = 3


@dataclass(frozen=True, slots=True)
class HeadlineLesson:
    """The training data of a page for choosing its headline: the candidates, their features, and which are right."""

    candidates: tuple[Candidate, ...]
    rows: tuple[Features, ...]
    right: tuple[bool, ...]
    weight: float = 1.0  # balances corpora of different sizes

    @property
    def can_be_learned(self) -> bool:
        """Return whether at least one candidate is right and one is wrong."""
        return any(self.right) and not all(self.right)


def lesson(page: Page, headline: str, content: Spans | None = None, weight: float = 1.0) -> HeadlineLesson | None:
    """Return the training data of a page with a known headline.

    None if the page's heading and its titles agree, because then nothing must be chosen.

    Args:
        page: the page.
        headline: the ground-truth headline.
        content: the selected text of the page.
        weight: the weight of the page in training.
    """
    if agreed(page):
        return None
    candidates = gather(page)
    target = plain(headline)
    return HeadlineLesson(
        tuple(candidates),
        tuple(features(page, candidates, content)),
        tuple(plain(candidate.text) == target for candidate in candidates),
        weight,
    )


def train(lessons: Iterable[HeadlineLesson], penalty: float = PENALTY) -> dict[str, float]:
    """Train the weights of candidate features by maximum likelihood; return the rounded weights by feature.

    Args:
        lessons: the training pages.
        penalty: the strength of the quadratic penalty on weights.
    """
    used = [page for page in lessons if page.can_be_learned]
    names = sorted({name for page in used for row in page.rows for name in row})
    if not used:
        return {}
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((sum(len(page.rows) for page in used), len(names)))
    for at, row in enumerate(row for page in used for row in page.rows):
        for name, value in row.items():
            matrix[at, place[name]] = value
    right = np.array([flag for page in used for flag in page.right])
    first = np.cumsum([0, *(len(page.rows) for page in used)])[:-1]
    counts = np.array([page.weight for page in used])
    weights = _solve(matrix, right, first, counts, penalty)
    return {name: round(float(weight), _ROUNDED) for name, weight in zip(names, weights, strict=True)}


def _solve(
    matrix: Floats, right: NDArray[np.bool_], first: NDArray[np.int64], counts: Floats, penalty: float
) -> Floats:
    owner = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(matrix))))
    weight = counts[owner]
    # The curvature of a page's loss is below a quarter of the squared length of its longest row.
    longest = np.maximum.reduceat((matrix**2).sum(1), first)
    step = 1.0 / (float(counts @ longest) / 4 + penalty)
    weights = np.zeros(matrix.shape[1])
    speed = np.zeros_like(weights)
    for _ in range(_STEPS):
        score = matrix @ (weights + 0.9 * speed)
        score = np.exp(score - np.maximum.reduceat(score, first)[owner])
        all_of, right_of = np.add.reduceat(score, first), np.add.reduceat(score * right, first)
        pull = score / all_of[owner] - score * right / right_of[owner]
        gradient = matrix.T @ (pull * weight) + penalty * (weights + 0.9 * speed)
        speed = 0.9 * speed - step * gradient
        weights = weights + speed
    return weights


def accuracy(lessons: Sequence[HeadlineLesson], weights: dict[str, float]) -> float:
    """Return the share of pages whose selected candidate is right."""
    hits = 0
    for page in lessons:
        if page.rows:
            chosen = choose(list(page.candidates), list(page.rows), weights)
            hits += page.right[next(at for at, other in enumerate(page.candidates) if other is chosen)]
    return hits / len(lessons) if lessons else 0.0
