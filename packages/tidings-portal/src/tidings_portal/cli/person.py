"""`tidings person`: manage the accounts of the portal."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, write_list
from tidings.cli.state import HELP_OPTIONS
from tidings.errors import InputError, needs
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_people import Person


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
    where: StoreOption = None,
) -> None:
    """Open an account for somebody. The password is asked for, or is the first line of standard input.

    For example:

      tidings person add Ann
      pwgen -s 20 1 | tee ann.txt | tidings person add Ann
    """
    from tidings_portal.store.records_of_people import NewPerson

    made = _password(name)
    with open_store(where) as kept:
        added = kept.add_person(NewPerson(name, made, admin=admin), datetime.now(UTC))
    if added is None:
        raise InputError(f"{name!r} has an account already; choose another name, or `tidings person password`")
    typer.echo(f"{added.name} has an account{' and runs the site' if added.told.admin else ''}", err=True)


@person.command("list")
def list_(form: Form = ListFormat.TABLE, output: Output = None, where: StoreOption = None) -> None:
    """List everybody, in the order they came."""
    with open_store(where) as kept:
        found = kept.persons()
    rows = ((one.name, f"{one.created:%Y-%m-%d}", "yes" if one.told.admin else "") for one in found)
    headings = ("name", "since", "runs the site")
    none = "nobody has an account; `tidings person add` opens one"
    write_list([_record(one) for one in found], form, output, headings, rows, none)


@person.command()
def password(name: _Name, where: StoreOption = None) -> None:
    """Give somebody another password, as when they forgot it. Wherever they are signed in they are signed out."""
    with open_store(where) as kept:
        found = _found(kept, name)
        kept.change_password(found.id, _password(found.name))
    typer.echo(f"{found.name} has another password and is signed out everywhere", err=True)


@person.command()
def admin(
    name: _Name,
    no_more: Annotated[bool, typer.Option("--no-more", help="They do not run the site any more.")] = False,
    where: StoreOption = None,
) -> None:
    """Let somebody run the site: add people, and change what everybody sees."""
    with open_store(where) as kept:
        found = _found(kept, name)
        kept.set_admin(found.id, not no_more)
    typer.echo(f"{found.name} {'does not run the site any more' if no_more else 'runs the site'}", err=True)


@person.command()
def remove(name: _Name, where: StoreOption = None) -> None:
    """Remove somebody with everything they saved, read and follow."""
    with open_store(where) as kept:
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
        from tidings_portal.accounts.passwords import LONGEST, SHORTEST, Passwords, weakness
        from tidings_portal.accounts.sessions import is_name
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
