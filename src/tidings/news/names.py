"""What sources are called outside: never with the name and password that a private one is asked for with."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from tidings.news.store.records_of_work import Source


def without_password(address: str) -> str:
    """An address without name and password."""
    if "@" not in address:
        return address
    try:
        parts = urlsplit(address)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    except ValueError:
        return ""


def name_of(source: Source) -> str:
    """What to call a source."""
    return source.told.title or without_password(source.told.address)
