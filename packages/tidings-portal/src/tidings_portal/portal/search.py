"""The search page: query and filters, results with marked hits, and links to the search as a feed and a trend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from html import escape
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request

from tidings.article.formats.characters import legal
from tidings.errors import BadQuery
from tidings_portal.selection import source_name
from tidings_portal.store.query import quoted
from tidings_portal.store.records_of_articles import ArticleHeadline, Count, Hit, Listed, Only, SearchOrder, Snippet
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.languages import ago, language_name
from tidings_portal.web.pages import (
    PageView,
    cursor,
    displayed_topic,
    marked,
    reading_languages,
    site_name,
    unread_in,
    writers,
)
from tidings_portal.web.pictures import picture_at
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.translations import Translation

_PAGE: Final = 10
#: Maximum number of options per filter.
_OFFERED: Final = 200
_KEPT: Final = 60.0
_LONGEST: Final = 200


class BadDay(Exception):
    """A date filter with an invalid date."""


@dataclass(frozen=True, slots=True)
class SearchForm:
    """The query and the filters as entered."""

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
        """Return the filters that are not empty."""
        names = ("language", "category", "site", "source", "since", "until")
        return {name: value for name in names if (value := str(getattr(self, name)))}

    @property
    def is_empty(self) -> bool:
        """Return whether query and filters are empty."""
        return not self.q and not self.filters

    def only(self, reader: str | None = None) -> Only:
        """Return the filters as a store filter for a reader.

        Raises:
            BadDay: a date is invalid.
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
        """Return query and filters as a single query, for a feed or trend of the same search."""
        names = {"language": "lang"}
        parts = [f"({self.q})"] if self.q and self.filters else [self.q] if self.q else []
        return " ".join([*parts, *(f"{names.get(name, name)}:{quoted(value)}" for name, value in self.filters.items())])


def search_form(request: Request) -> SearchForm:
    """Return the search form from the query string."""

    def param(name: str, most: int = _LONGEST) -> str:
        return legal(request.query_params.get(name, "")).strip()[:most]

    order = param("order")
    return SearchForm(
        q=param("q", 5000),
        language=param("language"),
        category=param("category"),
        site=param("site"),
        source=param("source"),
        since=param("since"),
        until=param("until"),
        order=order if order in set(SearchOrder) else SearchOrder.RELEVANCE.value,
    )


def search(request: Request) -> PageView:
    """Return the search page."""
    app = app_of(request)
    form = search_form(request)
    results: Listed[Hit] = Listed(())
    count: Count | None = None
    problem, bad_query, status = "", None, 200
    if not form.is_empty:
        try:
            only = form.only(visit_of(request).person)
            results = _results(
                app, form, only, cursor(request), () if form.language else reading_languages(request) or ()
            )
            count = results.count or app.store.count(form.q or None, only)
        except BadDay:
            problem, status = "day", 400
        except BadQuery as error:
            problem, bad_query, status = "query", error, 400
    return PageView(
        "search.html",
        {
            "asked": form,
            "rows": _rows(request, results.items),
            "after": results.after,
            "first": cursor(request) is None,
            "count": count,
            "problem": problem,
            "reason": "" if bad_query is None else bad_query.reason,
            "place": None if bad_query is None else pointed(bad_query),
            "orders": [one.value for one in SearchOrder],
            **offered(app, form.source),
        },
        status,
    )


def _results(app: App, form: SearchForm, only: Only, after: str | None, prefer: Sequence[str]) -> Listed[Hit]:
    if form.q:
        return app.store.search(form.q, only, order=SearchOrder(form.order), limit=_PAGE, after=after, prefer=prefer)
    listed = app.store.articles(only, limit=_PAGE, after=after)
    return Listed(tuple(map(_unmarked, listed.items)), listed.after)


_DOT: Final = ' <span aria-hidden="true">·</span> '
_MOST_COPIES: Final = 8


