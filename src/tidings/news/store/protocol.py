"""What a store can do, in the words of the field: what every other part may ask of it, and nothing of SQL.

`tidings.news.store.open` gives one in SQLite or in PostgreSQL; the same tests pass for both. In and out go the frozen
records of `records_of_work` and `records_of_articles`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from tidings.news.store.protocol_of_people import People
from tidings.news.store.query_tree import Query
from tidings.news.store.records_of_articles import (
    Count,
    Finished,
    Headline,
    Hit,
    KeptArticle,
    Listed,
    Mute,
    NewArticle,
    Only,
    Order,
    Removed,
    Retention,
    Saved,
    Story,
    StoryDraft,
    Tally,
    Totals,
)
from tidings.news.store.records_of_work import (
    Link,
    NewSource,
    Noted,
    Poll,
    QuarantineEntry,
    QueueState,
    Remembered,
    SeenLink,
    Source,
    Stage,
    Task,
)
from tidings.news.store.verbs.pages import KeptPage


class Sources(Protocol):
    """Where links come from."""

    def add_sources(self, sources: Sequence[NewSource], at: datetime) -> list[int]:
        """Add sources; their numbers, in order. One that is there already stays as it is."""

    def change_source(self, number: int, told: NewSource) -> bool:
        """Change what somebody has told of a source; what polling has told stays. False: there is none."""

    def remove_source(self, number: int) -> bool:
        """Forget a source. Its articles stay: they may be somebody else's too."""

    def source(self, number: int) -> Source | None:
        """A source by its number."""

    def source_at(self, address: str) -> Source | None:
        """A source by its address."""

    def sources(self) -> list[Source]:
        """All sources, by folder and name."""

    def claim_sources(self, worker: str, count: int, lease: timedelta, at: datetime) -> list[Source]:
        """Sources that are due, lent to this worker alone until the lease runs out; the longest due first."""

    def polled(self, poll: Poll) -> bool:
        """What came of polling a source; the lease ends. False: the source has been removed meanwhile."""

    def poll_again(self, number: int, at: datetime) -> bool:
        """Poll a source at a time of one's own choosing, even one that was gone."""


class Queue(Protocol):
    """Links seen, pages to fetch, hosts to treat well."""

    def note_links(self, links: Sequence[SeenLink], at: datetime, source: int | None = None) -> list[Noted]:
        """Links as a source shows them: those that are new are put in the queue. In the order given."""

    def link(self, number: int) -> Link | None:
        """A link by its number."""

    def link_for(self, name: str) -> Link | None:
        """The link that is known by a key."""

    def failed_links(self, limit: int = 100) -> list[Link]:
        """Links that were given up, the latest first."""

    def claim(
        self, worker: str, count: int, lease: timedelta, at: datetime, *, per_host: int | None = None
    ) -> list[Task]:
        """Tasks for a worker, nobody else's until the lease runs out. Hosts on hold are left alone."""

    def renew(self, tasks: Sequence[Task], deadline: datetime) -> list[bool]:
        """More time for tasks; whether each is still the worker's own."""

    def release(self, worker: str, at: datetime, *, counted: bool = True) -> int:
        """Give back all that a worker has. After kill -9 attempts count: a page may have been the reason."""

    def fail(self, task: Task, reason: str, retry_at: datetime | None, aside: QuarantineEntry | None = None) -> bool:
        """A task that did not work out: tried again at a time, or given up. False: it is the worker's no more."""

    def fetch_again(self, links: Sequence[int], at: datetime, priority: int = 0) -> int:
        """Put links in the queue once more: an edited article becomes a further version. How many were put there."""

    def queue(self, at: datetime) -> QueueState:
        """How much there is to do."""

    def reserve_host(self, name: str, at: datetime, pause: timedelta) -> datetime:
        """When this worker may ask a host: now, or when it is free again. The next one waits for the pause after it."""

    def correct_times(self, at: datetime, *, sources: timedelta, others: timedelta) -> int:
        """Take back times that are further away than anybody can have asked for: a clock was wrong. How many."""

    def hold_host(self, name: str, until: datetime) -> None:
        """Leave a host alone until a time, as it asked for (Retry-After). Never shorter than was agreed before."""


