"""The language of an article: what the page declares, checked against the text.

Templates often declare the language of their author. So the text is classified by its script and by the stop words of
each language (the lists of `tidings.text`; a word in few lists of the script has more weight). A declaration is used,
with its region, unless the text clearly contradicts it; of several, the one that agrees with the text. Without a
declaration the text decides, if it is clear.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tidings.core.languages import LanguageDetector, LanguageSample, ScriptWords
from tidings.fields.declared import Declared, text
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans
from tidings.page.counts import lower_cases
from tidings.text import base_language, stop_word_languages, stop_words
from tidings.text.patterns import late_pattern

#: How much text is read: the longest runs, because those are sentences and not menus.
_RUNS: Final = 8
_RUN_LENGTH: Final = 240
#: Least number and share of stop words for a decision from the text alone. The smaller share is for languages with
#: few function words (Turkish, Hebrew), if no other language scores nearly as high.
_FEWEST: Final = 5
_SHARE, _SMALL_SHARE = 0.15, 0.06
#: The text contradicts a declaration if its own language has this share of its words …
_PLAIN_SHARE: Final = 0.25
#: … and this multiple of the declared language's score.
_TIMES: Final = 2.0
#: Least ratio of the best to the second score, and the same if the share is small.
_MARGIN, _WIDE_MARGIN = 1.1, 2.5
#: With this many words, a smaller share of the declared language's stop words means another language.
_ENOUGH: Final = 80
_STRANGE: Final = 0.03
#: Share of kana from which text in Han characters is Japanese.
_KANA: Final = 0.05
#: Weight of a Han character in letters: many Chinese texts contain menus and names in Latin letters.
_WEIGHT: Final = 2
_LATIN: Final = "latin"
#: Only characters of the basic plane are classified.
_PLANE: Final = 0x10000

_TAG: Final = late_pattern(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?(?:[-_.@].*)?\Z")
_MARKS: Final = ".,;:!?…\"'’‘`´“”„«»()[]{}/|–—_*+=<>@#&%،؛؟。、।-"
_WORD: Final = late_pattern(rf"[^\s\d{re.escape(_MARKS)}]+")

#: Scripts with the language of nearly all news in them, and their Unicode ranges.
_TABLE: Final = [line.split("\t") for line in Path(__file__).with_name("scripts.tsv").read_text("utf-8").splitlines()]
_ALONE: Final = {script: language for script, language, _ in _TABLE if language}
_SCRIPT_OF: Final = {
    **{language: script for script, language in _ALONE.items()},
    **dict.fromkeys(("ar", "fa", "ps", "ur"), "arabic"),
    **dict.fromkeys(("he", "yi"), "hebrew"),
    **dict.fromkeys(("hi", "ne"), "devanagari"),
    **dict.fromkeys(("bg", "ru", "uk"), "cyrillic"),
}
#: Languages without a stop word list, with the listed languages whose words they share.
_KIN: Final[Mapping[str, frozenset[str]]] = {
    "sr": frozenset(("hr", "bs", "sh", "cnr", "sl", "mk")),
    "cs": frozenset(("sk",)),
    "id": frozenset(("ms", "jv", "su")),
    "bg": frozenset(("mk",)),
    "ru": frozenset(("be", "kk", "ky", "tt", "tg", "mn")),
    "pt": frozenset(("gl",)),
    "es": frozenset(("gl", "ast")),
    "nl": frozenset(("af", "fy")),
    "de": frozenset(("lb", "gsw", "nds")),
    "no": frozenset(("is", "fo")),
    "da": frozenset(("is", "fo")),
    "fi": frozenset(("et",)),
    "tr": frozenset(("az",)),
    "fa": frozenset(("ckb", "ku", "tg")),
    "ar": frozenset(("arz", "ckb", "ku")),
    "hi": frozenset(("mr", "bho", "sa")),
    "ne": frozenset(("mr", "mai")),
}
_SCRIPTS: Final = ("", *(script for script, _, _ in _TABLE))
_BLOCK: Final = 4  # all ranges begin at a multiple of 16
_BY_BLOCK: Final = np.zeros(_PLANE >> _BLOCK, np.int8)
for _number, (_, _, _ranges) in enumerate(_TABLE, 1):
    for _range in _ranges.split():
        _first, _last = (int(code, 16) >> _BLOCK for code in _range.split("-"))
        _BY_BLOCK[_first : _last + 1] = _number


class LanguageGuess(NamedTuple):
    """The probable language of a text (empty if unclear), with scores and numbers of known words per language."""

    language: str
    scores: Mapping[str, float]
    known_words: Mapping[str, int]
    words: int
    script: str


def find(page: Page, content: Spans | None, declared: Declared) -> Sourced[str] | None:
    """Return the language of an article as a tag (`pt-BR`) with its provenance; None if it is unknown."""
    sound = _sample(page, content)
    clear = _clear_language(sound)
    first: Sourced[str] | None = None
    for claim in _claims(page, declared):
        if clear and base_language(claim.value) == clear:
            return claim
        first = first or claim
    guess = _guess(sound)
    if guess is None or (first is not None and not contradicts(first.value, guess)):
        return first
    return Sourced(guess.language, "text") if guess.language else None


def guess_page(page: Page, content: Spans | None = None) -> LanguageGuess | None:
    """Guess the language of a page from its longest runs of text; None if there is too little text."""
    return _guess(_sample(page, content))


def guess_text(text: str) -> LanguageGuess | None:
    """Guess the language of a text; None if it is too short."""
    return _guess(_detector().of_text(text))


def _sample(page: Page, content: Spans | None) -> LanguageSample:
    """Classify the longest visible runs of text in the content, or else of all text outside links.

    The longest runs are sentences and not menus.
    """
    spans = (content.starts, content.ends) if content else None
    return _detector().of_page(page.compiled.memory, spans, _RUNS, _RUN_LENGTH)


def _clear_language(sound: LanguageSample) -> str:
    """Return the most probable language of a sample; an empty string if it is unclear."""
    script = _SCRIPTS[sound.script]
    if script in _ALONE:
        return _ALONE[script]
    return _languages(script)[sound.language] if sound.language >= 0 else ""


def _guess(sound: LanguageSample) -> LanguageGuess | None:
    script = _SCRIPTS[sound.script]
    if not script:
        return None
    if script in _ALONE:
        language = _ALONE[script]
        return LanguageGuess(language, {language: 1.0}, {language: 1}, 1, script)
    languages = _languages(script)
    scores = dict(zip(languages, sound.scores, strict=False))
    known = dict(zip(languages, sound.known_words, strict=False))
    return LanguageGuess(_clear_language(sound), scores, known, sound.words, script)


def contradicts(tag: str, guess: LanguageGuess) -> bool:
    """Return whether a text is clearly not in the declared language."""
    language = base_language(tag)
    if language in _KIN.get(guess.language, frozenset()):
        return False
    if language in stop_word_languages() or language in _SCRIPT_OF:
        is_same_script = language == "sr" or _SCRIPT_OF.get(language, _LATIN) in (guess.script, "kana")
        if not is_same_script:
            return True
        if guess.words >= _ENOUGH and guess.known_words.get(language, 0) < _STRANGE * guess.words:
            return True
    best = guess.scores.get(guess.language, 0.0)
    plain = guess.known_words.get(guess.language, 0) >= _PLAIN_SHARE * guess.words
    return plain and best >= _TIMES * guess.scores.get(language, 0.0)


@lru_cache(256)
def tag(declaration: str) -> str:
    """Normalise a declared language to a tag such as `en-US`; empty if it is invalid."""
    match = _TAG.match(declaration.strip().partition(",")[0].strip())
    if match is None:
        return ""
    language, script, region = match.groups()
    return "-".join(filter(None, (language.lower(), script and script.title(), region and region.upper())))


def _claims(page: Page, declared: Declared) -> Iterator[Sourced[str]]:
    signals = page.signals
    if code := tag(signals.language):
        yield Sourced(code, "html lang")
    if code := tag(text(declared.get("inLanguage"))):
        yield Sourced(code, declared.by("inLanguage"))
    for name in ("content-language", "og:locale", "language", "dc.language"):
        if name in signals.named and (code := tag(signals.named[name][0])):
            yield Sourced(code, f"meta {name}")


class _StopWords(NamedTuple):
    """The stop words of a script: the index of each word's set of languages, and these sets with weights."""

    of: Mapping[str, int]
    sets: list[tuple[tuple[str, float], ...]]


