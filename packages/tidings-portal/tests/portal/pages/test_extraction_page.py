"""How an article was extracted: fields, versions, the page drawn where it can do nothing, other methods."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.pages.looked_at import Seen, harm
from tidings import Page, extractors, newspaper
from tidings.article import Article, Block, Inline, Kind
from tidings_portal.portal.extraction_page import agreement, compare_methods
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings


def test_each_field_says_where_it_came_from(reader: TestClient, portal: App) -> None:
    kept = portal.store.article(1)
    assert kept is not None
    text = Seen(reader.get("/article/1/how").text).words
    for told in kept.article.provenance.values():
        assert told in text
    assert kept.maker in text
    assert kept.article.confidence is not None
    assert f"{round(kept.article.confidence * 100)} %" in text
    turkish = Seen(reader.get("/article/1/how", headers={"accept-language": "tr"}).text).words
    assert f"%{round(kept.article.confidence * 100)}" in turkish
    assert "Başlık" in turkish


def test_the_page_is_drawn_where_it_can_do_nothing(reader: TestClient) -> None:
    (frame,) = Seen(reader.get("/article/1/how").text).all("iframe")
    assert frame["sandbox"] == ""
    assert frame["src"] == "/article/1/drawn"
    answer = reader.get(frame["src"])
    policy = answer.headers["content-security-policy"]
    assert "sandbox;" in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'self'" in policy
    assert "allow-scripts" not in policy
    assert '<mark class="tidings">' in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_the_page_can_be_saved_as_it_was_sent(reader: TestClient, portal: App) -> None:
    page = portal.store.page_of(1)
    assert page is not None
    answer = reader.get("/article/1/saved")
    assert answer.content == page.page.content
    assert answer.headers["content-disposition"] == 'attachment; filename="article-1.html"'
    assert answer.headers["content-type"] == "application/octet-stream"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "tidings lab annotate article-1.html" in reader.get("/article/1/how").text


def test_versions_show_what_changed(empty: App) -> None:
    for hour, text in enumerate(("It fell at noon.", "It fell at two.", "It fell at two.")):
        blocks = (Block(Kind.PARAGRAPH, (Inline(text),)),)
        title = "Wall falls" if hour < 2 else "Harbour wall falls"
        article = Article(url="https://a.example/1", title=title, language="en", blocks=blocks)
        empty.store.keep([NewArticle(article, housed.NOW + timedelta(hours=hour), f"maker {hour}", keys=("one",))])
    page = housed.client(empty).get("/article/1/how").text
    assert "<del>noon.</del><ins>two.</ins>" in page
    assert "<ins>Harbour wall</ins>" in page or "<ins>Harbour</ins>" in page
    assert page.index("Version 3") < page.index("Version 2") < page.index("Version 1")
    assert "The first version" in page
    assert "cannot be shown" in page  # there is no page of it
    assert housed.client(empty).get("/article/1/drawn").status_code == 404
    assert housed.client(empty).get("/article/1/saved").status_code == 404


def test_other_methods_are_asked_only_if_somebody_wants_to_know(reader: TestClient) -> None:
    assert "<meter" not in reader.get("/article/2/how").text
    page = reader.get("/article/2/how?others=yes").text
    assert page.count("<meter") == len(extractors.entries())
    assert not harm(page)


def test_asking_other_methods_is_bounded(app: App, client: TestClient) -> None:
    app.settings = PortalSettings(minute_fetches=1)
    assert client.get("/article/1/how?others=yes").status_code == 200
    assert client.get("/article/1/how?others=yes").status_code == 200  # known by now
    assert client.get("/article/2/how?others=yes").status_code == 429


def test_when_time_is_over_the_rest_is_left_out() -> None:
    sample = next(iter(newspaper.pages()))
    page = Page(sample.html, sample.url)
    ticks = count()
    found = compare_methods(page, "bte", seconds=3.5, clock=lambda: float(next(ticks)))
    assert len(found.rows) == 4
    assert found.left_out == len(extractors.entries()) - 4
    (own,) = [row for row in found.rows if row.is_own]
    assert (own.name, own.percent) == ("bte", 100)
    assert [row.percent for row in found.rows] == sorted((row.percent for row in found.rows), reverse=True)


@pytest.mark.parametrize(("one", "other", "percent"), [("bte", "bte", 100), ("everything", "everything", 100)])
def test_who_takes_the_same_agrees(one: str, other: str, percent: int) -> None:
    sample = next(iter(newspaper.pages()))
    page = Page(sample.html, sample.url)
    assert agreement(extractors.extractor(one)(page), extractors.extractor(other)(page)) == percent
