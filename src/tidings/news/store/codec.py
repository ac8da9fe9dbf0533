"""Articles and pages as bytes: JSON, compressed with Zstandard, and digests to know them by."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Final

import zstandard

from tidings.article import Article, article_from_json, render
from tidings.errors import InputError, StoreDamaged

#: No page or article is larger; what claims to be is damaged.
_LARGEST: Final = 1 << 28
_LEVEL: Final = 3


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
    try:
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=_LARGEST)
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
        found = json.loads(unpack(packed))
    except (ValueError, RecursionError) as error:
        raise StoreDamaged(f"an article in the store cannot be read: {error}; restore a copy") from error
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else article_of(packed).text
