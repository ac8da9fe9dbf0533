"""`tidings sites` from the command line."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from typer.testing import CliRunner

from tests.sites import village
from tidings import Page, Reader, extract, newspaper
from tidings.cli.app import app
from tidings.errors import BadRules, InputError, UnknownSite
from tidings.sites import SiteMemory
from tidings_portal import store as stores
from tidings_portal.watch.site_storage import StoredSites

runner = CliRunner()
SITE = "post.example"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.html").write_text(village.page(number), "utf-8")
    return folder


def tidings(*said: str | Path, file: Path, option: str = "--sites") -> str:
    done = runner.invoke(app, ["sites", *map(str, said), option, str(file)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_learn_show_test_replay_forget(tmp_path: Path, pages: Path) -> None:
    file = tmp_path / "sites.db"
    learned = tidings("learn", SITE, *(pages / f"{number}.html" for number in range(5)), file=file)
    assert "div.story-body" in learned
    assert SITE in tidings("list", file=file)
    assert "div.story-body" in tidings("show", SITE, file=file)
    assert "learned" in tidings("show", SITE, "--log", file=file)
    tested = tidings("test", SITE, pages / "6.html", pages / "7.html", file=file)
    assert "2 of 2 pages served by templates" in tested
    assert "rule template-1" in tidings("replay", SITE, pages / "6.html", file=file)
    tidings("forget", SITE, file=file)
    with pytest.raises(UnknownSite):
        tidings("show", SITE, file=file)


def test_the_tree_can_teach(tmp_path: Path, pages: Path) -> None:
    file = tmp_path / "sites.db"
    some = [pages / f"{number}.html" for number in range(5)]
    assert "story" in tidings("learn", SITE, *some, "--teacher", "tree", file=file)
    assert "block-tree" in tidings("show", SITE, "--format", "json", file=file)
    assert "1 of 1 pages served by templates" in tidings("test", SITE, pages / "6.html", file=file)


def test_rules_with_the_content_of_a_page(tmp_path: Path, pages: Path) -> None:
    """Figure 7: each block with what its rule cuts out; who reads the rules passes over it."""
    file, other = tmp_path / "sites.db", tmp_path / "other.db"
    tidings("learn", SITE, pages, file=file)
    plain = tidings("show", SITE, "--format", "xml", file=file)
    shown = tidings("show", SITE, "--format", "xml", "--page", pages / "7.html", file=file)
    root = fromstring(shown)
    main, title = root.find(".//main"), root.find(".//headline")
    page = Page(pages.joinpath("7.html").read_bytes())
    assert main is not None
    assert " ".join(extract(page).text.split()[:5]) in " ".join((main.text or "").split())
    assert title is None or extract(page).title in (title.text or "")
    rules = tmp_path / "filled.xml"
    rules.write_text(shown, "utf-8")
    tidings("learn", SITE, "--rules", rules, file=other)
    assert tidings("show", SITE, "--format", "xml", file=other) == plain


@pytest.mark.parametrize("form", ["xml", "json"])
def test_rules_shown_can_be_given_back(tmp_path: Path, pages: Path, form: str) -> None:
    file, other = tmp_path / "sites.db", tmp_path / "other.db"
    tidings("learn", SITE, pages, file=file)
    rules = tmp_path / f"rules.{form}"
    rules.write_text(tidings("show", SITE, "--format", form, file=file), "utf-8")
    tidings("learn", SITE, "--rules", rules, file=other)
    assert tidings("show", SITE, "--format", form, file=other) == rules.read_text("utf-8")
    assert "1 of 1 pages" in tidings("test", SITE, pages / "7.html", file=other)


def test_a_site_configuration_serves_pages(tmp_path: Path, pages: Path) -> None:
    rules = tmp_path / "post.example.txt"
    rules.write_text(
        "title: //h1\nbody: //div[@class='story-body']\nstrip: //div[@class='promo']\nprune: no\n", "utf-8"
    )
    file = tmp_path / "sites.db"
    assert "not read: prune: no" in tidings("learn", SITE, "--rules", rules, file=file)
    assert "1 of 1 pages" in tidings("test", SITE, pages / "3.html", file=file)


def test_what_cannot_be_done_is_said(tmp_path: Path, pages: Path) -> None:
    file = tmp_path / "sites.db"
    with pytest.raises(InputError, match="name pages"):
        tidings("learn", SITE, file=file)
    other = tmp_path / "other.xml"
    other.write_text("<site name='else.example'><template><main tag='div'/></template></site>")
    with pytest.raises(BadRules, match=r"else\.example"):
        tidings("learn", SITE, "--rules", other, file=file)
    with pytest.raises(UnknownSite, match="no site was learned"):
        tidings("forget", SITE, file=file)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "sites.db"
    file.write_bytes(b"nothing like a database" * 50)
    assert "was damaged" in tidings("list", file=file)


# -- in the store of a watch ------------------------------------------------------------------------------------


def in_store(*said: str | Path, store: Path) -> str:
    return tidings(*said, file=store, option="--store")


@pytest.fixture
def watched(tmp_path: Path) -> Path:
    """A store whose watch has learned a site, and has cut two of its pages."""
    place = tmp_path / "news.tidings"
    with stores.open(place) as store, Reader(SiteMemory(StoredSites(store)), learn_from=5, audit_every=0) as reader:
        read = [reader.extract(village.page(number), f"https://{SITE}/{number}") for number in range(7)]
        assert [article.provenance["body"].startswith("rule ") for article in read] == [False] * 5 + [True] * 2
    return place


def test_what_a_watch_has_learned_is_shown_tried_and_forgotten(watched: Path, pages: Path) -> None:
    listed = in_store("list", store=watched)
    assert SITE in listed
    assert " 2 " in listed.split(SITE)[1]  # served
    assert "div.story-body" in in_store("show", SITE, store=watched)
    assert "learned" in in_store("show", SITE, "--log", store=watched)
    assert "1 of 1 pages served by templates" in in_store("test", SITE, pages / "7.html", store=watched)
    assert "rule template-1" in in_store("replay", SITE, pages / "7.html", store=watched)
    in_store("forget", SITE, store=watched)
    assert SITE not in in_store("list", store=watched)
    with pytest.raises(UnknownSite):
        in_store("show", SITE, store=watched)
    with stores.open(watched) as store:  # neither rules nor pages to learn from are left
        assert StoredSites(store).get(SITE) is None
        assert StoredSites(store).pages(SITE) == []


@pytest.mark.parametrize("form", ["xml", "json"])
def test_rules_go_from_a_store_to_a_file_and_back(tmp_path: Path, watched: Path, form: str) -> None:
    rules, file, other = tmp_path / "rules", tmp_path / "sites.db", tmp_path / "other.tidings"
    rules.write_text(in_store("show", SITE, "--format", form, store=watched), "utf-8")
    tidings("learn", SITE, "--rules", rules, file=file)
    assert tidings("show", SITE, "--format", form, file=file) == rules.read_text("utf-8")
    in_store("learn", SITE, "--rules", rules, store=other)  # begins a store
    assert in_store("show", SITE, "--format", form, store=other) == rules.read_text("utf-8")


def test_a_reader_takes_over_what_was_changed_in_its_store(watched: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("title: //h1\nbody: //div[@class='story-body']\n", "utf-8")
    with stores.open(watched) as store, Reader(SiteMemory(StoredSites(store)), audit_every=0) as reader:
        assert reader.cut(village.page(7).encode(), f"https://{SITE}/7") is not None
        in_store("forget", SITE, store=watched)
        in_store("learn", SITE, "--rules", rules, store=watched)
        reader.memory.flush()
        article = reader.cut(village.page(7).encode(), f"https://{SITE}/7")
        assert article is not None
        assert article.provenance["body"] == "rule " + reader.memory.site(SITE).valid[0].template.name
        assert [known.template.learned for known in reader.memory.site(SITE).valid] == ["a site configuration"]


def test_a_store_that_is_not_there_is_not_begun_by_looking(tmp_path: Path) -> None:
    nowhere = tmp_path / "typo.tidings"
    for said in (("list",), ("show", SITE), ("forget", SITE)):
        with pytest.raises(InputError, match="there is no store"):
            in_store(*said, store=nowhere)
    assert not nowhere.exists()


def test_a_file_and_a_store_are_two_places(tmp_path: Path, watched: Path) -> None:
    with pytest.raises(InputError, match="not both"):
        tidings("list", "--store", watched, file=tmp_path / "sites.db")


def test_what_rules_cut_out_is_text_and_no_python(tmp_path: Path) -> None:
    folder, file = tmp_path / "gazette", tmp_path / "sites.db"
    folder.mkdir()
    stories = [page for page in newspaper.pages("gazette") if page.page_type == "article"][:8]
    for number, page in enumerate(stories):
        folder.joinpath(f"{number}.html").write_bytes(page.html)
    tidings("learn", "gazette.example", folder, file=file)
    shown = tidings("show", "gazette.example", "--format", "xml", "--page", folder / "3.html", file=file)
    told = {one.get("field"): (one.text or "").strip() for one in fromstring(shown).iter("information")}
    assert told["image"].startswith("https://")
    assert told["published"].startswith("2026-03-")
    assert not any("(" in text or "=" in text for text in told.values())
