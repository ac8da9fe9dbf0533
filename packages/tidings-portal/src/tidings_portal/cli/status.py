"""`tidings status`: show the state of sources, queues and watchers, and problems that need attention."""

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

#: A disk with fewer free bytes counts as nearly full: a batch of articles and its log need some.
_ROOM: Final = 50_000_000
#: The width of a small terminal.
_COLUMNS: Final = 80
#: Quarantined items that are listed.
_NAMED: Final = 20
#: Bytes of a trial write, about the size of an article with its page.
_TRIED: Final = 100_000


def status(
    broken: Annotated[bool, typer.Option("--broken", help="Only sources with a problem.")] = False,
    pages: Annotated[bool, typer.Option("--pages", help="Also list failed pages with reasons.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Let the watcher retry quarantined items.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Also check the store for damage; may take a while.")] = False,
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """Show the state of the sources: which fail, why, and what to do. Exit code 1 if any fails.

    For example:

      tidings status --broken
      tidings status --pages --format jsonl
      tidings status --retry
    """
    from tidings_portal.watch.health import with_content

    now = datetime.now(UTC)
    with open_store(where) as store:
        counts = store.item_counts()
        sources = [with_content(one, counts.get(one.id)) for one in store.sources()]
        wrong = [one for one in sources if one.problem]
        aside = store.quarantine()
        _show(wrong if broken else sources, counts, aside, (form, output), now)
        if pages:
            for link in store.failed_links():
                typer.echo(f"{plain(link.seen.address)}\t{plain(link.problem)}")
        lines = [*_summary(store, sources, now), *_aside(store, aside), *_obstacles(store, store_path(where), now)]
        if retry:
            lines.append(f"{store.retry_quarantine(now):,} items will be retried by `tidings watch`")
        if check:
            lines += [f"the store is damaged: {problem}" for problem in store.check()] or ["the store is undamaged"]
    for line in lines:
        typer.echo(plain(line), err=True)
    if wrong:
        raise typer.Exit(1)


def _show(
    sources: list[Source],
    counts: dict[int, ItemCounts],
    aside: list[QuarantineEntry],
    to: tuple[ListFormat, Path | None],
    now: datetime,
) -> None:
    """Print the sources; CSV and JSON lines also have the quarantined items."""
    from tidings_portal.store.records_of_articles import ItemCounts

    form, output = to
    if form is not ListFormat.TABLE:
        records = [
            *(_record(one, counts.get(one.id, ItemCounts())) for one in sources),
            *map(_quarantine_record, aside),
        ]
        write_list(records, form, output, (), ())
    elif sources:
        with destination(output) as stream:
            rows = (_row(one, counts.get(one.id, ItemCounts()), now) for one in sources)
            print_table(("", "source", "state", "last success", "next", "articles", "teasers"), rows, stream)
            for one in sources:
                if one.problem:
                    lines = textwrap.wrap(plain(one.problem), _COLUMNS, initial_indent="    ", subsequent_indent="    ")
                    stream.write("\n".join(["", f"{one.id}  {plain(one.name)}", *lines]) + "\n")


def _row(source: Source, counts: ItemCounts, now: datetime) -> tuple[object, ...]:
    state = coloured(source.state, "red" if source.problem else "green")
    following = "never" if source.gone else _until(source.next_poll, now)
    return (
        str(source.id),
        source.name,
        state,
        _ago(source.last_success, now),
        following,
        counts.articles,
        counts.teasers,
    )


def _record(source: Source, counts: ItemCounts) -> dict[str, object]:
    return {
        "number": source.id,
        "address": source.settings.address,
        "title": source.settings.title,
        "state": source.state,
        "problem": source.problem,
        "failures": source.failures,
        "gone": source.gone,
        "last_success": None if source.last_success is None else source.last_success.isoformat(),
        "next_poll": None if source.gone else source.next_poll.isoformat(),
        "articles": counts.articles,
        "teasers": counts.teasers,
    }


def _summary(store: Store, sources: list[Source], now: datetime) -> Iterator[str]:
    from tidings_portal.watch.presence import watchers
    from tidings_portal.watch.supervisor import task_failures

    totals, queue = store.totals(), store.queue(now)
    wrong = sum(bool(one.problem) for one in sources)
    yield f"{len(sources):,} sources, {wrong:,} with a problem"
    yield f"{totals.articles:,} articles, {totals.teasers:,} of them teasers only, {totals.stories:,} stories"
    yield (
        f"{queue.waiting:,} pages to fetch, {queue.leased:,} in progress, {queue.later:,} to be retried,"
        f" {queue.failed:,} failed"
    )
    watching = [(watcher, beat) for watcher, beat in watchers(store) if watcher.is_alive(beat, now)]
    for watcher, _ in watching:
        since = datetime.fromisoformat(watcher.since)
        yield f"watched by process {watcher.process} on {watcher.machine} since {since:%Y-%m-%d %H:%M}"
    if len(watching) > 1:
        yield f"{len(watching)} watchers share the work"
    if not watching:
        yield "no watcher is running; start one with `tidings watch`"
    for task in task_failures(store):
        if task.is_recent(now):
            yield (
                f"the background task {task.task!r} failed at {task.last:%Y-%m-%d %H:%M} UTC: {task.reason};"
                f" {task.count:,} failures so far, the log has the traceback"
            )


def _quarantine_record(entry: QuarantineEntry) -> dict[str, object]:
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


def _aside(store: Store, entries: list[QuarantineEntry]) -> Iterator[str]:
    """Yield lines about quarantined items: their number by stage, then the latest with their reasons."""
    counts = store.quarantine_counts()
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


def _obstacles(store: Store, where: str, now: datetime) -> Iterator[str]:
    """Yield reasons why the store cannot be written: a failed test write, or a nearly full disk."""
    from tidings.errors import StoreError

    try:
        store.save_state("room", bytes(_TRIED), now, version=None, space="status")
        store.forget_state("room", "status")
    except StoreError as error:
        yield f"nothing can be written to the store: {error}"
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
