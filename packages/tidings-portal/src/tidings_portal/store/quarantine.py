"""Quarantine: an item that makes a batch fail is left out, and the rest of the batch continues (HOSTILE 29).

Every stage that processes many items (sources, links, pages, articles) runs them through a `Quarantine`. An item that
raises is stored with its name, the error and the version of Tidings. The stage then leaves it out, so that nothing is
retried forever. It is retried by another version of Tidings or on request (`tidings status --retry`), and released as
soon as it works. Errors that are not the item's fault are not caught: a full disk, a store that does not respond, or a
batch of which nothing works.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Final, TypeVar

from tidings.errors import StoreDamaged, StoreError, TidingsError
from tidings_portal.store.database import key
from tidings_portal.store.records_of_articles import ArticleHeadline, KeptArticle
from tidings_portal.store.records_of_work import ItemKind, QuarantineEntry, Stage

if TYPE_CHECKING:
    from tidings_portal.store.verbs.quarantine import QuarantineVerbs  # circular import

LOG: Final = logging.getLogger("tidings.quarantine")
T = TypeVar("T")
R = TypeVar("R")

#: After this many failures of single items without a success, the items are not the cause.
_MOST_BAD: Final = 20
_LONGEST_REASON: Final = 500
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class ItemName:
    """The identity of an item: its kind, its number or URL, and a display name."""

    kind: ItemKind
    item: str
    name: str = ""


def article_name(article: KeptArticle | ArticleHeadline) -> ItemName:
    """Return the item name of a stored article."""
    headline = article.headline if isinstance(article, KeptArticle) else article
    return ItemName(ItemKind.ARTICLE, str(headline.id), headline.title or headline.address)


@cache
def software_version() -> str:
    """Return the version of Tidings that is recorded with failures."""
    return version("tidings")


def new_entry(
    stage: Stage, item: ItemName, error: BaseException | str, at: datetime, software: str = ""
) -> QuarantineEntry:
    """Return the quarantine entry of an item that made a stage raise."""
    reason = error if isinstance(error, str) else reason_of(error)
    name = _plain(item.name)[:_LONGEST_NAME]
    reason = _plain(reason)[:_LONGEST_REASON]
    return QuarantineEntry(stage, item.kind, item.item, name, reason, software or software_version(), at, at)


def reason_of(error: BaseException) -> str:
    """Return the reason of a failure. Unexpected errors are named by their type."""
    message = str(error)
    return message if isinstance(error, TidingsError) and message else f"{type(error).__name__}: {message}".rstrip(": ")


def is_of_item(error: Exception) -> bool:
    """Return whether an item may have caused an error, and not a full disk or a broken store."""
    if isinstance(error, StoreError):
        return isinstance(error, StoreDamaged)
    return not isinstance(error, OSError | sqlite3.OperationalError)


def bisect(items: Sequence[T], work: Callable[[Sequence[T]], R]) -> tuple[list[R], list[tuple[T, Exception]]]:
    """Run `work` on all items; if it raises, on each half, recursively, until the bad items are isolated.

    Args:
        items: in order.
        work: processes several items. If it raises, it has changed nothing, or it can be repeated safely.

    Returns:
        The results of the parts that worked, in order, and the failed items with their errors.

    Raises:
        Exception: too many items raised and none worked, or the error is not the item's.
    """
    results: list[R] = []
    bad: list[tuple[T, Exception]] = []
    parts = [items] if items else []
    while parts:
        part = parts.pop()
        try:
            results.append(work(part))
        except Exception as error:
            if not is_of_item(error) or (not results and len(bad) >= _MOST_BAD):
                raise
            if len(part) > 1:
                middle = len(part) // 2
                parts += [part[middle:], part[:middle]]
            else:
                bad.append((part[0], error))
    return results, bad


class Quarantine:
    """The quarantined items of a stage.

    Args:
        store: the store methods of the quarantine.
        stage: the stage.
        now: the time.
        again: process quarantined items too (on request).
    """

    def __init__(
        self, store: QuarantineVerbs, stage: Stage, now: datetime | None = None, *, again: bool = False
    ) -> None:
        self._store = store
        self._stage = stage
        self._now = now
        self._again = again
        self._entries: dict[tuple[ItemKind, str], QuarantineEntry] | None = None
        self._fresh: set[tuple[ItemKind, str]] = set()  # quarantined in this run
        self.number = 0  # quarantined in this run, or left out

    def is_out(self, item: ItemName) -> bool:
        """Return whether an item must be skipped, because this version of Tidings has failed on it."""
        entry = self._stored().get(_key(item))
        return entry is not None and entry.version == software_version() and not self._again

    def due(self) -> list[QuarantineEntry]:
        """Return the items to retry: another version failed on them, or a retry was requested."""
        return [entry for entry in self._stored().values() if entry.version != software_version()]

    def run(self, items: Sequence[T], work: Callable[[Sequence[T]], R], named: Callable[[T], ItemName]) -> list[R]:
        """Run `work` on all items, bisecting where it raises (`bisect`); quarantine the bad ones."""
        results, bad = bisect(items, work)
        for item, error in bad:
            self.add(named(item), error)
        wrong = {id(item) for item, _ in bad}
        self.lift([named(item) for item in items if id(item) not in wrong] if self._stored() else [])
        return results

    def each(self, items: Iterable[T], work: Callable[[T], R], named: Callable[[T], ItemName]) -> Iterator[R]:
        """Yield the result for each item; quarantine those that raise, and leave out quarantined ones."""
        for item in items:
            name = named(item)
            if self.is_out(name):
                self.number += 1
                continue
            try:
                result = work(item)
            except Exception as error:  # any bug
                if not is_of_item(error):
                    raise
                self.add(name, error)
                continue
            if self._stored():
                self.lift([name])
            yield result

    def add(self, item: ItemName, error: BaseException | str) -> QuarantineEntry:
        """Quarantine an item: in the log, and in the store if it can be written."""
        entry = new_entry(self._stage, item, error, self._now or datetime.now(UTC))
        LOG.warning("%s", entry.sentence, extra={"stage": str(entry.stage), "item": entry.item})
        if isinstance(error, BaseException):
            LOG.debug("how it came to that", exc_info=error)
        self._stored()[_key(item)] = entry
        self._fresh.add(_key(item))
        self.number += 1
        try:
            self._store.set_aside([entry])
        except StoreError as refused:
            LOG.debug("that could not be written: %s", refused)
        return entry

    def lift(self, items: Sequence[ItemName]) -> None:
        """Release items that work now, unless this run quarantined them."""
        earlier = [item for item in items if _key(item) not in self._fresh]
        stored = [item for item in earlier if self._stored().pop(_key(item), None) is not None]
        if stored:
            LOG.info("%d items work again in %s", len(stored), self._stage)
            try:
                self._store.lift_quarantine(self._stage, [item.item for item in stored])
            except StoreError as refused:
                LOG.debug("that could not be written: %s", refused)

    def _stored(self) -> dict[tuple[ItemKind, str], QuarantineEntry]:
        if self._entries is None:
            entries = self._store.quarantine(self._stage, limit=1_000_000)
            self._entries = {(entry.kind, entry.item): entry for entry in entries}
        return self._entries


def _key(item: ItemName) -> tuple[ItemKind, str]:
    """Return kind and key of an item as stored, with long URLs shortened."""
    return item.kind, key(item.item)


def _plain(text: str) -> str:
    """Return an untrusted text on one line for the log: without line breaks and control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
