"""Search: words and filters, what was found with the places marked, the same as a feed and as a trend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from html import escape
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request

from tidings.article.characters import legal
from tidings.errors import BadQuery
from tidings.news.selection import source_name
from tidings.news.store.query import quoted
from tidings.news.store.records_of_articles import ArticleHeadline, Count, Hit, Listed, Only, SearchOrder, Snippet
from tidings.news.web.app_state import App, app_of
from tidings.news.web.languages import ago, language_name
from tidings.news.web.pages import (
    PageView,
    cursor,
    marked,
    outlet_category,
    reading_languages,
    site_name,
    unread_in,
    writers,
)
from tidings.news.web.pictures import picture_at
from tidings.news.web.sessions import visit_of
from tidings.news.web.translations import Translation

_PAGE: Final = 10
#: Names that the form offers.
_OFFERED: Final = 200
_KEPT: Final = 60.0
_LONGEST: Final = 200


class BadDay(Exception):
    """A filter that is no day."""


@dataclass(frozen=True, slots=True)
class SearchForm:
    """What was asked for, as it was written."""

    q: str = ""
    language: str = ""
    category: str = ""
    site: str = ""
    source: str = ""
    since: str = ""
    until: str = ""
    order: str = SearchOrder.RELEVANCE.value

    @property
    def filters(self) -> dict[str, str]:
        """The filters that were chosen."""
        names = ("language", "category", "site", "source", "since", "until")
        return {name: value for name in names if (value := str(getattr(self, name)))}

    @property
    def is_empty(self) -> bool:
        """Whether nothing was asked for."""
        return not self.q and not self.filters

    def only(self, reader: str | None = None) -> Only:
        """The filters as the store knows them, for somebody who reads.

        Raises:
            BadDay: one of the days is none.
        """
        return Only(
            language=self.language or None,
            category=self.category or None,
            site=self.site.lower().removeprefix("www.") or None,
            source=_number(self.source),
            since=_day(self.since, time.min),
            until=_day(self.until, time.max),
            copies=bool(self.site or self.source or self.category),
            reader=reader,
        )

    @property
    def whole(self) -> str:
        """Words and filters as one query: what a feed or a trend of this search is asked with."""
        names = {"language": "lang"}
        parts = [f"({self.q})"] if self.q and self.filters else [self.q] if self.q else []
        return " ".join([*parts, *(f"{names.get(name, name)}:{quoted(told)}" for name, told in self.filters.items())])


def asked(request: Request) -> SearchForm:
    """What somebody asked for."""

    def given(name: str, most: int = _LONGEST) -> str:
        return legal(request.query_params.get(name, "")).strip()[:most]

    order = given("order")
    return SearchForm(
        q=given("q", 5000),
        language=given("language"),
        category=given("category"),
        site=given("site"),
        source=given("source"),
        since=given("since"),
        until=given("until"),
        order=order if order in set(SearchOrder) else SearchOrder.RELEVANCE.value,
    )


def search(request: Request) -> PageView:
    """The page of a search."""
    app = app_of(request)
    told = asked(request)
    found: Listed[Hit] = Listed(())
    count: Count | None = None
    problem, wrong, status = "", None, 200
    if not told.is_empty:
        try:
            only = told.only(visit_of(request).person)
            found = _found(app, told, only, cursor(request), () if told.language else reading_languages(request) or ())
            count = found.count or app.store.count(told.q or None, only)
        except BadDay:
            problem, status = "day", 400
        except BadQuery as error:
            problem, wrong, status = "query", error, 400
    return PageView(
        "search.html",
        {
            "asked": told,
            "rows": _rows(request, found.items),
            "after": found.after,
            "first": cursor(request) is None,
            "count": count,
            "problem": problem,
            "reason": "" if wrong is None else wrong.reason,
            "place": None if wrong is None else pointed(wrong),
            "orders": [one.value for one in SearchOrder],
            **offered(app, told.source),
        },
        status,
    )


def _found(app: App, told: SearchForm, only: Only, after: str | None, prefer: Sequence[str]) -> Listed[Hit]:
    if told.q:
        return app.store.search(told.q, only, order=SearchOrder(told.order), limit=_PAGE, after=after, prefer=prefer)
    listed = app.store.articles(only, limit=_PAGE, after=after)
    return Listed(tuple(map(_unmarked, listed.items)), listed.after)


_DOT: Final = ' <span aria-hidden="true">·</span> '
_MOST_COPIES: Final = 8


def _rows(request: Request, hits: Sequence[Hit]) -> Markup:
    """What was found, row by row. Written here and not by a template, which takes three times as long: rows are most of
    what the page of a search costs. Everything from elsewhere is escaped.
    """
    app, visit = app_of(request), visit_of(request)
    unread = unread_in(app, visit.person, [hit.headline for hit in hits])
    return Markup("".join(_row(request, hit, None if unread is None else hit.headline.id in unread) for hit in hits))  # noqa: S704  # escaped


def _row(request: Request, hit: Hit, is_unread: bool | None) -> str:
    app, t, one = app_of(request), visit_of(request).words, hit.headline
    kind = "row" if is_unread is None else "row is-unread" if is_unread else "row is-read"
    link = f'href="/article/{one.id}"'
    src = picture_at(app, one.image)
    image = f'<img src="{escape(src)}" alt="" width="640" height="360" loading="lazy" decoding="async">'
    picture = f'<a class="row-picture" {link} tabindex="-1" aria-hidden="true">{image}</a>\n' if src else ""
    title = marked(hit.title) if hit.title.text else escape(one.address)
    unseen = f' <span class="unseen">({escape(t("own.is_unread"))})</span>' if is_unread else ""
    summary = f'<p class="row-summary snippet">{marked(hit.text)}</p>' if hit.text.text else ""
    return (
        f'<article class="{kind}" data-article="{one.id}" lang="{escape(one.language or t.language)}"'
        f' dir="{escape(one.direction)}">\n{picture}<div class="row-text">\n'
        f'<h2 class="row-title"><a {link}>{title}</a>{unseen}</h2>\n{summary}\n'
        f'<p class="meta" lang="{t.language}" dir="{t.direction}">{_DOT.join(_told(request, one))}</p>\n'
        f"{_copies(t, one)}</div>\n</article>\n"
    )


def _told(request: Request, one: ArticleHeadline) -> Iterator[str]:
    """What stands below the title."""
    app, t = app_of(request), visit_of(request).words
    yield f"<bdi>{escape(site_name(app, one))}</bdi>"
    yield f'<time datetime="{one.time.isoformat()}">{escape(ago(t, one.time, app.now()))}</time>'
    if named := writers(app, one):
        yield f"<bdi>{escape(', '.join(named))}</bdi>"
    if one.topic and one.topic != "other":
        yield f'<a href="/topic/{escape(one.topic)}">{escape(t(f"topic.{one.topic}"))}</a>'
    if outlet_category(t, one):
        yield f'<a href="/category/{quote(one.category, safe="")}" dir="auto">{escape(one.category)}</a>'
    if one.agency:
        yield f"<bdi>{escape(one.agency)}</bdi>"
    if one.story:
        yield f'<a href="/story/{one.story}">{escape(t("search.story"))}</a>'


def _copies(t: Translation, one: ArticleHeadline) -> str:
    if not one.copies:
        return ""
    links = (
        f'<a href="/article/{copy.id}"><bdi>{escape(copy.site_name or copy.site)}</bdi></a>'
        for copy in one.copies[:_MOST_COPIES]
    )
    return f'<p class="meta" lang="{t.language}">{escape(t("search.same_text"))} {", ".join(links)}</p>\n'


def _unmarked(one: ArticleHeadline) -> Hit:
    return Hit(one, Snippet(one.title), Snippet(one.summary))


def pointed(wrong: BadQuery) -> Snippet:
    """The place in a query that cannot be read, with what is around it."""
    first = max(0, wrong.at - 60)
    text = wrong.query[first : wrong.at + 40]
    at = wrong.at - first
    return Snippet(text, ((at, min(at + 1, len(text))),) if at < len(text) else ())


def offered(app: App, chosen: str = "") -> dict[str, Markup | list[tuple[str, str]]]:
    """What the filters offer: what there is. Hundreds of names are written once a minute, not for every answer."""

    def make() -> tuple[list[tuple[str, str]], Markup, Markup, Markup]:
        store = app.store
        return (
            [(code, language_name(code)) for code in store.languages()],
            _options((one.name, "") for one in store.sites(limit=_OFFERED)),
            _options((one.name, "") for one in store.categories()[:_OFFERED] if one.name),
            _options((str(one.id), source_name(one)) for one in store.sources()[:_OFFERED]),
        )

    spoken, sites, categories, sources = app.cache.get("search filters", make, _KEPT)
    if chosen:
        value = Markup('<option value="{}"').format(chosen)
        sources = sources.replace(value + Markup(">"), value + Markup(" selected>"))
    return {"spoken": spoken, "sites": sites, "categories": categories, "sources": sources}


def _options(offers: Iterable[tuple[str, str]]) -> Markup:
    return Markup("").join(Markup('<option value="{}">{}</option>').format(value, name) for value, name in offers)


def _number(said: str) -> int | None:
    """The number of a source; 0, which no source has, where it is none."""
    if not said:
        return None
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else 0


def _day(said: str, at: time) -> datetime | None:
    if not said:
        return None
    try:
        return datetime.combine(date.fromisoformat(said), at, UTC)
    except ValueError as error:
        raise BadDay(said) from error
