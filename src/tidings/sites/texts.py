"""What the blocks of a fragment say, without the blocks.

A rule's cut is trusted or doubted by its text, and its text is all that many ask for. So the text is read off the tags
in one pass; blocks, links and pictures are made when somebody asks for them (`fragment`). The texts are those of the
blocks, to the letter; tests hold them to that. Where tags alone do not tell, `texts_of` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from tidings.page.references import unescape
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.plain_tags import ALL_ATTRIBUTES, MAYBE_UNSEEN, UNSEEN, without_text
from tidings.sites.text_acts import (
    ACTS,
    BETWEEN,
    BREAK_MARK,
    BREAKS,
    IN_BOX,
    INSIDE,
    INSIDE_MARK,
    LINK_BEGINS,
    LINK_ENDS,
    MAKING,
    MARK,
    STRUCTURE,
    UNCLEAR,
)
from tidings.sites.text_hidden import hides, in_small, suspects, take_out_hidden
from tidings.sites.text_structure import Structure, Unclear


class Said(NamedTuple):
    """What a fragment says, block by block."""

    texts: list[str]
    signs: Mapping[int, str]  # what stands before the texts that begin an item of a list
    put_in: Mapping[int, int]  # characters in texts that are not of the page: those between the cells of tables
    linked: int  # no more characters than so many are in links


def rendered(texts: Sequence[str], signs: Mapping[int, str]) -> str:
    """The texts of blocks as one, as `article.plain` writes it."""
    if not signs:
        return "\n\n".join(texts)
    parts: list[str] = []
    for place, text in enumerate(texts):
        sign = signs.get(place)
        if place:
            parts.append("\n" if sign is not None and place - 1 in signs else "\n\n")
        parts.append(text if sign is None else sign + text.replace("\n", "\n" + " " * len(sign)))
    return "".join(parts)


_NONE: Final[Mapping[int, Any]] = MappingProxyType({})
#: Tags with the texts between them: a text, then a name, attributes and a text in turn. A tag ends where the standard
#: ends it, which need not be at its first `>`. Quotes stand around values only, so that no place is looked at often.
#: Most tags say nothing, or have their values in double quotes, which is tried first.
_TAG: Final = re.compile(
    r"""<(/?[a-zA-Z][^\s/<>]*+)((?=>)|(?:\s[a-zA-Z\-]++="[^"]*+")*+\s?+/?+(?=>)|(?:[\s/]++|[^\s/<>="']++"""
    r"""(?:="[^"]*+"|(?!\s*+=)|\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']++|(?=>))))*+)>""",
    re.ASCII,
)
#: The same where quotes stand anywhere, but tags end at the first `>`.
_LOOSE_TAG: Final = re.compile(r"<(/?[a-zA-Z][^\s/<>]*+)([^<>]*+)>", re.ASCII)
#: What stands in the text for a tag, so that no character reference goes on behind one.
_ALL_MARKS: Final = (MARK, BREAK_MARK, INSIDE_MARK)
_MARKS: Final = str.maketrans(
    dict.fromkeys((INSIDE, LINK_BEGINS, LINK_ENDS), INSIDE_MARK)
    | {BREAKS: BREAK_MARK}
    | dict.fromkeys((BETWEEN, IN_BOX, STRUCTURE), MARK)
)

#: White space of ASCII as spaces.
_BLANKS: Final = str.maketrans(dict.fromkeys((chr(code) for code in range(128) if chr(code).isspace()), " "))


