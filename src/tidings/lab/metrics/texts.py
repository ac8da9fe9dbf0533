r"""How near an extracted text is to its gold text (SPEC 8).

| function | counts | source |
| --- | --- | --- |
| `word_score` | words with their repetitions, in any order | public benchmarks: `\w+`, lower case |
| `word_set_score` | different words | N-EXT 5.2 |
| `lcs_score` | words in the same order | DANA thesis, eq. 2.12 |
| `shingle_score` | runs of four words | public benchmarks |
| `character_score` | characters with their repetitions | for scripts without spaces, and to compare languages |

Each takes the result first and the gold second. If either side has no word, both precision and recall are 0: pages with
empty gold are counted apart (`lab.metrics.pages`). `units` says what is counted; `units_for` says which a text needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Final

from tidings.errors import MissingExtra
from tidings.lab.metrics.score import Score, ratio
from tidings.text import base_language, characters, count_words, words

#: Cuts a text into what is counted: `words` or `characters`.
Units = Callable[[str], list[str]]

#: Words in a shingle (SPEC 8).
SHINGLE: Final = 4

#: Languages written without spaces between words. Korean, Tibetan and Vietnamese divide theirs.
_SPACELESS: Final = frozenset({"zh", "ja", "th", "lo", "km", "my", "yue", "wuu", "lzh", "cmn"})


def is_spaceless(text: str, language: str = "") -> bool:
    r"""Whether a text must be measured by characters: its language has no spaces, or the text itself has none.

    A text has none when a reader sees at least twice as many words in it as `\w+` does, for which a Chinese clause is
    one word. So a page with a wrong language or none is measured rightly too.
    """
    return base_language(language) in _SPACELESS or count_words(text) >= 2 * max(len(words(text)), 1)


def units_for(text: str, language: str = "") -> Units:
    """What to count in a text: `characters` where the script has no spaces, else `words`."""
    return characters if is_spaceless(text, language) else words


def word_score(result: str, gold: str, units: Units = words) -> Score:
    """Bag-of-words precision and recall (SPEC 8)."""
    return _bag_score(units(result), units(gold))


def character_score(result: str, gold: str) -> Score:
    """The same over characters, for scripts written without spaces and to compare languages with each other."""
    return word_score(result, gold, characters)


def word_set_score(result: str, gold: str, units: Units = words) -> Score:
    """Precision and recall over the sets of words, each word once (N-EXT 5.2, eq. 5.2–5.3)."""
    found, wanted = set(units(result)), set(units(gold))
    return _score(len(found & wanted), len(found), len(wanted))


def shingle_score(result: str, gold: str, size: int = SHINGLE, units: Units = words) -> Score:
    """Bag-of-words over runs of four words, which sees order nearby (SPEC 8). A shorter text is one shingle."""
    return _bag_score(_shingles(units(result), size), _shingles(units(gold), size))


def lcs_score(result: str, gold: str, units: Units = words) -> Score:
    """Longest common subsequence of tokens over either length (DANA thesis, eq. 2.12).

    Raises:
        MissingExtra: RapidFuzz is not installed.
    """
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise MissingExtra("the longest common subsequence", "lab") from None
    found, wanted = units(result), units(gold)
    return _score(LCSseq.similarity(found, wanted), len(found), len(wanted))


def _shingles(tokens: list[str], size: int) -> list[tuple[str, ...]]:
    if not tokens:
        return []
    return [tuple(tokens[start : start + size]) for start in range(max(len(tokens) - size, 0) + 1)]


def _bag_score(result: Sequence[Hashable], gold: Sequence[Hashable]) -> Score:
    return _score((Counter(result) & Counter(gold)).total(), len(result), len(gold))


def _score(common: int, found: int, wanted: int) -> Score:
    return Score(ratio(common, found), ratio(common, wanted))
