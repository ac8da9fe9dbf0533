"""Where `tidings sites` finds what is known of sites: in a file of its own, or in the store that a watch fills."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.stored import opened
from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings.sites import SiteMemory

File = Annotated[
    Path | None,
    typer.Option("--sites", help="File to keep it in; else TIDINGS_SITES, else sites.db in your data folder."),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="FILE", help="What a watch has learned instead: its store, a file or postgresql://…"
    ),
]


@contextmanager
def known_sites(file: Path | None, store: str | None, *, make: bool = False) -> Iterator[SiteMemory]:
    """What is known of sites; `make` begins a store that is not there.

    Raises:
        InputError: a file and a store were named, or a store that is not there.
    """
    if file is not None and store is not None:
        raise InputError("what is known of sites is in one place: name it with --sites or with --store, not with both")
    with _in_file(file) if store is None else _in_store(store, make) as memory:
        try:
            yield memory
        finally:
            memory.close()


@contextmanager
def _in_file(file: Path | None) -> Iterator[SiteMemory]:
    from tidings.sites import SiteMemory
    from tidings.sites.place import default_file
    from tidings.sites.shelf import File as SitesFile

    shelf = SitesFile(file or default_file())
    if shelf.set_aside is not None:
        typer.echo(f"{shelf.path} was damaged: it is kept as {shelf.set_aside.name}, and a new one begun", err=True)
    yield SiteMemory(shelf)


@contextmanager
def _in_store(store: str, make: bool) -> Iterator[SiteMemory]:
    from tidings.news.watch.shelf import StoreShelf
    from tidings.sites import SiteMemory

    if not make and "://" not in store and not Path(store).exists():
        raise InputError(f"there is no store {store}; `tidings watch --store {store}` begins one")
    with opened(store) as kept:
        yield SiteMemory(StoreShelf(kept))
