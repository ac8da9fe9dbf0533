"""`tidings layout`: text, boxes and picture from a real browser; without one the default goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.fetch.server import Server, reply
from tidings import newspaper
from tidings.cli.app import app
from tidings.errors import InputError, RefusedAddress
from tidings.extractors.published.layout.figure import STRIP, size_of

SAMPLE = "tagblatt/pokal-rovers"
runner = CliRunner()


def tidings(*said: str | Path) -> tuple[int, str, str]:
    done = runner.invoke(app, ["layout", *map(str, said)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.usefixtures("chromium")
def test_text_and_picture_of_a_page_of_the_newspaper(tmp_path: Path) -> None:
    picture = tmp_path / "boxes.png"
    code, text, said = tidings(SAMPLE, "--png", picture, "--with", "layout-largest")
    assert code == 0
    story = next(page for page in newspaper.pages() if page.id == SAMPLE)
    assert story.gold["paragraphs"][-1][:40] in text
    assert "px from the page's corner" in said
    assert str(picture) in said
    width, height = size_of(picture.read_bytes())
    assert width == 1280
    assert height > 600 + STRIP


@pytest.mark.usefixtures("chromium")
def test_boxes_as_json_of_a_file(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    story = "<p>Grey seals are back in the estuary, and nobody knows how many of them there are.</p>" * 9
    page.write_text(f"<body><h1>Grey seals</h1><main style='position:absolute;left:300px;top:200px'>{story}</main>")
    code, out, _ = tidings(page, "--json", "--with", "layout-largest")
    told = json.loads(out)
    assert code == 0
    assert (told["method"], told["chosen"][0][:2]) == ("layout-largest", [300, 200])
    assert told["text"].count("estuary") == 9
    assert told["page"][0] == 1280


@pytest.mark.usefixtures("chromium")
def test_a_page_of_the_web() -> None:
    html = {"Content-Type": "text/html"}
    body = b"<h1>Seals</h1>" + b"<p>Seals are back, and seals are grey.</p>" * 9
    with Server({"/": reply(body, headers=html), "/robots.txt": reply(b"", 404)}) as server:
        code, out, _ = tidings(server.url(), "--allow-host", "localhost", "--with", "layout-vips")
        assert code == 0
        assert out.count("back") == 9
        with pytest.raises(RefusedAddress):
            tidings(server.url())


def test_without_a_browser_the_default_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    code, text, said = tidings(SAMPLE)
    assert code == 1
    assert "no Chromium on the PATH" in said
    assert "the default extractor is used instead" in said
    story = next(page for page in newspaper.pages() if page.id == SAMPLE)
    assert story.gold["paragraphs"][0][:40] in text
    code, out, _ = tidings(SAMPLE, "--json")
    assert json.loads(out)["method"] == "learned"


def test_a_method_that_knows_no_boxes() -> None:
    with pytest.raises(InputError, match="layout-vips"):
        tidings(SAMPLE, "--with", "dana")


def test_a_page_that_is_not_there() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        tidings("no/such/page")


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"):
        tidings(SAMPLE, "--png", tmp_path / "no" / "where.png")
