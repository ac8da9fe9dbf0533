"""Teaser-only articles: the title and teaser of a feed item whose page is unavailable, with the reason.

A reason is a status code ("403") or the last part of a translation key (`teaser.slow`), so that the portal can say it
in every language.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from tidings.article import Article, Block, Inline, Kind
from tidings.article.direction import direction
from tidings.errors import ConnectionFailed, DeadlineExceeded, FetchError, NotNow, RobotsDisallowed, UnknownHost
from tidings.fetch import Outcome
from tidings.fields.language import guess_text
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.store.records_of_work import SeenLink, SourceKind, StoredLink

#: The page has no text; shows something else than the article; could not be read; is still in the queue.
EMPTY: Final = "empty"
WALL: Final = "wall"
FAILED: Final = "failed"
WAITING: Final = "waiting"
_REASONS: Final[tuple[tuple[type[FetchError], str], ...]] = (
    (DeadlineExceeded, "slow"),
    (RobotsDisallowed, "robots"),
    (UnknownHost, "unreachable"),
    (ConnectionFailed, "unreachable"),
    (NotNow, WAITING),
)


def reason_of(outcome: Outcome) -> str:
    """Return why a page could not be fetched."""
    if not isinstance(outcome, FetchError):
        return str(outcome.status)
    return next((reason for kind, reason in _REASONS if isinstance(outcome, kind)), FAILED)


def is_feed_item(store: Store, link: StoredLink) -> bool:
    """Return whether a link comes from a feed, and not only from a front page or sitemap."""
    sources = (store.source(number) for number in link.sources)
    return any(source is not None and source.settings.kind is SourceKind.FEED for source in sources)


def keep_teasers(store: Store, links: Sequence[StoredLink], reason: str, at: datetime) -> int:
    """Store feed items without an article as teasers; return their number."""
    items = [link for link in links if link.article is None and link.seen.keys and is_feed_item(store, link)]
    return len(store.keep([new_teaser(link.seen, reason, at) for link in items])) if items else 0


def new_teaser(link: SeenLink, reason: str, at: datetime) -> NewArticle:
    """Return a new article from a feed item's title and teaser."""
    return NewArticle(teaser(link), at, "feed", None, link.keys, link.category, teaser_reason=reason)


def teaser(link: SeenLink) -> Article:
    """Return the title and teaser of a feed item as an article."""
    guess = guess_text(f"{link.title}\n{link.summary}")
    language = guess.language if guess is not None else ""
    text = link.summary.strip()
    return Article(
        url=link.address,
        title=link.title,
        authors=tuple(link.author.split(", ")) if link.author else (),
        published=None if link.published is None else link.published.astimezone(UTC),
        published_precision="" if link.published is None else "second",
        language=language,
        direction=direction((link.title, text), "", language)[0],
        summary=text,
        blocks=(Block(Kind.PARAGRAPH, (Inline(text),)),) if text else (),
        provenance=dict.fromkeys(("title", "body", "summary", "authors", "published"), "feed"),
    )
