"""What the public functions accept, and what they say about arguments that they do not."""

from __future__ import annotations

import pydoc
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

import tidings
import tidings.bulk
from tidings.bulk.settings import BulkSettings
from tidings.cli.app import app
from tidings.errors import BadArgument, ExtractorError, NotHTML

PAGE = "<html><body><p>Seals are back in the estuary.</p></body></html>"


@pytest.mark.parametrize("module", [tidings, tidings.bulk])
def test_dir_shows_the_public_names_and_nothing_else(module: Any) -> None:
    assert dir(module) == sorted(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


def test_help_describes_the_public_classes() -> None:
    text = pydoc.plain(pydoc.render_doc(tidings))
    for name in ("Article", "Page", "Reader", "Spans", "Hints", "extract"):
        assert name in text
    assert "TYPE_CHECKING" not in text


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("page.html", "read_bytes"),
        ("./saved/page 1.htm\n", "read_bytes"),
        ("C:\\saved\\page.HTML", "read_bytes"),
        ("https://example.org/story", "tidings.read"),
        (" HTTP://example.org/story?a=1 ", "tidings.read"),
        ("www.example.org/story", "tidings.read"),
        ("example.org/2026/story", "tidings.read"),
        ("news.example.co.uk:8080/", "tidings.read"),
    ],
)
def test_a_path_or_url_in_place_of_a_page_is_an_error_that_says_what_to_do(text: str, advice: str) -> None:
    for call in (tidings.extract, tidings.Page):
        with pytest.raises(NotHTML, match=advice):
            call(text)


@pytest.mark.parametrize(
    "text",
    ["Seals are back.", "See page.html for more.", "Seals\npage.html", "<p>page.html", "either/or", "e.g./i.e."],
)
def test_plain_text_is_still_a_page(text: str) -> None:
    assert tidings.extract(text).text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"data": 3}, "BeautifulSoup, not int"),
        ({"data": None}, "BeautifulSoup, not NoneType"),
        ({"data": PAGE, "url": 3}, "url must be a str, not int"),
        ({"data": PAGE, "title": 3}, "the option title must be a str, not int"),
        (
            {"data": PAGE, "prefer": "recal"},
            "the option prefer must be one of 'precision', 'balanced', 'recall', not 'recal'",
        ),
    ],
)
def test_wrong_arguments_are_typed_errors_with_public_names(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        tidings.extract(**arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (tidings.extractor, "name must be a str, not int"),
        (lambda wrong: tidings.Page(PAGE, wrong), "url must be a str, not int"),
        (lambda wrong: tidings.Reader().extract(PAGE, wrong), "url must be a str, not int"),
        (lambda wrong: tidings.Reader().text(PAGE, wrong), "url must be a str, not int"),
        (lambda wrong: tidings.extract(PAGE).about(wrong), "question must be a str, not int"),
        (
            lambda _: tidings.extract(PAGE).about("seals", tokens=cast("int", "3")),
            "tokens must be an int, not str",
        ),
        (
            lambda _: tidings.extract(PAGE).about("seals", tokens=cast("int", None)),
            "tokens must be an int, not NoneType",
        ),
    ],
)
def test_every_public_name_refuses_wrong_types(call: Any, message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        call(3)


def test_default_is_among_the_suggested_extractors() -> None:
    for name in ("defalt", "defalt & dsc"):
        with pytest.raises(ExtractorError, match="did you mean default"):
            tidings.extractor(name)


def test_reading_checks_its_arguments_too() -> None:
    with pytest.raises(BadArgument, match="url must be a str"):
        tidings.read(3)  # type: ignore[arg-type]
    with pytest.raises(BadArgument, match="prefer"):
        tidings.read("https://example.org/", prefer="recal")  # type: ignore[arg-type]


def test_default_is_a_name_of_the_default_extractor() -> None:
    page = tidings.Page(PAGE)
    assert tidings.extractor("default") == tidings.extractor("learned")
    assert tidings.extractor("default & dsc")(page) == tidings.extractor("learned & dsc")(page)
    assert tidings.extractor("default(preference=recall)") == tidings.extractor("learned(preference=recall)")


@pytest.mark.parametrize(
    "words",
    [
        ["extract", "--with", "default"],
        ["extract", "--with", "default(preference=recall)"],
        ["explain", "--with", "default"],
        ["compare", "--with", "default"],
    ],
)
def test_default_is_an_extractor_of_the_commands(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # compare writes compared.html into the working directory
    page = tmp_path / "page.html"
    page.write_text(PAGE)
    result = CliRunner().invoke(app, [words[0], str(page), *words[1:]])
    assert result.exit_code == 0, result.output
    assert "Seals" in result.output or "default" in result.output


def test_default_is_an_extractor_of_bulk() -> None:
    settings = BulkSettings(extractors=("default", "cetd"))
    assert settings.checked() == settings
