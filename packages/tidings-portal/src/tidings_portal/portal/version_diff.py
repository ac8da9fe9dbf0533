"""Word-level differences between two versions of an article."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from tidings.article import Article

#: Limits of paragraphs and words: the comparison takes quadratic time. Longer paragraphs are compared as a whole.
_PARAGRAPHS, _WORDS = 400, 400
#: Changed paragraphs in the result.
_MAX_SHOWN: Final = 30
_WORD: Final = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class ChangedPiece:
    """A run of words in a changed paragraph. `kind` is `same`, `new` or `gone`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The changed paragraphs, each as a list of `ChangedPiece`, and the number of paragraphs left out."""

    paragraphs: tuple[tuple[ChangedPiece, ...], ...]
    more: int

    @property
    def is_only_around(self) -> bool:
        """Return whether title and text are unchanged, so that only other fields differ."""
        return not self.paragraphs


def changes(old: Article, new: Article) -> Changed:
    """Return the changes of title and text between two versions."""
    paragraphs = list(_changed(_paragraphs(old), _paragraphs(new)))
    return Changed(tuple(paragraphs[:_MAX_SHOWN]), max(0, len(paragraphs) - _MAX_SHOWN))


def _paragraphs(article: Article) -> list[str]:
    lines = (line.strip() for line in article.text.split("\n"))
    return [article.title, *(line for line in lines if line)][:_PARAGRAPHS]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[ChangedPiece, ...]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    budget = _MAX_SHOWN
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for before, after in zip_longest(old[old_start:old_end], new[new_start:new_end], fillvalue=""):
            budget -= 1
            # Paragraphs beyond the limit are only counted.
            yield tuple(words(before, after)) if budget >= 0 else ()


def words(before: str, after: str) -> Iterator[ChangedPiece]:
    """Yield the unchanged, new and removed runs of words between two versions of a paragraph."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if not old or not new or len(old) > 2 * _WORDS or len(new) > 2 * _WORDS:
        yield from (ChangedPiece(kind, text) for kind, text in (("gone", before), ("new", after)) if text)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:  # a replaced paragraph, not an edited one
        yield from (ChangedPiece("gone", before), ChangedPiece("new", after))
        return
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            yield ChangedPiece("same", "".join(old[old_start:old_end]))
            continue
        if old_end > old_start:
            yield ChangedPiece("gone", "".join(old[old_start:old_end]))
        if new_end > new_start:
            yield ChangedPiece("new", "".join(new[new_start:new_end]))
