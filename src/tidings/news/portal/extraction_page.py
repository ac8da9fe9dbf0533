"""How an article was extracted: where each field came from, the page with what was taken marked, earlier versions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from time import perf_counter
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tidings import Hints, extractors
from tidings.article import Article, Image
from tidings.errors import ExtractorError, PageError, TidingsError
from tidings.extractors import entries, extractor
from tidings.news.portal.articles import article_asked
from tidings.news.reader.article_view import marked
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.store.verbs.retention import KeptPage
from tidings.news.web import languages
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.headers import SANDBOX
from tidings.news.web.limits import take_turn
from tidings.news.web.pages import PageView
from tidings.news.web.reading_pool import SentPage
from tidings.news.web.sessions import visit_of
from tidings.news.web.translations import Translation
from tidings.page import Page, Spans

_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What one extractor would have taken."""

    name: str
    citation: str
    words: int
    percent: int  # agreement
    is_own: bool


@dataclass(frozen=True, slots=True)
class Others:
    """All that were asked, those who agree most first; and how many there was no time for."""

    rows: tuple[MethodResult, ...]
    left_out: int

    @property
    def weight(self) -> int:
        """How much room they take in memory, about."""
        return 500 + 400 * len(self.rows)


def others(page: Page, own: str, seconds: float = _SECONDS, clock: Callable[[], float] = perf_counter) -> Others:
    """Ask other extractors about a page.

    Args:
        page: the page.
        own: the extractor that read it; always asked.
        seconds: time for all of them.
        clock: tells the time.
    """
    until = clock() + seconds
    taken = extractor(own)(page)
    rows = [MethodResult(own, "", len(taken.words(page)), 100, is_own=True)]
    every = [entry for entry in entries() if entry.name != own]
    asked = 0
    for entry in every:
        if clock() >= until:
            break
        asked += 1
        try:
            spans = entry.make()(page)
        except TidingsError:  # one that needs what is not installed
            continue
        rows.append(
            MethodResult(entry.name, entry.citation, len(spans.words(page)), agreement(taken, spans), is_own=False)
        )
    return Others(tuple(sorted(rows, key=lambda row: (-row.percent, not row.is_own))), len(every) - asked)


def agreement(one: Spans, other: Spans) -> int:
    """How much two agree, in percent."""
    total = one.characters + other.characters
    return round(200 * (one & other).characters / total) if total else 100


#: Comparing takes the square of these; what is longer is compared as a whole.
_PARAGRAPHS, _WORDS = 400, 400
#: Paragraphs that are shown.
_SHOWN: Final = 30
_WORD: Final = re.compile(r"\S+|\s+")


@dataclass(frozen=True, slots=True)
class ChangedPiece:
    """A piece of a paragraph: `same`, `new` or `gone`."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Changed:
    """Paragraphs that changed, as pieces; and how many more there are."""

    paragraphs: tuple[tuple[ChangedPiece, ...], ...]
    more: int

    @property
    def is_only_around(self) -> bool:
        """Whether title and text are the same, and something else changed."""
        return not self.paragraphs


def changes(old: Article, new: Article) -> Changed:
    """What changed in title and text."""
    found = list(_changed(_paragraphs(old), _paragraphs(new)))
    return Changed(tuple(found[:_SHOWN]), max(0, len(found) - _SHOWN))


def _paragraphs(article: Article) -> list[str]:
    lines = (line.strip() for line in article.text.split("\n"))
    return [article.title, *(line for line in lines if line)][:_PARAGRAPHS]


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[ChangedPiece, ...]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    budget = _SHOWN
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for before, after in zip_longest(old[old_start:old_end], new[new_start:new_end], fillvalue=""):
            budget -= 1
            # What is not shown need not be compared.
            yield tuple(words(before, after)) if budget >= 0 else ()


def words(before: str, after: str) -> Iterator[ChangedPiece]:
    """A paragraph before and after, as pieces."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if not old or not new or len(old) > 2 * _WORDS or len(new) > 2 * _WORDS:
        yield from (ChangedPiece(kind, text) for kind, text in (("gone", before), ("new", after)) if text)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.4:  # two paragraphs, not two readings of one
        yield from (ChangedPiece("gone", before), ChangedPiece("new", after))
        return
    for kind, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if kind == "equal":
            yield ChangedPiece("same", "".join(old[old_start:old_end]))
            continue
        if old_end > old_start:
            yield ChangedPiece("gone", "".join(old[old_start:old_end]))
        if new_end > new_start:
            yield ChangedPiece("new", "".join(new[new_start:new_end]))


