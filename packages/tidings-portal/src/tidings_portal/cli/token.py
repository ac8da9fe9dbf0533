"""`tidings token`: manage access tokens of the APIs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, write_list
from tidings.cli.state import HELP_OPTIONS
from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration

if TYPE_CHECKING:
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_people import AccessToken


token = typer.Typer(
    name="token",
    help="Access tokens for the API: what programs show instead of a password.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
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
    where: StoreOption = None,
) -> None:
    """Make a token and show it, this once: the store keeps a digest only.

    For example:

      tidings token new --name "evening digest"
      tidings token new --write --expires 30d
      curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/api/v1/sources
    """
    from tidings_portal.store.records_of_people import Scope
    from tidings_portal.web.access import make_token

    now, span = datetime.now(UTC), parse_duration(expires)
    scopes = frozenset({Scope.READ, Scope.WRITE} if write else {Scope.READ})
    made = make_token(name.strip()[:200], scopes, None if span is None else now + span)
    with open_store(where) as kept:
        added = kept.add_token(made.record, _owner(kept, person), now)
    if added is None:
        raise InputError("there are too many tokens already; `tidings token revoke` takes one back")
    typer.echo(f"token {added.id}: keep it safe, it is not shown again", err=True)
    typer.echo(made.secret)


@token.command("list")
def list_tokens(
    person: _Person = "",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """List the tokens there are, those that are over included. What they are is known to nobody but their owner."""
    now = datetime.now(UTC)
    with open_store(where) as kept:
        found = kept.tokens(_owner(kept, person))
    records = [_token_record(one, now) for one in found]
    rows = (tuple(str(cell or "") for cell in record.values()) for record in records)
    headings = ("", "token", "name", "may", "made", "last used", "state")
    write_list(records, form, output, headings, rows, "there are no tokens; `tidings token new` makes one")


@token.command()
def revoke(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER…", help="As `tidings token list` shows them.")],
    person: _Person = "",
    where: StoreOption = None,
) -> None:
    """Take tokens back: they open nothing any more, from this moment on."""
    with open_store(where) as kept:
        owner = _owner(kept, person)
        for number in numbers:
            if not kept.revoke_token(number, owner, datetime.now(UTC)):
                raise InputError(f"there is no token {number}, or not any more; `tidings token list` shows them")
            typer.echo(f"token {number} is revoked", err=True)


def _owner(kept: Store, person: str) -> str:
    from tidings_portal.store.records_of_people import LOCAL

    if not person.strip():
        return LOCAL
    found = kept.person_named(person)
    if found is None:
        raise InputError(f"nobody has an account under the name {person!r}")
    return found.key


def _token_record(one: AccessToken, now: datetime) -> dict[str, object]:
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
