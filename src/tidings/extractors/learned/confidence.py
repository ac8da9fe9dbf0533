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
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints

#: Confidence below this is low, and has a reason.
LOW: Final = 0.7
#: What weighs less against a choice than this is no reason of its own.
_SLIGHT: Final = 0.2
_LOW_CHANCE, _HIGH_CHANCE = 0.2, 0.8
_PARAGRAPH: Final = 15  # words
_REASONS: Final = {
    "expected": "unclear which blocks belong to it",
    "certainty": "unclear kind of page",
    "length": "short text",
    "unclear": "unclear which blocks belong to it",
    "rest": "much other text on the page",
}
_OF_KIND: Final = "no article: what belongs to such a page is less sure"


@dataclass(frozen=True, slots=True)
class ConfidenceSignals:
    """What is known of a choice before anybody has looked at gold."""

    expected: float  # the F by the chances of the blocks, as log-odds
    certainty: float  # of the kind of page
    length: float  # words of the choice, as a logarithm, up to a thousand
    unclear: float  # share of the words at stake whose blocks are neither surely in nor surely out
    rest: float  # share of the page's paragraphs, by words, that were not chosen

    @classmethod
    def of(
        cls, expected: float, certainty: float, chance: NDArray[np.float64], words: Ints, chosen: Bools
    ) -> ConfidenceSignals:
        """The signals of a choice among blocks, by their chances and words."""
        odds = min(max(expected, 0.02), 0.995)
        at_stake = chance > _LOW_CHANCE
        unclear = at_stake & (chance < _HIGH_CHANCE)
        paragraph = words >= _PARAGRAPH
        return cls(
            math.log(odds / (1 - odds)),
            certainty,
            min(math.log10(1 + int(words[chosen].sum())), 3.0),
            int(words[unclear].sum()) / max(int(words[at_stake].sum()), 1),
            int(words[paragraph & ~chosen].sum()) / max(int(words[paragraph].sum()), 1),
        )


SIGNALS: Final = tuple(one.name for one in fields(ConfidenceSignals))


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the signals weigh, and their means, in the order of `SIGNALS`."""

    bias: float
    weights: tuple[float, ...]
    means: tuple[float, ...]

    def judge(self, signals: ConfidenceSignals) -> tuple[float, str]:
        """The F to be expected, and the signal that speaks most against the choice; "" if none does much."""
        against = [
            weight * (value - mean)
            for weight, value, mean in zip(self.weights, astuple(signals), self.means, strict=True)
        ]
        worst = min(range(len(against)), key=against.__getitem__)
        odds = min(max(self.bias + sum(against), -30.0), 30.0)
        return 1 / (1 + math.exp(-odds)), SIGNALS[worst] if against[worst] < -_SLIGHT else ""


def read_calibrations(text: str) -> Mapping[bool, Calibration]:
    """The calibrations of a file, for articles (True) and for other kinds (False)."""
    told = json.loads(text)
    return {
        name == "article": Calibration(
            float(one["bias"]),
            tuple(float(one["weights"][signal]) for signal in SIGNALS),
            tuple(float(one["means"][signal]) for signal in SIGNALS),
        )
        for name, one in told.items()
    }


@cache
def _shipped() -> Mapping[bool, Calibration]:
    return read_calibrations(Path(__file__).with_name("confidence.json").read_text(encoding="utf-8"))


def confidence(signals: ConfidenceSignals, *, is_article: bool) -> tuple[float, str]:
    """The word F1 to be expected of a choice, and why it is low; "" where it is not."""
    expected, worst = _shipped()[is_article].judge(signals)
    if expected >= LOW:
        return expected, ""
    return expected, _REASONS[worst] if worst else _REASONS["expected"] if is_article else _OF_KIND
