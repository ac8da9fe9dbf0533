"""Access to the store for `tidings bulk` and `tidings sites`: its pages, its learned sites, and near-duplicate
signatures.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from tidings.bulk.readers import PageRecord
from tidings.errors import InputError
from tidings_portal import store
from tidings_portal.stories.duplicates import Signature
from tidings_portal.watch.site_storage import StoredSites


def store_pages(where: str, start: int, end: int | None, largest: int) -> Iterator[PageRecord]:
    """Yield the saved pages from `start` to `end`, by fetch time. Pages over `largest` bytes have an error, no body."""
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
    """Return the near-duplicate signature of a text in 516 bytes (decode with `Signature.from_bytes`)."""
    return Signature.of(text, language).to_bytes()


def page_count(where: str) -> int:
    """Return the number of pages in a store."""
    with store.open(where) as opened:
        return opened.totals().pages


@contextmanager
def open_sites(where: str, *, make: bool) -> Iterator[StoredSites]:
    """Open the site rules (learned extraction rules per site) of a store.

    Args:
        where: the store, a file or postgresql://….
        make: create the store if it does not exist.

    Raises:
        InputError: the store does not exist and `make` is not set.
    """
    if not make and "://" not in where and not Path(where).exists():
        raise InputError(f"there is no store {where}; `tidings watch --store {where}` creates one")
    with store.open(where) as opened:
        yield StoredSites(opened)