class Articles(Protocol):
    """Articles and their versions; what is muted."""

    def finish(self, done: Sequence[Finished]) -> list[Saved]:
        """Tasks that are done: each leaves the queue and its article, if there is one, is kept; all in one step."""

    def keep(self, articles: Sequence[NewArticle]) -> list[Saved]:
        """Articles that came some other way than through the queue: from a file, an import, a reader's wish."""

    def index_again(self, number: int) -> bool:
        """Make an article findable anew. False: there is none, or its words cannot be made."""

    def article(self, number: int, version: int | None = None) -> KeptArticle | None:
        """An article: its current version, or one by number."""

    def articles_by_number(self, numbers: Sequence[int]) -> list[KeptArticle]:
        """Current versions of several articles, in the order given; those that are gone are left out."""

    def article_for(self, name: str) -> int | None:
        """The number of the article whose link is known by a key."""

    def versions(self, number: int) -> list[KeptArticle]:
        """All versions of an article, the first one first."""

    def each_article(self, after: int = 0, *, all_versions: bool = False) -> Iterator[KeptArticle]:
        """All articles in the order of their numbers, for exports: a few at a time, so that nobody is kept waiting."""

    def mutes(self) -> list[Mute]:
        """The rules there are."""

    def set_mutes(self, rules: Sequence[Mute]) -> int:
        """Replace all rules; every article is marked anew. How many are muted by a rule now."""

    def lift_mutes(self, at: datetime) -> int:
        """Drop the rules whose time is over; how many there were."""


class Pages(Protocol):
    """Pages as they were sent."""

    def page(self, name: str) -> KeptPage | None:
        """A page by its digest."""

    def page_of(self, article: int) -> KeptPage | None:
        """The page that an article's current version came from, where it is still kept."""

    def each_page(self, since: datetime | None = None) -> Iterator[KeptPage]:
        """All pages in the order they were fetched, one at a time."""


class Lists(Protocol):
    """Lists of articles."""

    def articles(self, only: Only | None = None, *, limit: int = 20, after: str | None = None) -> Listed[Headline]:
        """The latest articles, all of them or some only. The cursor of a list asks for what comes after it."""

    def most_read(
        self, since: datetime, *, language: str | None = None, limit: int = 20, after: str | None = None
    ) -> Listed[Headline]:
        """What was read most since a day, in all languages or in one."""

    def similar(self, article: int, *, limit: int = 6) -> list[Headline]:
        """Articles of the same weeks whose words are most like the title of this one. Not those of its own story."""

    def categories(self) -> list[Tally]:
        """The categories there are and how many articles each has, the largest first."""

    def authors(self, *, limit: int = 100) -> list[Tally]:
        """Those who have written most."""

    def sites(self, *, limit: int = 100) -> list[Tally]:
        """The hosts with most articles."""

    def languages(self) -> list[str]:
        """The languages of the articles there are."""

    def articles_by_source(self) -> dict[int, int]:
        """How many articles each source has brought."""

    def totals(self) -> Totals:
        """How much there is."""


