r"""Similarity of an extracted text and its ground-truth text (SPEC 8).

| function | counts | source |
| --- | --- | --- |
| `word_score` | words with repetitions, in any order | public benchmarks: `\w+`, lower case |
| `word_set_score` | distinct words | N-EXT 5.2 |
| `lcs_score` | words in the same order | DANA thesis, eq. 2.12 |
| `shingle_score` | shingles: runs of four words | public benchmarks |
| `character_score` | characters with repetitions | for scripts without spaces, and to compare languages |

Each function takes the result first and the ground truth second. If either side has no word, precision and recall are
0; pages with empty ground truth are counted separately (`metrics.page_scores`). `units` selects what is counted;
`units_for` returns what a text needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from tidings.errors import needs
from tidings.text import base_language, characters, count_words, words
from tidings_lab.metrics.score import Score, ratio

#: A function that cuts a text into units: `words` or `characters`.
Units = Callable[[str], list[str]]
#: Words in a shingle (SPEC 8).
SHINGLE: Final = 4
#: Languages without spaces between words (Korean, Tibetan and Vietnamese have separators).
_SPACELESS: Final = frozenset({"zh", "ja", "th", "lo", "km", "my", "yue", "wuu", "lzh", "cmn"})


def is_spaceless(text: str, language: str = "") -> bool:
    r"""Return whether a text must be measured by characters, because its language or the text itself has no spaces.

    A text has none if it has at least twice as many words for a reader as for `\w+`, which matches a Chinese clause as
    one word. So pages with a wrong language or none are measured correctly too.
    """
    return base_language(language) in _SPACELESS or count_words(text) >= 2 * max(len(words(text)), 1)


def units_for(text: str, language: str = "") -> Units:
    """Return the units of a text: `characters` for scripts without spaces, else `words`."""
    return characters if is_spaceless(text, language) else words


def word_score(result: str, gold: str, units: Units = words) -> Score:
    """Return bag-of-words precision and recall (SPEC 8)."""
    return _bag_score(units(result), units(gold))


def character_score(result: str, gold: str) -> Score:
    """Return bag-of-characters precision and recall, for scripts without spaces and to compare languages."""
    return word_score(result, gold, characters)


def word_set_score(result: str, gold: str, units: Units = words) -> Score:
    """Return precision and recall over the sets of words, each word counted once (N-EXT 5.2, eq. 5.2–5.3)."""
    result_set, gold_set = set(units(result)), set(units(gold))
    return _score(len(result_set & gold_set), len(result_set), len(gold_set))


def shingle_score(result: str, gold: str, size: int = SHINGLE, units: Units = words) -> Score:
    """Return bag-of-shingles precision and recall, which depend on local order (SPEC 8). A shorter text is one
    shingle.
    """
    return _bag_score(_shingles(units(result), size), _shingles(units(gold), size))


def lcs_score(result: str, gold: str, units: Units = words) -> Score:
    """Return precision and recall by the longest common subsequence of tokens (DANA thesis, eq. 2.12).

    Raises:
        MissingExtra: RapidFuzz is not installed.
    """
    with needs("the longest common subsequence", "lab"):
        from rapidfuzz.distance import LCSseq
    result_units, gold_units = units(result), units(gold)
    return _score(LCSseq.similarity(result_units, gold_units), len(result_units), len(gold_units))


def _shingles(tokens: list[str], size: int) -> list[tuple[str, ...]]:
    if not tokens:
        return []
    return [tuple(tokens[start : start + size]) for start in range(max(len(tokens) - size, 0) + 1)]


def _bag_score(result: Sequence[Hashable], gold: Sequence[Hashable]) -> Score:
    return _score((Counter(result) & Counter(gold)).total(), len(result), len(gold))


def _score(common: int, result_size: int, gold_size: int) -> Score:
    return Score(ratio(common, result_size), ratio(common, gold_size))


Measure = Callable[[str, str, Units], Score]


def _by_characters(result: str, gold: str, units: Units) -> Score:  # noqa: ARG001  # a measure with its own units
    return word_score(result, gold, characters)


def _by_shingles(result: str, gold: str, units: Units) -> Score:
    return shingle_score(result, gold, units=units)


#: Text measures by name. All except `characters` count the units that the page's script needs.
MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "words": word_score,
        "word-set": word_set_score,
        "shingles": _by_shingles,
        "lcs": lcs_score,
        "characters": _by_characters,
    }
)
