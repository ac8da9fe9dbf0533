"""What changed between two versions of an article: paragraphs that came, went, or read otherwise, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from tidings.article import Article

#: Comparing takes the square of these; what is longer is compared as a whole.
_PARAGRAPHS, _WORDS = 400, 400
#: Paragraphs that are shown.
_SHOWN: Final = 30
_WORD: Final = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a paragraph: `same`, `new` or `gone`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """Paragraphs that changed, as pieces; and how many more there are."""

    paragraphs: tuple[tuple[Piece, ...], ...]
    more: int

    @property
    def is_only_around(self) -> bool:
        """Whether title and text are the same, and something else changed."""
        return not self.paragraphs


def changes(old: Article, new: Article) -> Changed:
    """What changed in title and text."""
    found = list(_changed(_paragraphs(old), _paragraphs(new)))
    return Changed(tuple(found[:_SHOWN]), max(0, len(found) - _SHOWN))


def _paragraphs(article: Article) -> list[str]:
    lines = (line.strip() for line in article.text.split("\n"))
    return [article.title, *(line for line in lines if line)][:_PARAGRAPHS]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Piece, ...]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    budget = _SHOWN
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for before, after in zip_longest(old[old_start:old_end], new[new_start:new_end], fillvalue=""):
            budget -= 1
            # What is not shown need not be compared.
            yield tuple(words(before, after)) if budget >= 0 else ()


def words(before: str, after: str) -> Iterator[Piece]:
    """A paragraph before and after, as pieces."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if not old or not new or len(old) > 2 * _WORDS or len(new) > 2 * _WORDS:
        yield from (Piece(kind, text) for kind, text in (("gone", before), ("new", after)) if text)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:  # two paragraphs, not two readings of one
        yield from (Piece("gone", before), Piece("new", after))
        return
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            yield Piece("same", "".join(old[old_start:old_end]))
            continue
        if old_end > old_start:
            yield Piece("gone", "".join(old[old_start:old_end]))
        if new_end > new_start:
            yield Piece("new", "".join(new[new_start:new_end]))
