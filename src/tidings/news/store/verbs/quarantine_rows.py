"""Rows of what was set aside, written inside transactions that do something else as well."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tidings.news.store.base import clean, key
from tidings.news.store.clock import micros, moment
from tidings.news.store.database import Row, Session
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Stage

COLUMNS: Final = "stage, kind, item, name, reason, version, since, tried, attempts"


def put_aside(session: Session, entries: Sequence[QuarantineEntry]) -> None:
    """Write what was set aside."""
    session.many(
        f"INSERT INTO quarantine ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (stage, kind, item) DO"
        " UPDATE SET name = excluded.name, reason = excluded.reason, version = excluded.version,"
        " tried = excluded.tried, attempts = quarantine.attempts + excluded.attempts",
        [
            (
                *(one.stage.value, one.kind.value, key(one.item), clean(one.name), clean(one.reason)),
                *(key(one.version), micros(one.since), micros(one.tried), one.attempts),
            )
            for one in entries
        ],
    )


def lift(session: Session, stage: Stage, items: Iterable[str]) -> int:
    """Items of a stage are set aside no more."""
    return session.run_in("DELETE FROM quarantine WHERE stage = ? AND item IN ({})", map(key, items), stage.value)


def forget_items(session: Session, kind: ItemKind, numbers: Iterable[int]) -> None:
    """What is gone is set aside nowhere."""
    session.run_in("DELETE FROM quarantine WHERE kind = ? AND item IN ({})", map(str, numbers), kind.value)


def entry_of(row: Row) -> QuarantineEntry | None:
    """A row; None of a stage that only a newer Tidings knows."""
    try:
        stage, kind = Stage(row[0]), ItemKind(row[1])
    except ValueError:
        return None
    item, name, reason, version, since, tried, attempts = row[2:]
    return QuarantineEntry(stage, kind, item, name, reason, version, moment(since), moment(tried), attempts)
