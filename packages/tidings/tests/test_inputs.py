"""What can be passed as a page, and `extract_many`."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tidings
from tests.support import missing
from tidings import ExtractOptions
from tidings.errors import BadArgument, EmptyPage, InputError, NotHTML, TidingsError

PAGE = (
    "<html><meta charset=utf-8><body><article><p>Größere Robben sind zurück in der Mündung.</p></article></body></html>"
)
TEXT = "Größere Robben sind zurück in der Mündung."


def _installed(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        missing(f"{name} is not installed")


NODES: dict[str, Callable[[], Any]] = {
    "lxml element": lambda: _installed("lxml.html").fromstring(PAGE),
    "lxml tree": lambda: _installed("lxml.html").parse(io.BytesIO(PAGE.encode())),
    "BeautifulSoup": lambda: _installed("bs4").BeautifulSoup(PAGE, "html.parser"),
    "node of BeautifulSoup": lambda: _installed("bs4").BeautifulSoup(PAGE, "html.parser").article,
    "selectolax": lambda: _installed("selectolax.lexbor").LexborHTMLParser(PAGE),
    "node of selectolax": lambda: _installed("selectolax.lexbor").LexborHTMLParser(PAGE).css_first("article"),
    "bytearray": lambda: bytearray(PAGE.encode()),
    "binary file": lambda: io.BytesIO(PAGE.encode()),
    "text file": lambda: io.StringIO(PAGE),
    "Page": lambda: tidings.Page(PAGE),
}


@pytest.mark.parametrize("kind", NODES)
def test_a_page_in_any_form(kind: str) -> None:
    assert tidings.extract(NODES[kind]()).text == TEXT
    assert tidings.extract_text(NODES[kind]()) == TEXT


def test_a_path(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE, "utf-8")
    assert tidings.extract(file).text == TEXT
    with file.open("rb") as stream:
        assert tidings.extract(stream).text == TEXT
    with pytest.raises(InputError, match=r"none\.html cannot be read: No such file"):
        tidings.extract(tmp_path / "none.html")
    with pytest.raises(InputError, match="cannot be read"):
        tidings.extract(tmp_path)
    with pytest.raises(NotHTML):
        tidings.extract(str(file))


@pytest.mark.parametrize("wrong", [3, None, object(), ["<p>"], {"html": PAGE}])
def test_other_types_are_typed_errors(wrong: object) -> None:
    with pytest.raises(BadArgument, match=f"not {type(wrong).__name__}"):
        tidings.extract(wrong)


def test_a_file_of_something_else_is_a_typed_error() -> None:
    class Wrong:
        def read(self) -> int:
            return 3

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:  # noqa: ARG002  # the signature of files
            raise OSError("the disk is gone")

    with pytest.raises(BadArgument, match="returns int"):
        tidings.extract(Wrong())
    with pytest.raises(InputError, match="the disk is gone"):
        tidings.extract(Broken())


def _outcomes(workers: int, **settings: Any) -> list[str]:
    pages = [
        PAGE,
        "",
        (PAGE.encode(), "https://a.example/2"),
        3,
        (PAGE, 3),
        *[PAGE.replace("der", str(n)) for n in range(20)],
    ]
    results = tidings.extract_many(pages, workers=workers, **settings)
    return [type(one).__name__ if isinstance(one, TidingsError) else f"{one.url} {one.text}" for one in results]


def test_many_pages_come_in_order_with_errors_as_values() -> None:
    outcomes = _outcomes(1)
    assert outcomes[:5] == [f" {TEXT}", "EmptyPage", f"https://a.example/2 {TEXT}", "BadArgument", "BadArgument"]
    assert [outcome.split()[-2] for outcome in outcomes[5:]] == [str(number) for number in range(20)]
    assert _outcomes(2) == outcomes


def test_options_apply_to_all_pages() -> None:
    outcomes = _outcomes(2, options=ExtractOptions(max_text_length=3))
    assert outcomes[:2] == [" ", "EmptyPage"]


def test_pages_are_read_as_needed() -> None:
    taken = []

    def pages() -> Any:
        for number in range(1000):
            taken.append(number)
            yield PAGE

    results = tidings.extract_many(pages())
    assert not taken
    next(results)
    assert len(taken) == 1


@pytest.mark.parametrize("workers", [-1, "two", True, 1.5])
def test_a_wrong_number_of_workers_is_a_typed_error(workers: Any) -> None:
    with pytest.raises(BadArgument, match="workers"):
        tidings.extract_many([PAGE], workers=workers)


def test_an_error_keeps_its_class() -> None:
    (error,) = tidings.extract_many([b""])
    assert isinstance(error, EmptyPage)
