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
    help="Access tokens of the HTTP API, for programs.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)


_Person = Annotated[
    str, typer.Option("--user", "--person", help="The user who owns the token. Default: the owner of the portal.")
]


@token.command()
def new(
    name: Annotated[str, typer.Option("--name", help="A name for the token.")] = "",
    write: Annotated[bool, typer.Option("--write", help="Allow changes too: sources, mutes, rules.")] = False,
    expires: Annotated[
        str | None, typer.Option("--expires", metavar="TIME", help="Expire after this time: 30d, 12h. Default: never.")
    ] = None,
    person: _Person = "",
    where: StoreOption = None,
) -> None:
    """Create a token and print it. It cannot be shown again, because the store has only its digest.

    For example:

      tidings token new --name "evening digest"
      tidings token new --write --expires 30d
      curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8080/api/v1/sources
    """
    from tidings_portal.store.records_of_people import Scope
    from tidings_portal.web.access import make_token

    now, span = datetime.now(UTC), parse_duration(expires)
    scopes = frozenset({Scope.READ, Scope.WRITE} if write else {Scope.READ})
    new_token = make_token(name.strip()[:200], scopes, None if span is None else now + span)
    with open_store(where) as store:
        added = store.add_token(new_token.record, _owner(store, person), now)
    if added is None:
        raise InputError("there are too many tokens; delete one with `tidings token revoke`")
    typer.echo(f"token {added.id}: store it safely, it is not shown again", err=True)
    typer.echo(new_token.secret)


@token.command("list")
def list_tokens(
    person: _Person = "",
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """List the tokens, including expired and revoked ones. The secrets themselves are not stored."""
    now = datetime.now(UTC)
    with open_store(where) as store:
        tokens = store.tokens(_owner(store, person))
    records = [_token_record(one, now) for one in tokens]
    rows = (tuple(str(cell or "") for cell in record.values()) for record in records)
    headings = ("", "token", "name", "scopes", "created", "last used", "state")
    write_list(records, form, output, headings, rows, "there are no tokens; create one with `tidings token new`")


@token.command()
def revoke(
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER…", help="Numbers of `tidings token list`.")],
    person: _Person = "",
    where: StoreOption = None,
) -> None:
    """Revoke tokens. They stop working immediately."""
    with open_store(where) as store:
        owner = _owner(store, person)
        for number in numbers:
            if not store.revoke_token(number, owner, datetime.now(UTC)):
                raise InputError(f"there is no valid token {number}; see `tidings token list`")
            typer.echo(f"token {number} revoked", err=True)


def _owner(store: Store, person: str) -> str:
    from tidings_portal.store.records_of_people import LOCAL

    if not person.strip():
        return LOCAL
    user = store.person_named(person)
    if user is None:
        raise InputError(f"there is no user {person!r}; `tidings user list` shows all users")
    return user.key


def _token_record(token: AccessToken, now: datetime) -> dict[str, object]:
    state = "revoked" if token.revoked is not None else "good" if token.good(now) else "expired"
    if state == "good" and token.settings.expires is not None:
        state = f"good until {token.settings.expires:%Y-%m-%d %H:%M}"
    return {
        "number": token.id,
        "token": f"{token.settings.beginning}…",
        "name": token.settings.name,
        "scopes": ", ".join(sorted(token.settings.scopes)),
        "created": token.created.isoformat(timespec="minutes"),
        "last_used": None if token.used is None else token.used.isoformat(timespec="minutes"),
        "state": state,
    }
