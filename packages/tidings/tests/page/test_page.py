"""A page does not change, can be sent to other processes, and is the same every time."""

from __future__ import annotations

import gc
import pickle
import random
import string
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tidings
from tidings import newspaper
from tidings.page import Hints, Page, Spans

HTML = (
    "<title>t</title><h1>Head &amp; shoulders</h1><p class=a>One <a href=b>two</a> <i hidden>three</i></p>"
    "<ul><li>four<li>five</ul><pre>six\n  seven</pre><svg><text>x</text></svg>"
)


def columns(page: Page) -> Iterator[tuple[str, np.ndarray[tuple[int], np.dtype[np.generic]]]]:
    """Every array of a page that a caller can get hold of."""
    for owner, names in (
        ("runs", "start end text_start text_end block chars words element in_link hidden"),
        ("elements", "tag parent depth start end first last"),
        ("blocks", "first last text_start text_end element words link_words hidden"),
        ("visible", "starts ends"),
        ("scope", "starts ends"),
    ):
        for name in names.split():
            yield f"{owner}.{name}", getattr(getattr(page, owner), name)
    yield "source_of_text", page.source_of_text


def everything(page: Page) -> tuple[object, ...]:
    """All a page says, to compare."""
    attributes = tuple(str(page.attributes(element)) for element in range(len(page.elements)))
    return page.source, page.text, page.tag_names, attributes, *(array.tobytes() for _, array in columns(page))


@pytest.mark.parametrize("name", ["text", "source", "url", "hints", "scope", "runs", "elements", "new"])
def test_attributes_cannot_be_set_or_deleted(name: str) -> None:
    page = Page(HTML)
    with pytest.raises(AttributeError, match=f"a page does not change: '{name}' cannot be set"):
        setattr(page, name, None)
    with pytest.raises(AttributeError, match=f"a page does not change: '{name}' cannot be deleted"):
        delattr(page, name)


@pytest.mark.parametrize("name", ["chars", "words", "element", "in_link", "hidden"])
def test_worked_out_columns_of_runs_cannot_be_written_to(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(Page(HTML).runs, name)[0] = 0


@pytest.mark.parametrize("owner", ["elements", "blocks", "visible", "scope"])
def test_columns_cannot_be_written_to(owner: str) -> None:
    for name, array in columns(Page(HTML)):
        if name.startswith(owner):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


def test_hints_and_address_are_kept() -> None:
    hints = Hints(title="T", anchor="A")
    page = Page(HTML, url="https://example.org/a", hints=hints)
    assert (page.url, page.hints) == ("https://example.org/a", hints)
    assert Page(HTML).hints == Hints()
    assert "https://example.org/a" in repr(page)


@pytest.mark.parametrize("data", [HTML, HTML.encode(), "<p>Ünïcödé</p>".encode("utf-16")])
def test_a_pickled_page_is_the_same_page(data: bytes | str) -> None:
    page = Page(data, url="https://example.org/a", hints=Hints(title="T"))
    again = pickle.loads(pickle.dumps(page))  # noqa: S301  # our own bytes
    assert everything(again) == everything(page)
    assert (again.url, again.hints) == (page.url, page.hints)


def test_a_pickled_part_of_a_page_is_the_same_part() -> None:
    page = Page(HTML)
    part = page.within(Spans.of_blocks(page, [0, 2]))
    again = pickle.loads(pickle.dumps(part))  # noqa: S301  # our own bytes
    assert again.scope == part.scope
    assert everything(again) == everything(part)


# -- the same every time ----------------------------------------------------------------------------------


def test_the_same_page_a_thousand_times() -> None:
    first = everything(Page(HTML.encode()))
    assert all(everything(Page(HTML.encode())) == first for _ in range(1000))


def test_str_and_bytes_are_the_same_page() -> None:
    for sample in newspaper.pages():
        from_bytes = Page(sample.html)
        assert everything(Page(from_bytes.source)) == everything(from_bytes), sample.id


def test_16_threads_and_another_order_are_the_same_pages() -> None:
    documents = [sample.html for sample in newspaper.pages()][:24]
    alone = [everything(Page(document)) for document in documents]
    order = list(range(len(documents))) * 2
    random.Random(5).shuffle(order)  # the same order every time
    with ThreadPoolExecutor(16) as threads:
        together = list(threads.map(lambda place: everything(Page(documents[place])), order))
    assert together == [alone[place] for place in order]


def test_16_threads_on_one_page_see_the_same_columns() -> None:
    document = next(newspaper.pages("gazette")).html
    alone = everything(Page(document))
    for _ in range(10):
        page = Page(document)  # its columns are worked out by whoever asks first
        with ThreadPoolExecutor(16) as threads:
            assert set(threads.map(lambda _, page=page: everything(page), range(16))) == {alone}


def test_pages_do_not_share_the_numbers_of_their_own_tags() -> None:
    pages = [Page(f"<x-{letter}>a</x-{letter}><x-z>b") for letter in string.ascii_lowercase]
    assert [page.tag_names[page.elements.tag[1]] for page in pages] == [
        f"x-{letter}" for letter in string.ascii_lowercase
    ]


def test_a_page_goes_with_its_last_reader() -> None:
    gc.disable()
    try:
        page = Page(HTML)
        tidings.extract(page)
        held = weakref.ref(page)
        del page
        assert held() is None
    finally:
        gc.enable()
