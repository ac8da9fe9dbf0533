"""`tidings user`: manage the accounts of the portal."""

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


user = typer.Typer(
    name="user",
    help="People with accounts on the portal.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)


_Name = Annotated[str, typer.Argument(help="The user name; case and accents do not matter.")]


@user.command()
def add(
    name: Annotated[str, typer.Argument(help="A name of 1 to 40 characters.")],
    admin: Annotated[
        bool, typer.Option("--admin", help="Make the user an administrator; the first user always is.")
    ] = False,
    where: StoreOption = None,
) -> None:
    """Create an account. The password is asked for, or read from the first line of standard input.

    For example:

      tidings user add Ann
      pwgen -s 20 1 | tee ann.txt | tidings user add Ann
    """
    from tidings_portal.store.records_of_people import NewPerson

    password_hash = _password(name)
    with open_store(where) as store:
        added = store.add_person(NewPerson(name, password_hash, admin=admin), datetime.now(UTC))
    if added is None:
        raise InputError(
            f"{name!r} has an account already; choose another name, or change the password with `tidings user password`"
        )
    typer.echo(f"created the account {added.name}{', an administrator' if added.settings.admin else ''}", err=True)


@user.command("list")
def list_(form: Form = ListFormat.TABLE, output: Output = None, where: StoreOption = None) -> None:
    """List the users in the order of their registration."""
    with open_store(where) as store:
        users = store.persons()
    rows = ((user.name, f"{user.created:%Y-%m-%d}", "yes" if user.settings.admin else "") for user in users)
    headings = ("name", "since", "administrator")
    if_empty = "there are no users; create one with `tidings user add`"
    write_list([_record(user) for user in users], form, output, headings, rows, if_empty)


@user.command()
def password(name: _Name, where: StoreOption = None) -> None:
    """Set a new password for a user, and end all their sessions."""
    with open_store(where) as store:
        user = _find(store, name)
        store.change_password(user.id, _password(user.name))
    typer.echo(f"{user.name} has a new password; all sessions were ended", err=True)


@user.command()
def admin(
    name: _Name,
    no_more: Annotated[bool, typer.Option("--remove", "--no-more", help="Take the right away.")] = False,
    where: StoreOption = None,
) -> None:
    """Make a user an administrator, who can add users and change settings for all."""
    with open_store(where) as store:
        user = _find(store, name)
        store.set_admin(user.id, not no_more)
    typer.echo(f"{user.name} {'is no administrator any more' if no_more else 'is an administrator'}", err=True)


@user.command()
def remove(name: _Name, where: StoreOption = None) -> None:
    """Delete a user with their saved articles, reading marks and subscriptions."""
    with open_store(where) as store:
        user = _find(store, name)
        store.remove_person(user.id)
    typer.echo(f"deleted the account {user.name}", err=True)


def _find(store: Store, name: str) -> Person:
    user = store.person_named(name)
    if user is None:
        raise InputError(f"there is no user {name!r}; `tidings user list` shows all users")
    return user


def _password(name: str) -> str:
    """Read a password and return its hash.

    Raises:
        InputError: the name or the password is not allowed.
    """
    with needs("the portal", "news"):
        from tidings_portal.accounts.passwords import LONGEST, SHORTEST, Passwords, weakness
        from tidings_portal.accounts.sessions import is_name
    if not is_name(name):
        raise InputError(f"{name!r} cannot be a user name; use 1 to 40 letters, digits or signs")
    if sys.stdin.isatty():
        secret = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    else:
        secret = sys.stdin.readline(LONGEST + 2).rstrip("\r\n")
    if weakness(secret, name) is not None:
        raise InputError(
            f"the password is too weak: use {SHORTEST} to {LONGEST} characters, not the name or a few repeated ones"
        )
    return Passwords().hash(secret)


def _record(user: Person) -> dict[str, object]:
    return {"name": user.name, "since": user.created.isoformat(timespec="seconds"), "admin": user.settings.admin}
