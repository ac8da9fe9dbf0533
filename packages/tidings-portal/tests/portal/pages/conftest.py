"""A portal to look at, one for all who change nothing; and one whose every word was written by an enemy."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tidings.article import Article, Block, Image, Inline, Kind
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle, RawPage, StoryDraft
from tidings_portal.store.records_of_work import NewSource, Poll
from tidings_portal.web.app_state import App

#: Put wherever a stranger may write (HOSTILE 23, 24).
EVIL = "\"><img src=x onerror=alert(1)><script>alert(1)</script><svg onload=alert(1)>'{{7*1911987}}</title></style>"
EVIL_PAGE = (
    f"<html><head><title>{EVIL}</title><base href=//evil.example>"
    "<meta http-equiv=refresh content='0;url=//evil.example'>"
    f"<style>@import '//evil.example/x.css'; body{{background:url(//evil.example/y.png)}}</style></head>"
    f"<body onload=alert(1)><h1>{EVIL}</h1><p>{'Plain words of a story that goes on for long enough. ' * 12}</p>"
    "<iframe srcdoc='<script>alert(1)</script>'></iframe><form action=//evil.example><input name=token></form>"
    "<math><annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml></math>"
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>"
    "<script>parent.location='//evil.example'</script></body></html>"
)


@pytest.fixture(scope="session")
def portal(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A house over the newspaper that nobody changes."""
    with housed.app(housed.copy_of(filled, tmp_path_factory.mktemp("portal"))) as opened:
        yield opened


@pytest.fixture
def reader(portal: App) -> TestClient:
    """Somebody who only reads."""
    return housed.client(portal)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[App]:
    """A house without anything in it."""
    with store.open(tmp_path / "empty.tidings"):
        pass
    with housed.app(tmp_path / "empty.tidings") as opened:
        yield opened


@pytest.fixture(scope="session")
def enemy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A house in which titles, names, addresses, categories, sources and pages were written to do harm."""
    path = tmp_path_factory.mktemp("enemy") / "evil.tidings"
    with store.open(path) as kept:
        (source,) = kept.add_sources(
            [NewSource(f"https://evil.example/{EVIL}", title=EVIL, folder=EVIL)], housed.NOW - timedelta(days=1)
        )
        at = housed.NOW - timedelta(hours=2)
        kept.polled(Poll(source, at, at, timedelta(hours=1), state=EVIL, problem=EVIL, failed=True))
        for number in (1, 2):
            page = RawPage(f"https://evil.example/{number}", EVIL_PAGE.encode(), at, f"text/html; {EVIL}")
            for text in (EVIL, f"{EVIL} {EVIL} changed"):
                kept.keep([_evil(number, text, page, source)])
        kept.save_stories([StoryDraft((1, 2), EVIL, f"{EVIL} summary", "en", EVIL)])
    with housed.app(path) as opened:
        yield opened


def _evil(number: int, text: str, page: RawPage, source: int) -> NewArticle:
    image = Image(f"javascript:alert(1)//{EVIL}", EVIL)
    words = f"{text} evilword number {number}"
    blocks = tuple(Block(Kind.PARAGRAPH, (Inline(words, href=f"java\tscript:alert(1)//{EVIL}"),)) for _ in range(2))
    article = Article(
        url=f"https://evil.example/{number}",
        title=f"{EVIL} evilword {number}",
        authors=(EVIL,),
        published=housed.NOW - timedelta(hours=3),
        language="en",
        site=EVIL,
        summary=f"{EVIL} summary {number}",
        section=EVIL,
        tags=(EVIL,),
        image=image,
        images=(image,),
        blocks=blocks,
        provenance={"title": EVIL, EVIL: EVIL, "body": EVIL, "image": EVIL},
    )
    return NewArticle(article, page.fetched, f"maker {EVIL}", page, (f"evil {number}",), EVIL, (source,))
