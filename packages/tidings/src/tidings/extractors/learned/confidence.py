"""Confidence: the word F1 to be expected of a choice, and why it is low where it is.

The chances of blocks give an expected F of their own (`choice`). It is too hopeful where blocks go wrong together: on
pages that are no articles, on short texts, where much else stands beside. A logistic regression over a few signals puts
that right, one for articles and one for other kinds of pages, learned from what models got on sites that they had not
seen (`tidings lab train confidence`).
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
#: A reason lies at least so many standard deviations from the mean.
_ODD: Final = 0.5
#: As the core takes them.
BORDERS: Final = (THRESHOLDS.surely_out, THRESHOLDS.surely_in, THRESHOLDS.paragraph_words)
_UNCLEAR: Final = "unclear which blocks belong to it"
#: Which way a signal speaks against a choice, and how that is said.
_REASONS: Final = {
    "expected": (-1, _UNCLEAR),
    "certainty": (-1, "unclear kind of page"),
    "length": (-1, "short text"),
    "unclear": (1, _UNCLEAR),
    "rest": (1, "much other text on the page"),
}


class ChosenWords(NamedTuple):
    """Words of blocks that were looked at."""

    chosen: int
    unclear: int  # neither surely in nor surely out
    at_stake: int  # not surely out
    in_paragraphs: int
    chosen_paragraphs: int


class ConfidenceSignals(NamedTuple):
    """What is known of a choice before anybody has looked at gold."""

    expected: float  # the F by the chances of the blocks, as log-odds
    certainty: float  # of the kind of page
    length: float  # words of the choice, as a logarithm, up to a thousand
    unclear: float  # share of the words at stake whose blocks are neither surely in nor surely out
    rest: float  # share of the page's paragraphs, by words, that were not chosen

    @classmethod
    def of(cls, expected: float, certainty: float, words: ChosenWords) -> ConfidenceSignals:
        """Return the signals of a choice among blocks."""
        odds = min(max(expected, 0.02), 0.995)
        held = words.in_paragraphs
        return cls(
            math.log(odds / (1 - odds)),
            certainty,
            min(math.log10(1 + words.chosen), 3.0),
            words.unclear / max(words.at_stake, 1),
            (held - words.chosen_paragraphs) / max(held, 1),
        )


SIGNALS: Final = ConfidenceSignals._fields


class Calibration(NamedTuple):
    """What the signals weigh, their means and their spreads, in the order of `SIGNALS`."""

    bias: float
    weights: tuple[float, ...]
    means: tuple[float, ...]
    spreads: tuple[float, ...]  # standard deviations

    def judge(self, signals: ConfidenceSignals) -> tuple[float, str]:
        """Return the F to be expected, and why it is low; "" where it is not."""
        off = [value - mean for value, mean in zip(signals, self.means, strict=True)]
        odds = self.bias + sum([weight * one for weight, one in zip(self.weights, off, strict=True)])
        expected = 1 / (1 + math.exp(-min(max(odds, -30.0), 30.0)))
        if expected >= LOW:
            return expected, ""
        odd = {
            said: way * one / spread
            for (way, said), one, spread in zip(_REASONS.values(), off, self.spreads, strict=True)
            if way * one > _ODD * spread
        }
        return expected, max(odd, key=odd.__getitem__, default=_UNCLEAR)


def read_calibrations(text: str) -> Mapping[bool, Calibration]:
    """Return the calibrations of a file, for articles (True) and for other kinds (False)."""
    told = json.loads(text)
    return {
        name == "article": Calibration(
            float(one["bias"]),
            tuple(float(one["weights"][signal]) for signal in SIGNALS),
            tuple(float(one["means"][signal]) for signal in SIGNALS),
            tuple(float(one["spreads"][signal]) for signal in SIGNALS),
        )
        for name, one in told.items()
    }


@cache
def _shipped() -> Mapping[bool, Calibration]:
    return read_calibrations(Path(__file__).with_name("confidence.json").read_text(encoding="utf-8"))


def confidence(signals: ConfidenceSignals, *, is_article: bool) -> tuple[float, str]:
    """Return the word F1 to be expected of a choice, and why it is low; "" where it is not."""
    return _shipped()[is_article].judge(signals)
