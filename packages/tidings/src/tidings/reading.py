"""Extraction of an article from a page: select the text, read the fields, build blocks and pictures, assemble."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeGuard

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

#: Confidence in an article from script data, if the page itself shows none.
IN_STATE: Final = 0.5
_OF_STATE: Final = "no story is shown: read from the data of scripts"

#: Whether to leave out doubtful text, to weigh it, or to keep it.
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


class _SelectionStage(NamedTuple):
    """The text that an extractor selected, the kind of page, and the confidence."""

    spans: Spans
    chosen_by: str
    kind: str = "article"
    confidence: float | None = None
    doubt: str = ""
    moved: Sequence[int] = ()
    hidden: Spans | None = None
    state: StateStory | None = None  # the article in script data, if the page itself shows none


def read_and_show(
    page: Page, extractor: Extractor, second_opinion: SecondOpinion | None = None, *, for_text: bool = False
) -> tuple[Article, Spans]:
    """Extract the article of a page.

    Return it with the selected text. The stages in order: select the text, read the fields, build the blocks, find the
    pictures, assemble the article. `assemble` runs the last three, because captions connect blocks and pictures.
    """
    selection = _select(page, extractor, second_opinion)
    read_fields = fields.read_for_text if for_text else fields.read
    if selection.state is not None:
        rendered = Page(selection.state.html, page.url)
        content, article_fields = rendered.visible, read_fields(page, None)
        article = assemble(
            rendered, content, article_fields, chosen_by=selection.chosen_by, confidence=IN_STATE, doubt=_OF_STATE
        )
        return article, selection.spans
    article_fields = read_fields(page, selection.spans)
    article = assemble(
        page, selection.spans, article_fields, chosen_by=selection.chosen_by, kind=selection.kind,
        confidence=selection.confidence, doubt=selection.doubt, moved=selection.moved, hidden=selection.hidden,
        with_pictures=not for_text,
    )  # fmt: skip
    return article, selection.spans


def _select(page: Page, extractor: Extractor, second_opinion: SecondOpinion | None) -> _SelectionStage:
    """Select the text of a page; ask for a second opinion if the extractor's confidence is low."""
    name = name_of(extractor)
    if not _is_deciding(extractor):
        moved = extractor.moved(page) if isinstance(extractor, Moving) else ()
        return _SelectionStage(extractor(page), name, moved=moved)
    decision = extractor.decide(page)
    if second_opinion is not None:
        from tidings.extractors.opinion import SECOND, with_second

        if (second := with_second(page, decision, second_opinion)) is not None:
            decision, name = second, name + SECOND
    if not decision.spans and (state := _in_state(page)):
        return _SelectionStage(decision.spans, state.by, state=state)
    confidence = round(decision.confidence, 3)
    return _SelectionStage(decision.spans, name, decision.kind, confidence, decision.doubt, hidden=decision.hidden)
