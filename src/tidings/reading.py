"""From a page and an extractor to an article: the one place where text and fields are put together."""

from __future__ import annotations

from tidings import fields
from tidings.article import Article, assemble
from tidings.extractors import Extractor
from tidings.extractors.explain import name_of
from tidings.page import Page


def read(page: Page, extractor: Extractor) -> Article:
    """The article that an extractor finds on a page."""
    return assemble(page, extractor(page), fields.read(page), chosen_by=name_of(extractor))
