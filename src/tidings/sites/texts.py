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
from tidings.sites.plain_tags import ALL_ATTRIBUTES, MAYBE_UNSEEN, UNSEEN, without_text
from tidings.sites.text_acts import (
    ACTS,
    BETWEEN,
    IN_BOX,
    LINK_BEGINS,
    LINK_ENDS,
    MAKING,
    STRUCTURE,
    UNCLEAR,
)
from tidings.sites.text_hidden import hides, suspects, take_out_hidden
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
_TAG: Final = re.compile(
    r"""<(/?[a-zA-Z][^\s/<>]*+)((?:[\s/]++|[^\s/<>="']++"""
    r"""(?:="[^"]*+"|(?!\s*+=)|\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s<>"']++|(?=>))))*+)>""",
    re.ASCII,
)
#: The same where quotes stand anywhere, but tags end at the first `>`.
_LOOSE_TAG: Final = re.compile(r"<(/?[a-zA-Z][^\s/<>]*+)([^<>]*+)>", re.ASCII)
#: What stands in the text for a tag, so that no character reference goes on behind one.
_MARK, _BREAK_MARK, _INSIDE_MARK = "\x02", "\x01", "\x03"
_ALL_MARKS: Final = (_MARK, _BREAK_MARK, _INSIDE_MARK)
_MARKS: Final = (_INSIDE_MARK, _INSIDE_MARK, _INSIDE_MARK, _BREAK_MARK, _MARK, _MARK, _MARK)


def texts_of(fragment: str) -> Said | None:
    """What a fragment says; None if its tags alone do not tell."""
    if MAYBE_UNSEEN.search(fragment):
        fragment = UNSEEN.sub(without_text, fragment)
    cut = _TAG.split(fragment)
    if fragment.count("<") != len(cut) // 3 and "<" in "".join(cut[::3]):
        cut = _LOOSE_TAG.split(fragment)
        if fragment.count("<") != len(cut) // 3 or not ALL_ATTRIBUTES.fullmatch(">".join(cut[2::3])):
            return None
    if _MARK in fragment or _BREAK_MARK in fragment or _INSIDE_MARK in fragment:
        return None
    names: list[str] = cut[1::3]
    attributed: list[str] = cut[2::3]
    texts: list[str] = cut[3::3]
    acts = list(map(ACTS.__getitem__, names))
    if UNCLEAR in acts:
        return None
    said = ">".join(attributed)
    try:
        if places := suspects(attributed, said):
            hidden = [place for place in places if hides(names[place], attributed[place])]
            take_out_hidden(names, acts, texts, hidden)
        linked = _linked(acts, texts) if LINK_BEGINS in acts else 0
        texts.insert(0, cut[0])
        segments = _segments(acts, texts)
        if STRUCTURE not in acts or MAKING.isdisjoint([name.lower() for name in set(names)]):
            return Said(_blocks(segments), _NONE, _NONE, linked)
        structure = Structure()
        structure.check(names, attributed, said)
        return _structured(segments, names, acts, structure, linked)
    except Unclear:
        return None


def _linked(acts: Sequence[int], texts: Sequence[str]) -> int:
    """How many characters are in links, at most."""
    linked = 0
    in_link = False
    for act, text in zip(acts, texts, strict=True):
        if act == LINK_BEGINS:
            in_link = True
        elif act == LINK_ENDS:
            in_link = False
        if in_link:
            linked += len(text) + 1
    return linked


def _segments(acts: Sequence[int], texts: Sequence[str]) -> list[str]:
    """What stands between tags that part texts, with a mark for every line break. All at once, not tag by tag.

    Raises:
        Unclear: a reference stands for a character that is a mark.
    """
    pieces = [""] * (2 * len(acts) + 1)
    pieces[::2] = texts
    pieces[1::2] = [_MARKS[act] for act in acts]
    whole = "".join(pieces)
    if "&" in whole:
        told = unescape(whole)
        if "&#" in whole and any(told.count(mark) != whole.count(mark) for mark in _ALL_MARKS):
            raise Unclear
        whole = told
    return whole.replace(_INSIDE_MARK, "").split(_MARK)


def _blocks(segments: Iterable[str]) -> list[str]:
    """The texts of segments: one for each that is not blank, but more with an empty line between them."""
    found: list[str] = []
    for segment in segments:
        words = segment.split()
        if words:
            if _BREAK_MARK in segment:
                found += _lines(segment)
            else:
                found.append(" ".join(words))
    return found


def _lines(segment: str) -> list[str]:
    """The texts of a segment with line breaks in it."""
    found: list[str] = []
    is_near = False
    for line in segment.split(_BREAK_MARK):
        said = " ".join(line.split())
        if said and is_near:
            found[-1] += "\n" + said
        elif said:
            found.append(said)
        is_near = bool(said)
    return found


def _structured(
    segments: Sequence[str], names: Sequence[str], acts: Sequence[int], structure: Structure, linked: int
) -> Said:
    """The texts where there are lists or tables."""
    parting = [(name, act) for name, act in zip(names, acts, strict=True) if act >= BETWEEN]
    parting.append(("", BETWEEN))
    found: list[str] = []
    stack = structure.stack
    for segment, (name, act) in zip(segments, parting, strict=True):
        if segment and not segment.isspace():
            for said in _lines(segment) if _BREAK_MARK in segment else (" ".join(segment.split()),):
                structure.text(len(found))
                found.append(said)
        if act == STRUCTURE or (stack and act == IN_BOX):
            structure.tag(name, found)
    structure.end(found)
    return Said(found, structure.signs, structure.put_in, linked)
