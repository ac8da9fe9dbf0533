"""`tidings mute`: hide articles that a search finds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from tidings.cli.output import plain
from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration


def mute(
    query: Annotated[str | None, typer.Argument(help="What is not to be shown, as in `tidings search`.")] = None,
    until: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="For this long only: 1d, 2w. Else for good.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Show it again.")] = False,
    where: StoreOption = None,
) -> None:
    """Mute what a query finds: it is kept, and not shown. Without a query, list what is muted.

    For example:

      tidings mute 'title:horoscope'
      tidings mute '"cup final"' --for 1d
    """
    from tidings_portal.store import parse
    from tidings_portal.store.records_of_articles import Mute

    with open_store(where) as kept:
        rules = kept.mutes()
        if query is None:
            for rule in rules:
                typer.echo(plain(rule.query) + (f"\tuntil {rule.until:%Y-%m-%d %H:%M}" if rule.until else ""))
            return
        left = [rule for rule in rules if rule.query != query]
        if remove and len(left) == len(rules):
            raise InputError(f"{query!r} is not muted; `tidings mute` lists what is")
        if not remove:
            parse(query)
            span = parse_duration(until)
            left.append(Mute(query, until=None if span is None else datetime.now(UTC) + span))
        muted = kept.set_mutes(left)
    typer.echo(f"{muted:,} articles are muted now", err=True)
