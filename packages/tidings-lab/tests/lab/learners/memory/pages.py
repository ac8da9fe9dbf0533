"""Pages of the bundled newspaper as instances, for several tests."""

from __future__ import annotations

from functools import cache

from tidings import newspaper
from tidings.extractors.published.memory_based.features import rows
from tidings.page import Page
from tidings_lab.learners.element_labels import classes_of
from tidings_lab.learners.memory import ElementExample


@cache
def newspaper_examples(outlets: int = 6, pages: int = 4) -> tuple[ElementExample, ...]:
    """Some stories of some outlets."""
    found = []
    for outlet in list(newspaper.outlets())[:outlets]:
        stories = [page for page in newspaper.pages(outlet) if page.page_type != "front"]
        for sample in stories[:pages]:
            page = Page(sample.html, sample.url)
            found.append(ElementExample(sample.id, sample.outlet, rows(page), classes_of(page, sample.gold)))
    return tuple(found)


def made_page(numbers: tuple[int, ...]) -> Page:
    """A page made up of numbers: paragraphs, headings, links and lists of many lengths, with and without marks."""
    parts = []
    for number in numbers:
        words = " ".join(f"word{number % 7}" for _ in range(1 + number % 23)) + (".", "", "!", "”", "?")[number % 5]
        tag = ("p", "h2", "a", "li", "div", "span", "x-own")[number % 7]
        parts.append(f"<{tag}>{words.upper() if number % 11 == 0 else words}</{tag}>{words if number % 3 == 0 else ''}")
    return Page(f"<html><body><h1>The headline {numbers[0] if numbers else ''}</h1>{''.join(parts)}</body></html>")
