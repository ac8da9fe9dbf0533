"""Word differences of ground truth and result as HTML: missing and superfluous words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise
from typing import Final

from tidings.errors import needs
from tidings_lab.metrics.texts import is_spaceless

#: Longer texts are cut, and the report says so.
MOST_CHARACTERS: Final = 12_000
_PARTS: Final = re.compile(r"\w+|\W+")


def side_by_side(gold: str, result: str, language: str = "") -> tuple[str, str]:
    """Return both texts as HTML: missing words in `<del>` in the ground truth, superfluous words in `<ins>` in the
    result.
    """
    by_character = is_spaceless(gold or result, language)
    left, right = _cut(gold, by_character), _cut(result, by_character)
    missing, superfluous = _unlike([part.lower() for part in left], [part.lower() for part in right])
    return (
        _marked(left, missing, "del") + _rest(gold),
        _marked(right, superfluous, "ins") + _rest(result),
    )


def _cut(text: str, by_character: bool) -> list[str]:
    text = text[:MOST_CHARACTERS]
    return list(text) if by_character else _PARTS.findall(text)


def _rest(text: str) -> str:
    remaining = len(text) - MOST_CHARACTERS
    return f'<p class="soft">{remaining:,} characters more</p>' if remaining > 0 else ""


def _unlike(gold: list[str], result: list[str]) -> tuple[set[int], set[int]]:
    """Return the indices of ground-truth words that are missing in the result, and of result words that are missing in
    the ground truth.
    """
    with needs("a report with differences", "lab"):
        from rapidfuzz.distance import Indel
    places = [number for number, part in enumerate(gold) if part[0].isalnum()]
    result_places = [number for number, part in enumerate(result) if part[0].isalnum()]
    missing: set[int] = set()
    superfluous: set[int] = set()
    for change in Indel.opcodes([gold[place] for place in places], [result[place] for place in result_places]):
        if change.tag == "delete":
            missing.update(places[change.src_start : change.src_end])
        elif change.tag == "insert":
            superfluous.update(result_places[change.dest_start : change.dest_end])
    return missing, superfluous


def _marked(parts: list[str], chosen: set[int], tag: str) -> str:
    return "".join(_pieces(parts, chosen, tag))


def _pieces(parts: list[str], chosen: set[int], tag: str) -> Iterator[str]:
    """Yield a text as HTML with the selected words inside a tag; adjacent selected words share one tag.

    Args:
        parts: the words of the text, and the separators between them.
        chosen: the indices of the parts to mark.
        tag: the tag name.
    """
    inside = [_in(parts, chosen, number) for number in range(len(parts))]
    edges = [number for number in range(1, len(parts)) if inside[number] != inside[number - 1]]
    for start, end in pairwise([0, *edges, len(parts)]):
        text = escape("".join(parts[start:end]))
        yield f"<{tag}>{text}</{tag}>" if start in chosen else text


def _in(parts: list[str], chosen: set[int], number: int) -> bool:
    """Return whether a part of a text is marked; a separator is marked if it is between two marked words."""
    if number in chosen:
        return True
    between = not parts[number][0].isalnum()
    return between and number - 1 in chosen and number + 1 in chosen
