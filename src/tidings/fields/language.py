"""The language of a story: what the page declares, checked against the text.

Templates declare the language of whoever wrote them. So the text is asked too: its script, and which language's stop
words it is made of (the lists of `tidings.text`, a word that few lists of the script hold counts for more). A
declaration that the text does not plainly contradict is kept, with its region; of several, the one that the text
agrees with. Without one the text alone tells, or nothing does.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tidings.core.page_questions import Listener, Sound
from tidings.fields.declared import Declared, text
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans
from tidings.page.compiled import scanner
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
_BEFORE_LETTERS: Final = bytes(range(ord("A")))

_TAG: Final = late_pattern(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?(?:[-_.@].*)?\Z")
_MARKS: Final = ".,;:!?…\"'’‘`´“”„«»()[]{}/|–—_*+=<>@#&%،؛؟。、।-"
_WORD: Final = late_pattern(rf"[^\s\d{re.escape(_MARKS)}]+")
_AROUND: Final = _MARKS + "0123456789"
_SPACED: Final = bytes(ord(" ") if code < 128 and chr(code) in _AROUND else code for code in range(256))

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
    """What a text sounds like: its language, empty if it is not clear, and for each language score and known words."""

    language: str
    scores: Mapping[str, float]
    known: Mapping[str, int]
    words: int
    script: str


def find(page: Page, content: Spans | None, declared: Declared) -> Sourced[str] | None:
    """The language of a story as a tag (`pt-BR`), with what told it."""
    sound = _sound(page, content)
    clear = None if sound is None else _clear_language(sound)
    heard = listen(sample(page, content)) if clear is None else None
    spoken = clear if heard is None else heard.language
    first: Sourced[str] | None = None
    for claim in _claims(page, declared):
        if spoken and base_language(claim.value) == spoken:
            return claim
        first = first or claim
    if heard is None and sound is not None:
        heard = _guess(sound)
    if heard is None or (first is not None and not contradicts(first.value, heard)):
        return first
    return Sourced(heard.language, "text") if heard.language else None


def hear(page: Page, content: Spans | None = None) -> LanguageGuess | None:
    """What the sample of a page sounds like; None if there is too little of it."""
    sound = _sound(page, content)
    return listen(sample(page, content)) if sound is None else _guess(sound)


def _sound(page: Page, content: Spans | None) -> Sound | None:
    """What the core hears; None where Python has to listen."""
    known = page.compiled
    words = _listener() if known is not None else None
    if known is None or words is None:
        return None
    spans = (content.starts, content.ends) if content else None
    return words.heard(known.memory, spans, None, _RUNS, _RUN_LENGTH)


def _clear_language(sound: Sound) -> str:
    """The language that a sound is clearly of; empty if it is not clear."""
    script = _SCRIPTS[sound.script]
    if script in _ALONE:
        return _ALONE[script]
    return _languages(script)[sound.language] if sound.language >= 0 else ""


def _guess(sound: Sound) -> LanguageGuess | None:
    script = _SCRIPTS[sound.script]
    if not script:
        return None
    if script in _ALONE:
        return _alone(script)
    languages = _languages(script)
    scores, known = (
        dict(zip(languages, sound.scores, strict=False)),
        dict(zip(languages, sound.known, strict=False)),
    )
    return LanguageGuess(_clear_language(sound), scores, known, sound.words, script)


def sample(page: Page, content: Spans | None = None) -> str:
    """The longest runs of the story, or of all that a reader sees and that is no link, each cut to a few lines."""
    runs = page.runs
    chosen = content.runs(page) if content else ~runs.in_link
    size = runs.chars * (chosen & ~runs.hidden)
    places = (-size).argsort(kind="stable")[:_RUNS]  # of equals the first
    places = places[size[places] > 0]
    places.sort()
    starts = runs.text_start[places]
    ends = np.minimum(runs.text_end[places], starts + _RUN_LENGTH)
    return " ".join(page.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True))


def listen(words: str) -> LanguageGuess | None:
    """What a text sounds like; None if there is too little of it."""
    script = _script(words)
    if not script:
        return None
    if script in _ALONE:
        return _alone(script)
    index = _index(script)
    found = _words(words.lower())
    scores, known = dict.fromkeys(_languages(script), 0.0), dict.fromkeys(_languages(script), 0)
    # Most words are of one language or of few that go together: these are counted, and not the words.
    counted = Counter(map(index.of.get, found))
    del counted[None]
    for those, times in counted.items():
        for language, weight in index.languages[those or 0]:
            scores[language] += times * weight
            known[language] += times
    return LanguageGuess(_clear(scores, known, len(found)), scores, known, len(found), script)


def _alone(script: str) -> LanguageGuess:
    """What any text sounds like in a script that one language writes."""
    return LanguageGuess(_ALONE[script], {_ALONE[script]: 1.0}, {_ALONE[script]: 1}, 1, script)


def _clear(scores: Mapping[str, float], known: Mapping[str, int], words: int) -> str:
    """The best language, if it is told from the others; else nothing."""
    best, second, *_ = (*sorted(scores.values(), reverse=True), 0.0, 0.0)
    if not best:
        return ""
    language = min([one for one, score in scores.items() if score == best])
    times = best / second if second else math.inf
    share = known[language] / words
    is_clear = known[language] >= _FEWEST and (
        (share >= _SHARE and times >= _MARGIN) or (share >= _SMALL_SHARE and times >= _WIDE_MARGIN)
    )
    return language if is_clear else ""


def contradicts(tag: str, heard: LanguageGuess) -> bool:
    """Whether a text is plainly not in the declared language."""
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
    """A declared language as a tag (`en_us` → `en-US`), empty if it is none."""
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


def _script(words: str) -> str:
    """The script of most letters; Japanese is written in Han too."""
    if words.isascii():
        return _LATIN if words.encode().translate(None, _BEFORE_LETTERS) else ""
    plain = words.encode("ascii", "ignore")
    if len(plain.translate(None, _BEFORE_LETTERS)) > _WEIGHT * (len(words) - len(plain)):  # more than any other has
        return _LATIN
    codes = np.frombuffer(words.encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = codes[(codes >= 0x41) & (codes < _PLANE)]
    counts = np.bincount(_BY_BLOCK[codes >> _BLOCK], minlength=len(_SCRIPTS))
    counts[0] = 0
    if not counts.any():
        return ""
    kana, han = _SCRIPTS.index("kana"), _SCRIPTS.index("han")
    counts[[han, kana, _SCRIPTS.index("hangul")]] *= _WEIGHT
    if counts[kana] > _KANA * (counts[han] + counts[kana]):
        counts[kana] += counts[han]
    return _SCRIPTS[int(counts.argmax())]


def _words(text: str) -> list[str]:
    """The words of a text: what stands between white space, digits and marks."""
    # Marks and digits of ASCII are taken out at once; words with others in them are looked at one by one.
    spaced = text.encode("utf-8", "surrogatepass").translate(_SPACED).decode("utf-8", "surrogatepass").split()
    if all(map(str.isalpha, spaced)):
        return spaced
    words: list[str] = []
    for word in spaced:
        if word.isalpha():  # as nearly all are
            words.append(word)
        else:
            words += _WORD.findall(word)
    return words


class _StopWords(NamedTuple):
    """The stop words of a script: which languages each is of, by number, and what it says for each of those."""

    of: Mapping[str, int]
    languages: list[tuple[tuple[str, float], ...]]


@cache
def _listener() -> Listener | None:
    """The scripts and their stop words as the core holds them; None if it cannot."""
    parts = bytearray(b"\1" * _PLANE)
    for word in _WORD.finditer("".join(map(chr, range(_PLANE)))):
        parts[word.start() : word.end()] = bytes(word.end() - word.start())
    named = [_SCRIPTS.index(script) for script in (_LATIN, "hangul", "kana", "han")]
    limits = (_FEWEST, _SHARE, _MARGIN, _SMALL_SHARE, _WIDE_MARGIN, _KANA, _WEIGHT)
    try:
        listener = Listener(_BY_BLOCK.tobytes(), named, scanner().tables, bytes(parts), limits, len(_SCRIPTS))
        for number, script in enumerate(_SCRIPTS):
            if script and script not in _ALONE:
                index, languages = _index(script), {language: at for at, language in enumerate(_languages(script))}
                told = [[(languages[language], weight) for language, weight in those] for those in index.languages]
                listener.learn(number, index.of, told)
    except RuntimeError:  # words that the core cannot hold
        return None
    return listener


@cache
def _languages(script: str) -> list[str]:
    """The languages of a script that have stop words, in order."""
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
        for part in {part for word in stop_words(language) for part in ((word,) if word.isalpha() else _words(word))}:
            held[part] = (*held.get(part, ()), language)
    weight = {count: math.log((len(languages) + 1) / count) for count in range(1, len(languages) + 1)}
    number = {those: place for place, those in enumerate(dict.fromkeys(held.values()))}
    told = [tuple((one, weight[len(those)]) for one in those) for those in number]
    return _StopWords({word: number[those] for word, those in held.items()}, told)
