"""Encoding of articles and pages: JSON compressed with Zstandard, digests, and tokens for the search index."""

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
from tidings.text import letter_runs
from tidings_portal.store.search_words import PART_SIGN, line_of, stems_of

#: The maximum size of a page or article. Anything larger is damaged.
_LARGEST: Final = 1 << 28
_LEVEL: Final = 3
#: One per thread: a decompressor is not thread-safe, and creating it takes as long as decompressing an article.
_own: Final = threading.local()
#: Precedes the text, the last field of an article. Inside strings quotes are escaped.
_BEFORE_TEXT: Final = ',"text":"'
_DECODER: Final = json.JSONDecoder()


def digest(data: bytes) -> str:
    """Return a short digest of bytes."""
    return blake2b(data, digest_size=20).hexdigest()


def pack(data: bytes) -> bytes:
    """Compress bytes."""
    return zstandard.ZstdCompressor(level=_LEVEL).compress(data)


def unpack(packed: bytes) -> bytes:
    """Decompress bytes.

    Raises:
        StoreDamaged: the bytes are damaged.
    """
    unpacker: zstandard.ZstdDecompressor | None = getattr(_own, "unpacker", None)
    if unpacker is None:
        unpacker = _own.unpacker = zstandard.ZstdDecompressor()
    try:
        return unpacker.decompress(packed, max_output_size=_LARGEST)
    except zstandard.ZstdError as error:
        raise StoreDamaged(f"a page or article in the store cannot be read ({error}); restore a copy") from error


def article_bytes(article: Article) -> bytes:
    """Serialise an article as JSON. NULs and surrogates are escaped, so nothing is lost."""
    return render(article, "jsonl").encode()


def article_of(packed: bytes) -> Article:
    """Return the article from compressed JSON.

    Raises:
        StoreDamaged: the bytes are not a valid article; the message names the field.
    """
    try:
        return article_from_json(unpack(packed).decode())
    except (InputError, UnicodeDecodeError) as error:
        raise StoreDamaged(f"an article in the store cannot be read: {error}; restore a copy") from error


def text_of(packed: bytes) -> str:
    """Return the text of a packed article without parsing its other fields.

    Raises:
        StoreDamaged: the bytes are not a valid article.
    """
    try:
        source = unpack(packed).decode()
        at = source.rfind(_BEFORE_TEXT)
        if at >= 0:  # skip the other fields
            text, end = _DECODER.raw_decode(source, at + len(_BEFORE_TEXT) - 1)
            if isinstance(text, str) and source[end:].strip() == "}":
                return text
        fields = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise StoreDamaged(f"an article in the store cannot be read: {error}; restore a copy") from error
    text = fields.get("text") if isinstance(fields, dict) else None
    return text if isinstance(text, str) else article_of(packed).text


#: Changes with the tokens that `indexed` makes, so that articles indexed by an older version are indexed again.
WORDS_VERSION: Final = "2"
#: Bytes of tokens per article. PostgreSQL accepts a megabyte of distinct words.
MOST_BYTES: Final = 400_000
#: The maximum number of characters per field.
_MOST_CHARACTERS: Final = 500_000


@dataclass(frozen=True, slots=True)
class Indexed:
    """The search index entry of an article: its fields as lines of space-separated tokens, words before stems."""

    title: str
    author: str
    text: str


def indexed(article: Article) -> Indexed:
    """Return the tokens of an article for the search index, from at most 400,000 bytes of words."""
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
        if len(line) * 4 > room:  # a character takes at most four bytes
            line = _cut(line, room)
        room -= len(line.encode())
        lines.append(line)
    return Indexed(*lines)


def _cut(line: str, room: int) -> str:
    """Return a line of tokens, cut after the last token within `room` bytes."""
    data = line.encode()
    if len(data) <= room:
        return line
    return data[: max(data.rfind(b" ", 0, room), 0)].decode()
