"""What Tidings extracts of each way: hidden sentences that leak, and visible ones that are lost."""

from __future__ import annotations

from dataclasses import dataclass, field

import tidings
from tests.hidden_text.way import AFTER, BEFORE, SECRET, Way, story_page
from tidings.article import FORMATS, Article, render
from tidings.page import Page

URL = "https://quay.example/news/story"


@dataclass
class Measure:
    """Ways by what became of their sentence."""

    hidden: int = 0
    visible: int = 0
    leaks: list[str] = field(default_factory=list)  # hidden, and in some output of the article
    page_leaks: list[str] = field(default_factory=list)  # hidden, and in the visible text of the page
    lost: list[str] = field(default_factory=list)  # visible, and in no text of the article
    page_lost: list[str] = field(default_factory=list)  # visible, and hidden on the page
    neighbours_lost: list[str] = field(default_factory=list)  # a sentence beside it is missing


def outputs(article: Article) -> dict[str, str]:
    """Return everything that an article is written as."""
    return {
        **{name: render(article, name) for name in sorted(FORMATS)},
        "text attribute": article.text,
        "blocks": " ".join(block.text for block in article.blocks),
        "pictures": " ".join(f"{picture.alt} {picture.caption}" for picture in article.images),
    }


def measure(ways: list[Way]) -> Measure:
    """Extract the page of each way."""
    result = Measure()
    for way in ways:
        source = story_page(way)
        page = Page(source)
        visible_text = page.visible.text(page)
        article = tidings.extract(source, url=URL)
        if way.is_visible:
            result.visible += 1
            is_picture = "alt=" in way.body
            if SECRET not in outputs(article)["pictures" if is_picture else "text attribute"]:
                result.lost.append(way.name)
            if SECRET not in visible_text and not is_picture:
                result.page_lost.append(way.name)
        else:
            result.hidden += 1
            formats = [name for name, text in outputs(article).items() if SECRET in text]
            if formats:
                result.leaks.append(way.name)
            if SECRET in visible_text:
                result.page_leaks.append(way.name)
        if BEFORE not in article.text or AFTER not in article.text:
            result.neighbours_lost.append(way.name)
    return result
