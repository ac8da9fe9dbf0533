"""What every extractor keeps to. A new one falls under this as soon as it is registered."""

from __future__ import annotations

import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tidings import newspaper
from tidings.extractors import Entry, Extractor, entries, extractor
from tidings.page import Page, Spans

from .documents import ARABIC, NASTY, article, link_rich

Growth = Callable[[Callable[[], object], Callable[[], object]], float]

every_extractor = pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
nasty = pytest.mark.parametrize("document", NASTY)

ARTICLES = {
    "article": article(12),
    "article, right to left": article(12, ARABIC),
    "encyclopaedia": link_rich(8),
    "front page": newspaper.path().joinpath("html/gazette/index.html").read_text("utf-8"),
    **{sample.id: Page(sample.html).source for outlet in newspaper.outlets() for sample in [*newspaper.pages(outlet)][1:2]},
}


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


def characters(spans: Spans, page: Page) -> set[int]:
    """The chosen positions that are no white space."""
    return {place for start, end in spans for place in range(start, end) if not page.text[place].isspace()}


# -- what it is -------------------------------------------------------------------------------------------------


@every_extractor
def test_it_is_called_by_its_name(entry: Entry) -> None:
    made = extractor(entry.name)
    assert isinstance(made, Extractor)
    assert made == entry.make()


@every_extractor
def test_it_says_where_it_comes_from_and_what_it_does(entry: Entry) -> None:
    assert len(entry.citation) > 10
    assert len(entry.summary) > 10
    assert inspect.getdoc(type(entry.make()))


@every_extractor
def test_its_constructor_only_stores(entry: Entry) -> None:
    made = entry.make()
    assert dataclasses.is_dataclass(made)
    assert not isinstance(made, type)
    assert not hasattr(made, "__post_init__")
    assert all(field.init for field in dataclasses.fields(made))


@every_extractor
def test_it_is_frozen(entry: Entry) -> None:
    made = entry.make()
    with pytest.raises((dataclasses.FrozenInstanceError, AttributeError, TypeError)):
        made.anything = 1  # type: ignore[attr-defined]


@every_extractor
def test_it_is_equal_by_value_and_hashable(entry: Entry) -> None:
    assert entry.make() == entry.make()
    assert hash(entry.make()) == hash(entry.make())


@every_extractor
def test_it_can_be_pickled(entry: Entry) -> None:
    made, page = entry.make(), Page(ARTICLES["article"])
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert again(page) == made(page)


# -- what it does -----------------------------------------------------------------------------------------------


@every_extractor
@pytest.mark.parametrize("document", ARTICLES)
def test_it_leaves_the_page_as_it_is(entry: Entry, document: str) -> None:
    page = Page(ARTICLES[document])
    before = list(columns(page))
    entry.make()(page)
    assert list(columns(page)) == before


@every_extractor
@pytest.mark.parametrize("document", ARTICLES)
def test_it_says_the_same_every_time(entry: Entry, document: str) -> None:
    """On the same page again, on a page whose columns somebody else has asked for, and on a new one."""
    page, asked = Page(ARTICLES[document]), Page(ARTICLES[document])
    assert list(columns(asked))
    assert len({entry.make()(page), entry.make()(page), entry.make()(asked), entry.make()(Page(ARTICLES[document]))}) == 1


@every_extractor
@nasty
def test_it_survives_nasty_pages(entry: Entry, document: str) -> None:
    page = Page(NASTY[document])
    spans = entry.make()(page)
    assert isinstance(spans, Spans)
    assert spans.size == len(page.text)
    assert isinstance(spans.text(page), str)


@every_extractor
@pytest.mark.parametrize("document", [*ARTICLES, *NASTY])
def test_it_chooses_only_what_a_reader_sees(entry: Entry, document: str) -> None:
    page = Page(ARTICLES.get(document) or NASTY[document])
    assert characters(entry.make()(page), page) <= characters(page.visible, page)


@every_extractor
@pytest.mark.parametrize("document", [*ARTICLES, *NASTY])
def test_it_says_the_same_of_str_and_bytes(entry: Entry, document: str) -> None:
    source = ARTICLES.get(document) or NASTY[document]
    assert entry.make()(Page(source)) == entry.make()(Page(source.encode()))


@every_extractor
@pytest.mark.parametrize("document", [*ARTICLES, *NASTY])
def test_its_answer_can_be_drawn(entry: Entry, document: str) -> None:
    page = Page(ARTICLES.get(document) or NASTY[document])
    done = 0
    for start, end in entry.make()(page).source_ranges(page):
        assert done <= start < end <= len(page.source)
        done = end


def parts(page: Page) -> Iterator[Spans]:
    """Some parts of a page: one in one piece, one in many, one that cuts words, and nothing."""
    size = len(page.text)
    blocks = len(page.blocks)
    yield Spans.of([(size // 4, size // 2)], size)
    yield Spans.union(page.blocks.text_start[::3], page.blocks.text_end[::3], size)
    yield Spans.of_mask(np.arange(size) % 50 < 30)
    yield Spans.none(size) if blocks else Spans.all(size)


@every_extractor
@pytest.mark.parametrize("document", [*ARTICLES, *NASTY])
def test_in_a_part_of_a_page_it_stays_in_that_part(entry: Entry, document: str) -> None:
    page = Page(ARTICLES.get(document) or NASTY[document])
    for part in parts(page):
        spans = entry.make()(page.within(part))
        assert characters(spans, page) <= characters(part & page.visible, page)


@every_extractor
def test_four_times_the_article_takes_less_than_eight_times_as_long(entry: Entry, growth: Growth) -> None:
    made = entry.make()
    pages = [Page(article(count, ARABIC)) for count in (150, 600)]
    small, large = (lambda page=page: made(page.within(page.scope)) for page in pages)  # columns are asked for anew
    assert growth(small, large) < 8


@every_extractor
def test_16_threads_say_the_same(entry: Entry) -> None:
    made = entry.make()
    documents = list(ARTICLES.values())
    alone = [made(Page(document)) for document in documents]
    shared = [Page(document) for document in documents]
    with ThreadPoolExecutor(16) as threads:
        assert list(threads.map(lambda document: made(Page(document)), documents * 3)) == alone * 3
        assert list(threads.map(made, shared * 3)) == alone * 3
