"""The sample newspaper: what its gold says is in the article, and is what the gold says it is."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from tidings import newspaper
from tidings.article import FORMATS, Article, Kind, article_from_json, assemble, render
from tidings.newspaper import SamplePage
from tidings.page import Page, Spans

STORIES = [page for page in newspaper.pages() if page.page_type != "front"]
#: An encyclopaedia puts these into its text; gold leaves them out.
NOTES = re.compile(r"\[(?:\d+|[^\W\d]+)\]")
#: Long enough to stand nowhere else on a page: the story lies between the first and the last of these.
LONG = 24
RIGHT_TO_LEFT = {"ar", "fa", "ur", "ps", "he"}


def name(sample: SamplePage) -> str:
    return sample.id


def normal(text: str) -> str:
    return " ".join(NOTES.sub("", text).split())


@cache
def read(place: int) -> tuple[Page, Spans, Article]:
    """The article made of all blocks that are part of the gold."""
    sample = STORIES[place]
    page = Page(sample.html, sample.url)
    gold = normal(sample.gold["text"].replace(" | ", " "))
    blocks = page.blocks
    texts = [normal(page.text[start:end]) for start, end in zip(blocks.text_start, blocks.text_end, strict=True)]
    within = [text in gold and not hidden for text, hidden in zip(texts, blocks.hidden, strict=True)]
    sure = [block for block, chosen in enumerate(within) if chosen and len(texts[block]) >= LONG]
    mask = [chosen and sure[0] <= block <= sure[-1] for block, chosen in enumerate(within)]
    spans = Spans.of_blocks(page, mask)
    return page, spans, assemble(page, spans)


@pytest.mark.parametrize("place", range(len(STORIES)), ids=map(name, STORIES))
def test_no_word_of_the_gold_is_lost(place: int) -> None:
    page, spans, article = read(place)
    gold = Counter(normal(STORIES[place].gold["text"].replace(" | ", " ")).split())
    assert gold - Counter(normal(" ".join(article.words)).split()) == Counter()
    assert normal(" ".join(article.words)) == normal(" ".join(spans.words(page)))
    assert article.direction == ("rtl" if STORIES[place].lang in RIGHT_TO_LEFT else "ltr")


@pytest.mark.parametrize("place", range(len(STORIES)), ids=map(name, STORIES))
def test_kinds_are_those_of_the_gold(place: int) -> None:
    _, _, article = read(place)
    sample = STORIES[place]

    def texts(kind: Kind) -> list[str]:
        return [normal(block.text) for block in article.blocks if block.kind is kind]

    tables = [
        [[cell.text for cell in row] for row in block.rows] for block in article.blocks if block.kind is Kind.TABLE
    ]
    assert tables == sample.gold["tables"]
    items = [normal(item) for one in sample.gold["lists"] for item in one]
    assert texts(Kind.LIST_ITEM) == items
    headings = [normal(heading) for heading in sample.gold["headings"]]
    if sample.outlet == "kiyi":  # it writes headings as bold paragraphs, as pages once did
        assert set(headings) <= set(texts(Kind.PARAGRAPH))
    else:
        assert texts(Kind.HEADING) == headings


@pytest.mark.parametrize("place", range(0, len(STORIES), 5), ids=map(name, STORIES[::5]))
def test_every_format(place: int) -> None:
    _, _, article = read(place)
    for form in FORMATS:
        render(article, form).encode()
    assert article_from_json(render(article, "json")) == article


def test_pictures_of_the_gazette() -> None:
    """One in its figure in the middle of the text, loaded late, with a copy for pages without scripts."""
    place = next(place for place, sample in enumerate(STORIES) if sample.id == "gazette/harbour-bridge-reopens")
    _, _, article = read(place)
    names = [image.src.rpartition("/")[2] for image in article.images]
    assert names == STORIES[place].gold["pictures"]
    assert all(image.caption for image in article.images)
