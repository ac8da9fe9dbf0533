"""`tidings prune`: delete old articles and pages."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Final

import typer

from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration

_SIZE: Final = re.compile(r"(\d{1,9})\s*(kb|mb|gb|tb)?", re.IGNORECASE)


_UNITS: Final = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


def prune(
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="TIME", help="Delete older articles: 90d.")
    ] = None,
    per_source: Annotated[
        int | None, typer.Option("--per-source", min=1, help="Keep only this many articles of each source.")
    ] = None,
    pages_older_than: Annotated[
        str | None, typer.Option("--pages-older-than", metavar="TIME", help="Delete older pages; articles stay: 30d.")
    ] = None,
    pages_size: Annotated[
        str | None,
        typer.Option("--pages-size", metavar="SIZE", help="Keep only the newest pages up to this size: 500MB."),
    ] = None,
    where: StoreOption = None,
) -> None:
    """Delete old articles and pages. Articles that a user saved and stories that a user follows stay.

    For example:

      tidings prune --older-than 90d --pages-older-than 7d
      tidings prune --pages-size 2GB
    """
    from tidings_portal.store.records_of_articles import Retention

    policy = Retention(
        articles_for=parse_duration(older_than),
        articles_per_source=per_source,
        pages_for=parse_duration(pages_older_than),
        pages_bytes=_bytes(pages_size),
    )
    if policy == Retention():
        raise InputError("say what to delete: --older-than, --per-source, --pages-older-than or --pages-size")
    with open_store(where) as store:
        deleted = store.retain(policy, datetime.now(UTC))
        store.tidy()
    typer.echo(
        f"{deleted.articles:,} articles, {deleted.versions:,} versions and {deleted.pages:,} pages deleted", err=True
    )


def _bytes(text: str | None) -> int | None:
    if text is None:
        return None
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} is not a size; write 500MB or 2GB")
    return int(match[1]) * _UNITS[(match[2] or "mb").lower()]
