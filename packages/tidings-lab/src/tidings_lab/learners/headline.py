"""Learning the weights by which the headline is chosen among its candidates.

Conditional logistic regression: of the candidates of one page (`tidings.fields.title_candidates`) the right one is to
have the highest score; the likelihood is a softmax over the page's candidates, with a quadratic penalty. It is convex
and is solved by plain gradient steps with momentum from zero, so the same pages give the same weights everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.fields.keys import plain
from tidings.fields.title_candidates import Candidate, gather
from tidings.fields.title_choice import agreed, choose
from tidings.fields.title_features import Features, features
from tidings.page import Page, Spans

Floats = NDArray[np.float64]

#: Strength of the penalty: of 0.3, 1 and 3 the best by folds grouped by site.
PENALTY: Final = 3.0
_STEPS: Final = 4000
_ROUNDED: Final = 3


@dataclass(frozen=True, slots=True)
class HeadlineLesson:
    """A page with the headline it should give."""

    candidates: tuple[Candidate, ...]
    rows: tuple[Features, ...]
    right: tuple[bool, ...]
    weight: float = 1.0  # how much it counts, for corpora of different sizes

    @property
    def can_be_learned(self) -> bool:
        """Whether some candidate is right and some is wrong."""
        return any(self.right) and not all(self.right)


def lesson(page: Page, headline: str, content: Spans | None = None, weight: float = 1.0) -> HeadlineLesson | None:
    """The lesson of a page whose headline is known; None where heading and titles agree: nothing is to be learned."""
    if agreed(page):
        return None
    candidates = gather(page)
    asked = plain(headline)
    return HeadlineLesson(
        tuple(candidates),
        tuple(features(page, candidates, content)),
        tuple(plain(one.text) == asked for one in candidates),
        weight,
    )


def train(lessons: Iterable[HeadlineLesson], penalty: float = PENALTY) -> dict[str, float]:
    """The weights that make the right candidates most likely, by feature, rounded."""
    used = [one for one in lessons if one.can_be_learned]
    names = sorted({name for one in used for row in one.rows for name in row})
    if not used:
        return {}
    place = {name: at for at, name in enumerate(names)}
    matrix = np.zeros((sum(len(one.rows) for one in used), len(names)))
    for at, row in enumerate(row for one in used for row in one.rows):
        for name, value in row.items():
            matrix[at, place[name]] = value
    right = np.array([flag for one in used for flag in one.right])
    first = np.cumsum([0, *(len(one.rows) for one in used)])[:-1]
    counts = np.array([one.weight for one in used])
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
    """The share of pages whose chosen candidate is right."""
    hits = 0
    for one in lessons:
        if one.rows:
            chosen = choose(list(one.candidates), list(one.rows), weights)
            hits += one.right[next(at for at, other in enumerate(one.candidates) if other is chosen)]
    return hits / len(lessons) if lessons else 0.0
