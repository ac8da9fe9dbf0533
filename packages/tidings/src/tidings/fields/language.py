"""The language of a story: what the page declares, checked against the text.

Templates declare the language of whoever wrote them. So the text is asked too: its script, and which language's stop
words it is made of (the lists of `tidings.text`, a word that few lists of the script hold counts for more). A
declaration that the text does not plainly contradict is kept, with its region; of several, the one that the text
agrees with. Without one the text alone tells, or nothing does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tidings.core.languages import Listener, ScriptWords, Sound
from tidings.fields.declared import Declared, text
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans
from tidings.page.counts import lower_cases
from tidings.text import base_language, stop_word_languages, stop_words
from tidings.text.patterns import late_pattern

#: How much text is looked at: the longest runs, since those are sentences and not menus.
_RUNS: Final = 8
_RUN_LENGTH: Final = 240
#: Words that must be known, and the share of all words that they must be, before the text alone tells. The smaller
#: share is for languages that put into endings what others say by small words (Turkish, Hebrew), if no other is near.
_FEWEST: Final = 5
_SHARE, _SMALL_SHARE = 0.15, 0.06
#: The text contradicts a declaration when its own language explains so many of its words …
_PLAIN_SHARE: Final = 0.25
#: … and scores so many times what the declared language does.
_TIMES: Final = 2.0
#: The best language must score so many times the second, and so many times where its share is small.
_MARGIN, _WIDE_MARGIN = 1.1, 2.5
#: So many words of which the declared language knows less than this share are of another, even of one with no list.
_ENOUGH: Final = 80
_STRANGE: Final = 0.03
#: Letters of another script than the one of most letters: Japanese is told by this share of kana.
_KANA: Final = 0.05
#: A Han character says as much as two letters: menus and names in Latin letters stand in many a Chinese text.
_WEIGHT: Final = 2
_LATIN: Final = "latin"
#: Characters that are told apart: those of the basic plane.
_PLANE: Final = 0x10000

_TAG: Final = late_pattern(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?(?:[-_.@].*)?\Z")
_MARKS: Final = ".,;:!?…\"'’‘`´“”„«»()[]{}/|–—_*+=<>@#&%،؛؟。、।-"
_WORD: Final = late_pattern(rf"[^\s\d{re.escape(_MARKS)}]+")

#: Scripts: the language that writes nearly all news in one, and its ranges of Unicode; what lies between the letters of
#: two scripts is of none.
_TABLE: Final = [line.split("\t") for line in Path(__file__).with_name("scripts.tsv").read_text("utf-8").splitlines()]
_ALONE: Final = {script: language for script, language, _ in _TABLE if language}
_SCRIPT_OF: Final = {
    **{language: script for script, language in _ALONE.items()},
    **dict.fromkeys(("ar", "fa", "ps", "ur"), "arabic"),
    **dict.fromkeys(("he", "yi"), "hebrew"),
    **dict.fromkeys(("hi", "ne"), "devanagari"),
    **dict.fromkeys(("bg", "ru", "uk"), "cyrillic"),
}
#: Languages without a list, beside the listed language whose words they share.
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
    """The language of a text by its words, empty if it is not clear; for each language its score and known words."""

    language: str
    scores: Mapping[str, float]
    known: Mapping[str, int]
    words: int
    script: str


def find(page: Page, content: Spans | None, declared: Declared) -> Sourced[str] | None:
    """Return the language of a story as a tag (`pt-BR`), with its source; None if nothing tells it."""
    sound = _sound(page, content)
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


def hear(page: Page, content: Spans | None = None) -> LanguageGuess | None:
    """Return what the longest runs of a page sound like; None if there is too little text."""
    return _guess(_sound(page, content))


def listen(text: str) -> LanguageGuess | None:
    """Return what a text sounds like; None if there is too little of it."""
    return _guess(_listener().of_text(text))


def _sound(page: Page, content: Spans | None) -> Sound:
    """Return the script and the words of the longest visible runs of the content, or of all that is not in a link.

    These are sentences and not menus.
    """
    spans = (content.starts, content.ends) if content else None
    return _listener().of_page(page.compiled.memory, spans, _RUNS, _RUN_LENGTH)


def _clear_language(sound: Sound) -> str:
    """Return the language that a text is clearly in; empty if it is not clear."""
    script = _SCRIPTS[sound.script]
    if script in _ALONE:
        return _ALONE[script]
    return _languages(script)[sound.language] if sound.language >= 0 else ""


def _guess(sound: Sound) -> LanguageGuess | None:
    script = _SCRIPTS[sound.script]
    if not script:
        return None
    if script in _ALONE:
        language = _ALONE[script]
        return LanguageGuess(language, {language: 1.0}, {language: 1}, 1, script)
    languages = _languages(script)
    scores = dict(zip(languages, sound.scores, strict=False))
    known = dict(zip(languages, sound.known, strict=False))
    return LanguageGuess(_clear_language(sound), scores, known, sound.words, script)


def contradicts(tag: str, heard: LanguageGuess) -> bool:
    """Return whether a text is plainly not in the declared language."""
    language = base_language(tag)
    if language in _KIN.get(heard.language, frozenset()):
        return False
    if language in stop_word_languages() or language in _SCRIPT_OF:
        at_home = language == "sr" or _SCRIPT_OF.get(language, _LATIN) in (heard.script, "kana")
        if not at_home:
            return True
        if heard.words >= _ENOUGH and heard.known.get(language, 0) < _STRANGE * heard.words:
            return True
    best = heard.scores.get(heard.language, 0.0)
    plain = heard.known.get(heard.language, 0) >= _PLAIN_SHARE * heard.words
    return plain and best >= _TIMES * heard.scores.get(language, 0.0)


@lru_cache(256)
def tag(declaration: str) -> str:
    """Return a declared language as a tag (`en_us` → `en-US`), empty if it is none."""
    match = _TAG.match(declaration.strip().partition(",")[0].strip())
    if match is None:
        return ""
    language, script, region = match.groups()
    return "-".join(filter(None, (language.lower(), script and script.title(), region and region.upper())))


def _claims(page: Page, declared: Declared) -> Iterator[Sourced[str]]:
    signals = page.signals
    if found := tag(signals.language):
        yield Sourced(found, "html lang")
    if found := tag(text(declared.get("inLanguage"))):
        yield Sourced(found, declared.by("inLanguage"))
    for name in ("content-language", "og:locale", "language", "dc.language"):
        if name in signals.named and (found := tag(signals.named[name][0])):
            yield Sourced(found, f"meta {name}")


class _StopWords(NamedTuple):
    """The stop words of a script: the set of languages that each is of, by number, and these sets with weights."""

    of: Mapping[str, int]
    sets: list[tuple[tuple[str, float], ...]]


@cache
def _listener() -> Listener:
    """Return the scripts and their stop words as the core holds them.

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
    return Listener(by_block, named, parts, limits, len(_SCRIPTS), lower_cases(), map(_script_words, shared))


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
    held: dict[str, tuple[str, ...]] = {}
    for language in languages:
        for part in {part for word in stop_words(language) for part in _WORD.findall(word)}:
            held[part] = (*held.get(part, ()), language)
    weight = {count: math.log((len(languages) + 1) / count) for count in range(1, len(languages) + 1)}
    number = {those: place for place, those in enumerate(dict.fromkeys(held.values()))}
    sets = [tuple((language, weight[len(those)]) for language in those) for those in number]
    return _StopWords({word: number[those] for word, those in held.items()}, sets)
