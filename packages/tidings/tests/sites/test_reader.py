"""The reader that learns, and what it remembers: across pages, threads, processes and damaged files."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import tidings
from tests.sites import village
from tests.support import ROOT
from tidings import Reader
from tidings.errors import SitesUnwritable, UnknownSite
from tidings.sites import SiteMemory
from tidings.sites.storage.backends import MOST_PAGES, SiteEvent, SitePage, SitesFile, SitesInMemory, SiteStorage
from tidings.sites.templates.site import MOST_TEXTS, Site

SITE = "post.example"


def by_rule(article: tidings.Article) -> bool:
    return article.provenance["body"].startswith("rule")


def taught(where: SiteMemory | Path | None = None) -> Reader:
    reader = Reader(where)
    for number in range(5):
        assert not by_rule(reader.extract(village.page(number), village.address(number)))
    return reader


def test_the_sixth_page_is_cut_by_rules() -> None:
    reader = taught()
    assert [event.what for event in reader.memory.log(SITE)] == ["learned"]
    for data in (village.page(7), village.page(8).encode()):
        article = reader.extract(data, village.address(7))
        assert by_rule(article)
        assert article.title in {village.story(7)["title"], village.story(8)["title"]}


def test_the_stateless_way_stays_stateless() -> None:
    taught()
    assert not by_rule(tidings.extract(village.page(7), village.address(7)))


def test_without_an_address_nothing_is_learned() -> None:
    reader = Reader()
    for number in range(7):
        assert not by_rule(reader.extract(village.page(number)))
    assert reader.memory.names() == []


def test_a_change_is_noticed_at_once_and_learned_within_five_pages() -> None:
    reader = taught()
    assert by_rule(reader.extract(village.page(6), village.address(6)))
    for number in range(20, 25):
        article = reader.extract(village.redesigned(number), village.address(number))
        assert not by_rule(article)
        assert article.text == tidings.extract(village.redesigned(number), village.address(number)).text
    assert by_rule(reader.extract(village.redesigned(26), village.address(26)))
    site = reader.memory.site(SITE)
    old = [known.template for known in site.templates if known.template.valid_until is not None]
    assert len(old) == 1, "the old rules are kept with the day they ended"
    assert [event.what for event in reader.memory.log(SITE)] == ["learned", "learned"]
    assert by_rule(reader.extract(village.redesigned(27), village.address(27)))


def test_two_makes_that_come_in_turn_are_learned_once_each() -> None:
    """Six pages of one make, six of the other, and so on: once both are learned rules serve all, old ones revived."""
    reader = Reader(audit_every=0)
    served = []
    for number in range(36):
        make = village.redesigned if number // 6 % 2 else village.page
        served.append(reader.extract(make(number), village.address(number)).provenance["body"].startswith("rule"))
    assert sum(served) >= 24
    assert all(served[12:])
    assert [event.what for event in reader.memory.log("post.example")].count("learned") == 2


def test_health_is_counted_and_repeated_texts_become_noise(tmp_path: Path) -> None:
    reader = taught(tmp_path / "sites.db")
    for number in range(40, 60):
        reader.extract(
            village.page(number).replace("</p>\n<div", "</p><p>Tonight: tea in the town hall.</p><div"),
            village.address(number),
        )
    reader.close()
    site = SiteMemory(tmp_path / "sites.db").site(SITE)
    assert site.templates[0].health.served == 20
    again = Reader(tmp_path / "sites.db")
    page = village.page(61).replace("</p>\n<div", "</p><p>Tonight: tea in the town hall.</p><div")
    assert "tea in the town hall" not in again.extract(page, village.address(61)).text


def test_pages_that_cannot_be_learned_are_tried_again_ever_more_rarely() -> None:
    reader = Reader()
    for number in range(60):
        story = village.story(number)
        body = "<br><br>".join(story["paragraphs"])  # type: ignore[arg-type]
        # Elements whose very names are others on every page, and nothing else to hold on to.
        page = f"<title>{story['title']}</title><w{number}>{body}</w{number}>"
        assert not by_rule(reader.extract(page, village.address(number)))
    assert [event.what for event in reader.memory.log(SITE)] == ["not learned"] * 2  # after 5 and after 20 pages


def test_many_threads_learn_one_site_once(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "sites.db")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: reader.extract(village.page(number), village.address(number)), range(64)))
        later = list(pool.map(lambda number: reader.cut(village.page(number), village.address(number)), range(64)))
    for number, article in enumerate(found):
        assert str(village.story(number)["title"]) == article.title
    assert all(article is not None and by_rule(article) for article in later)
    assert len(reader.memory.site(SITE).valid) <= 3


_CHILD = """
import sys
from pathlib import Path
from tests.sites import village
from tidings import Reader
with Reader(Path(sys.argv[1])) as reader:
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 8):
        reader.extract(village.page(number), village.address(number))