class Searching(Protocol):
    """Search."""

    def search(
        self,
        query: str | Query,
        only: Only | None = None,
        *,
        order: Order = Order.RELEVANCE,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[Hit]:
        """Articles that a query finds, with the places it was found at."""

    def count(self, query: str | Query | None, only: Only | None = None, *, most: int = 1000) -> Count:
        """How many articles a query finds; counting stops at some number, so that it is quick."""


class Stories(Protocol):
    """Stories and their followers."""

    def save_stories(self, drafts: Sequence[StoryDraft]) -> list[int]:
        """Write stories; their numbers, in order. An article is in one story: it leaves the one it was in."""

    def join_story(self, story: int, articles: Sequence[int]) -> bool:
        """Articles join a story, as they come in one by one. False: there is no such story."""

    def merge_stories(self, kept: int, others: Sequence[int]) -> bool:
        """Stories that turned out to be one: members and followers go over, old numbers lead on."""

    def story(self, number: int) -> Story | None:
        """A story by its number, or the one it was merged into: then it has another number than was asked for."""

    def stories(
        self,
        *,
        category: str | None = None,
        language: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        least: int = 1,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[Story]:
        """Stories, the one with the latest news first: current events since a time, past ones until a time."""

    def top_stories(self, since: datetime, *, limit: int = 20, language: str | None = None) -> list[Story]:
        """The stories of a time that most sites tell of: a front page."""

    def each_story(self) -> Iterator[tuple[Story, tuple[int, ...]]]:
        """All stories with their members, in the order of their numbers."""

    def follow(self, story: int, person: str, at: datetime) -> bool:
        """Somebody follows a story. False: there is no such story."""

    def unfollow(self, story: int, person: str) -> bool:
        """Somebody follows a story no more. False: they did not."""

    def is_followed(self, story: int, person: str) -> bool:
        """Whether somebody follows a story."""

    def followed(self, person: str) -> list[Story]:
        """The stories that somebody follows, the one with the latest news first."""


class Readers(Protocol):
    """What is read and saved."""

    def count_reads(self, reads: Mapping[int, int], at: datetime) -> None:
        """Articles were read so many times each. Those that are gone are not counted."""

    def save(self, article: int, person: str, at: datetime) -> bool:
        """Somebody saves an article: retention leaves it. False: there is no such article."""

    def unsave(self, article: int, person: str) -> bool:
        """Somebody does not need a saved article any more. False: it was not saved."""

    def is_saved(self, article: int, person: str) -> bool:
        """Whether somebody saved an article."""

    def saved(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[Headline]:
        """What somebody saved, the latest articles first."""


class Memory(Protocol):
    """What other parts remember."""

    def load_state(self, name: str, space: str = "state") -> Remembered | None:
        """A value by its name; a space is a set of names, as "state" or "site"."""

    def save_state(self, name: str, value: bytes, at: datetime, *, version: int | None, space: str = "state") -> int:
        """Keep a value under a name; its new version."""

    def forget_state(self, name: str, space: str = "state") -> bool:
        """Forget a value. False: there was none."""

    def states(self, space: str = "state") -> list[str]:
        """The names of a space, sorted."""

    def save_signatures(self, signatures: Mapping[int, bytes]) -> None:
        """What articles are compared by, to find those that are nearly the same."""

    def signatures(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """All signatures in the order of the articles' numbers, a few hundred at a time."""

    def setting(self, name: str, default: str = "") -> str:
        """A setting."""

    def set_setting(self, name: str, value: str) -> None:
        """Change a setting."""


class QuarantineTable(Protocol):
    """What was set aside because it made a stage raise."""

    def set_aside(self, entries: Sequence[QuarantineEntry]) -> None:
        """Set items aside; one that is there keeps since when, and is counted once more."""

    def quarantine(self, stage: Stage | None = None, *, limit: int = 1000) -> list[QuarantineEntry]:
        """What is set aside, in one stage or in all, the latest first."""

    def quarantine_counts(self) -> dict[Stage, int]:
        """How much is set aside in each stage that has something."""

    def lift_quarantine(self, stage: Stage, items: Sequence[str]) -> int:
        """Items that work now are set aside no more; how many there were."""

    def retry_quarantine(self, at: datetime, *, unless: str | None = None) -> int:
        """Give items back to their stages: all of them, or those that another version of the software failed on."""


class Keeping(Protocol):
    """What goes."""

    def retain(self, policy: Retention, at: datetime) -> Removed:
        """Remove what a policy does not keep."""

    def remove_articles(self, articles: Sequence[int]) -> int:
        """Remove articles with all their versions; their links are not fetched again. How many there were."""


class Store(
    Sources,
    Queue,
    Articles,
    Pages,
    Lists,
    Searching,
    Stories,
    Readers,
    People,
    Memory,
    QuarantineTable,
    Keeping,
    Protocol,
):
    """Everything a store can do."""

    def check(self) -> list[str]:
        """What is wrong with the store, in sentences; nothing if it is whole."""

    def tidy(self) -> None:
        """Do what keeps the store quick, after much has been written or removed."""

    def close(self) -> None:
        """Give the connections back."""
