"""`tidings mute`: hide articles that a search finds."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from tidings.cli.output import plain
from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration


def mute(
    query: Annotated[str | None, typer.Argument(help="A search, as in `tidings search`.")] = None,
    until: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="Only for this time: 1d, 2w. Default: for ever.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the mute.")] = False,
    where: StoreOption = None,
) -> None:
    """Hide articles that a search finds; they stay in the store. Without a search, list the mutes.

    For example:

      tidings mute 'title:horoscope'
      tidings mute '"cup final"' --for 1d
    """
    from tidings_portal.store import parse
    from tidings_portal.store.records_of_articles import Mute

    with open_store(where) as store:
        rules = store.mutes()
        if query is None:
            for rule in rules:
                typer.echo(plain(rule.query) + (f"\tuntil {rule.until:%Y-%m-%d %H:%M}" if rule.until else ""))
            return
        remaining = [rule for rule in rules if rule.query != query]
        if remove and len(remaining) == len(rules):
            raise InputError(f"{query!r} is not muted; `tidings mute` lists the mutes")
        if not remove:
            parse(query)
            span = parse_duration(until)
            remaining.append(Mute(query, until=None if span is None else datetime.now(UTC) + span))
        muted = store.set_mutes(remaining)
    typer.echo(f"{muted:,} articles are hidden now", err=True)
