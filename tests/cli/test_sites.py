"""`tidings sites` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.sites import village
from tidings.cli.app import app
from tidings.errors import BadRules, InputError, UnknownSite

runner = CliRunner()
SITE = "post.example"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.html").write_text(village.page(number), "utf-8")
    return folder


def tidings(*said: str | Path, file: Path) -> str:
    done = runner.invoke(app, ["sites", *map(str, said), "--sites", str(file)])
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
    assert "2 of 2 pages served by rules" in tested
    assert "rule template-1" in tidings("replay", SITE, pages / "6.html", file=file)
    tidings("forget", SITE, file=file)
    with pytest.raises(UnknownSite):
        tidings("show", SITE, file=file)


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
    with pytest.raises(UnknownSite, match="no site has been learned"):
        tidings("forget", SITE, file=file)


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "sites.db"
    file.write_bytes(b"nothing like a database" * 50)
    assert "was damaged" in tidings("list", file=file)
