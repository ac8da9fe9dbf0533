"""Worker process of a watcher: parses sources, extracts pages and groups stories."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from tidings.errors import StoreError
from tidings.sites import Reader, SiteMemory
from tidings_portal import store
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.recipes.recipe_reader import PageReading
from tidings_portal.watch.grouping import AT_ONCE, group
from tidings_portal.watch.parse_source import SourceAnswer, parse_source
from tidings_portal.watch.poll_report import PollReport
from tidings_portal.watch.reading import Fetched, Read, ReadingTools, read_pages
from tidings_portal.watch.site_storage import LearnedShapes, StoredSites


@dataclass(frozen=True, slots=True)
class GroupStories:
    """A job: group one batch of new articles."""

    at: datetime
    owner: str = ""
    at_once: int = AT_ONCE


Job: TypeAlias = SourceAnswer | GroupStories | tuple[Fetched, ...]
Result: TypeAlias = PollReport | int | list[Read] | StoreError


@dataclass(frozen=True, slots=True)
class WatchWorkerSetup:
    """The settings of a worker, which can be sent to a worker process."""

    where: str | Path
    keep_pages: bool = True
    has_browser: bool = False
    most_pages: int = 10
    reader: Callable[[], PageReading] | None = None  # None: a reader that saves its site rules in the store
    recipe: str = ""  # for sources without a recipe

    def open(self) -> WatchWorker:
        """Open the store, and create a worker with a reader.

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
    """A worker that parses sources, extracts pages and groups stories, with its own connection to the store."""

    def __init__(self, opened: store.Store, means: ReadingTools, learning: Reader | None) -> None:
        self._store = opened
        self._means = means
        self._learning = learning

    def do(self, job: Job) -> Result:
        """Parse a source, read pages or group stories. A store error is returned, because it may be temporary."""
        try:
            if isinstance(job, SourceAnswer):
                return parse_source(self._store, self._means.shapes, job, self._means.recipes, self._means.recipe)
            if isinstance(job, GroupStories):
                return group(self._store, job.at, owner=job.owner, at_once=job.at_once, batches=1)
            return read_pages(self._means, job)
        except StoreError as error:
            return error.with_traceback(None)

    def close(self) -> None:
        """Save learned rules, and close the store."""
        try:
            self._means.close()
            if self._learning is not None:
                self._learning.close()
        finally:
            self._store.close()
