"""Confidence: the expected word F1 of a selection, and the reason if it is low.

The block probabilities give an expected F measure (`choice`). It is too optimistic if errors are correlated: on pages
that are not articles, on short texts, and next to much other text. A logistic regression over a few signals corrects
it. There is one for articles and one for other kinds of pages, trained on the scores of models on sites that they had
not seen (`tidings lab train confidence`).

A mean hides the worst pages, so the confidence of articles is a little lower than the expected F, and that of other
kinds is limited: of the pages with a confidence of 0.9 or more, about one in a hundred has a word F1 below 0.7.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tidings.extractors.learned.thresholds import THRESHOLDS

LOW: Final = THRESHOLDS.low_confidence
#: A signal is a reason from this many standard deviations on.
_ODD: Final = 0.5
#: In the order of the core's arguments.
BORDERS: Final = (THRESHOLDS.surely_out, THRESHOLDS.surely_in, THRESHOLDS.paragraph_words)
_UNCLEAR: Final = "unclear which blocks belong to it"
#: For each signal the direction that lowers the confidence, and the reason to report.
_REASONS: Final = {
    "expected": (-1, _UNCLEAR),
    "certainty": (-1, "unclear kind of page"),
    "length": (-1, "short text"),
    "unclear": (1, _UNCLEAR),
    "rest": (1, "much other text on the page"),
}


class ChosenWords(NamedTuple):
    """Numbers of words of a page: selected, uncertain, and in paragraphs."""

    chosen: int
    unclear: int  # neither surely in nor surely out
    at_stake: int  # words of blocks that are not surely out
    in_paragraphs: int
    chosen_paragraphs: int


class ConfidenceSignals(NamedTuple):
    """The inputs of the confidence model: properties of a selection from which its expected F1 is computed."""

    expected: float  # the expected F by the block probabilities, as log-odds
    certainty: float  # probability of the kind of page
    length: float  # logarithm of the selected words, at most that of a thousand
    unclear: float  # share of the words at stake in blocks that are neither surely in nor surely out
    rest: float  # share of the words in paragraphs that are not selected

    @classmethod
    def of(cls, expected: float, certainty: float, words: ChosenWords) -> ConfidenceSignals:
        """Compute the signals of a selection.

        Args:
            expected: the expected F measure by the block probabilities.
            certainty: the probability of the page's kind.
            words: the word counts of the page.
        """
        odds = min(max(expected, 0.02), 0.995)
        paragraph_words = words.in_paragraphs
        return cls(
            math.log(odds / (1 - odds)),
            certainty,
            min(math.log10(1 + words.chosen), 3.0),
            words.unclear / max(words.at_stake, 1),
            (paragraph_words - words.chosen_paragraphs) / max(paragraph_words, 1),
        )


SIGNALS: Final = ConfidenceSignals._fields


class Calibration(NamedTuple):
    """A linear model of the expected F1: weights, means and spreads of the signals, in the order of `SIGNALS`."""

    bias: float
    weights: tuple[float, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]  # standard deviations

    def judge(self, signals: ConfidenceSignals) -> tuple[float, str]:
        """Return the expected F1 of a selection.

        If it is low, the second value is the reason, else an empty text.
        """
        deviations = [value - mean for value, mean in zip(signals, self.means, strict=True)]
        odds = self.bias + sum([weight * deviation for weight, deviation in zip(self.weights, deviations, strict=True)])
        expected = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
        if expected >= LOW:
            return expected, ""
        reasons = {
            reason: direction * deviation / spread
            for (direction, reason), deviation, spread in zip(_REASONS.values(), deviations, self.spreads, strict=True)
            if direction * deviation > _ODD * spread
        }
        return expected, max(reasons, key=reasons.__getitem__, default=_UNCLEAR)


def read_calibrations(text: str) -> Mapping[bool, Calibration]:
    """Return the calibrations in a JSON text, for articles (True) and for other kinds (False)."""
    calibrations = json.loads(text)
    return {
        name == "article": Calibration(
            float(values["bias"]),
            tuple(float(values["weights"][signal]) for signal in SIGNALS),
            tuple(float(values["means"][signal]) for signal in SIGNALS),
            tuple(float(values["spreads"][signal]) for signal in SIGNALS),
        )
        for name, values in calibrations.items()
    }


@cache
def _shipped() -> Mapping[bool, Calibration]:
    return read_calibrations(Path(__file__).with_name("confidence.json").read_text(encoding="utf-8"))


def confidence(signals: ConfidenceSignals, *, is_article: bool) -> tuple[float, str]:
    """Return the confidence in a selection, and the reason if it is low, else an empty text."""
    expected, reason = _shipped()[is_article].judge(signals)
    return expected if is_article else min(expected, THRESHOLDS.most_other_confidence), reason
