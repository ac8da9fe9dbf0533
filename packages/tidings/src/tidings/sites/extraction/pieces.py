"""Byte ranges of the pieces that rules select in a page (hybrid paper, section 5).

An element is found by its start tag, and its end by counting tags. Noise inside it is found in the same way and cut
out. The core does it (`core/src/cut.rs`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from tidings.core.rules import ArticleTables, CutPage, FragmentRows, FragmentText
from tidings.sites.extraction.compiled import Compiled, Cutter, Range, rules_in_core
from tidings.sites.templates.rule import Way

HEAD: Final = 8192  # bytes that are searched for a `<base>`
#: The declared language of the root element.
_DECLARED: Final = re.compile(rb"""<html\b[^>]{0,999}?\slang\s*=\s*["']?([a-z]{2})(?![a-z])""", re.IGNORECASE)
_ROOT: Final = 4096
#: Leading numbers: two sizes, the reason of a mismatch, whether there may be a `<base>`, the language.
_HEAD_NUMBERS: Final = 5


class RuleMismatch(Exception):
    """A template's rules cannot be trusted on a page; the message says why."""


class LayoutMismatch(RuleMismatch):
    """The layout of a page does not match a template, as a few searches show before anything is cut out."""


class PageRanges:
    """The byte ranges of everything that a template's rules select in a page.

    Attributes:
        has_base: whether there may be a `<base>`.
        language: the declared language of the root element.
        numbers: from index `at`, for each field rule the number of its pieces and their ranges. If the core has read
            the values, the number is negative, and each piece has twice the end of its value in `said`, plus one if
            it is a URL that needs no change. Then follow the ranges of the main text without noise, in page order,
            and of style sheets without their end tags.
        said: the concatenated field values that the core has read.
        text: the main text; None if it has to be read as a page.
        blocks: the blocks; None if not requested, or if the text has to be read as a page.
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
        """Return the byte ranges of the main text in the page.

        Args:
            ready: the compiled template with which the ranges were computed.
        """
        return read_ranges(self.numbers, self._behind_fields(ready))[0]

    def styles(self, ready: Compiled) -> list[Range]:
        """Return the byte ranges of the style sheets in the page.

        Args:
            ready: the compiled template with which the ranges were computed.
        """
        return read_ranges(self.numbers, read_ranges(self.numbers, self._behind_fields(ready))[1])[0]

    def _behind_fields(self, ready: Compiled) -> int:
        at = self.at
        for _ in ready.fields:
            count = self.numbers[at]
            at += 1 + max(2 * count, -count)
        return at


def page_ranges(
    ready: Compiled, data: bytes, tables: ArticleTables | None = None, origin: str | None = None
) -> PageRanges:
    """Apply a compiled template to a page, and return the byte ranges that its rules match.

    Args:
        ready: the compiled template.
        data: the page as bytes.
        tables: tags and words with which the core also extracts the main text; None to get only ranges.
        origin: the origin of the page's relative URLs. If it is given, the core also builds the blocks of the main
            text.

    Raises:
        LayoutMismatch: the rules do not fit the page.
    """
    return PageRanges(_without_doubt(ready.rules.cut(data, tables, origin), ready.cutters))


def _without_doubt(cut: CutPage, cutters: Sequence[Cutter]) -> CutPage:
    doubt, number = cut.numbers[2:4]
    if doubt:
        raise LayoutMismatch(_doubt(doubt, cutters[number] if cutters else None))
    return cut


@cache
def _language(letters: int) -> str:
    """Decode a language that the core encodes as a number: its two letters."""
    return letters.to_bytes(2, "big").decode("ascii") if letters else ""


def declared_language(data: bytes) -> str:
    """Return the declared language of a page's root element."""
    match = _DECLARED.search(data, 0, _ROOT)
    return match[1].decode("ascii") if match else ""


def read_ranges(numbers: list[int], at: int) -> tuple[list[Range], int]:
    """Read a list of byte ranges that is preceded by its length; return it with the index after it."""
    count = numbers[at]
    if not count:
        return [], at + 1
    behind = at + 1 + 2 * count
    return list(zip(numbers[at + 1 : behind : 2], numbers[at + 2 : behind : 2], strict=True)), behind


def _doubt(number: int, compiled_rule: Cutter | None) -> str:
    """Return the message for a mismatch number of `core/src/cut.rs`."""
    rule = compiled_rule.rule if compiled_rule is not None else None
    selector = "" if rule is None else str(rule.anchor) if rule.anchor else repr(rule.left)
    return {
        1: "the page has another layout than those that the rules were learned from",
        2: f"no match for {selector}",
        3: "no match for any rule of the main text",
        4: f"two matches for {selector}",
        5: f"two matches for {rule.inside if rule is not None else None}",
        6: f"{selector} is never closed",
        7: "style sheets hide text of the article by its context",
    }[number]


def field_ranges(compiled_rule: Cutter, encoding: str, data: bytes) -> list[Range]:
    """Return the byte ranges of the matches of a field's rule in a page; those of the start tags if the rule selects an
    attribute.
    """
    if compiled_rule.way in (Way.ADDRESS, Way.CONSTANT):
        return []
    cut = rules_in_core(encoding, fields=(compiled_rule,)).cut(data, None)
    return read_ranges(cut.numbers, _HEAD_NUMBERS)[0]


def only_ranges(compiled_rule: Cutter, encoding: str, data: bytes) -> list[Range]:
    """Return the byte ranges that a rule for the main text selects.

    Raises:
        LayoutMismatch: there is no match, two matches for a rule that expects one, or an unclosed element.
    """
    cut = _without_doubt(rules_in_core(encoding, main=(compiled_rule,)).cut(data, None), (compiled_rule,))
    return read_ranges(cut.numbers, _HEAD_NUMBERS)[0]


def decoded(data: bytes, ranges: Sequence[Range], encoding: str) -> list[str]:
    """Decode byte ranges of a page.

    Raises:
        UnicodeDecodeError: the page has another encoding.
    """
    return [data[start:end].decode(encoding) for start, end in ranges]
