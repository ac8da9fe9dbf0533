"""Where reading is done: a store, a reader that learns, and one function from a job to its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from tidings.errors import StoreError
from tidings.news import store
from tidings.news.recipes.catalogue import RecipeCatalogue
from tidings.news.recipes.recipe_reader import PageReading
from tidings.news.watch.grouping import AT_ONCE, group
from tidings.news.watch.parse_source import SourceAnswer, parse_source
from tidings.news.watch.poll_report import PollReport
from tidings.news.watch.reading import Fetched, Read, ReadingTools, read_pages
from tidings.news.watch.site_storage import LearnedShapes, StoredSites
from tidings.sites import Reader, SiteMemory


@dataclass(frozen=True, slots=True)
class GroupStories:
    """Put new articles into stories, one batch of them."""

    at: datetime
    owner: str = ""
    at_once: int = AT_ONCE


Job: TypeAlias = SourceAnswer | GroupStories | tuple[Fetched, ...]
Result: TypeAlias = PollReport | int | list[Read] | StoreError


@dataclass(frozen=True, slots=True)
class WatchWorkerSetup:
    """How a desk is opened, here or in a worker process; it can be sent there."""

    where: str | Path
    keep_pages: bool = True
    has_browser: bool = False
    most_pages: int = 10
    reader: Callable[[], PageReading] | None = None  # None: one that learns sites and keeps that in the store
    recipe: str = ""  # of sources that name none

    def open(self) -> WatchWorker:
        """Open the store and make the reader.

        Raises:
            StoreError: it cannot be opened.
        """
        opened = store.open(self.where)
        learning = Reader(SiteMemory(StoredSites(opened))) if self.reader is None else None
        reader: PageReading = learning if learning is not None else self.reader() if self.reader else Reader()
        shapes = LearnedShapes(opened)
        recipes = RecipeCatalogue(opened)
        means = ReadingTools(
            *(opened, reader, shapes, recipes, self.keep_pages, self.has_browser, self.most_pages, self.recipe)
        )
        return WatchWorker(opened, means, learning)


class WatchWorker:
    """A store and what pages are read with."""

    def __init__(self, opened: store.Store, means: ReadingTools, learning: Reader | None) -> None:
        self._store = opened
        self._means = means
        self._learning = learning

    def do(self, job: Job) -> Result:
        """Look at a source, or read some pages. What the store refuses is a value: it may be well again later."""
        try:
            if isinstance(job, SourceAnswer):
                return parse_source(self._store, self._means.shapes, job, self._means.recipes, self._means.recipe)
            if isinstance(job, GroupStories):
                return group(self._store, job.at, owner=job.owner, at_once=job.at_once, batches=1)
            return read_pages(self._means, job)
        except StoreError as error:
            return error.with_traceback(None)

    def close(self) -> None:
        """Write what was learned and let go."""
        try:
            self._means.close()
            if self._learning is not None:
                self._learning.close()
        finally:
            self._store.close()
