"""Precision, recall, their harmonic mean, and the counts they are computed from.

Sources: N-EXT 5.2 (eq. 5.2–5.4), DANA thesis eq. 2.12, memory-based thesis 3.2.3, hybrid rules 4.5. If a denominator is
zero, the value is 0: nothing was returned, or there was nothing to return.
"""

from __future__ import annotations

from dataclasses import dataclass


def ratio(part: float, whole: float) -> float:
    """Return part / whole; 0 if the whole is 0."""
    return part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """Return F1, the harmonic mean; 0 if both are 0."""
    return ratio(2 * precision * recall, precision + recall)


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall, and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Return the harmonic mean, 0 when both are 0."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Counts:
    """True and false positives and negatives; counts of several pages, folds or classes can be added."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    @property
    def total(self) -> int:
        """Return the number of all decisions."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """Return the harmonic mean of precision and recall."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float:
        """(TP + TN) / all."""
        return ratio(self.tp + self.tn, self.total)

    @property
    def score(self) -> Score:
        """Return precision and recall only."""
        return Score(self.precision, self.recall)