"""


@pytest.mark.gate
def test_two_processes_learn_one_site(tmp_path: Path) -> None:
    file = tmp_path / "sites.db"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "packages/tidings")}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(file), str(first)], cwd=ROOT, env=environment, stderr=subprocess.PIPE
        )
        for first in (0, 100)
    ]
    for child in children:
        _, said = child.communicate(timeout=120)
        assert child.returncode == 0, said.decode()
    memory = SiteMemory(file)
    site = memory.site(SITE)
    assert 1 <= len(site.valid) <= 2
    assert by_rule(Reader(memory).extract(village.page(7), village.address(7)))
    assert sum(known.health.served for known in site.templates) >= 4


def test_a_damaged_file_is_kept_aside_and_named(tmp_path: Path) -> None:
    file = tmp_path / "sites.db"
    file.write_bytes(b"this is no database at all" * 100)
    reader = taught(file)
    assert isinstance(reader.memory.storage, SitesFile)
    aside = reader.memory.storage.set_aside
    assert aside is not None
    assert aside.read_bytes().startswith(b"this is no database")
    assert str(aside) in reader.memory.log("")[0].why
    assert by_rule(reader.extract(village.page(7), village.address(7)))


def test_a_damaged_entry_is_told_and_learned_anew(tmp_path: Path) -> None:
    file = tmp_path / "sites.db"
    taught(file).close()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE value SET value = ? WHERE space = 'site'", (b'{"site": 1',))
    connection.close()
    reader = Reader(file)
    for number in range(10, 16):
        last = reader.extract(village.page(number), village.address(number))
    assert by_rule(last)
    assert "quarantined" in [event.what for event in reader.memory.log(SITE)]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(SitesUnwritable, match="cannot be stored in"):
        SiteMemory(tmp_path / "taken" / "sites.db")


def test_forgetting() -> None:
    reader = taught()
    reader.memory.forget(SITE)
    assert reader.memory.names() == []
    with pytest.raises(UnknownSite):
        reader.memory.site(SITE)
    with pytest.raises(UnknownSite, match=r"post\.example"):
        taught().memory.forget("post.exampel")


@pytest.fixture(params=["memory", "file"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> SiteStorage:
    return SitesInMemory() if request.param == "memory" else SitesFile(tmp_path / "storage.db")


def test_a_storage_writes_only_over_what_was_read(storage: SiteStorage) -> None:
    assert storage.get("a") is None
    assert storage.set("a", "one", 0)
    assert not storage.set("a", "other", 0)
    assert storage.get("a") == ("one", 1)
    assert storage.set("a", "two", 1)
    assert not storage.set("a", "three", 1)
    assert storage.get("a") == ("two", 2)
    assert storage.names() == ["a"]
    storage.remove("a")
    assert storage.get("a") is None


def test_a_storage_is_bounded(storage: SiteStorage) -> None:
    for number in range(3 * MOST_PAGES):
        count = storage.keep("a", SitePage(f"http://a/{number}", b"x" * number))
    assert count == MOST_PAGES
    kept = storage.pages("a")
    assert [page.url for page in kept][-1] == f"http://a/{3 * MOST_PAGES - 1}"
    assert kept[-1].data == b"x" * (3 * MOST_PAGES - 1)
    storage.keep("a", SitePage(kept[0].url, b"again"))
    assert len(storage.pages("a")) == MOST_PAGES, "one address, one page"
    storage.drop_pages("a")
    assert storage.pages("a") == []


def test_a_log_tells_of_one_site_or_all(storage: SiteStorage) -> None:
    from datetime import UTC, datetime

    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    events = [SiteEvent(at, "a", "learned", "5 pages"), SiteEvent(at, "b", "forgotten", "asked for")]
    for event in events:
        storage.tell(event)
    assert storage.events() == events
    assert storage.events("b") == events[1:]


def test_texts_are_forgotten_rarest_first() -> None:
    site = Site("a")
    for start in range(0, 3 * MOST_TEXTS, 100):
        site = site.having_seen([(*range(start, start + 100), -1)])
    assert len(site.texts) <= MOST_TEXTS
    assert dict(site.texts)[-1] == 3 * MOST_TEXTS // 100 + bool(3 * MOST_TEXTS % 100)
