r"""Words, in two definitions: one for measures, one for content.

**Measures** (`words`): `\w+` in lower case, the definition of current public extraction benchmarks (SPEC 8), so that
figures are comparable. It is deliberately crude: it splits Hindi words at vowel signs and Persian words at the
zero-width non-joiner, and a Chinese clause is one word. `characters` is the counterpart for scripts without spaces.

**Content** (`content_words`, `count_words`): words as readers understand them, used wherever texts are compared or
counted (N-EXT thesis 4.1.4, DANA thesis 2.1.4.1).

- Combining marks belong to the word, so Devanagari and decomposed accents stay whole (returned in NFC).
- Zero-width non-joiners and joiners inside a word neither split it nor are removed: Persian می‌روم is one word, and the
  Persian stemmer needs the joiner to find the prefix.
- Han, Hiragana and Katakana: every character is a word. Thai, Lao, Khmer, Myanmar: every cluster of a consonant with
  its vowels and marks is a word. There is no dictionary; these are units for comparing and counting.
- An apostrophe stays inside ("don't", required by the stop words of N-EXT table A.2), unless it marks an elision
  (French, Italian, Catalan: "l'homme" becomes two words) or a suffix on a name (Turkish, Azerbaijani: "Ali'nin"
  becomes "ali", as in N-EXT figure B.1). A Hebrew acronym keeps its gershayim.
- Underscores alone are not a word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from tidings.text.normalise import base_language, fold_case, without_breaks
from tidings.text.patterns import late_pattern

_MEASURED = re.compile(r"\w+")

# Combining marks of living scripts. `\w` leaves them out; what else lies in these ranges is `\w` anyway.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711-\u07f3\u07fd\u0816-\u082d\u0859-\u085b\u0897-\u08e1"
    "\u08e3-\u0963\u0981-\u09e3\u09fe-\u0a75\u0a81-\u0ae3\u0afa-\u0b63\u0b82-\u0bd7\u0c00-\u0c63\u0c81-\u0c83"
    "\u0cbc-\u0d4d\u0d57-\u0d63\u0d81-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ece\u0f18\u0f19\u0f35\u0f37"
    "\u0f39\u0f3e-\u0f84\u0f86-\u0fbc\u0fc6\u102b-\u103e\u1056-\u109d\u135d-\u135f\u1712-\u1734\u1752-\u17d3"
    "\u17dd\u180b-\u180d\u180f-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1ab0-\u1b44\u1b6b-\u1b73\u1b80-\u1bf3"
    "\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1dff\u20d0-\u20f0\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua802-\ua827"
    "\ua82c\ua880-\ua8c5\ua8e0-\ua8f1\ua980-\ua9c0\uaa7b-\uaac1\uaaeb-\uaaef\uabe3-\uabea\uabec\uabed\ufb1e"
    "\ufe00-\ufe0f\ufe20-\ufe2f"
)
_JOINERS = "\u200c\u200d"
_JOINER = late_pattern(f"[{_JOINERS}]")
_INSIDE = late_pattern(rf"[\w{_MARKS}{_JOINERS}]")
_RUN = rf"[^\W_]{_INSIDE.pattern}*"
# The part after an apostrophe must follow at once, so no input makes the matcher go back.
_WORD = late_pattern(rf"""{_RUN}(?:(?:['’׳]|(?<=[א-ת])["״](?=[א-ת])){_RUN})*""")
_LETTERS = late_pattern(_RUN)

_ONE_EACH = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
# Thai and Lao write some vowels before their consonant; Khmer and Myanmar stack consonants on a sign.
_LEADING = "\u0e40-\u0e44\u0ec0-\u0ec4"
_CLUSTERED = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e45\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec6\u0edc-\u0edf\u1000-\u102a\u103f"
    "\u1050-\u1055\u105a-\u105d\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1780-\u17b3"
)
_CLUSTER_MARKS = (
    "\u0e31-\u0e3a\u0e45\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u102b-\u1038\u103a-\u103e\u1056-\u1059"
    "\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u17b4-\u17d1\u17d3\u17dd"
)
_STACKERS = "\u17d2\u1039"
_SPACELESS = late_pattern(f"[{_ONE_EACH}{_LEADING}{_CLUSTERED}]")
_PIECE = late_pattern(
    f"[{_ONE_EACH}][\u3099\u309a\uff9e\uff9f\ufe00-\ufe0f]*"
    f"|[{_LEADING}]?[{_CLUSTERED}](?:[{_CLUSTER_MARKS}{_JOINERS}]|[{_STACKERS}][{_CLUSTERED}]?)*"
    f"|[{_LEADING}]"
    f"|[^{_ONE_EACH}{_LEADING}{_CLUSTERED}]+"
)

_ELIDING = frozenset({"fr", "it", "ca"})
_SUFFIXING = frozenset({"tr", "az"})
# Longer words are not normalised: that is quadratic in combining marks, and a hostile page can send a million.
_LONGEST = 200


def words(text: str) -> list[str]:
    r"""Return the words of a text for measures: `\w+`, lower case (İ becomes i)."""
    return _MEASURED.findall(fold_case(text))


def characters(text: str) -> list[str]:
    r"""Return every `\w` character of a text, lower case: how scripts without spaces are measured."""
    return list("".join(words(text)))


def content_words(text: str, language: str = "") -> list[str]:
    """Return the words of a text for comparing contents, lower case by the rules of the language."""
    text = fold_case(text, language).replace("’", "'").replace("ʼ", "'")
    result = _split(text)
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        result = [_composed(word) for word in result]
    return _by_apostrophes(result, base_language(language)) if "'" in text else result


def count_words(text: str) -> int:
    """Return the number of content words in a text."""
    return len(_split(text))


def letter_runs(text: str) -> list[str]:
    """Return the sequences of letters, digits and their marks in a text, in any script. Invisible line break marks are
    ignored.
    """
    return _LETTERS.findall(without_breaks(text))


def letter_run_matches(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of sequences of letters and digits, without removing line break marks."""
    return _LETTERS.finditer(text)


def letter_runs_at(text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield the distinct sequences of letters and digits at some sorted offsets, each of which must be at a letter or
    digit.
    """
    end = 0
    for place in places:
        if place < end:
            continue
        begin = place
        while begin > end and _INSIDE.match(text, begin - 1):
            begin -= 1
        run = _LETTERS.search(text, begin)
        if run is not None:
            yield run
            end = run.end()


def _split(text: str) -> list[str]:
    result: list[str] = _WORD.findall(text)
    if text.isascii():
        return result
    if _SPACELESS.search(text) is not None:
        result = [piece for word in result for piece in _PIECE.findall(word)]
    if _JOINER.search(text) is None:
        return result
    return [word for word in (word.strip(_JOINERS) for word in result) if word]


def _composed(word: str) -> str:
    return word if word.isascii() or len(word) > _LONGEST else unicodedata.normalize("NFC", word)


def _by_apostrophes(words_found: list[str], language: str) -> list[str]:
    if language in _ELIDING:
        return [part for word in words_found for part in _elided(word)]
    if language in _SUFFIXING:
        return [stem for stem in (word.partition("'")[0] for word in words_found) if stem]
    return words_found


def _elided(word: str) -> list[str]:
    # The only common word whose apostrophe is no elision.
    whole = "aujourd'hui" if word.endswith("aujourd'hui") else ""
    return [part for part in [*word.removesuffix(whole).split("'"), whole] if part]
