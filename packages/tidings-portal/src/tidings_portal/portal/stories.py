"""The page of a story: its articles by site, with the sentences that each article adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings_portal.store.records_of_articles import ArticleHeadline, Only, Story
from tidings_portal.stories.report import Report
from tidings_portal.stories.summary import what_each_adds
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.languages import direction_of, language_name
from tidings_portal.web.pages import PageView, number_in_path
from tidings_portal.web.sessions import visit_of

#: Articles on the page (the latest), and how many of them are compared sentence by sentence (the earliest).
_MEMBERS: Final = 100
_COMPARED: Final = 24
#: New sentences shown per article.
_SENTENCES: Final = 3
_PICTURES: Final = 8
#: Lifetime of a cached comparison in seconds.
_KEPT: Final = 600.0


@dataclass(frozen=True, slots=True)
class AddedSentences:
    """The sentences of an article that earlier articles of the story do not have."""

    new: tuple[str, ...]  # the first new sentences
    more: int  # number of further new sentences
    percent: int  # share of its sentences that are new


@dataclass(frozen=True, slots=True)
class Compared:
    """The sentences that each article of a story adds, by article id."""

    added: dict[int, AddedSentences]

    @property
    def weight(self) -> int:
        """Return the approximate size in memory, in bytes."""
        return 500 + sum(300 + 2 * sum(map(len, one.new)) for one in self.added.values())


@dataclass(frozen=True, slots=True)
class Part:
    """An article of a story, with the sentences that it adds."""

    one: ArticleHeadline
    is_first: bool
    added: AddedSentences | None  # None: not compared, because there are too many


@dataclass(frozen=True, slots=True)
class Side:
    """The articles of one site in a story, with the mean share of new sentences."""

    name: str
    parts: tuple[Part, ...]
    words: int
    percent: int | None  # mean share of new sentences

    @property
    def first(self) -> ArticleHeadline:
        """Return the site's first article in the story."""
        return self.parts[0].one


def story(request: Request) -> PageView | RedirectResponse:
    """Return the page of a story."""
    app, visit = app_of(request), visit_of(request)
    number = number_in_path(request)
    found = app.store.story(number) if number is not None else None
    if found is None or not found.size:  # all its articles were removed
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
    """Return the sentences that each of the earliest articles adds."""
    earliest = members[:_COMPARED]
    texts = app.store.texts(earliest)
    reports = [Report(one.id, text=texts[one.id], language=one.language) for one in earliest if texts.get(one.id)]
    added = {}
    for report, addition in zip(reports, what_each_adds(reports), strict=True):
        new = addition.new
        added[report.id] = AddedSentences(new[:_SENTENCES], max(0, len(new) - _SENTENCES), round(100 * addition.share))
    return Compared(added)


def sides(parts: Sequence[Part]) -> list[Side]:
    """Return the articles by site, in the order of their first articles."""
    by_site: dict[str, list[Part]] = {}
    for part in parts:
        by_site.setdefault(part.one.site, []).append(part)
    result = []
    for own in by_site.values():
        shares = [part.added.percent for part in own if part.added is not None]
        name = next((part.one.site_name for part in own if part.one.site_name), own[0].one.site)
        percent = round(sum(shares) / len(shares)) if shares else None
        result.append(Side(name, tuple(own), sum(part.one.words for part in own), percent))
    return result


def pictures(story: Story, members: Sequence[ArticleHeadline]) -> list[ArticleHeadline]:
    """Return articles with distinct pictures, without the picture of the story itself."""
    by_address = {one.image: one for one in members if one.image and one.image != story.image}
    return list(by_address.values())[:_PICTURES]
