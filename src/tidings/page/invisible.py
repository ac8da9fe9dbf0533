"""Remove characters that no reader sees and that can carry a message past them to a language model.

Unicode tags, runs of variation selectors, zero-width characters, bidirectional embeddings, overrides and isolates,
interlinear annotations and blank fillers. What a script or an emoji needs stays: a joiner between letters of Persian or
Hindi, the selector behind a heart, the tags of the Scottish flag.

The source of a page is cleaned before it is scanned, so that no output has to be. A character is removed in each of its
spellings: as itself, as a character reference, and as an escape in a JSON script.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from tidings.core.byte_texts import holds_suspect, suspects
from tidings.page.references import unescape

NOTHING: Final[Mapping[str, int]] = MappingProxyType({})

#: Ranges of characters by class. `core/src/invisible.rs` finds the same ones.
_CLASSES: Final = {
    "variation selectors": ((0xFE00, 0xFE0F), (0x180B, 0x180D), (0x180F, 0x180F), (0xE0100, 0xE01EF)),
    "tag characters": ((0xE0000, 0xE0FFF),),
    "bidi controls": ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)),
    "interlinear annotations": ((0xFFF0, 0xFFFB),),
    "blank fillers": ((0x115F, 0x1160), (0x2800, 0x2800), (0x3164, 0x3164), (0xFFA0, 0xFFA0)),
    "zero-width characters": (
        (0x034F, 0x034F),
        (0x17B4, 0x17B5),
        (0x180E, 0x180E),
        (0x200B, 0x200D),
        (0x2060, 0x206F),
        (0xFEFF, 0xFEFF),
        (0x1BCA0, 0x1BCA3),
        (0x1D173, 0x1D17A),
    ),
}
_RANGES: Final = tuple(pair for ranges in _CLASSES.values() for pair in ranges)
_NAMED: Final = (
    "zwj; zwnj; lrm rlm ZeroWidthSpace; NegativeVeryThinSpace; NegativeThinSpace; NegativeMediumSpace; "
    "NegativeThickSpace; NoBreak; ApplyFunction; af; InvisibleTimes; it; InvisibleComma; ic;"
).split()
_REFERENCE: Final = re.compile(rf"&(?:amp;)*(?:#[xX][0-9a-fA-F]+;?|#[0-9]+;?|(?:{'|'.join(_NAMED)});?)")
_ESCAPE: Final = re.compile(r"\\u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})")
_RAW: Final = "[" + "".join(f"{chr(first)}-{chr(last)}" for first, last in _RANGES) + "]"
_SPELLED: Final = re.compile(f"{_RAW}|{_REFERENCE.pattern}|{_ESCAPE.pattern}")
_REFERENCE_END: Final = re.compile(r"&(?:#[xX]?[0-9a-fA-F]{1,8}|[a-zA-Z]{2,24});\Z")
_ESCAPE_END: Final = re.compile(r"(?:\\u[dD][89abAB][0-9a-fA-F]{2})?\\u[0-9a-fA-F]{4}\Z")

#: Characters of a script's start tag that are looked at.
_LONGEST_TAG: Final = 1_000

#: The flags that fonts have: England, Scotland, Wales (Unicode Technical Standard 51, annex C).
_BLACK_FLAG: Final = 0x1F3F4
_FLAGS: Final = tuple((*(0xE0000 + ord(letter) for letter in name), 0xE007F) for name in ("gbeng", "gbsct", "gbwls"))
_FLAG_SIZE: Final = 6

_ARABIC_TO_TIBETAN: Final = (0x0600, 0x0FFF)
#: Scripts whose letters join or part with ZWJ and ZWNJ: Arabic, Syriac, those of India and South-East Asia, Mongolian.
_JOINING: Final = (
    _ARABIC_TO_TIBETAN, (0x1000, 0x109F), (0x1700, 0x1CFF), (0xA800, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFE),
    (0x10D00, 0x10D3F), (0x11000, 0x11FFF), (0x1E900, 0x1E95F),
)  # fmt: skip
#: Scripts without spaces, where a zero-width space parts words.
_SPACELESS: Final = ((0x0E00, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAF), (0xA980, 0xAADF))
#: Letters and marks that a combining grapheme joiner parts: accents, points of Hebrew, marks of Arabic.
_MARKED: Final = ((0x0300, 0x034E), (0x0350, 0x036F), (0x0590, 0x061B), (0x061D, 0x08FF))
_RIGHT_TO_LEFT_LETTER: Final = re.compile("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|&#1[45678]\\d\\d;")
_DIRECTION_MARKS: Final = frozenset((0x061C, 0x200E, 0x200F))
#: Characters on either side in which letters written from right to left count.
_NEAR: Final = 40
_IDEOGRAPHS: Final = ((0x3007, 0x3007), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_MONGOLIAN: Final = ((0x1800, 0x180A), (0x1810, 0x18AF))
_BRAILLE: Final = ((0x2801, 0x28FF),)
_JAMO: Final = ((0x1100, 0x115E), (0x1161, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))
#: What has several looks: keycaps, symbols, emoji, ideographs, letters of Myanmar, Mongolian and Phags-pa.
_SELECTABLE: Final = (
    (0x23, 0x23), (0x2A, 0x2A), (0x30, 0x39), (0xA9, 0xA9), (0xAE, 0xAE), (0x1000, 0x109F), *_MONGOLIAN,
    (0x203C, 0x203C), (0x2049, 0x2049), (0x2100, 0x27FF), (0x2900, 0x2BFF), (0x3000, 0x3163), (0x3165, 0x9FFF),
    (0xA840, 0xA877), (0xAA60, 0xAA7F), (0xF900, 0xFAFF), (0xFF01, 0xFF1F), (0x10AC0, 0x10AFF), (0x1F000, 0x1FAFF),
    (0x20000, 0x3FFFF),
)  # fmt: skip
_EMOJI: Final = ((0xA9, 0xAE), (0x2190, 0x2BFF), (0x3030, 0x303D), (0x1F000, 0x1FAFF))
_ZWJ, _VS16 = 0x200D, 0xFE0F


class Cleaned(NamedTuple):
    """A text without invisible characters, and how many were removed by class."""

    text: str
    removed: Mapping[str, int] = NOTHING


class _Character(NamedTuple):
    """An invisible character as it is spelled in a source."""

    start: int
    end: int
    code: int


def cleaned(text: str, width: int = 0) -> Cleaned:
    """Return a source without the invisible characters that carry messages.

    `width` are the bytes in which the text holds each of its characters, where that is known.
    """
    places = suspects(text, width)
    if places is None:  # there is no core
        places = [match.start() for match in _SPELLED.finditer(text)]
    if not places:
        return Cleaned(text)
    removed = Counter[str]()
    parts: list[str] = []
    done = 0
    for run in _runs(text, places):
        start, end = run[0].start, run[-1].end
        codes = tuple([character.code for character in run])
        # Looked for only where it counts: most invisible characters are no marks of direction.
        is_near_right_to_left = codes[0] in _DIRECTION_MARKS and _is_near_right_to_left(text, start, end)
        stays = _staying(codes, _code_before(text, start), _code_after(text, end), is_near_right_to_left)
        for character, is_kept in zip(run, stays, strict=True):
            if not is_kept:
                name = _class(character.code)
                removed[name] += 1
                parts += text[done : character.start], " " if name == "blank fillers" else ""
                done = character.end
    return Cleaned("".join([*parts, text[done:]]), MappingProxyType(removed)) if removed else Cleaned(text)


def cleaned_bytes(data: bytes, encoding: str) -> tuple[bytes, Mapping[str, int]]:
    """Return the bytes of a page without such characters, and how many were removed by class."""
    if holds_suspect(data) is False:
        return data, NOTHING
    result = cleaned(data.decode(encoding, "surrogateescape"))
    return (result.text.encode(encoding, "surrogateescape"), result.removed) if result.removed else (data, NOTHING)


def visible_text(text: str) -> str:
    """Return a text that is not a source, such as a feed's title, without such characters."""
    return text if text.isascii() else cleaned(text).text


