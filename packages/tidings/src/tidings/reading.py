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
    from tidings.options import ExtractOptions
    from tidings.page.application_state import StateStory

#: Confidence in an article from script data, if the page itself shows none.
IN_STATE: Final = 0.5
_OF_STATE: Final = "no story is shown: read from the data of scripts"

#: Whether to leave out doubtful text, to weigh it, or to keep it.
Preference = Literal["precision", "balanced", "recall"]
_USUAL: Final = "balanced"


def extract(page: Page, options: ExtractOptions | None = None) -> Article:
    """Extract the article of a page with the default extractor; the implementation of `tidings.extract`.

    Args:
        page: the page.
        options: the options; None for the default ones. Title, summary and timeout are up to the caller.
    """
    if options is None:  # the common case
        return read(page, _extractor(extractor_name(_USUAL)))
    return read(page, _extractor(extractor_name(options.prefer)), options=options)


def extract_text(page: Page, options: ExtractOptions | None = None) -> str:
    """Extract the text of the article with the default extractor; the implementation of `tidings.extract_text`.

    Fields and pictures are not extracted, unless an option needs them.
    """
    if options is not None and _needs_article(options):
        return extract(page, options).text
    extractor = _extractor(extractor_name(_USUAL if options is None else options.prefer))
    assert _is_deciding(extractor)  # noqa: S101  # the default extractor
    decided = extractor.decide(page)
    if not decided.spans:
        return extract(page, options).text
    return assemble_text(page, decided.spans, comments.find(page).posts, decided.hidden)


def _needs_article(options: ExtractOptions) -> bool:
    """Return whether the text depends on more than the preference."""
    from tidings.options import DEFAULT

    return not options.replace(prefer=DEFAULT.prefer, timeout=None, details=False).is_default


def extractor_name(prefer: Preference) -> str:
    """Return the name of the default extractor with a preference."""
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
    options: ExtractOptions | None = None,
) -> Article:
    """Extract the article of a page.

    Args:
        page: the page.
        extractor: the extractor that selects the text.
        second_opinion: asked about doubtful pages.
        for_text: extract only what plain text shows: no pictures, and only headline, comments and posts of the fields.
        details: also extract prices, e-mail addresses, telephone numbers and products.
        options: the options of the extraction, which then replace `second_opinion` and `details`.
    """
    if options is not None:
        return _read_with_options(page, extractor, options, for_text=for_text)
    article, spans = read_and_show(page, extractor, second_opinion, for_text=for_text)
    return _with_details(article, page, spans) if details else article


def _with_details(article: Article, page: Page, spans: Spans) -> Article:
    from tidings.fields.details import find as find_details

    return replace(article, details=find_details(page, spans, article.language))


def _read_with_options(page: Page, extractor: Extractor, options: ExtractOptions, *, for_text: bool) -> Article:
    from tidings.options.articles import left_out, reason_before, with_options
    from tidings.options.conventions import changes_selection, with_left_out

    if reason := reason_before(options, len(page.source), page.url or ""):
        return left_out(Article(url=page.url or ""), reason)
    page = with_left_out(page, options.leave_out)
    needs_fields = options.languages or options.with_metadata_only or options.author_blacklist or options.url_blacklist
    article, spans = read_and_show(
        page,
        extractor,
        options.second_opinion,
        for_text=for_text and not needs_fields,
        conventions=options if changes_selection(options) else None,
    )
    if options.details:
        article = _with_details(article, page, spans)
    return with_options(article, options)


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
    page: Page,
    extractor: Extractor,
    second_opinion: SecondOpinion | None = None,
    *,
    for_text: bool = False,
    conventions: ExtractOptions | None = None,
) -> tuple[Article, Spans]:
    """Extract the article of a page.

    `conventions` are options that change the selection: embedded posts, captions and other parts of the story.

    The stages in order: select the text, read the fields, build the blocks, find the pictures, assemble the article.
    `assemble` runs the last three, because captions connect blocks and pictures.
    """
    selection = _select(page, extractor, second_opinion)
    if conventions is not None and selection.state is None:
        from tidings.options.conventions import with_conventions

        spans = with_conventions(page, selection.spans, conventions)
        hidden = selection.hidden & spans if selection.hidden is not None else None
        selection = selection._replace(spans=spans, hidden=hidden)
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
