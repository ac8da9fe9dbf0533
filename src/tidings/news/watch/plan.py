"""How a store is watched: everything that can be set, with what is usual."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from tidings.news.store.records_of_articles import Retention
from tidings.processes import cores

#: Pages are there to try better rules on; articles stay.
RETENTION: Final = Retention(pages_for=timedelta(days=30), pages_bytes=2_000_000_000)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a store is watched."""

    once: bool = False  # end when everything that is due has been done
    every: timedelta | None = None  # poll all sources this often; None: each as it has news
    jobs: int = field(default_factory=cores)  # processes that read pages; 0: none but this one
    polls_at_once: int = 16
    pages_at_once: int = 64  # fetched and waiting for their host's turn together
    per_host: int = 8  # of those, of one host
    batch: int = 16  # pages read and kept together
    lease: timedelta = timedelta(minutes=15)
    patience: float = 120.0  # seconds of work on one batch before its process is ended
    grace: float = 20.0  # seconds for what is under way when it is told to stop
    held: float = 60.0  # seconds that one round waits for hosts that want to be left alone
    tick: float = 2.0  # seconds after which it looks whether there is anything to do
    most_pages: int = 10  # of one article
    keep_pages: bool = True  # as they were sent, so that better rules can be tried on the past
    group: bool = True  # put new articles into stories
    recipe: str = ""  # of sources that name none; empty: the default
    retention: Retention = RETENTION
    retain_every: timedelta = timedelta(hours=1)
    tidy_every: timedelta = timedelta(days=1)  # the index of search in one piece again
