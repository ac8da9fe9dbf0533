"""Plug-ins of other packages: commands, and the store of the portal, found by entry points.

A package that adds commands declares an entry point in the group `tidings.commands`, named after itself. It is a
mapping of the headings in `tidings --help` to commands, each a name and where its function is:

    {"Follow the news": {"add": "tidings_portal.cli.add:add"}}

Commands under an empty heading are former names. They still work, but the help does not list them.

`tidings-portal` also declares entry points in the group `tidings.store`, which let `tidings bulk` and `tidings sites`
work on its store.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from tidings.errors import MissingPackage

#: Commands of our own other packages, so that an error can say which package to install.
COMMANDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "tidings-portal": (
        "add", "list", "remove", "import", "recipes", "compare-recipes", "watch", "crawl", "status", "reread", "search",
        "read", "trends", "mute", "serve", "edition", "feed", "export", "mcp", "doctor", "user", "token", "backup",
        "restore", "copy", "check", "prune",
    ),
    "tidings-lab": ("lab",),
}  # fmt: skip


@cache
def command_tasks() -> dict[str, dict[str, str]]:
    """Return the commands of other installed packages, grouped by headings of the help, with the import path of
    each.
    """
    packages = list(COMMANDS_OF)
    entries = entry_points(group="tidings.commands")
    tasks: dict[str, dict[str, str]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.name not in packages, entry.name != packages[0], entry.name)):
        for task, commands in entry.load().items():
            tasks.setdefault(task, {}).update(commands)
    return tasks


def missing_package(command: str) -> str | None:
    """Return the package that has a command, or None if no package of Tidings has it."""
    return next((package for package, commands in COMMANDS_OF.items() if command in commands), None)


def store_feature(name: str, what: str) -> EntryPoint:
    """Return an entry point of the portal's store.

    Args:
        name: the name of the entry point.
        what: the feature as the user calls it, for the error.

    Raises:
        MissingPackage: `tidings-portal` is not installed.
    """
    for entry in entry_points(group="tidings.store", name=name):
        return entry
    raise MissingPackage(what, "tidings-portal")
