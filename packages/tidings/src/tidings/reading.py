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
    """Return the article that the default extractor finds on a page: what `tidings.extract` gives."""
    return read(page, _made(_named(prefer)), second_opinion, details=details)


def extract_text(page: Page, *, prefer: Preference = _USUAL) -> str:
    """Return the text of the article that the default extractor finds: what `tidings.extract_text` returns.

    Fields and pictures are not looked for.
    """
    extractor = _made(_named(prefer))
    assert _is_deciding(extractor)  # noqa: S101  # the default extractor
    decided = extractor.decide(page)
    if not decided.spans:
        return extract(page, prefer=prefer).text
    return assemble_text(page, decided.spans, comments.find(page).posts, decided.hidden)


def _named(prefer: Preference) -> str:
    return extractors.DEFAULT if prefer == _USUAL else f"{extractors.DEFAULT}(preference={prefer})"


@cache
def _made(name: str) -> Extractor:
    """Return the extractor of a name. It cannot change, so that one instance reads page after page."""
    return extractors.extractor(name)


def read(
    page: Page,
    extractor: Extractor,
    second_opinion: SecondOpinion | None = None,
    *,
    for_text: bool = False,
    details: bool = False,
) -> Article:
    """Return the article that an extractor finds on a page; a second opinion is asked where it is in doubt.

    Args:
        page: the page.
        extractor: what chooses the text.
        second_opinion: what is asked where it is in doubt.
        for_text: only what the article shows as plain text is wanted: no pictures, and of the fields the headline,
            comments and posts.
        details: also look for prices, addresses, numbers and products.
    """
    article, spans = read_and_show(page, extractor, second_opinion, for_text=for_text)
    if details:
        from tidings.fields.details import find as find_details

        article = replace(article, details=find_details(page, spans, article.language))
    return article


def _is_deciding(extractor: Extractor) -> TypeGuard[Deciding]:
    return hasattr(extractor, "decide")  # to ask the protocol takes thirty times as long, on each page


def _in_state(page: Page) -> StateStory | None:
    from tidings.page.application_state import story_in_state  # few pages show nothing

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
