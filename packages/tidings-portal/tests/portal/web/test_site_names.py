"""What a site is called: as it calls itself, else as all of its feeds do, else by its host."""

from __future__ import annotations

from pathlib import Path

from tests.portal import housed
from tests.portal.store.made import new
from tidings_portal import store
from tidings_portal.store.records_of_articles import ArticleHeadline, Only
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.web.pages import site_name


def only_one(path: Path, *sources: NewSource, site: str = "") -> str:
    with store.open(path) as kept:
        kept.add_sources(list(sources), housed.NOW)
        kept.keep([new(1, "Ferry aground", site=site)])
    with housed.app(path) as app:
        (one,) = app.store.articles(Only()).items
        assert isinstance(one, ArticleHeadline)
        return site_name(app, one)


def test_a_site_has_the_name_it_gives_itself(tmp_path: Path) -> None:
    source = NewSource("https://www.site.example/feed", title="Feed of the site")
    assert only_one(tmp_path / "a", source, site="The Site") == "The Site"


def test_else_that_of_its_feeds(tmp_path: Path) -> None:
    host = only_one(tmp_path / "none")
    first = NewSource(f"https://www.{host}/feed", title="Kıyı Postası")
    second = NewSource(f"https://{host}/sport", title="Kıyı Postası – Spor")
    assert only_one(tmp_path / "one", first) == "Kıyı Postası"
    assert only_one(tmp_path / "host", first, site=host) == "Kıyı Postası"
    assert only_one(tmp_path / "two", first, second) == host
    assert only_one(tmp_path / "other", NewSource("https://elsewhere.example/", title="Elsewhere")) == host
