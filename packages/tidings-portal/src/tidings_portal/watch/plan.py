"""Settings of a watcher, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from tidings.processes import cores
from tidings_portal.store.records_of_articles import Retention

#: Pages are for trying better rules; articles stay.
RETENTION: Final = Retention(pages_for=timedelta(days=30), pages_bytes=2_000_000_000)


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of a watcher."""

    once: bool = False  # stop when nothing is due
    every: timedelta | None = None  # the interval of all sources; None: adapt to each source
    jobs: int = field(default_factory=cores)  # worker processes; 0: read in this process
    polls_at_once: int = 16
    pages_at_once: int = 64  # fetching or waiting for their host
    per_host: int = 8  # per host
    batch: int = 16  # pages per transaction
    lease: timedelta = timedelta(minutes=15)
    patience: float = 120.0  # seconds per batch before its process is killed
    grace: float = 20.0  # seconds for running tasks after a stop
    hold: float = 60.0  # seconds that a single round waits for hosts on hold
    tick: float = 2.0  # seconds between checks for work
    most_pages: int = 10  # per article
    keep_pages: bool = True  # save pages as received, to try better rules on them
    group: bool = True  # put new articles into stories
    recipe: str = ""  # for sources without a recipe; empty: the default
    retention: Retention = RETENTION
    retain_every: timedelta = timedelta(hours=1)
    tidy_every: timedelta = timedelta(days=1)  # merge the search index
