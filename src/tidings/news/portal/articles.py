"""Pages of the portal about one thing: an article, a story, the site itself, the sample newspaper."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tidings.article import Article
from tidings.article.characters import legal
from tidings.fetch.robots import our_version
from tidings.fields.addresses import safe_picture
from tidings.news.accounts.account import keep_look
from tidings.news.accounts.current_user import only_who_runs
from tidings.news.accounts.read_tracking import beacon_mark
from tidings.news.reader.article_view import CHOICES, look_of
from tidings.news.store import Store
from tidings.news.store.records_of_articles import ArticleHeadline, KeptArticle, Only, Story
from tidings.news.stories.report import Report
from tidings.news.stories.summary import what_each_adds
from tidings.news.watch.sample_web import SETTING, hosts, sources
from tidings.news.web.app_state import App, app_of
from tidings.news.web.article_html import body, lead
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import local_path, posted_form, text
from tidings.news.web.languages import direction_of, language_name
from tidings.news.web.pages import PageView, minutes_of, next_unread, number_in_path, static
from tidings.news.web.sessions import LANGUAGE, THEME, THEMES, cookie, visit_of
from tidings.news.web.translations import LANGUAGES
from tidings.sources import Enclosure
from tidings.text import fold_space

_SIMILAR: Final = 6
#: Characters at the beginning of a text, besides the length of the summary, in which the summary is looked for.
_OPENING: Final = 600


def article(request: Request) -> PageView | RedirectResponse:
    """The page of an article."""
    app = app_of(request)
    kept = article_asked(request)
    one = kept.headline
    visit = visit_of(request)
    story = app.store.story(one.story) if one.story is not None else None
    media = [file for file in app.store.enclosures(one.id) if _plays(file)]
    return PageView(
        "article.html",
        plays=bool(media),
        values={
            "one": one,
            "article": kept.article,
            "body": body(app, kept.article),
            "lead": lead(app, kept.article),
            "standfirst": _standfirst(kept.article),
            "minutes": minutes_of(one.words),
            "versions": one.versions,
            "story": story if story is not None and story.size > 1 else None,
            "similar": app.store.similar(one.id, limit=_SIMILAR),
            "is_hidden": visit.person is not None and bool(app.store.hidden_among(visit.person, [one.id])),
            "is_saved": visit.person is not None and app.store.is_saved(one.id, visit.person),
            "is_unread": visit.person is not None and one.id in app.store.unread_among(visit.person, [one.id]),
            "next_unread": next_unread(app, visit.person, one.id),
            "media": media,
            "targets": () if visit.person is None else app.store.targets(visit.person),
            "labels": () if visit.person is None else app.store.reader_marks(visit.person, [one.id])[one.id].labels,
            "all_labels": () if visit.person is None else tuple(app.store.labels(visit.person)),
            "note": "" if visit.person is None else app.store.note(one.id, visit.person),
            "look": look_of(request),
            "choices": CHOICES,
            "mark": beacon_mark(app, one.id, visit.visitor),
        },
    )


def _standfirst(article: Article) -> str:
    """Return the summary of an article; empty if the text begins with it, as that of a feed item often does."""
    summary = fold_space(article.summary)
    opening = fold_space(article.text[: 2 * len(article.summary) + _OPENING])
    return "" if summary.rstrip(" .…[]") in opening else article.summary


def _plays(file: Enclosure) -> bool:
    return file.plays and safe_picture(file.address) is not None


def article_asked(request: Request) -> KeptArticle:
    """The article that an address names.

    Raises:
        Problem: there is none.
    """
    number = number_in_path(request)
    kept = app_of(request).store.article(number) if number is not None else None
    if kept is None:
        raise HttpProblem(404, "no_article")
    return kept


#: Articles on the page, the latest ones; and of those, the earliest that are compared sentence by sentence.
_MEMBERS: Final = 100
_COMPARED: Final = 24
#: Sentences that are shown of what an article adds.
_SENTENCES: Final = 3
_PICTURES: Final = 8
#: Seconds that a comparison is kept; one more article makes another.
_KEPT: Final = 600.0


@dataclass(frozen=True, slots=True)
class AddedSentences:
    """What an article adds to those before it."""

    new: tuple[str, ...]  # sentences, the first few
    more: int  # sentences besides
    percent: int  # of its sentences that are new


@dataclass(frozen=True, slots=True)
class Compared:
    """What each article adds, by number."""

    added: dict[int, AddedSentences]

    @property
    def weight(self) -> int:
        """How much room it takes in memory, about."""
        return 500 + sum(300 + 2 * sum(map(len, one.new)) for one in self.added.values())


@dataclass(frozen=True, slots=True)
class Part:
    """An article of the story, in its turn."""

    one: ArticleHeadline
    is_first: bool
    added: AddedSentences | None  # None: one of too many to compare


@dataclass(frozen=True, slots=True)
class Side:
    """All that one site tells."""

    name: str
    parts: tuple[Part, ...]
    words: int
    percent: int | None  # of new sentences, over its articles

    @property
    def first(self) -> ArticleHeadline:
        """What it told first."""
        return self.parts[0].one


def story(request: Request) -> PageView | RedirectResponse:
    """The page of a story."""
    app, visit = app_of(request), visit_of(request)
    number = number_in_path(request)
    found = app.store.story(number) if number is not None else None
    if found is None or not found.size:  # one whose articles are all gone
        raise HttpProblem(404, "no_story")
    if found.id != number:
        return RedirectResponse(f"/story/{found.id}", 308)
    listed = app.store.articles(Only(story=found.id), limit=_MEMBERS)
    members = listed.items[::-1]
    key = ("story", found.id, found.size, found.last)
    added = app.cache.get(key, lambda: compared(app, members), _KEPT).added
    parts = [Part(one, place == 0 and listed.after is None, added.get(one.id)) for place, one in enumerate(members)]
    return PageView(
        "story.html",
        {
            "story": found,
            "direction": direction_of(found.language),
            "parts": parts,
            "sides": sides(parts),
            "is_cut": listed.after is not None,
            "tongues": [(code, language_name(code)) for code in dict.fromkeys(one.language for one in members) if code],
            "pictures": pictures(found, members),
            "is_followed": visit.person is not None and app.store.is_followed(found.id, visit.person),
        },
    )


def compared(app: App, members: Sequence[ArticleHeadline]) -> Compared:
    """What each of the earliest articles adds."""
    earliest = members[:_COMPARED]
    texts = app.store.texts(earliest)
    reports = [Report(one.id, text=texts[one.id], language=one.language) for one in earliest if texts.get(one.id)]
    found = {}
    for report, addition in zip(reports, what_each_adds(reports), strict=True):
        new = addition.new
        found[report.id] = AddedSentences(new[:_SENTENCES], max(0, len(new) - _SENTENCES), round(100 * addition.share))
    return Compared(found)


def sides(parts: Sequence[Part]) -> list[Side]:
    """What each site tells, those first that were first."""
    by_site: dict[str, list[Part]] = {}
    for part in parts:
        by_site.setdefault(part.one.site, []).append(part)
    found = []
    for own in by_site.values():
        shares = [part.added.percent for part in own if part.added is not None]
        name = next((part.one.site_name for part in own if part.one.site_name), own[0].one.site)
        percent = round(sum(shares) / len(shares)) if shares else None
        found.append(Side(name, tuple(own), sum(part.one.words for part in own), percent))
    return found


def pictures(found: Story, members: Sequence[ArticleHeadline]) -> list[ArticleHeadline]:
    """Articles with a picture that no other before them has; that of the story itself stands above."""
    by_address = {one.image: one for one in members if one.image and one.image != found.image}
    return list(by_address.values())[:_PICTURES]


def about(request: Request) -> PageView:
    """The page about this site."""
    app = app_of(request)
    totals = app.cache.get("totals", app.store.totals, 60)
    return PageView("about.html", {"totals": totals, "version": our_version(), "python": platform.python_version()})


async def preferences(request: Request) -> Response:
    """Take over what a visitor likes, and lead back."""
    form = await posted_form(request)
    app = app_of(request)
    back = RedirectResponse(local_path(text(form, "next")), 303)
    language, theme = text(form, "language"), text(form, "theme")
    if language in LANGUAGES:
        back.headers.append("set-cookie", cookie(app, LANGUAGE, language))
    if theme in THEMES:
        back.headers.append("set-cookie", cookie(app, THEME, theme))
    if visit_of(request).session and language in LANGUAGES and theme in THEMES:
        await run_in_threadpool(keep_look, request, language, theme)
    return back


_PAPER: Final = "#fbf9f4"
_SHORT: Final = 12
_WAYS: Final = (("/unread", "own.unread"), ("/latest", "nav.latest"), ("/saved", "nav.saved"))


def manifest(request: Request) -> JSONResponse:
    """The description."""
    visit, name = visit_of(request), legal(app_of(request).settings.name)
    ways = [{"name": visit.words(key), "url": path} for path, key in _WAYS if visit.person or path == "/latest"]
    told: dict[str, Any] = {
        "name": name,
        "short_name": name[:_SHORT],
        "description": visit.words("tagline"),
        "lang": visit.words.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": [{"src": static("icon.svg"), "type": "image/svg+xml", "sizes": "any"}],
        "shortcuts": ways,
        "share_target": {
            "action": "/save",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")


def opensearch(request: Request) -> Response:
    """The description."""
    settings = app_of(request).settings
    words = visit_of(request).words
    here = settings.address or str(request.base_url).rstrip("/")
    name = legal(settings.name)
    document = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>{escape(name[:16])}</ShortName>"
        f"<Description>{escape(words('search.describe', name=name))}</Description>"
        "<InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="16" height="16" type="image/svg+xml">{escape(here + static("icon.svg"))}</Image>'
        f'<Url type="text/html" template={quoteattr(here + "/search?q={searchTerms}")}/>'
        f'<Url type="application/rss+xml" template={quoteattr(here + "/feeds/search.rss?q={searchTerms}")}/>'
        "</OpenSearchDescription>\n"
    )
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return Response(document, headers=headers, media_type="application/opensearchdescription+xml")


_AT_ONCE: Final = 500
#: The default of the setting, in a store that never had the sample.
NEVER: Final = "never"


def is_sample(store: Store) -> bool:
    """Return whether the sample newspaper is all that a store reads."""
    return bool(store.setting(SETTING)) and {one.told.address for one in store.sources()} <= {
        one.address for one in sources()
    }


def add(store: Store, at: datetime) -> bool:
    """Add the sample newspaper to an empty store, unless somebody removed it before. Return whether it was added."""
    if store.setting(SETTING, NEVER) != NEVER or store.sources() or store.articles(limit=1).items:
        return False
    store.add_sources(sources(), at)
    store.set_setting(SETTING, "yes")
    return True


def remove(store: Store) -> None:
    """Take the newspaper out of a store: its sources and its articles."""
    for source in sources():
        if (kept := store.source_at(source.address)) is not None:
            store.remove_source(kept.id)
    for host in sorted(hosts()):
        while found := store.articles(Only(site=host, muted=True), limit=_AT_ONCE).items:
            store.remove_articles([one.id for one in found])
    store.set_setting(SETTING, "")  # removed: unlike a store that never had it, which has no such setting


async def remove_sample(request: Request) -> Response:
    """The button that takes it out."""
    await posted_form(request)
    app = app_of(request)

    def work() -> None:
        only_who_runs(request)
        remove(app.store)

    await run_in_threadpool(work)
    app.cache.forget()
    return RedirectResponse("/", 303)
