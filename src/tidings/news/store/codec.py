"""Articles and pages as bytes: JSON, compressed with Zstandard, and digests to know them by.

What of an article the search index holds: the words of its title, its authors and its text, as lines of tokens.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import Final

import zstandard

from tidings.article import Article, article_from_json, render
from tidings.errors import InputError, StoreDamaged
from tidings.news.store.search_words import PART_SIGN, line_of, stems_of
from tidings.text import letter_runs

#: No page or article is larger; what claims to be is damaged.
_LARGEST: Final = 1 << 28
_LEVEL: Final = 3
#: What unpacks works for one thread at a time, and making one takes as long as an article.
_own: Final = threading.local()
#: Stands before the text, which is the last thing of an article; inside of a string quotes are escaped.
_BEFORE_TEXT: Final = ',"text":"'
_DECODER: Final = json.JSONDecoder()


def digest(data: bytes) -> str:
    """A short name for bytes, the same for the same bytes."""
    return blake2b(data, digest_size=20).hexdigest()


def pack(data: bytes) -> bytes:
    """Bytes, compressed."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def unpack(packed: bytes) -> bytes:
    """Bytes as they were.

    Raises:
        StoreDamaged: they cannot be read any more.
    """
    unpacker: zstandard.ZstdDecompressor | None = getattr(_own, "unpacker", None)
    if unpacker is None:
        unpacker = _own.unpacker = zstandard.ZstdDecompressor()
    try:
        return unpacker.decompress(packed, max_output_size=_LARGEST)
    except zstandard.ZstdError as error:
        raise StoreDamaged(f"a page or article in the store cannot be read ({error}); restore a copy") from error


def article_bytes(article: Article) -> bytes:
    """An article as JSON; NULs and half characters are written as escapes, so nothing of it is lost."""
    return render(article, "jsonl").encode()


def article_of(packed: bytes) -> Article:
    """The article that was packed.

    Raises:
        StoreDamaged: it is no article any more; the message names the field.
    """
    try:
        return article_from_json(unpack(packed).decode())
    except (InputError, UnicodeDecodeError) as error:
        raise StoreDamaged(f"an article in the store cannot be read: {error}; restore a copy") from error


def text_of(packed: bytes) -> str:
    """The text of the article that was packed, which stands beside its parts.

    Raises:
        StoreDamaged: it is no article any more.
    """
    try:
        told = unpack(packed).decode()
        at = told.rfind(_BEFORE_TEXT)
        if at >= 0:  # all else need not be read
            text, end = _DECODER.raw_decode(told, at + len(_BEFORE_TEXT) - 1)
            if isinstance(text, str) and told[end:].strip() == "}":
                return text
        found = json.loads(told)
    except (ValueError, RecursionError) as error:
        raise StoreDamaged(f"an article in the store cannot be read: {error}; restore a copy") from error
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else article_of(packed).text


#: Changes with the tokens that `indexed` makes, so that articles indexed by an older version are indexed again.
WORDS_VERSION: Final = "2"
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
