r"""How near an extracted text is to its gold text (SPEC 8).

| function | counts | source |
| --- | --- | --- |
| `word_score` | words with their repetitions, in any order | public benchmarks: `\w+`, lower case |
| `word_set_score` | different words | N-EXT 5.2 |
| `lcs_score` | words in the same order | DANA thesis, eq. 2.12 |
| `shingle_score` | runs of four words | public benchmarks |
| `character_score` | characters with their repetitions | for scripts without spaces, and to compare languages |

Each takes the result first and the gold second. If either side has no word, both precision and recall are 0: pages with
empty gold are counted apart (`lab.metrics.texts`). `units` says what is counted; `units_for` says which a text needs.

Texts that must and texts that must not come out, as trafilatura's evaluation counts them.

A page's gold names a few segments of its text (`with`) and of what surrounds it (`without`). A wanted segment found is
a true positive, one missing a false negative; an unwanted one found is a false positive, one absent a true negative.
White space is folded on both sides.

A page of a corpus and what was taken out of it: the headline on both sides or on neither, empty gold apart (SPEC 8).

Corpora differ on whether the headline belongs to the text, and some on whether it does on this page. `Sample` says so;
where gold has the headline, it is added to a result that does not open with it. Where nothing tells, gold has the
headline if it opens with the one that was found. Otherwise both texts are taken as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from tidings.errors import needs
from tidings.text import base_language, characters, count_words, fold_space, words
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.sample import Sample
from tidings_lab.metrics.score import Counts, Score, ratio

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
    with needs("the longest common subsequence", "lab"):
        from rapidfuzz.distance import LCSseq
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


def segment_counts(result: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Counts:
    """Segments found and missed. Empty ones are not counted: any text contains them."""
    text = fold_space(result)
    found, intruding = _hits(text, wanted), _hits(text, unwanted)
    return Counts(tp=sum(found), fp=sum(intruding), fn=len(found) - sum(found), tn=len(intruding) - sum(intruding))


def gold_segments(result: str, gold: Mapping[str, Any]) -> Counts | None:
    """The segments that gold names; None where it names none."""
    counts = segment_counts(result, gold.get("with") or (), gold.get("without") or ())
    return counts if counts.total else None


def kept_share(counts: Counts) -> float | None:
    """Share of the wanted segments that came out; None where there are none."""
    return counts.recall if counts.tp + counts.fn else None


def left_out_share(counts: Counts) -> float | None:
    """Share of the unwanted segments that did not; None where there are none."""
    unwanted = counts.fp + counts.tn
    return counts.tn / unwanted if unwanted else None


def _hits(text: str, segments: Sequence[str]) -> list[bool]:
    return [segment in text for segment in map(fold_space, segments) if segment]


Measure = Callable[[str, str, Units], Score]


def _by_characters(result: str, gold: str, units: Units) -> Score:  # noqa: ARG001  # a measure with its own units
    return word_score(result, gold, characters)


def _by_shingles(result: str, gold: str, units: Units) -> Score:
    return shingle_score(result, gold, units=units)


#: Text measures by name. All but `characters` count what the page's script needs: words, or characters.
MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "words": word_score,
        "word-set": word_set_score,
        "shingles": _by_shingles,
        "lcs": lcs_score,
        "characters": _by_characters,
    }
)


def is_empty(text: str) -> bool:
    """Whether a text has nothing to measure."""
    return not characters(text)


def both_sides(sample: Sample, text: str, headline: str = "") -> tuple[str, str]:
    """Result and gold as they are compared: with the headline on both sides, or as they are."""
    gold = str(sample.gold.get("text") or "")
    told = sample.headline_in_text
    wanted = opens_with(gold, headline) if told is None else told
    return (with_headline(text, headline) if wanted else text), gold


def with_headline(text: str, headline: str) -> str:
    """A text with its headline before it, unless it opens with it or there is no text."""
    if not text.strip() or not headline.strip() or opens_with(text, headline):
        return text
    return f"{headline}\n\n{text}"


def text_score(sample: Sample, text: str, headline: str = "", measure: str = "words") -> Score | None:
    """A page's score by a measure of `MEASURES`, in words or characters as its script needs; None if gold is empty."""
    result, gold = both_sides(sample, text, headline)
    if is_empty(gold):
        return None
    return MEASURES[measure](result, gold, units_for(gold, sample.lang))
