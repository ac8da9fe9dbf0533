"""The contract of extractors, checked for each registered one."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest

from tidings import newspaper
from tidings.errors import NoLayout, NoSiblings
from tidings.extractors import Entry, Extractor, entries, extractor
from tidings.page import Hints, Page, Spans

from .documents import ARABIC, NASTY, article, link_rich
from .drawn import unstyled

Growth = Callable[[Callable[[], object], Callable[[], object]], float]

every_extractor = pytest.mark.parametrize("entry", entries(laid_out=True), ids=lambda entry: entry.name)
#: Declared exception: these work only on pages that a browser has drawn, and are given such pages.
on_boxes = pytest.mark.parametrize(
    "entry", [entry for entry in entries(laid_out=True) if entry.needs_layout], ids=lambda entry: entry.name
)

ARTICLES = {
    "article": article(12),
    "article, right to left": article(12, ARABIC),
    "encyclopaedia": link_rich(8),
    "front page": newspaper.path().joinpath("html/gazette/index.html").read_text("utf-8"),
    **{
        sample.id: Page(sample.html).source
        for outlet in newspaper.outlets()
        for sample in [*newspaper.pages(outlet)][1:2]
    },
}
DOCUMENTS = ARTICLES | NASTY
#: Other pages of the site, which some methods compare with; the rest do not look at them.
BESIDE = Hints(siblings=(Page(article(3, "The ferry sails again, said the harbour master. ")), Page(link_rich(2))))
#: What takes long is tried on some pages with every change, and on all of them by the gate.
SOME = {name: ARTICLES[name] for name in ("article, right to left", "encyclopaedia", "front page", [*ARTICLES][-1])}
some_and_all = pytest.mark.parametrize(
    "articles", [SOME, pytest.param(ARTICLES, marks=pytest.mark.gate)], ids=["some", "all"]
)


def columns(page: Page) -> Iterator[bytes]:
    """Everything of a page that an extractor could spoil."""
    runs, elements, blocks = page.runs, page.elements, page.blocks
    for column in (
        *(runs.start, runs.end, runs.text_start, runs.text_end, runs.block, runs.words, runs.in_link, runs.hidden),
        *(elements.tag, elements.parent, elements.depth, elements.start, elements.end, elements.first, elements.last),
        *(blocks.first, blocks.last, blocks.words, blocks.link_words, blocks.element, blocks.hidden),
        *(page.lines().code, page.lines().text, page.lines().run),
    ):
        yield column.tobytes()
    yield page.text.encode()
    yield page.source.encode()


def new_page(entry: Entry, data: str | bytes) -> Page:
    """A document as a page of the kind that an extractor works on."""
    return unstyled(data) if entry.needs_layout else Page(data, hints=BESIDE)


@cache
def page_of(name: str, laid_out: bool) -> Page:
    """A document as a page; pages do not change, so one is enough for all."""
    return unstyled(DOCUMENTS[name]) if laid_out else Page(DOCUMENTS[name], hints=BESIDE)


@cache
def answer(entry: Entry, name: str) -> Spans:
    """What an extractor says of a document; `test_it_says_the_same_every_time` holds that it is said once for all."""
    return entry.make()(page_of(name, entry.needs_layout))


@cache
def part_of(name: str, part: str, laid_out: bool) -> Page:
    """A part of a document."""
    page = page_of(name, laid_out)
    return page.within(PARTS[part](page))


def strays(chosen: Spans, allowed: Spans, page: Page) -> str:
    """Return the text that is chosen and not allowed, without white space at its ends."""
    return "".join(page.text[start:end] for start, end in chosen - allowed).strip()


# -- what it is -------------------------------------------------------------------------------------------


@every_extractor
def test_it_is_a_value_with_a_name_and_a_publication(entry: Entry) -> None:
    """Called by its name; says where it comes from; its constructor only stores; frozen, equal by value, hashable."""
    made = extractor(entry.name)
    assert isinstance(made, Extractor)
    assert made == entry.make()
    kind: Any = type(made)
    assert hash(made) == hash(entry.make())
    assert len(entry.citation) > 10
    assert len(entry.summary) > 10
    assert inspect.getdoc(kind)
    assert dataclasses.is_dataclass(kind)
    assert not hasattr(kind, "__post_init__")
    assert all(field.init for field in dataclasses.fields(kind))
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
        made.anything = 1  # type: ignore[attr-defined]


@every_extractor
def test_it_can_be_pickled(entry: Entry) -> None:
    made, page = entry.make(), new_page(entry, ARTICLES["article"])
    again = pickle.loads(pickle.dumps(made))  # noqa: S301  # our own bytes
    assert again == made
    assert again(page) == made(page)


# -- what it does -----------------------------------------------------------------------------------------


@every_extractor
def test_it_leaves_the_page_as_it_is(entry: Entry) -> None:
    for name, source in ARTICLES.items():
        page = new_page(entry, source)
        before = list(columns(page))
        entry.make()(page)
        assert list(columns(page)) == before, name


@every_extractor
@some_and_all
def test_it_says_the_same_every_time(entry: Entry, articles: dict[str, str]) -> None:
    """On the same page again, on a page whose columns were read before, and on a new one."""
    made = entry.make()
    for name, source in articles.items():
        page, asked = new_page(entry, source), new_page(entry, source)
        assert list(columns(asked))
        assert len({made(page), made(page), made(asked), entry.make()(new_page(entry, source))}) == 1, name


@every_extractor
def test_it_survives_nasty_pages(entry: Entry) -> None:
    failed: dict[str, object] = {}
    for name in NASTY:
        page = page_of(name, entry.needs_layout)
        try:
            spans = answer(entry, name)
            spans.text(page)
            if spans.size != len(page.text):
                failed[name] = spans
        except Exception as error:  # whatever it is: every page that failed is named
            failed[name] = error
    assert failed == {}


@every_extractor
def test_it_chooses_only_what_a_reader_sees(entry: Entry) -> None:
    for name in DOCUMENTS:
        page = page_of(name, entry.needs_layout)
        assert strays(answer(entry, name), page.visible, page) == "", name


@every_extractor
@some_and_all
def test_it_says_the_same_of_str_and_bytes(entry: Entry, articles: dict[str, str]) -> None:
    for name, source in (articles | NASTY).items():
        assert answer(entry, name) == entry.make()(new_page(entry, source.encode())), name


@every_extractor
def test_its_answer_can_be_drawn(entry: Entry) -> None:
    for name in DOCUMENTS:
        page, done = page_of(name, entry.needs_layout), 0
        for start, end in answer(entry, name).source_ranges(page):
            assert done <= start < end <= len(page.source), name
            done = end


PARTS: dict[str, Callable[[Page], Spans]] = {
    "one piece": lambda page: Spans.of([(len(page.text) // 4, len(page.text) // 2)], len(page.text)),
    "every third block": lambda page: Spans.union(
        page.blocks.text_start[::3], page.blocks.text_end[::3], len(page.text)
    ),
    "pieces of words": lambda page: Spans.of_mask(np.arange(len(page.text)) % 50 < 30),
    "nothing": lambda page: Spans.none(len(page.text)),
}


@every_extractor
@some_and_all
def test_in_a_part_of_a_page_it_stays_in_that_part(entry: Entry, articles: dict[str, str]) -> None:
    for name in articles | NASTY:
        for part in PARTS:
            page, inside = page_of(name, entry.needs_layout), part_of(name, part, entry.needs_layout)
            assert strays(entry.make()(inside), inside.scope & page.visible, page) == "", (name, part)


@every_extractor
def test_four_times_the_article_takes_less_than_eight_times_as_long(entry: Entry, growth: Growth) -> None:
    made = entry.make()
    pages = [new_page(entry, article(count, ARABIC)) for count in (150, 600)]
    small, large = (lambda page=page: made(page.within(page.scope)) for page in pages)  # columns are asked for anew
    assert growth(small, large) < 8


@every_extractor
@some_and_all
def test_16_threads_say_the_same(entry: Entry, articles: dict[str, str]) -> None:
    made = entry.make()
    documents = list(articles.values())
    alone = [made(new_page(entry, document)) for document in documents]
    shared = [new_page(entry, document) for document in documents]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda document: made(new_page(entry, document)), documents * 3)) == alone * 3
        assert list(threads.map(made, shared * 3)) == alone * 3


@pytest.mark.parametrize(
    "entry", [entry for entry in entries(laid_out=True) if entry.needs_siblings], ids=lambda entry: entry.name
)
def test_without_other_pages_it_says_what_to_do(entry: Entry) -> None:
    assert entry not in entries()
    with pytest.raises(NoSiblings, match=r"`tidings extract PAGE --beside"):
        entry.make()(Page(ARTICLES["article"]))


@on_boxes
def test_without_boxes_it_says_what_to_do(entry: Entry) -> None:
    assert entry not in entries()  # so that nobody who runs all of them runs these unawares
    with pytest.raises(NoLayout, match=r"`tidings layout PAGE"):
        entry.make()(Page(ARTICLES["article"]))