#: Versions that are compared, the latest ones.
_VERSIONS: Final = 10
#: Characters of a value that are shown.
_LONGEST_SHOWN: Final = 400
#: Seconds that a drawing or a comparison is kept; a page never changes.
_KEPT: Final = 3600.0


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """A field of an article: its value, and where it came from."""

    key: str
    value: str
    told_by: str


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A version, and what changed since the one before; None for the first one that is shown."""

    kept: KeptArticle
    changed: Changed | None


def how(request: Request) -> PageView:
    """The page that tells how an article was extracted."""
    app, words = app_of(request), visit_of(request).words
    kept = article_asked(request)
    page = app.store.page_of(kept.headline.id)
    told = None
    if page is not None and request.query_params.get("others") == "yes":
        told = _others(request, app, kept, page)
    return PageView(
        "how.html",
        {
            "one": kept.headline,
            "kept": kept,
            "fields": fields(kept.article, words),
            "has_page": page is not None,
            "fetched": None if page is None else page.page.fetched,
            "versions": versions(app, kept),
            "method": method_of(kept),
            "others": told,
        },
    )


def drawn(request: Request) -> Response:
    """The page with what was taken marked, for a frame: it runs in no origin and loads nothing."""
    app = app_of(request)
    kept = article_asked(request)
    page = _page(app, kept)

    def make() -> bytes:
        return app.reading.wait(marked, sent_page(page), extractors.extractor(method_of(kept)))

    body = app.cache.get(("drawn", page.hash, method_of(kept)), make, _KEPT)
    headers = {
        "content-security-policy": SANDBOX,
        "cache-control": "private, max-age=600",
        "referrer-policy": "no-referrer",
    }
    return Response(body, headers=headers, media_type="text/html")


def saved(request: Request) -> Response:
    """The page as it was sent, to be kept as a file: for annotating, or for another program."""
    kept = article_asked(request)
    page = _page(app_of(request), kept)
    headers = {
        "content-security-policy": SANDBOX,
        "content-disposition": f'attachment; filename="article-{kept.headline.id}.html"',
        "cache-control": "private, max-age=600",
    }
    return Response(page.page.content, headers=headers, media_type="application/octet-stream")


def fields(article: Article, words: Translation) -> list[FieldOrigin]:
    """The fields of an article that something told."""
    return [
        FieldOrigin(name, told(getattr(article, "text" if name == "body" else name, ""), words), said)
        for name, said in article.provenance.items()
    ]


def told(value: object, words: Translation) -> str:
    """A value as a line of text."""
    if isinstance(value, tuple):
        line = ", ".join(told(one, words) for one in value[:20])
    elif isinstance(value, Image):
        line = value.src
    elif isinstance(value, (date, datetime)):
        line = languages.moment(words, value)
    else:
        line = " ".join(str(value or "").split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def versions(app: App, kept: KeptArticle) -> list[VersionChange]:
    """The latest versions, the newest first, each with what changed."""
    if kept.headline.versions < 2:
        return []
    every = app.store.versions(kept.headline.id)[-_VERSIONS - 1 :]
    shown = [VersionChange(one, changes(before.article, one.article)) for before, one in pairwise(every)]
    first = [VersionChange(every[0], None)] if every and len(every) <= _VERSIONS else []
    return [*first, *shown][::-1]


def method_of(kept: KeptArticle) -> str:
    """The extractor that the page is drawn with: the one that read it, else the usual one."""
    name = kept.article.provenance.get("body", "")
    try:
        extractors.extractor(name)
    except ExtractorError:
        return extractors.DEFAULT
    return name


def sent_page(page: KeptPage) -> SentPage:
    """A kept page, on its way to where it is read."""
    return SentPage(page.page.content, page.page.address, Hints(content_type=page.page.content_type or None))


def compared(page: SentPage, own: str) -> Others:
    """What other methods than one's own take of a page.

    Raises:
        PageError: there is no page.
    """
    return others(page.page(), own)


def _page(app: App, kept: KeptArticle) -> KeptPage:
    page = app.store.page_of(kept.headline.id)
    if page is None:
        raise HttpProblem(404, "missing_page")
    return page


def _others(request: Request, app: App, kept: KeptArticle, page: KeptPage) -> Others | None:
    """What other methods would have taken; this costs, so a visitor has only so many turns."""
    key = ("others", page.hash, method_of(kept))
    known: Others | None = app.cache.peek(key, _KEPT)
    if known is not None:
        return known
    take_turn(request)
    try:
        found = app.reading.wait(compared, sent_page(page), method_of(kept))
    except PageError:
        return None
    app.cache.put(key, found)
    return found
