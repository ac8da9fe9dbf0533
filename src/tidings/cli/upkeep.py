"""`tidings backup`, `restore`, `copy`, `check`, `prune`, `doctor`: what keeps a store well while it is used."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import plain
from tidings.cli.state import state, usual_places
from tidings.cli.stored import Where, length, opened, place
from tidings.errors import InputError, StoreError, TidingsError

if TYPE_CHECKING:
    from tidings.news.store import Store

_SIZE: Final = re.compile(r"(\d{1,9})\s*(kb|mb|gb|tb)?", re.IGNORECASE)
_UNITS: Final = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
#: Bytes under which a disk counts as nearly full.
_ROOM: Final = 200_000_000
#: What is installed by each extra, by a module that nothing else brings.
_EXTRAS: Final = {"news": "starlette", "browser": "playwright", "mcp": "mcp", "postgres": "psycopg"}
_TOO_OLD: Final = 1_577_836_800  # 2020: a clock that says less has not been set

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]
Replace = Annotated[bool, typer.Option("--replace", help="Also where there is something already.")]


def backup(file: BackupFile, replace: Replace = False, where: Where = None) -> None:
    """Copy the store into a file, as it is at this moment, while others read and write it.

    A backup is a store like any other: `tidings search --store FILE` reads it.

    For example:

      tidings backup news-2026-03-20.tidings
    """
    from tidings.news import store

    source = place(where)
    if file.exists() and not replace:
        raise InputError(f"{file} is there already; name another file, or say --replace")
    if _is_file(source) and not Path(source).is_file():
        raise InputError(f"there is no store {source}")
    with store.open(source, readonly=_is_file(source)) as kept:
        articles = _copied(kept, file)
    typer.echo(f"{articles:,} articles are in {file}", err=True)


def restore(file: BackupFile, replace: Replace = False, where: Where = None) -> None:
    """Bring a store back from a backup. Nobody may watch or serve it meanwhile.

    For example:

      tidings restore news-2026-03-20.tidings --replace
    """
    from tidings.news import store

    if not file.is_file():
        raise InputError(f"there is no backup {file}")
    target = place(where)
    with store.open(file, readonly=True) as kept:
        wrong = kept.check()
        if wrong:
            raise StoreError(f"{file} is damaged and was not restored: {wrong[0]}")
        if not _is_file(target):
            with store.open(target) as other:
                articles = kept.copy_to(other)
        else:
            articles = _put_back(kept, Path(target), replace)
    typer.echo(f"{articles:,} articles are back in {_shown(target)}", err=True)


def copy(
    target: Annotated[str, typer.Argument(metavar="STORE", help="A new file, or postgresql://…")],
    where: Where = None,
) -> None:
    """Copy the store into another one, which must be empty: from a file to a PostgreSQL server, or back.

    For example:

      tidings copy postgresql://localhost/news
      tidings copy news.tidings --store postgresql://localhost/news
    """
    from tidings.news import store

    source = place(where)
    if _is_file(source) and not Path(source).is_file():
        raise InputError(f"there is no store {source}")
    with store.open(source) as kept, store.open(target) as other:
        articles = kept.copy_to(other)
    typer.echo(f"{articles:,} articles are in {_shown(target)}", err=True)


def check(where: Where = None) -> None:
    """Check the store: its file, what belongs together, what can be found. Exit code 1 if something is wrong."""
    with opened(where) as kept:
        wrong = kept.check()
    for one in wrong:
        typer.echo(plain(one))
    typer.echo(
        "the store is damaged; `tidings restore` brings a backup back" if wrong else "the store is whole", err=True
    )
    if wrong:
        raise typer.Exit(1)


def prune(
    older_than: Annotated[
        str | None, typer.Option("--older-than", metavar="TIME", help="Remove older articles: 90d.")
    ] = None,
    per_source: Annotated[
        int | None, typer.Option("--per-source", min=1, help="Keep so many articles of each source.")
    ] = None,
    pages_older_than: Annotated[
        str | None, typer.Option("--pages-older-than", metavar="TIME", help="Remove older pages; articles stay: 30d.")
    ] = None,
    pages_size: Annotated[
        str | None, typer.Option("--pages-size", metavar="SIZE", help="Keep so much of pages, the newest: 500MB.")
    ] = None,
    where: Where = None,
) -> None:
    """Remove what is old. What somebody saved stays, and so do stories that somebody follows.

    For example:

      tidings prune --older-than 90d --pages-older-than 7d
      tidings prune --pages-size 2GB
    """
    from tidings.news.store.records_of_articles import Retention

    policy = Retention(
        articles_for=length(older_than),
        articles_per_source=per_source,
        pages_for=length(pages_older_than),
        pages_bytes=_bytes(pages_size),
    )
    if policy == Retention():
        raise InputError("say what is to go: --older-than, --per-source, --pages-older-than or --pages-size")
    with opened(where) as kept:
        gone = kept.retain(policy, datetime.now(UTC))
        kept.tidy()
    typer.echo(f"{gone.articles:,} articles, {gone.versions:,} versions and {gone.pages:,} pages removed", err=True)


def doctor(where: Where = None) -> None:
    """Say what is wrong here, and what to do about it: the installation, the configuration, the store, the sources.

    Exit code 1 if something is wrong.
    """
    wrong = 0
    for is_well, sentence in _findings(where):
        typer.echo(f"{'ok   ' if is_well else 'wrong'}  {plain(sentence)}")
        wrong += not is_well
    if wrong:
        raise typer.Exit(1)


def _findings(where: str | None) -> Iterator[tuple[bool, str]]:
    yield from _installation()
    yield from _configuration()
    now = datetime.now(UTC)
    yield now.timestamp() > _TOO_OLD, f"the clock says {now:%Y-%m-%d %H:%M} UTC"
    target = place(where)
    if _is_file(target):
        folder = Path(target).resolve().parent
        free = shutil.disk_usage(folder).free if folder.is_dir() else 0
        yield free > _ROOM, f"{free // 10**6:,} MB are free where the store is ({folder})"
        if not Path(target).is_file():
            yield True, f"there is no store {target} yet; `tidings serve` or `tidings add` makes one"
            return
    try:
        with opened(where) as kept:
            yield from _store(kept, now)
    except TidingsError as error:
        yield False, f"the store cannot be opened: {error}"


def _installation() -> Iterator[tuple[bool, str]]:
    from tidings import __version__, core

    made = core.state()
    yield True, f"tidings {__version__}, Python {sys.version.partition(' ')[0]}"
    missing_core = f"the compiled core cannot be used: {made.reason}"
    yield made.is_compiled, "pages are read by the compiled core" if made.is_compiled else missing_core
    missing = [extra for extra, module in _EXTRAS.items() if importlib.util.find_spec(module) is None]
    installed = ", ".join(extra for extra in _EXTRAS if extra not in missing) or "none"
    yield (
        "news" not in missing,
        f"installed extras: {installed}"
        + (f"; not installed: {', '.join(missing)} (pip install 'tidings[{missing[0]}]')" if missing else ""),
    )


def _configuration() -> Iterator[tuple[bool, str]]:
    if state.config is None or state.config.path is None:
        yield True, f"no configuration file; one would be {usual_places()[0]}"
        return
    from tidings.cli.config import in_force

    try:
        found = list(in_force(state.root, state.config))
    except InputError as error:
        yield False, str(error)
        return
    yield True, f"{len(found):,} options are set by {state.config.path} or the environment: `tidings config` shows them"


def _store(kept: Store, now: datetime) -> Iterator[tuple[bool, str]]:
    from tidings.news.watch.health import with_content
    from tidings.news.watch.presence import watchers

    totals = kept.totals()
    damage = kept.check()
    yield (
        not damage,
        f"the store has {totals.articles:,} articles of {totals.sources:,} sources"
        + (f", and is damaged: {damage[0]}" if damage else " and is whole"),
    )
    try:
        kept.save_state("doctor", b"", now, version=None, space="doctor")
        kept.forget_state("doctor", "doctor")
    except StoreError as error:
        yield False, f"nothing can be written: {error}"
    counts = kept.item_counts()
    sources = [with_content(one, counts.get(one.id)) for one in kept.sources()]
    broken = [one for one in sources if one.problem]
    yield (
        not broken,
        (
            f"{len(broken):,} of {len(sources):,} sources have a problem: `tidings status --broken` tells which"
            if broken
            else f"all {len(sources):,} sources are well"
        ),
    )
    ahead = [one for one in sources if one.last_try is not None and one.last_try > now]
    if ahead:
        yield (
            False,
            f"{len(ahead):,} sources were polled in the future, by a wrong clock; `tidings watch --now` helps",
        )
    watching = [one for one, beat in watchers(kept) if one.is_alive(beat, now)]
    yield (
        bool(watching) or not sources,
        (f"{len(watching)} watch the sources" if watching else "nobody watches the sources; `tidings watch` does"),
    )
    aside = kept.quarantine_counts()
    if aside:
        yield False, f"{sum(aside.values()):,} items are set aside: `tidings status` names them"


def _is_file(where: str) -> bool:
    return "://" not in where


def _shown(where: str) -> str:
    from tidings.urls import without_credentials

    return without_credentials(where)


def _copied(kept: Store, file: Path) -> int:
    """A store into a file, in one piece: it has its name when it is whole."""
    from tidings.news import store

    part = file.with_name(file.name + ".part")
    _removed(part)
    try:
        articles = kept.backup_to(part)
        if articles is None:
            with store.open(part) as other:
                articles = kept.copy_to(other)
        part.replace(file)
    finally:
        _removed(part)
    return articles


def _put_back(kept: Store, target: Path, replace: bool) -> int:
    from tidings.news import store
    from tidings.news.watch.presence import watchers

    if target.exists():
        now = datetime.now(UTC)
        with store.open(target) as other:
            if other.totals().articles and not replace:
                raise InputError(f"{target} has {other.totals().articles:,} articles; say --replace to put them aside")
            if any(one.is_alive(beat, now) for one, beat in watchers(other)):
                raise InputError(f"{target} is being watched or served; end that first")
            aside = target.with_name(f"{target.name}.before-{now:%Y%m%d-%H%M%S}")
            _copied(other, aside)
        _removed(target)
        typer.echo(f"what was there is in {aside}", err=True)
    return _copied(kept, target)


def _removed(file: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + ending).unlink(missing_ok=True)


def _bytes(said: str | None) -> int | None:
    if said is None:
        return None
    match = _SIZE.fullmatch(said.strip())
    if match is None:
        raise InputError(f"{said!r} is no size; write 500MB or 2GB")
    return int(match[1]) * _UNITS[(match[2] or "mb").lower()]
