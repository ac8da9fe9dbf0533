"""A story: who told what when, and what each of them added (N-EXT thesis 1 and fig. 1.2: events, followers)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.news.store.records_of_articles import ArticleHeadline, Only, Story
from tidings.news.stories import Report, what_each_adds
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.languages import direction_of, language_name
from tidings.news.web.pages import PageView, number_asked
from tidings.news.web.session import visit_of

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
    number = number_asked(request)
    found = app.store.story(number) if number is not None else None
    if found is None or not found.size:  # one whose articles are all gone
        raise HttpProblem(404, "no_story")
    if found.id != number:
        return RedirectResponse(f"/story/{found.id}", 308)
    listed = app.store.articles(Only(story=found.id), limit=_MEMBERS)
    members = listed.items[::-1]
    key = ("story", found.id, found.size, found.last)
    added = app.shown.get(key, lambda: compared(app, members), _KEPT).added
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
    kept = app.store.articles_by_number([one.id for one in members[:_COMPARED]])
    reports = [Report.of(one.headline.id, one.article, one.headline.time) for one in kept]
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
