"""How near an extracted text is to its gold text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall, and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean, 0 when both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def words(text: str) -> list[str]:
    r"""Words as public benchmarks count them: `\w+`, lower case."""
    return _WORD.findall(text.lower())


def word_score(result: str, gold: str) -> Score:
    """Bag-of-words precision and recall (SPEC 8)."""
    return _bag_score(words(result), words(gold))


def character_score(result: str, gold: str) -> Score:
    """The same over characters, for scripts written without spaces."""
    return _bag_score(list("".join(words(result))), list("".join(words(gold))))


def _bag_score(result: list[str], gold: list[str]) -> Score:
    common = sum((Counter(result) & Counter(gold)).values())
    return _score(common, len(result), len(gold))


def lcs_score(result: str, gold: str) -> Score:
    """Longest common subsequence of tokens over either length (DANA thesis, eq. 2.12)."""
    from rapidfuzz.distance import LCSseq  # an extra: only measuring needs it

    found, wanted = words(result), words(gold)
    return _score(LCSseq.similarity(found, wanted), len(found), len(wanted))


def _score(common: int, found: int, wanted: int) -> Score:
    return Score(common / found if found else 0.0, common / wanted if wanted else 0.0)