@cache
def _detector() -> LanguageDetector:
    """Return the language detector of the compiled core, loaded with scripts and stop words.

    Raises:
        CoreMissing: there is no core.
    """
    parts = np.ones(_PLANE, np.uint8)
    for word in _WORD.finditer("".join(map(chr, range(_PLANE)))):
        parts[word.start() : word.end()] = 0
    named = [_SCRIPTS.index(script) for script in (_LATIN, "hangul", "kana", "han")]
    limits = (_FEWEST, _SHARE, _MARGIN, _SMALL_SHARE, _WIDE_MARGIN, _KANA, _WEIGHT)
    shared = (number for number, script in enumerate(_SCRIPTS) if script and script not in _ALONE)
    by_block = _BY_BLOCK.astype(np.uint8)
    return LanguageDetector(by_block, named, parts, limits, len(_SCRIPTS), lower_cases(), map(_script_words, shared))


def _script_words(number: int) -> ScriptWords:
    index, script = _index(_SCRIPTS[number]), _SCRIPTS[number]
    languages = {language: at for at, language in enumerate(_languages(script))}
    return ScriptWords(
        number, index.of, [[(languages[language], weight) for language, weight in some] for some in index.sets]
    )


@cache
def _languages(script: str) -> list[str]:
    """Return the languages of a script that have stop words, in order."""
    return [
        language
        for language in sorted(stop_word_languages())
        if _SCRIPT_OF.get(language, _LATIN) == script or language == "sr" == script.replace("cyrillic", "sr")
    ]


@cache
def _index(script: str) -> _StopWords:
    languages = _languages(script)
    languages_of: dict[str, tuple[str, ...]] = {}
    for language in languages:
        for part in {part for word in stop_words(language) for part in _WORD.findall(word)}:
            languages_of[part] = (*languages_of.get(part, ()), language)
    weight = {count: math.log((len(languages) + 1) / count) for count in range(1, len(languages) + 1)}
    number = {shared: place for place, shared in enumerate(dict.fromkeys(languages_of.values()))}
    sets = [tuple((language, weight[len(shared)]) for language in shared) for shared in number]
    return _StopWords({word: number[shared] for word, shared in languages_of.items()}, sets)
