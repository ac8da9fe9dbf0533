"""`tidings person` and `tidings token`: who may do what in the service."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, write_list
from tidings.cli.state import HELP_OPTIONS
from tidings.cli.stored import Where, length, opened
from tidings.errors import InputError, needs

if TYPE_CHECKING:
    from tidings.news.store import Store
    from tidings.news.store.records_of_people import AccessToken, Person

person = typer.Typer(
    name="person",
    help="People with accounts on the portal.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)

_Name = Annotated[str, typer.Argument(help="The person's name; case and accents do not matter.")]


@person.command()
def add(
    name: Annotated[str, typer.Argument(help="A name of 1 to 40 characters.")],
    admin: Annotated[bool, typer.Option("--admin", help="They run the site; the first person does anyway.")] = False,
    where: Where = None,
) -> None:
    """Open an account for somebody. The password is asked for, or is the first line of standard input.

    For example:

      tidings person add Ann
      pwgen -s 20 1 | tee ann.txt | tidings person add Ann
    """
    from tidings.news.store.records_of_people import NewPerson

    made = _password(name)
    with opened(where) as kept:
        added = kept.add_person(NewPerson(name, made, admin=admin), datetime.now(UTC))
    if added is None:
        raise InputError(f"{name!r} has an account already; choose another name, or `tidings person password`")
    typer.echo(f"{added.name} has an account{' and runs the site' if added.told.admin else ''}", err=True)


@person.command("list")
def list_(form: Form = ListFormat.TABLE, output: Output = None, where: Where = None) -> None:
    """List everybody, in the order they came."""
    with opened(where) as kept:
        found = kept.persons()
    rows = ((one.name, f"{one.created:%Y-%m-%d}", "yes" if one.told.admin else "") for one in found)
    headings = ("name", "since", "runs the site")
    none = "nobody has an account; `tidings person add` opens one"
    write_list([_record(one) for one in found], form, output, headings, rows, none)


@person.command()
def password(name: _Name, where: Where = None) -> None:
    """Give somebody another password, as when they forgot it. Wherever they are signed in they are signed out."""
    with opened(where) as kept:
        found = _found(kept, name)
        kept.change_password(found.id, _password(found.name))
    typer.echo(f"{found.name} has another password and is signed out everywhere", err=True)


@person.command()
def admin(
    name: _Name,
    no_more: Annotated[bool, typer.Option("--no-more", help="They do not run the site any more.")] = False,
    where: Where = None,
) -> None:
    """Let somebody run the site: add people, and change what everybody sees."""
    with opened(where) as kept:
        found = _found(kept, name)
        kept.set_admin(found.id, not no_more)
    typer.echo(f"{found.name} {'does not run the site any more' if no_more else 'runs the site'}", err=True)


@person.command()
def remove(name: _Name, where: Where = None) -> None:
    """Remove somebody with everything they saved, read and follow."""
    with opened(where) as kept:
        found = _found(kept, name)
        kept.remove_person(found.id)
    typer.echo(f"{found.name} is removed", err=True)


def _found(kept: Store, name: str) -> Person:
    found = kept.person_named(name)
    if found is None:
        raise InputError(f"nobody has an account under the name {name!r}; `tidings person list` shows everybody")
    return found


def _password(name: str) -> str:
    """What is kept of a password that somebody types or sends."""
    with needs("the portal", "news"):
        from tidings.news.accounts.passwords import LONGEST, SHORTEST, Passwords, weakness
        from tidings.news.accounts.sessions import is_name
    if not is_name(name):
        raise InputError(f"{name!r} cannot be a name; take 1 to 40 letters, digits or signs")
    if sys.stdin.isatty():
        told = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        told = sys.stdin.readline(LONGEST + 2).rstrip("\r\n")
    if weakness(told, name) is not None:
        raise InputError(
            f"this password is too weak: take {SHORTEST} to {LONGEST} characters, not the name or a few repeated signs"
        )
    return Passwords().hash(told)


def _record(one: Person) -> dict[str, object]:
    return {"name": one.name, "since": one.created.isoformat(timespec="seconds"), "admin": one.told.admin}


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
    where: Where = None,
) -> None:
    """List the tokens there are, those that are over included. What they are is known to nobody but their owner."""
    now = datetime.now(UTC)
    with opened(where) as kept:
        found = kept.tokens(_owner(kept, person))
    records = [_token_record(one, now) for one in found]
    rows = (tuple(str(cell or "") for cell in record.values()) for record in records)
    headings = ("", "token", "name", "may", "made", "last used", "state")
    write_list(records, form, output, headings, rows, "there are no tokens; `tidings token new` makes one")


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
