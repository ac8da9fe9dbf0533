"""Weights of words: of class names, ids and roles around a block, and of cue words in it.

Learned by logistic regression (`tidings_lab.learners`). A word that is not on the list weighs nothing, so a block in a
language without known cue words is judged by everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import KnownWords, SpelledWords, stored_words

Floats = NDArray[np.float64]


class Weights(NamedTuple):
    """Words and what each weighs."""

    words: KnownWords
    weight: Floats
    spelled: bytes  # the words, with spaces between them, to be looked at and stored

    @classmethod
    def of(cls, words: dict[str, float]) -> Weights:
        """From words and their weights."""
        return cls._of(SpelledWords.of(list(words)), np.array(list(words.values()), np.float64))

    @classmethod
    def _of(cls, known: SpelledWords, weight: Floats) -> Weights:
        return cls(KnownWords(known.numbers), weight[known.order], known.joined)

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Weights:
        """From stored arrays."""
        return cls._of(SpelledWords.of_arrays(name, arrays), arrays[f"{name}.weight"].astype(np.float64))

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays to be stored, under names that begin alike."""
        stored = stored_words(name, self.words, self.spelled)
        return stored | {f"{name}.weight": self.weight.astype(np.float32)}


class Lexicon(NamedTuple):
    """Weights of names and of cue words."""

    names: Weights
    cues: Weights
