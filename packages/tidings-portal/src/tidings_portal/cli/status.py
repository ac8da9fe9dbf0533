"""`tidings status`: how the sources are, what waits, who watches, and what stands in the way."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import Form, ListFormat, Output, coloured, destination, plain, print_table, write_list
from tidings_portal.cli.store_options import StoreOption, open_store, store_path

if TYPE_CHECKING:
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_articles import ItemCounts
    from tidings_portal.store.records_of_work import QuarantineEntry, Source

#: Bytes under which a disk counts as nearly full: a batch of articles and its log need some.
_ROOM: Final = 50_000_000
#: Columns of a terminal that everybody has.
_COLUMNS: Final = 80
#: Items set aside that are named one by one.
_NAMED: Final = 20
#: Bytes that are written to see whether they can be, about as much as an article with its page.
_TRIED: Final = 100_000


def status(
    broken: Annotated[bool, typer.Option("--broken", help="Only sources that something is wrong with.")] = False,
    pages: Annotated[bool, typer.Option("--pages", help="Also pages that were given up, and why.")] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Have what was set aside tried again; a watch does it.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Also check the store itself; may take a while.")] = False,
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """Say how the sources are: which are broken, why, and what to do about it. Exit code 1 if some are.

    For example:

      tidings status --broken
      tidings status --pages --format jsonl
      tidings status --retry
    """
    from tidings_portal.watch.health import with_content

    now = datetime.now(UTC)
    with open_store(where) as kept:
        counts = kept.item_counts()
        sources = [with_content(one, counts.get(one.id)) for one in kept.sources()]
        wrong = [one for one in sources if one.problem]
        aside = kept.quarantine()
        _show(wrong if broken else sources, counts, aside, (form, output), now)
        if pages:
            for link in kept.failed_links():
                typer.echo(f"{plain(link.seen.address)}\t{plain(link.problem)}")
        told = [*_summary(kept, sources, now), *_aside(kept, aside), *_obstacles(kept, store_path(where), now)]
        if retry:
            told.append(f"{kept.retry_quarantine(now):,} items are to be tried again; `tidings watch` does it")
        if check:
            told += [f"the store is damaged: {one}" for one in kept.check()] or ["the store is whole"]
    for line in told:
        typer.echo(plain(line), err=True)
    if wrong:
        raise typer.Exit(1)


def _show(
    chosen: list[Source],
    counts: dict[int, ItemCounts],
    aside: list[QuarantineEntry],
    to: tuple[ListFormat, Path | None],
    now: datetime,
) -> None:
    """Sources, and for programs what is set aside."""
    from tidings_portal.store.records_of_articles import ItemCounts

    form, output = to
    if form is not ListFormat.TABLE:
        records = [*(_record(one, counts.get(one.id, ItemCounts())) for one in chosen), *map(_aside_record, aside)]
        write_list(records, form, output, (), ())
    elif chosen:
        with destination(output) as stream:
            rows = (_row(one, counts.get(one.id, ItemCounts()), now) for one in chosen)
            print_table(("", "source", "state", "last well", "next", "articles", "teasers"), rows, stream)
            for one in chosen:
                if one.problem:
                    said = textwrap.wrap(plain(one.problem), _COLUMNS, initial_indent="    ", subsequent_indent="    ")
                    stream.write("\n".join(["", f"{one.id}  {plain(one.name)}", *said]) + "\n")


def _row(one: Source, counts: ItemCounts, now: datetime) -> tuple[object, ...]:
    state = coloured(one.state, "red" if one.problem else "green")
    following = "never" if one.gone else _until(one.next_poll, now)
    return (str(one.id), one.name, state, _ago(one.last_success, now), following, counts.articles, counts.teasers)


def _record(one: Source, counts: ItemCounts) -> dict[str, object]:
    return {
        "number": one.id,
        "address": one.told.address,
        "title": one.told.title,
        "state": one.state,
        "problem": one.problem,
        "failures": one.failures,
        "gone": one.gone,
        "last_success": None if one.last_success is None else one.last_success.isoformat(),
        "next_poll": None if one.gone else one.next_poll.isoformat(),
        "articles": counts.articles,
        "teasers": counts.teasers,
    }


def _summary(kept: Store, sources: list[Source], now: datetime) -> Iterator[str]:
    from tidings_portal.watch.presence import watchers
    from tidings_portal.watch.supervisor import task_failures

    totals, queue = kept.totals(), kept.queue(now)
    wrong = sum(bool(one.problem) for one in sources)
    yield f"{len(sources):,} sources, {wrong:,} with a problem"
    yield f"{totals.articles:,} articles, {totals.teasers:,} of them only teasers, {totals.stories:,} stories"
    yield (
        f"{queue.waiting:,} pages to fetch, {queue.leased:,} under way, {queue.later:,} to be tried again,"
        f" {queue.failed:,} given up"
    )
    watching = [(watcher, beat) for watcher, beat in watchers(kept) if watcher.is_alive(beat, now)]
    for watcher, _ in watching:
        since = datetime.fromisoformat(watcher.since)
        yield f"watched by process {watcher.process} on {watcher.machine} since {since:%Y-%m-%d %H:%M}"
    if len(watching) > 1:
        yield f"{len(watching)} watchers share the work"
    if not watching:
        yield "nobody watches; `tidings watch` does"
    for task in task_failures(kept):
        if task.is_recent(now):
            yield (
                f"the background task {task.task!r} failed at {task.last:%Y-%m-%d %H:%M} UTC: {task.reason};"
                f" {task.count:,} failures so far, the log has the traceback"
            )


def _aside_record(entry: QuarantineEntry) -> dict[str, object]:
    return {
        "set_aside": entry.stage,
        "kind": entry.kind,
        "item": entry.item,
        "name": entry.name,
        "reason": entry.reason,
        "since": entry.since.isoformat(),
        "tried": entry.tried.isoformat(),
        "attempts": entry.attempts,
        "version": entry.version,
    }


def _aside(kept: Store, entries: list[QuarantineEntry]) -> Iterator[str]:
    """What made a stage raise: how much of it, and each with its reason."""
    counts = kept.quarantine_counts()
    if not counts:
        return
    by_stage = ", ".join(f"{number:,} in {stage}" for stage, number in counts.items())
    yield (
        f"set aside, as it made us fail: {by_stage}; a new version of Tidings tries it again, and so does"
        " `tidings status --retry`"
    )
    for entry in entries[:_NAMED]:
        again = "; it is to be tried again" if not entry.version else ""
        yield f"  {entry.since:%Y-%m-%d %H:%M} {entry.sentence}{again}"
    if len(entries) > _NAMED:
        yield f"  and {sum(counts.values()) - _NAMED:,} more: `tidings status --format jsonl` has them all"


def _obstacles(kept: Store, where: str, now: datetime) -> Iterator[str]:
    """Why nothing new could be kept: no room, no right to write. Trying it is the only way to know."""
    from tidings.errors import StoreError

    try:
        kept.save_state("room", bytes(_TRIED), now, version=None, space="status")
        kept.forget_state("room", "status")
    except StoreError as error:
        yield f"nothing new can be kept: {error}"
        return
    if "://" in where:
        return
    path = Path(where)
    free = shutil.disk_usage(path.parent if path.parent.name else Path()).free
    if free < _ROOM:
        yield f"the disk is nearly full: {free // 1_000_000} MB are left where {path} is; make room"


def _ago(when: datetime | None, now: datetime) -> str:
    return "never" if when is None else f"{_length(now - when)} ago"


def _until(when: datetime, now: datetime) -> str:
    return "now" if when <= now else f"in {_length(when - now)}"


def _length(span: timedelta) -> str:
    minutes = int(span.total_seconds() // 60)
    if minutes < 120:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} days"
