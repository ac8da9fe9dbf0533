"""The migration guides name calls that exist, on both sides, and what they say of other programs is true."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
import typer

import tidings
from tests.support import ROOT, missing
from tests.test_docs import _commands
from tidings.article import FORMATS, Article, Options, render

GUIDES = ROOT / "docs/migrate"
NAME = re.compile(r"[A-Za-z_]\w*")
HIDING = """<html lang="en"><body><article><h1>Seals are back</h1>
<p>Grey seals are breeding again in the estuary, the harbour office said on Monday after a count at dawn of the day.</p>
<p onclick="evil()">Wardens counted <b>forty</b> pups on the <a href="javascript:alert(1)">sandbank</a>, they said.</p>
<p style="display:none">Words that nobody sees on this page but that stand in its source for robots to read.</p>
<p>Boats are asked to keep away until the end of the season, the office said in a statement to the papers.</p>
</article></body></html>"""


def peer(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some warn of their own optional parts
        try:
            return importlib.import_module(name)
        except ImportError:
            missing(f"needs {name}: the extra peers")


def rows(guide: str) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of the tables of a guide: the first word of the table, their call, our call."""
    table = ""
    lines = (GUIDES / f"from-{guide}.md").read_text("utf-8").splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith("|") or set(line) <= set("|- "):
            continue
        theirs, ours = (cell.strip() for cell in line.strip("|").split(" | ", 1))
        if set(below) <= set("|- ") and below:
            table = theirs
        else:
            yield table, theirs, ours


def code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_trafilatura() -> None:
    trafilatura = peer("trafilatura")
    document = peer("trafilatura.settings").Document
    parameters = inspect.signature(trafilatura.extract).parameters
    source = inspect.getsource(peer("trafilatura.cli"))
    flags = set(re.findall(r"""["'](--?[A-Za-z][\w-]*)["']""", source))
    seen = 0
    for table, theirs, _ in rows("trafilatura"):
        for said in code(theirs):
            seen += 1
            name = NAME.findall(said)[0]
            if table.startswith("fields"):
                assert name in document.__slots__, said
            elif table == "command line":
                assert said.split()[0] in flags, said
            elif "(" in said:
                assert callable(getattr(trafilatura, name)), said
            else:
                assert name in parameters, said
    assert seen > 50
    assert trafilatura.extract("<html></html>") is None
    assert 'onclick="evil()"' in trafilatura.extract(HIDING, output_format="html")
    assert "javascript:" in trafilatura.extract(HIDING, output_format="markdown", include_links=True)


def test_newspaper4k() -> None:
    newspaper = peer("newspaper")
    article = newspaper.Article("https://harbour.example/seals")
    with pytest.raises(newspaper.ArticleException):
        article.parse()
    article.download(input_html=HIDING)
    article.parse()
    assert "Words that nobody sees" in article.text
    for _, theirs, _ in rows("newspaper4k"):
        for said in code(theirs):
            owner, _, name = said.partition(".")
            if owner == "article":
                assert hasattr(article, NAME.findall(name)[0]), said
            elif owner == "newspaper":
                assert callable(getattr(newspaper, NAME.findall(name)[0])), said
            else:
                assert hasattr(newspaper.Config(), NAME.findall(said)[0]), said


def test_readability() -> None:
    document = peer("readability").Document
    for _, theirs, _ in rows("readability"):
        for said in code(theirs):
            name = said.partition(".")[2].strip("()") or said
            assert hasattr(document, name) or name in inspect.signature(document).parameters, said
    assert document(HIDING).author() == "[no-author]"


def test_news_please() -> None:
    peer("newspaper")  # which it loads when it reads its first page
    please = peer("newsplease").NewsPlease
    known = peer("newsplease.NewsArticle").NewsArticle
    told = please.from_html(HIDING, url="https://harbour.example/seals", fetch_images=False)
    for table, theirs, _ in rows("news-please"):
        for said in code(theirs):
            if table.startswith("fields"):
                assert hasattr(told, said) or hasattr(known, said), said
            elif said.startswith("NewsPlease."):
                assert callable(getattr(please, NAME.findall(said)[1])), said


@pytest.mark.parametrize("guide", ["trafilatura", "newspaper4k", "readability", "news-please", "feed-readers"])
def test_our_calls_exist(guide: str) -> None:
    from tidings.cli.app import app

    commands = dict(_commands("", typer.main.get_command(app)))
    options = {
        flag
        for command in commands.values()
        for parameter in command.params
        for flag in parameter.opts + parameter.secondary_opts
    }
    attributes = {field.name for field in fields(Article)} | {"text", "html", "markdown"}
    switches = {field.name for field in fields(Options)}
    calls = [call for _, _, ours in rows(guide) for call in code(ours)]
    assert len(calls) > 5
    for call in calls:
        assert set(re.findall(r"(?<!\w)--[a-z][a-z-]*", call)) <= options, call
        assert set(re.findall(r"(?<!\w)article\.(\w+)", call)) <= attributes, call
        assert set(re.findall(r"Options\((\w+)=", call)) <= switches, call
        assert set(re.findall(r"--format (\w+)", call)) <= set(FORMATS), call
        if (command := re.match(r"tidings ([a-z]+)", call)) and command[1] != "serve":  # the portal's own tests run it
            assert command[1] in commands or any(name.startswith(command[1] + " ") for name in commands), call


def test_our_calls_of_python_run() -> None:
    """Those that need no network, with a page, a URL and what the other calls return."""
    called = 0
    for guide in GUIDES.glob("from-*.md"):
        for _, _, ours in rows(guide.stem.removeprefix("from-")):
            for call in code(ours):
                if re.match(r"(?:tidings\.extract|tidings\.Reader|render|article|Options)\b", call):
                    names = {"tidings": tidings, "render": render, "Options": Options, "html": HIDING}
                    names |= {"article": tidings.extract(HIDING), "url": "https://harbour.example/seals"}
                    names["page"] = tidings.Page(HIDING)
                    eval(call, names)  # noqa: S307  # our own documentation
                    called += 1
    assert called > 40


@pytest.mark.parametrize(
    ("method", "path"),
    [
        (method, path)
        for _, theirs, ours in rows("feed-readers")
        for call in code(ours)
        if (match := re.fullmatch(r"(GET|POST|PUT) (/api/\S+)", call))
        for method, path in [(match[1], match[2])]
    ],
)
def test_operations_of_the_api_exist(method: str, path: str) -> None:
    from tidings_portal.api.openapi import OPERATIONS

    assert (method, path) in {(operation.method, operation.address) for operation in OPERATIONS}


def test_what_is_said_of_ours() -> None:
    article = tidings.extract(HIDING, "https://harbour.example/seals")
    assert "nobody sees" not in article.text
    assert article.authors == ()
    for form in FORMATS:
        written = render(article, form)
        assert "javascript:" not in written
        assert "onclick" not in written
    assert tidings.extract("<html></html>").text == ""