def _rows(request: Request, hits: Sequence[Hit]) -> Markup:
    """Return the results as escaped HTML. A template takes three times as long, and rows are most of the cost."""
    app, visit = app_of(request), visit_of(request)
    unread = unread_in(app, visit.person, [hit.headline for hit in hits])
    return Markup("".join(_row(request, hit, None if unread is None else hit.headline.id in unread) for hit in hits))  # noqa: S704  # escaped


def _row(request: Request, hit: Hit, is_unread: bool | None) -> str:
    app, t, headline = app_of(request), visit_of(request).words, hit.headline
    kind = "row" if is_unread is None else "row is-unread" if is_unread else "row is-read"
    link = f'href="/article/{headline.id}"'
    src = picture_at(app, headline.image)
    image = f'<img src="{escape(src)}" alt="" width="640" height="360" loading="lazy" decoding="async">'
    picture = f'<a class="row-picture" {link} tabindex="-1" aria-hidden="true">{image}</a>\n' if src else ""
    title = marked(hit.title) if hit.title.text else escape(headline.address)
    unseen = f' <span class="unseen">({escape(t("own.is_unread"))})</span>' if is_unread else ""
    summary = f'<p class="row-summary snippet">{marked(hit.text)}</p>' if hit.text.text else ""
    return (
        f'<article class="{kind}" data-article="{headline.id}" lang="{escape(headline.language or t.language)}"'
        f' dir="{escape(headline.direction)}">\n{picture}<div class="row-text">\n'
        f'<h2 class="row-title"><a {link}>{title}</a>{unseen}</h2>\n{summary}\n'
        f'<p class="meta" lang="{t.language}" dir="{t.direction}">{_DOT.join(_meta_items(request, headline))}</p>\n'
        f"{_copies(t, headline)}</div>\n</article>\n"
    )


def _meta_items(request: Request, headline: ArticleHeadline) -> Iterator[str]:
    """Yield the items of the line below a result's title."""
    app, t = app_of(request), visit_of(request).words
    yield f"<bdi>{escape(site_name(app, headline))}</bdi>"
    yield f'<time datetime="{headline.time.isoformat()}">{escape(ago(t, headline.time, app.now()))}</time>'
    if authors := writers(app, headline):
        yield f"<bdi>{escape(', '.join(authors))}</bdi>"
    if topic := displayed_topic(headline):
        yield f'<a href="/topic/{escape(topic)}">{escape(t(f"topic.{topic}"))}</a>'
    elif headline.category:
        yield f'<a href="/category/{quote(headline.category, safe="")}" dir="auto">{escape(headline.category)}</a>'
    if headline.agency:
        yield f"<bdi>{escape(headline.agency)}</bdi>"
    if headline.story:
        yield f'<a href="/story/{headline.story}">{escape(t("search.story"))}</a>'


def _copies(t: Translation, headline: ArticleHeadline) -> str:
    if not headline.copies:
        return ""
    links = (
        f'<a href="/article/{copy.id}"><bdi>{escape(copy.site_name or copy.site)}</bdi></a>'
        for copy in headline.copies[:_MOST_COPIES]
    )
    return f'<p class="meta" lang="{t.language}">{escape(t("search.same_text"))} {", ".join(links)}</p>\n'


def _unmarked(headline: ArticleHeadline) -> Hit:
    return Hit(headline, Snippet(headline.title), Snippet(headline.summary))


def pointed(bad_query: BadQuery) -> Snippet:
    """Return the part of an invalid query around the error."""
    first = max(0, bad_query.at - 60)
    text = bad_query.query[first : bad_query.at + 40]
    at = bad_query.at - first
    return Snippet(text, ((at, min(at + 1, len(text))),) if at < len(text) else ())


def offered(app: App, chosen: str = "") -> dict[str, Markup | list[tuple[str, str]]]:
    """Return the options of the search filters. They are rendered once a minute, not for every response."""

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


def _number(value: str) -> int | None:
    """Return the id of a source, or 0 (no source) if it is invalid."""
    if not value:
        return None
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else 0


def _day(value: str, at: time) -> datetime | None:
    if not value:
        return None
    try:
        return datetime.combine(date.fromisoformat(value), at, UTC)
    except ValueError as error:
        raise BadDay(value) from error
