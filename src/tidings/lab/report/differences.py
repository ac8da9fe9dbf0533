"""Gold beside result, word by word: what is missing and what is too much."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

from tidings.errors import MissingExtra
from tidings.lab.metrics import is_spaceless

#: A reader of a report looks at no more; the rest is cut off, and the report says so.
MOST_CHARACTERS: Final = 12_000
_PARTS: Final = re.compile(r"\w+|\W+")


def side_by_side(gold: str, result: str, language: str = "") -> tuple[str, str]:
    """Both texts as HTML: in gold what the result lacks is in `<del>`, in the result what gold lacks in `<ins>`."""
    by_character = is_spaceless(gold or result, language)
    left, right = _cut(gold, by_character), _cut(result, by_character)
    lacking, too_much = _unlike([part.lower() for part in left], [part.lower() for part in right])
    return (
        _marked(left, lacking, "del") + _rest(gold),
        _marked(right, too_much, "ins") + _rest(result),
    )


def _cut(text: str, by_character: bool) -> list[str]:
    text = text[:MOST_CHARACTERS]
    return list(text) if by_character else _PARTS.findall(text)


def _rest(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return f'<p class="soft">{left:,} characters more</p>' if left > 0 else ""


def _unlike(gold: list[str], result: list[str]) -> tuple[set[int], set[int]]:
    """Places of words that are on one side only."""
    try:
        from rapidfuzz.distance import Indel
    except ImportError:
        raise MissingExtra("a report with differences", "lab") from None
    places = [number for number, part in enumerate(gold) if part[0].isalnum()]
    others = [number for number, part in enumerate(result) if part[0].isalnum()]
    lacking: set[int] = set()
    too_much: set[int] = set()
    for change in Indel.opcodes([gold[place] for place in places], [result[place] for place in others]):
        if change.tag == "delete":
            lacking.update(places[change.src_start : change.src_end])
        elif change.tag == "insert":
            too_much.update(others[change.dest_start : change.dest_end])
    return lacking, too_much


def _marked(parts: list[str], chosen: set[int], tag: str) -> str:
    return "".join(_pieces(parts, chosen, tag))


def _pieces(parts: list[str], chosen: set[int], tag: str) -> Iterator[str]:
    """Neighbouring marked words share a mark, with the signs between them."""
    inside = [_in(parts, chosen, number) for number in range(len(parts))]
    edges = [number for number in range(1, len(parts)) if inside[number] != inside[number - 1]]
    for start, end in pairwise([0, *edges, len(parts)]):
        text = escape("".join(parts[start:end]))
        yield f"<{tag}>{text}</{tag}>" if start in chosen else text


def _in(parts: list[str], chosen: set[int], number: int) -> bool:
    """Whether a part is marked; what stands between two marked words is."""
    if number in chosen:
        return True
    between = not parts[number][0].isalnum()
    return between and number - 1 in chosen and number + 1 in chosen
