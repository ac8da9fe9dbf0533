"""`tidings token`: access tokens for the API, made, listed and taken back by whoever may write the store."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from tidings.cli.sources import SourcesFormat, safe
from tidings.cli.stored import Where, length, opened
from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings.news.store import Store
    from tidings.news.store.records_of_people import AccessToken

token = typer.Typer(
    name="token",
    help="Access tokens for the API: what programs show instead of a password.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_Person = Annotated[
    str, typer.Option("--person", help="Of somebody with an account, by name; else of whoever runs the portal.")
]


@token.command()
def new(
    name: Annotated[str, typer.Option("--name", help="What it is for, to know it by.")] = "",
    write: Annotated[bool, typer.Option("--write", help="It may change things too: sources, mutes, rules.")] = False,
    expires: Annotated[
        str | None, typer.Option("--expires", metavar="TIME", help="It is good for this long: 30d, 12h. Else for ever.")
    ] = None,
    person: _Person = "",
    where: Where = None,
) -> None:
    """Make a token and show it, this once: the store keeps a digest only.

    For example:

      tidings token new --name "evening digest"
      tidings token new --write --expires 30d
      curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/api/v1/sources
    """
    from tidings.news.store.records_of_people import Scope
    from tidings.news.web.access import make_token

    now, span = datetime.now(UTC), length(expires)
    scopes = frozenset({Scope.READ, Scope.WRITE} if write else {Scope.READ})
    made = make_token(name.strip()[:200], scopes, None if span is None else now + span)
    with opened(where) as kept:
        added = kept.add_token(made.told, _owner(kept, person), now)
    if added is None:
        raise InputError("there are too many tokens already; `tidings token revoke` takes one back")
    typer.echo(f"token {added.id}: keep it safe, it is not shown again", err=True)
    typer.echo(made.secret)


@token.command("list")
def list_(
    person: _Person = "",
    form: Annotated[SourcesFormat, typer.Option("--format", "-f", help="table or jsonl.")] = SourcesFormat.TABLE,
    where: Where = None,
) -> None:
    """List the tokens there are, those that are over included. What they are is known to nobody but their owner."""
    now = datetime.now(UTC)
    with opened(where) as kept:
        found = kept.tokens(_owner(kept, person))
    if form is SourcesFormat.JSONL:
        for one in found:
            typer.echo(json.dumps(_record(one, now), ensure_ascii=False))
        return
    if not found:
        typer.echo("there are no tokens; `tidings token new` makes one", err=True)
        return
    table = Table("", "token", "name", "may", "made", "last used", "state")
    for one in found:
        told = _record(one, now)
        table.add_row(*(safe(str(told[name] or "")) for name in told))
    Console().print(table)


@token.command()
def revoke(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER…", help="As `tidings token list` shows them.")],
    person: _Person = "",
    where: Where = None,
) -> None:
    """Take tokens back: they open nothing any more, from this moment on."""
    with opened(where) as kept:
        owner = _owner(kept, person)
        for number in numbers:
            if not kept.revoke_token(number, owner, datetime.now(UTC)):
                raise InputError(f"there is no token {number}, or not any more; `tidings token list` shows them")
            typer.echo(f"token {number} is revoked", err=True)


def _owner(kept: Store, person: str) -> str:
    from tidings.news.store.records_of_people import LOCAL

    if not person.strip():
        return LOCAL
    found = kept.person_named(person)
    if found is None:
        raise InputError(f"nobody has an account under the name {person!r}")
    return found.key


def _record(one: AccessToken, now: datetime) -> dict[str, object]:
    state = "revoked" if one.revoked is not None else "good" if one.good(now) else "expired"
    if state == "good" and one.told.expires is not None:
        state = f"good until {one.told.expires:%Y-%m-%d %H:%M}"
    return {
        "number": one.id,
        "token": f"{one.told.beginning}…",
        "name": one.told.name,
        "may": ", ".join(sorted(one.told.scopes)),
        "made": one.created.isoformat(timespec="minutes"),
        "last_used": None if one.used is None else one.used.isoformat(timespec="minutes"),
        "state": state,
    }
