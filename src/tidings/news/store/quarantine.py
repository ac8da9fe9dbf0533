"""A batch meets a bad item: the item is set aside and named, the rest goes on (HOSTILE 29).

Every stage that goes through many items (sources, links, pages, articles) runs them through a `Quarantine`. What raises
is written into the store with its name, its reason and the version of the software; from then on the stage leaves it
out, so that nothing is tried for ever. It is tried again by another version of the software, or when somebody asks
(`tidings status --retry`), and forgotten as soon as it works.

What is no item's fault is not caught: a full disk, a store that does not answer, a batch of which nothing works at all.
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
from tidings.news.store.database import key
from tidings.news.store.records_of_articles import ArticleHeadline, KeptArticle
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Stage

if TYPE_CHECKING:
    from tidings.news.store.verbs.quarantine import QuarantineVerbs  # which needs this

LOG: Final = logging.getLogger("tidings.quarantine")
T = TypeVar("T")
R = TypeVar("R")

#: So many items alone that raise, and not one that works: then it is not the items.
_MOST_BAD: Final = 20
_LONGEST_REASON: Final = 500
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class ItemName:
    """What an item is known by: its kind, its number or address, and a name for people."""

    kind: ItemKind
    item: str
    name: str = ""


def article_name(kept: KeptArticle | ArticleHeadline) -> ItemName:
    """An article of the store."""
    told = kept.headline if isinstance(kept, KeptArticle) else kept
    return ItemName(ItemKind.ARTICLE, str(told.id), told.title or told.address)


@cache
def software_version() -> str:
    """The version that failures are of."""
    return version("tidings")


def new_entry(
    stage: Stage, item: ItemName, error: BaseException | str, at: datetime, software: str = ""
) -> QuarantineEntry:
    """An item that made a stage raise."""
    reason = error if isinstance(error, str) else reason_of(error)
    name = _plain(item.name)[:_LONGEST_NAME]
    reason = _plain(reason)[:_LONGEST_REASON]
    return QuarantineEntry(stage, item.kind, item.item, name, reason, software or software_version(), at, at)


def reason_of(error: BaseException) -> str:
    """Why an item failed, in words; what nobody expected is named by its type."""
    told = str(error)
    return told if isinstance(error, TidingsError) and told else f"{type(error).__name__}: {told}".rstrip(": ")


def is_of_item(error: Exception) -> bool:
    """Whether an item may be the reason: not where the disk or the store stands in the way of everything."""
    if isinstance(error, StoreError):
        return isinstance(error, StoreDamaged)
    return not isinstance(error, OSError | sqlite3.OperationalError)


def apart(items: Sequence[T], work: Callable[[Sequence[T]], R]) -> tuple[list[R], list[tuple[T, Exception]]]:
    """Work on items all at once; where that raises, on each half, and so on, until the bad ones stand alone.

    Args:
        items: in order.
        work: on several of them; what it raises has changed nothing, or nothing that doing it again does not mend.

    Returns:
        What came of the parts that worked, in order, and the items that did not with what they raised.

    Raises:
        Exception: what is no item's fault, or what so many of them raise while none works.
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
    """The items of one stage that are set aside.

    Args:
        store: where that is written.
        stage: which.
        now: the time.
        again: try those that are set aside as well: somebody asked for all.
    """

    def __init__(
        self, store: QuarantineVerbs, stage: Stage, now: datetime | None = None, *, again: bool = False
    ) -> None:
        self._store = store
        self._stage = stage
        self._now = now
        self._again = again
        self._entries: dict[tuple[ItemKind, str], QuarantineEntry] | None = None
        self._fresh: set[tuple[ItemKind, str]] = set()  # set aside by this one
        self.number = 0  # set aside here and now, or left out

    def is_out(self, item: ItemName) -> bool:
        """Whether an item is left out: this version of the software has failed on it."""
        held = self._held().get(_key(item))
        return held is not None and held.version == software_version() and not self._again

    def due(self) -> list[QuarantineEntry]:
        """What is to be tried again: another version failed on it, or somebody asked."""
        return [entry for entry in self._held().values() if entry.version != software_version()]

    def run(self, items: Sequence[T], work: Callable[[Sequence[T]], R], named: Callable[[T], ItemName]) -> list[R]:
        """Work on items all at once, or on parts of them where that raises (`apart`); the bad ones are set aside."""
        results, bad = apart(items, work)
        for item, error in bad:
            self.put(named(item), error)
        wrong = {id(item) for item, _ in bad}
        self.lift([named(item) for item in items if id(item) not in wrong] if self._held() else [])
        return results

    def each(self, items: Iterable[T], work: Callable[[T], R], named: Callable[[T], ItemName]) -> Iterator[R]:
        """What comes of each item, one after another; those that raise are set aside, those that did are left out."""
        for item in items:
            name = named(item)
            if self.is_out(name):
                self.number += 1
                continue
            try:
                made = work(item)
            except Exception as error:  # any mistake of ours
                if not is_of_item(error):
                    raise
                self.put(name, error)
                continue
            if self._held():
                self.lift([name])
            yield made

    def put(self, item: ItemName, error: BaseException | str) -> QuarantineEntry:
        """Set an item aside: in the log, and in the store where that can be written."""
        entry = new_entry(self._stage, item, error, self._now or datetime.now(UTC))
        LOG.warning("%s", entry.sentence, extra={"stage": str(entry.stage), "item": entry.item})
        if isinstance(error, BaseException):
            LOG.debug("how it came to that", exc_info=error)
        self._held()[_key(item)] = entry
        self._fresh.add(_key(item))
        self.number += 1
        try:
            self._store.set_aside([entry])
        except StoreError as refused:
            LOG.debug("that could not be written: %s", refused)
        return entry

    def lift(self, items: Sequence[ItemName]) -> None:
        """Items that work: those that were set aside are no more, unless another version of them just was."""
        others = [item for item in items if _key(item) not in self._fresh]
        known = [item for item in others if self._held().pop(_key(item), None) is not None]
        if known:
            LOG.info("%d items work again in %s", len(known), self._stage)
            try:
                self._store.lift_quarantine(self._stage, [item.item for item in known])
            except StoreError as refused:
                LOG.debug("that could not be written: %s", refused)

    def _held(self) -> dict[tuple[ItemKind, str], QuarantineEntry]:
        if self._entries is None:
            found = self._store.quarantine(self._stage, limit=1_000_000)
            self._entries = {(entry.kind, entry.item): entry for entry in found}
        return self._entries


def _key(item: ItemName) -> tuple[ItemKind, str]:
    """As the store knows it: long addresses are shortened there."""
    return item.kind, key(item.item)


def _plain(text: str) -> str:
    """A text from elsewhere on one line: nothing in it ends a line of the log or moves a cursor."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