def provenance(removed: Mapping[str, int]) -> dict[str, str]:
    """Return the entry of an article's provenance; it has none if nothing was removed."""
    counts = ", ".join(f"{count} {name}" for name, count in sorted(removed.items()))
    return {"characters": f"removed {counts}"} if removed else {}


def _runs(text: str, places: Sequence[int]) -> Iterator[list[_Character]]:
    """Yield invisible characters that follow each other."""
    run: list[_Character] = []
    reader = _SourceCursor(text)
    for place in places:
        character = reader.character(place) if not run or place >= run[-1].end else None
        if character is None:
            continue
        if run and character.start > run[-1].end:
            yield run
            run = []
        run.append(character)
    if run:
        yield run


class _SourceCursor:
    """Reads the characters spelled at places of a source, from its beginning to its end."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0  # up to here it is known what the source is
        self._is_tag = self._is_json = False

    def character(self, place: int) -> _Character | None:
        """Return the character spelled at a place, if it is an invisible one that is decoded there."""
        text = self._text
        if text[place] == "&":
            match = _REFERENCE.match(text, place)
            # `&amp;#8203;` in a text shows a reader the reference.
            if match is None or (match[0].startswith("&amp;") and not self._is_decoded_twice(place)):
                return None
            code = _referenced(match[0])
        elif text[place] == "\\":
            match = _ESCAPE.match(text, place)
            if match is None or not self._is_in_json(place):
                return None
            code = _escaped(match[0])
        else:
            return _Character(place, place + 1, ord(text[place]))
        return _Character(place, match.end(), code) if _is_invisible(code) else None

    def _is_decoded_twice(self, place: int) -> bool:
        self._advance(place)
        return self._is_tag or self._is_json

    def _is_in_json(self, place: int) -> bool:
        self._advance(place)
        return self._is_json

    def _advance(self, place: int) -> None:
        """Look at what is between the last place and this one; each character of a source is looked at once."""
        text, start = self._text, self._place
        opened, closed = text.rfind("<", start, place), text.rfind(">", start, place)
        if opened != closed:
            self._is_tag = opened > closed
        begin = max(start - len("<script"), 0)
        script = text[begin:place].lower().rfind("<script")
        if script >= 0:
            tag = text[begin + script : begin + script + _LONGEST_TAG]
            self._is_json = "json" in tag.partition(">")[0].lower()
        self._place = place


@lru_cache(1024)
def _staying(codes: tuple[int, ...], before: int, after: int, is_near_right_to_left: bool) -> list[bool]:
    """Return which characters of a run are needed by what is around it."""
    count = len(codes)
    if before == _BLACK_FLAG and codes[:_FLAG_SIZE] in _FLAGS:
        return [True] * _FLAG_SIZE + [False] * (count - _FLAG_SIZE)
    if codes == (_VS16, _ZWJ) and _within(before, _EMOJI) and _within(after, _EMOJI):
        return [True, True]
    if set(codes) == {0x2800}:
        return [_within(before, _BRAILLE) or _within(after, _BRAILLE)] * count
    if all(0x180B <= code <= 0x180F for code in codes):
        return [(_within(before, _MONGOLIAN) or _within(after, _MONGOLIAN)) and at < 2 for at in range(count)]
    is_selector_run = count > 1 and _class(codes[0]) == "variation selectors"
    return [not is_selector_run and _is_needed(codes[0], _Neighbours(before, after, is_near_right_to_left))] + [
        False
    ] * (count - 1)


class _Neighbours(NamedTuple):
    """What is around an invisible character."""

    before: int
    after: int
    is_near_right_to_left: bool  # whether there are letters written from right to left on either side

    def touches(self, ranges: Sequence[tuple[int, int]]) -> bool:
        """Whether the character before or behind is in one of the ranges."""
        return _within(self.before, ranges) or _within(self.after, ranges)

    def joins_emoji(self) -> bool:
        """Whether emoji are on both sides."""
        return _within(self.after, _EMOJI) and (_within(self.before, _EMOJI) or self.before == _VS16)


#: Where single characters belong, by range.
_NEEDED: Final[tuple[tuple[int, int, Callable[[_Neighbours], bool]], ...]] = (
    (0x200C, 0x200C, lambda around: around.touches(_JOINING)),
    (_ZWJ, _ZWJ, lambda around: around.touches(_JOINING) or around.joins_emoji()),
    (0x200B, 0x200B, lambda around: around.touches(_SPACELESS)),
    (0x200E, 0x200F, lambda around: around.is_near_right_to_left),
    (0x061C, 0x061C, lambda around: around.is_near_right_to_left),
    (0xFE00, 0xFE0F, lambda around: _within(around.before, _SELECTABLE)),
    (0xE0100, 0xE01EF, lambda around: _within(around.before, _IDEOGRAPHS)),
    (0x034F, 0x034F, lambda around: _within(around.before, _MARKED)),
    (0x115F, 0x1160, lambda around: around.touches(_JAMO)),
    (0x2061, 0x2064, lambda around: (around.before, around.after) == (ord(">"), ord("<"))),  # operators of MathML
)


def _is_needed(code: int, around: _Neighbours) -> bool:
    """Whether a single character belongs where it is."""
    return any(first <= code <= last and belongs(around) for first, last, belongs in _NEEDED)


def _is_near_right_to_left(text: str, start: int, end: int) -> bool:
    near = text[max(start - _NEAR, 0) : start] + text[end : end + _NEAR]
    return _RIGHT_TO_LEFT_LETTER.search(near) is not None


def _code_before(text: str, place: int) -> int:
    if place == 0:
        return 0
    if text[place - 1] == ";" and (match := _REFERENCE_END.search(text, max(place - 28, 0), place)):
        return _last_code(match[0])
    if text[place - 1].isalnum() and (match := _ESCAPE_END.search(text, max(place - 12, 0), place)):
        return _escaped(match[0])
    return ord(text[place - 1])


def _code_after(text: str, place: int) -> int:
    if place >= len(text):
        return 0
    if text[place] == "&" and (end := text.find(";", place, place + 28)) > 0:
        return ord((unescape(text[place : end + 1]) or "\0")[0])
    if text[place] == "\\" and (match := _ESCAPE.match(text, place)):
        return _escaped(match[0])
    return ord(text[place])


def _escaped(escape: str) -> int:
    units = [int(unit, 16) for unit in escape.split("\\u")[1:]]
    if len(units) == 2 and 0xD800 <= units[0] < 0xDC00 <= units[1] < 0xE000:
        return 0x10000 + ((units[0] - 0xD800) << 10) + (units[1] - 0xDC00)
    return units[-1]


@lru_cache(1024)
def _referenced(reference: str) -> int:
    """Return the character of a reference, escaped once or more often; 0 if it stands for several or none."""
    decoded = unescape(reference.replace("amp;", ""))
    return ord(decoded) if len(decoded) == 1 else 0


@lru_cache(1024)
def _last_code(reference: str) -> int:
    return ord((unescape(reference) or "\0")[-1])


@lru_cache(1024)
def _is_invisible(code: int) -> bool:
    return _within(code, _RANGES)


@cache
def _class(code: int) -> str:
    return next(name for name, ranges in _CLASSES.items() if _within(code, ranges))


def _within(code: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(first <= code <= last for first, last in ranges)
