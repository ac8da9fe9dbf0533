"""Where the pieces that rules are about are in the bytes of a page (hybrid paper, section 5).

An element is found by its start tag, and its end by counting; noise inside it is cut out the same way. The core does it
(`core/src/cut.rs`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from tidings.core.rules import ArticleTables, CutPage, FragmentRows, FragmentText
from tidings.sites.compiled import Compiled, Cutter, Range, held
from tidings.sites.rule import Way

HEAD: Final = 8192  # bytes in which the address that others are relative to is looked for
#: The language that the root element declares, among the first bytes of a page.
_DECLARED: Final = re.compile(rb"""<html\b[^>]{0,999}?\slang\s*=\s*["']?([a-z]{2})(?![a-z])""", re.IGNORECASE)
_ROOT: Final = 4096
#: Numbers before those of the fields: two sizes, a doubt, whether there may be a `<base>`, the language.
_HEAD_NUMBERS: Final = 5


class Doubt(Exception):
    """Why the rules of a template are not to be trusted on a page."""


class OtherMake(Doubt):
    """The page is built otherwise. A few searches tell it, before anything is cut out."""


class PageRanges:
    """Where everything that a template's rules are about is in the bytes of a page.

    Attributes:
        has_base: there may be a `<base>`.
        language: that the root element declares.
        numbers: from `at` on of each rule for a field the ranges of its pieces, with their count before them; or, where
            the core has read what they say, their count below zero and of each twice its end among what is said, one
            more if it is an address of which nothing has to be changed. Then ranges of the main text without noise, in
            the order of the page, and of style sheets without their end tags.
        said: what the core has read of fields.
        text: what the main text says; None if it has to be read as a page.
        blocks: its blocks; None if they were not asked for, or it has to be read as a page.
    """

    __slots__ = ("at", "blocks", "has_base", "language", "numbers", "said", "text")

    def __init__(self, cut: CutPage) -> None:
        numbers, self.said, self.text, self.blocks = cut
        self.numbers = numbers
        self.has_base, self.language = numbers[3] > 0, _language(numbers[4])
        self.at = _HEAD_NUMBERS

    text: FragmentText | None
    blocks: FragmentRows | None

    def main(self, ready: Compiled) -> list[Range]:
        """Return the ranges of the main text."""
        return several(self.numbers, self._behind_fields(ready))[0]

    def styles(self, ready: Compiled) -> list[Range]:
        """Return the ranges of style sheets."""
        return several(self.numbers, several(self.numbers, self._behind_fields(ready))[1])[0]

    def _behind_fields(self, ready: Compiled) -> int:
        at = self.at
        for _ in ready.fields:
            count = self.numbers[at]
            at += 1 + max(2 * count, -count)
        return at


def page_ranges(
    ready: Compiled, data: bytes, tables: ArticleTables | None = None, origin: str | None = None
) -> PageRanges:
    """Return the ranges of the pieces that rules are about; given tables, what the main text says too.

    And its blocks, given how addresses begin that those of the page are relative to.

    Raises:
        OtherMake: the rules do not fit the page.
    """
    return PageRanges(_without_doubt(ready.rules.cut(data, tables, origin), ready.cutters))


def _without_doubt(cut: CutPage, cutters: Sequence[Cutter]) -> CutPage:
    doubt, number = cut.numbers[2:4]
    if doubt:
        raise OtherMake(_doubt(doubt, cutters[number] if cutters else None))
    return cut


@cache
def _language(letters: int) -> str:
    """Return a language that the core has as one number: its two letters."""
    return letters.to_bytes(2, "big").decode("ascii") if letters else ""


def declared_language(data: bytes) -> str:
    """Return the language that the root element of a page declares."""
    found = _DECLARED.search(data, 0, _ROOT)
    return found[1].decode("ascii") if found else ""


def several(found: list[int], at: int) -> tuple[list[Range], int]:
    """Return ranges with their count before them, and the place behind them."""
    count = found[at]
    if not count:
        return [], at + 1
    behind = at + 1 + 2 * count
    return list(zip(found[at + 1 : behind : 2], found[at + 2 : behind : 2], strict=True)), behind


def _doubt(number: int, one: Cutter | None) -> str:
    """Return the reason that `core/src/cut.rs` has a number for."""
    rule = one.rule if one is not None else None
    what = "" if rule is None else str(rule.anchor) if rule.anchor else repr(rule.left)
    return {
        1: "the page is built otherwise than those that were learned from",
        2: f"no match for {what}",
        3: "no match for any rule of the main text",
        4: f"two matches for {what}",
        5: f"two matches for {rule.inside if rule is not None else None}",
        6: f"{what} is never closed",
        7: "style sheets hide text of the article by what is around it",
    }[number]


def field_ranges(one: Cutter, encoding: str, data: bytes) -> list[Range]:
    """Return the ranges of the pieces of a field: start tags, if an attribute is asked for."""
    if one.way in (Way.ADDRESS, Way.CONSTANT):
        return []
    cut = held(encoding, fields=(one,)).cut(data, None)
    return several(cut.numbers, _HEAD_NUMBERS)[0]


def only_ranges(one: Cutter, encoding: str, data: bytes) -> list[Range]:
    """Return the ranges of the pieces that a rule for a main text is about.

    Raises:
        OtherMake: there is none; or another, or one that is never closed, and the rule is not about several.
    """
    cut = _without_doubt(held(encoding, main=(one,)).cut(data, None), (one,))
    return several(cut.numbers, _HEAD_NUMBERS)[0]


def decoded(data: bytes, ranges: Sequence[Range], encoding: str) -> list[str]:
    """Return the pieces as text.

    Raises:
        UnicodeDecodeError: they are in another encoding.
    """
    return [data[start:end].decode(encoding) for start, end in ranges]
