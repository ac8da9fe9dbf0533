"""`tidings doctor`: check the installation, the configuration and the store, and say what to do."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from tidings.cli.output import plain
from tidings.cli.state import default_config_paths, state
from tidings.errors import InputError, StoreError, TidingsError
from tidings_portal.cli.store_options import StoreOption, is_file_store, open_store, store_path

if TYPE_CHECKING:
    from tidings_portal.store import Store


#: Bytes under which a disk counts as nearly full.
_ROOM: Final = 200_000_000


#: Optional extras: the package that has them, and a module that only they install.
_EXTRAS: Final = {
    "browser": ("tidings", "playwright"),
    "mcp": ("tidings-portal", "mcp"),
    "postgres": ("tidings-portal", "psycopg"),
}


#: None marks a finding that is neither: an optional part that is missing.
_LABELS: Final = {True: "ok   ", False: "wrong", None: "note "}


_TOO_OLD: Final = 1_577_836_800  # 2020: a clock that says less has not been set


def doctor(where: StoreOption = None) -> None:
    """Check the installation, the configuration, the store and the sources, and show what to do about problems.

    Exit code 1 if something is wrong.
    """
    wrong = 0
    for is_well, sentence in _findings(where):
        typer.echo(f"{_LABELS[is_well]}  {plain(sentence)}")
        wrong += is_well is False
    if wrong:
        raise typer.Exit(1)


def _findings(where: str | None) -> Iterator[tuple[bool | None, str]]:
    yield from _installation()
    yield from _configuration()
    now = datetime.now(UTC)
    yield now.timestamp() > _TOO_OLD, f"the clock says {now:%Y-%m-%d %H:%M} UTC"
    target = store_path(where)
    if is_file_store(target):
        folder = Path(target).resolve().parent
        free = shutil.disk_usage(folder).free if folder.is_dir() else 0
        yield free > _ROOM, f"{free // 10**6:,} MB are free where the store is ({folder})"
        if not Path(target).is_file():
            yield True, f"there is no store {target} yet; `tidings serve` or `tidings add` creates one"
            return
    try:
        with open_store(where) as store:
            yield from _store(store, now)
    except TidingsError as error:
        yield False, f"the store cannot be opened: {error}"


def _installation() -> Iterator[tuple[bool | None, str]]:
    from tidings import __version__, core

    core_state = core.state()
    yield True, f"tidings {__version__}, Python {sys.version.partition(' ')[0]}"
    missing_core = f"the compiled core cannot be used: {core_state.reason}"
    yield core_state.is_compiled, "the compiled core works" if core_state.is_compiled else missing_core
    for extra, (package, module) in _EXTRAS.items():
        if importlib.util.find_spec(module) is None:
            yield None, f"the optional extra {extra} is not installed: pip install '{package}[{extra}]'"
        else:
            yield True, f"the optional extra {extra} is installed"


def _configuration() -> Iterator[tuple[bool, str]]:
    if state.config is None or state.config.path is None:
        yield True, f"no configuration file; create one at {default_config_paths()[0]}"
        return
    from tidings.cli.config import all_settings

    try:
        settings = list(all_settings(state.root, state.config))
    except InputError as error:
        yield False, str(error)
        return
    yield (
        True,
        f"{len(settings):,} options are set by {state.config.path} or the environment: `tidings config` shows them",
    )


def _store(store: Store, now: datetime) -> Iterator[tuple[bool, str]]:
    from tidings_portal.watch.health import with_content
    from tidings_portal.watch.presence import watchers

    totals = store.totals()
    damage = store.check()
    yield (
        not damage,
        f"the store has {totals.articles:,} articles of {totals.sources:,} sources"
        + (f", and is damaged: {damage[0]}" if damage else " and is undamaged"),
    )
    try:
        store.save_state("doctor", b"", now, version=None, space="doctor")
        store.forget_state("doctor", "doctor")
    except StoreError as error:
        yield False, f"the store cannot be written: {error}"
    counts = store.item_counts()
    sources = [with_content(source, counts.get(source.id)) for source in store.sources()]
    broken = [source for source in sources if source.problem]
    yield (
        not broken,
        (
            f"{len(broken):,} of {len(sources):,} sources have a problem: see `tidings status --broken`"
            if broken
            else f"all {len(sources):,} sources work"
        ),
    )
    ahead = [source for source in sources if source.last_try is not None and source.last_try > now]
    if ahead:
        yield (
            False,
            f"{len(ahead):,} sources were polled in the future, because a clock was wrong; run `tidings watch --now`",
        )
    watching = [watcher for watcher, heartbeat in watchers(store) if watcher.is_alive(heartbeat, now)]
    yield (
        bool(watching) or not sources,
        (f"watchers running: {len(watching)}" if watching else "no watcher is running; start one with `tidings watch`"),
    )
    aside = store.quarantine_counts()
    if aside:
        yield False, f"{sum(aside.values()):,} items are quarantined: see `tidings status`"
