"""What of an article the search index holds: the words of its title, its authors and its text, as lines of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from tidings.article import Article
from tidings.news.store.search_words import PART_SIGN, line_of, stems_of
from tidings.text import letter_runs

#: Bytes of tokens of one article. PostgreSQL holds a megabyte of distinct words; books are not news.
MOST_BYTES: Final = 400_000
#: Characters of one field that are read at all.
_MOST_CHARACTERS: Final = 500_000


@dataclass(frozen=True, slots=True)
class Indexed:
    """Three lines of tokens with a space between every two, stems behind the words."""

    title: str
    author: str
    text: str


def indexed(article: Article) -> Indexed:
    """The words to find an article by. What stands behind the first 400,000 bytes of words is not found."""
    language = article.language
    room = MOST_BYTES
    lines: list[str] = []
    texts: tuple[Iterable[str], ...] = (
        (article.title,),
        article.authors,
        (article.text, article.summary, *article.tags, article.section),
    )
    for parts, stemmed in zip(texts, (True, False, True), strict=True):
        runs = [letter_runs(part[:_MOST_CHARACTERS]) for part in parts if part]
        line = f" {PART_SIGN} ".join(filter(None, map(line_of, runs)))
        if stemmed:
            line = " ".join([line, PART_SIGN, *stems_of(chain.from_iterable(runs), language)]).lstrip()
        if len(line) * 4 > room:  # four bytes are the most a character takes
            line = _cut(line, room)
        room -= len(line.encode())
        lines.append(line)
    return Indexed(*lines)


def _cut(line: str, room: int) -> str:
    """As many whole tokens as fit."""
    data = line.encode()
    if len(data) <= room:
        return line
    return data[: max(data.rfind(b" ", 0, room), 0)].decode()
