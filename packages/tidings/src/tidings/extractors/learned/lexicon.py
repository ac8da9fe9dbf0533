"""Word weights: class names, ids and roles around a block, and cue words inside it.

The weights come from logistic regression (`tidings lab train default`). Unknown words weigh 0, so a block in a language
without known cue words is judged by its other features.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import KnownWords, SpelledWords, stored_words

Floats = NDArray[np.float64]


class Weights(NamedTuple):
    """Words with a weight each, by which the features of blocks are computed."""

    words: KnownWords
    weight: Floats
    spellings: bytes  # the words, separated by spaces, for storage and display

    @classmethod
    def of(cls, words: dict[str, float]) -> Weights:
        """Create from a mapping of words to weights."""
        return cls._of(SpelledWords.of(list(words)), np.array(list(words.values()), np.float64))

    @classmethod
    def _of(cls, words: SpelledWords, weight: Floats) -> Weights:
        return cls(KnownWords(words.numbers), weight[words.order], words.spellings)

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Weights:
        """Create from stored arrays."""
        return cls._of(SpelledWords.of_arrays(name, arrays), arrays[f"{name}.weight"].astype(np.float64))

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays for a model file; `name` is their prefix."""
        stored = stored_words(name, self.words, self.spellings)
        return stored | {f"{name}.weight": self.weight.astype(np.float32)}


class Lexicon(NamedTuple):
    """The word weights of a model: of words in class names and ids, and of cue words in the text."""

    names: Weights
    cues: Weights
