"""From a page and an extractor to an article: the one place where text and fields are put together."""

from __future__ import annotations

from tidings import fields
from tidings.article import Article, assemble
from tidings.extractors import Extractor
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Deciding
from tidings.page import Page


def read(page: Page, extractor: Extractor) -> Article:
    """The article that an extractor finds on a page."""
    name = name_of(extractor)
    if not isinstance(extractor, Deciding):
        spans = extractor(page)
        return assemble(page, spans, fields.read(page, spans), chosen_by=name)
    found = extractor.decide(page)
    known = fields.read(page, found.spans)
    return assemble(page, found.spans, known, chosen_by=name, kind=found.kind, confidence=round(found.confidence, 3))
