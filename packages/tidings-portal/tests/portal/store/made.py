"""Articles and links for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tidings.article import Article, Block, Inline, Kind
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.store.records_of_work import SeenLink

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def paragraphs(*texts: str) -> tuple[Block, ...]:
    return tuple(Block(Kind.PARAGRAPH, (Inline(text),)) for text in texts)


def article(number: int = 1, title: str = "", text: str = "", **told: Any) -> Article:
    """An article of its own address; an hour older for each number."""
    url = told.pop("url", f"https://www.harbour.example/{number}")
    told.setdefault("published", NOON - number * HOUR)
    told.setdefault("language", "en")
    body = paragraphs(*(text or f"The text of story {number}.").split("\n"))
    return Article(url=url, title=title or f"Story {number}", blocks=body, **told)


def new(number: int = 1, title: str = "", text: str = "", **told: Any) -> NewArticle:
    """The same, to be kept."""
    kept = {name: told.pop(name) for name in ("maker", "page", "keys", "category", "sources", "at") if name in told}
    kept.setdefault("at", NOON)
    return NewArticle(article(number, title, text, **told), **kept)


def link(number: int = 1, host: str = "harbour.example", **told: Any) -> SeenLink:
    address = f"https://{host}/{number}"
    told.setdefault("keys", (address,))
    return SeenLink(address, title=f"Story {number}", **told)
