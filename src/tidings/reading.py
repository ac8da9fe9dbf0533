"""From a page and an extractor to an article: the one place where text and fields are put together."""

from __future__ import annotations

from typing import Final, Literal

from tidings import extractors, fields
from tidings.article import Article, assemble
from tidings.extractors import Extractor
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Deciding, Moving
from tidings.page import Page, Spans
from tidings.page.application_state import story_in_state

#: How sure it is that data for scripts is the story of a page that shows none.
IN_STATE: Final = 0.5

#: What to do in doubt: leave out, weigh, or keep.
Preference = Literal["precision", "balanced", "recall"]
_USUAL: Final = "balanced"


def extract(page: Page, *, prefer: Preference = _USUAL) -> Article:
    """The article that the default extractor finds on a page: what `tidings.extract` gives."""
    name = extractors.DEFAULT if prefer == _USUAL else f"{extractors.DEFAULT}(preference={prefer})"
    return read(page, extractors.extractor(name))


def read(page: Page, extractor: Extractor) -> Article:
    """The article that an extractor finds on a page."""
    return read_and_show(page, extractor)[0]


def read_and_show(page: Page, extractor: Extractor) -> tuple[Article, Spans]:
    """The article that an extractor finds on a page, and where its text stands."""
    name = name_of(extractor)
    if not isinstance(extractor, Deciding):
        spans = extractor(page)
        moved = extractor.moved(page) if isinstance(extractor, Moving) else ()
        return assemble(page, spans, fields.read(page, spans), chosen_by=name, moved=moved), spans
    found = extractor.decide(page)
    if not found.spans and (told := story_in_state(page)):
        drawn = Page(told.html, page.url)
        known = fields.read(page, None)
        return assemble(drawn, drawn.visible, known, chosen_by=told.by, confidence=IN_STATE), found.spans
    known = fields.read(page, found.spans)
    confidence = round(found.confidence, 3)
    article = assemble(
        page, found.spans, known, chosen_by=name, kind=found.kind, confidence=confidence, hidden=found.hidden
    )
    return article, found.spans