def texts_of(fragment: str, styles: StyleSheet = NO_STYLES) -> Said | None:
    """What a fragment says; None if its tags alone do not tell."""
    if MAYBE_UNSEEN.search(fragment):
        fragment = UNSEEN.sub(without_text, fragment)
    cut = _TAG.split(fragment)
    if "<" in "".join(cut[::3]):
        cut = _LOOSE_TAG.split(fragment)
        if "<" in "".join(cut[::3]) or not ALL_ATTRIBUTES.fullmatch(">".join(cut[2::3])):
            return None
    if MARK in fragment or BREAK_MARK in fragment or INSIDE_MARK in fragment:
        return None
    names: list[str] = cut[1::3]
    attributed: list[str] = cut[2::3]
    texts: list[str] = cut[::3]
    acts = "".join(map(ACTS.__getitem__, names))
    if UNCLEAR in acts:
        return None
    small = in_small(MARK.join(attributed))
    try:
        if places := suspects(names, attributed, small, styles):
            hidden = [place for place in places if hides(names[place], attributed[place], styles)]
            acts = take_out_hidden(names, acts, texts, hidden)
        linked = _linked(acts, texts) if LINK_BEGINS in acts else 0
        segments = _segments(acts, texts)
        if STRUCTURE not in acts or MAKING.isdisjoint([name.lower() for name in set(names)]):
            return Said(_blocks(segments) if BREAKS in acts else list(filter(None, segments)), _NONE, _NONE, linked)
        structure = Structure()
        structure.check(names, attributed, small)
        return _structured(segments, names, acts, structure, linked)
    except Unclear:
        return None


def _linked(acts: str, texts: Sequence[str]) -> int:
    """How many characters are in links, at most; each tag in one counts as one more."""
    linked = 0
    begin = acts.find(LINK_BEGINS)
    while begin >= 0:
        end = acts.find(LINK_ENDS, begin)
        end = len(acts) if end < 0 else end
        linked += sum(map(len, texts[begin + 1 : end + 1])) + end - begin
        begin = acts.find(LINK_BEGINS, end)
    return linked


def _segments(acts: str, texts: Sequence[str]) -> list[str]:
    """What stands between tags that part texts, white space folded, but for those that have line breaks, each a mark.

    All at once, not tag by tag.

    Raises:
        Unclear: a reference stands for a character that is a mark.
    """
    pieces = [""] * (2 * len(acts) + 1)
    pieces[::2] = texts
    pieces[1::2] = acts.translate(_MARKS)
    whole = "".join(pieces)
    if "&" in whole:
        told = unescape(whole)
        if "&#" in whole and any(told.count(mark) != pieces.count(mark) for mark in _ALL_MARKS):
            raise Unclear
        whole = told
    whole = whole.replace(INSIDE_MARK, "")
    # That there is no white space but single spaces is quicker told than what the words are; it is so for most.
    if whole.isascii():
        segments = map(str.strip, whole.translate(_BLANKS).split(MARK))
        return [segment if "  " not in segment else _folded(segment) for segment in segments]
    return [
        segment if not segment or (segment.isprintable() and "  " not in segment) else _folded(segment)
        for segment in map(str.strip, whole.split(MARK))
    ]


def _folded(segment: str) -> str:
    return segment if BREAK_MARK in segment else " ".join(segment.split())


def _blocks(segments: Iterable[str]) -> list[str]:
    """The texts of segments: one for each that is not blank, but more with an empty line between them."""
    found: list[str] = []
    for segment in segments:
        if BREAK_MARK in segment:
            found += _lines(segment)
        elif segment:
            found.append(segment)
    return found


def _lines(segment: str) -> list[str]:
    """The texts of a segment with line breaks in it."""
    found: list[str] = []
    is_near = False
    for line in segment.split(BREAK_MARK):
        said = " ".join(line.split())
        if said and is_near:
            found[-1] += "\n" + said
        elif said:
            found.append(said)
        is_near = bool(said)
    return found


def _structured(segments: Sequence[str], names: Sequence[str], acts: str, structure: Structure, linked: int) -> Said:
    """The texts where there are lists or tables."""
    parting = [(name, act) for name, act in zip(names, acts, strict=True) if act >= BETWEEN]
    parting.append(("", BETWEEN))
    found: list[str] = []
    stack = structure.stack
    for segment, (name, act) in zip(segments, parting, strict=True):
        if segment:
            for said in _lines(segment) if BREAK_MARK in segment else (segment,):
                if stack:
                    structure.text(len(found))
                found.append(said)
        if act == STRUCTURE or (act == IN_BOX and stack):
            structure.tag(name, found)
    structure.end(found)
    return Said(found, structure.signs, structure.put_in, linked)
