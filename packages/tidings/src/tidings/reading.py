"""From a page and an extractor to an article: the one place where text and fields are put together."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, TypeGuard

from tidings import extractors, fields
from tidings.article import Article, assemble
from tidings.article.assemble import assemble_text
from tidings.extractors import Extractor
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Deciding, Moving
from tidings.fields import comments
from tidings.page import Page, Spans

if TYPE_CHECKING:
    from tidings.extractors.opinion import SecondOpinion
    from tidings.page.application_state import StateStory

#: How sure it is that data for scripts is the story of a page that shows none.
IN_STATE: Final = 0.5
_OF_STATE: Final = "no story is shown: read from the data of scripts"

#: What to do in doubt: leave out, weigh, or keep.
Preference = Literal["precision", "balanced", "recall"]
_USUAL: Final = "balanced"


def extract(
    page: Page,
    *,
    prefer: Preference = _USUAL,
    second_opinion: SecondOpinion | None = None,
    details: bool = False,
) -> Article:
    """Extract the article of a page with the default extractor; the implementation of `tidings.extract`."""
    return read(page, _extractor(_named(prefer)), second_opinion, details=details)


def extract_text(page: Page, *, prefer: Preference = _USUAL) -> str:
    """Extract the text of the article with the default extractor; the implementation of `tidings.extract_text`.

    Fields and pictures are not extracted.
    """
    extractor = _extractor(_named(prefer))
    assert _is_deciding(extractor)  # noqa: S101  # the default extractor
    decided = extractor.decide(page)
    if not decided.spans:
        return extract(page, prefer=prefer).text
    return assemble_text(page, decided.spans, comments.find(page).posts, decided.hidden)


def _named(prefer: Preference) -> str:
    return extractors.DEFAULT if prefer == _USUAL else f"{extractors.DEFAULT}(preference={prefer})"


@cache
def _extractor(name: str) -> Extractor:
    """Return an extractor by name. Extractors are immutable, so one instance serves all pages."""
    return extractors.extractor(name)


def read(
    page: Page,
    extractor: Extractor,
    second_opinion: SecondOpinion | None = None,
    *,
    for_text: bool = False,
    details: bool = False,
) -> Article:
    """Extract the article of a page.

    Args:
        page: the page.
        extractor: the extractor that selects the text.
        second_opinion: asked about doubtful pages.
        for_text: extract only what plain text shows: no pictures, and only headline, comments and posts of the fields.
        details: also extract prices, e-mail addresses, telephone numbers and products.
    """
    article, spans = read_and_show(page, extractor, second_opinion, for_text=for_text)
    if details:
        from tidings.fields.details import find as find_details

        article = replace(article, details=find_details(page, spans, article.language))
    return article


def _is_deciding(extractor: Extractor) -> TypeGuard[Deciding]:
    return hasattr(extractor, "decide")  # thirty times faster than isinstance with a protocol


def _in_state(page: Page) -> StateStory | None:
    from tidings.page.application_state import story_in_state  # needed for few pages

    return story_in_state(page)


def read_and_show(
    page: Page, extractor: Extractor, second_opinion: SecondOpinion | None = None, *, for_text: bool = False
) -> tuple[Article, Spans]:
    """Return the article that an extractor finds on a page, and where its text stands."""
    name = name_of(extractor)
    known_of = fields.read_for_text if for_text else fields.read
    pictures = not for_text
    if not _is_deciding(extractor):
        spans = extractor(page)
        moved = extractor.moved(page) if isinstance(extractor, Moving) else ()
        return assemble(page, spans, known_of(page, spans), chosen_by=name, moved=moved, with_pictures=pictures), spans
    found = extractor.decide(page)
    if second_opinion is not None:
        from tidings.extractors.opinion import SECOND, with_second

        if (second := with_second(page, found, second_opinion)) is not None:
            found, name = second, name + SECOND
    if not found.spans and (told := _in_state(page)):
        drawn = Page(told.html, page.url)
        known = known_of(page, None)
        article = assemble(drawn, drawn.visible, known, chosen_by=told.by, confidence=IN_STATE, doubt=_OF_STATE)
        return article, found.spans
    known = known_of(page, found.spans)
    confidence = round(found.confidence, 3)
    article = assemble(
        page, found.spans, known, chosen_by=name, kind=found.kind, confidence=confidence, doubt=found.doubt,
        hidden=found.hidden, with_pictures=pictures,
    )  # fmt: skip
    return article, found.spans
