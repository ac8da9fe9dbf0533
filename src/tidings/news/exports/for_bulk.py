"""Functions of the service that `tidings bulk` uses: the pages of a store, and near-duplicate signatures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tidings.bulk.readers import PageRecord
from tidings.news import store
from tidings.news.stories.duplicates import Signature


def store_pages(where: str, start: int, end: int | None, largest: int) -> Iterator[PageRecord]:
    """The pages that a store keeps, in the order they were fetched; `source` is the store, `offset` their number."""
    with store.open(where) as kept:
        for number, one in enumerate(islice(kept.each_page(), start, end), start):
            page = one.page
            is_long = len(page.content) > largest
            yield PageRecord(
                page.address,
                b"" if is_long else page.content,
                where,
                number,
                page.content_type,
                page.fetched.timestamp(),
                "refused" if is_long else "",
                f"it has more than {largest:,} bytes" if is_long else "",
                len(page.content),
                (number, 0),
                (number + 1, 0),
            )


def signature(text: str, language: str) -> bytes:
    """The signature of a text, in 516 bytes; `Signature.from_bytes` reads it."""
    return Signature.of(text, language).to_bytes()
