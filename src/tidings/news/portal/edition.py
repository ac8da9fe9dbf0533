"""An edition: the stories of a day for somebody who reads some languages, in sections by topic, each with its lead.

Nothing in it needs a request: the front page shows it, and `tidings edition` sends it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeVar

from tidings.news.store import Store
from tidings.news.store.records_of_articles import ArticleHeadline, Story
from tidings.news.stories.byline import without_byline
from tidings.news.stories.topics import OTHER, section_topic, topic_names
from tidings.news.trends import at_or_before
from tidings.news.web.languages import direction_of
from tidings.text import fold_case, fold_space, letter_runs, sentences

T = TypeVar("T")
Named = Callable[[ArticleHeadline], str]

#: An edition is of two days; where too little came in those, of a week, or of a month before the last news.
_SPANS: Final = (timedelta(days=2), timedelta(days=7), timedelta(days=31))
_ENOUGH: Final = 9
_MOST_STORIES: Final = 600
#: Stories at the top, below the first one; in a section, beside its lead; names of those who tell one.
_TOP, _IN_SECTION, _TELLERS = 6, 5, 4
#: A section has at least so many stories; others are for the last one.
_FEWEST: Final = 2
#: Of the first so many of a section one with a picture leads.
_LEADS: Final = 4
#: A picture that so many stories show is the site's own, not theirs.
_REPEATED: Final = 3
#: In a row one outlet has at most so many places.
_IN_A_ROW: Final = 2
_LONGEST_SUMMARY: Final = 220


@dataclass(frozen=True, slots=True)
class StoryTeaser:
    """A story as a list shows it: with some of its articles, some who tell it, a summary and a picture of its own."""

    story: Story
    members: tuple[int, ...]  # numbers of its latest articles
    sources: tuple[str, ...]
    direction: str
    sites: tuple[str, ...] = ()  # the hosts of `sources`, in the same order
    summary: str = ""
    image: str = ""
    link: str = ""  # where its latest article was told first
    other_images: tuple[str, ...] = ()  # shown if `image` cannot be loaded
    is_teaser_only: bool = False  # none of its articles has its text

    @property
    def address(self) -> str:
        """Where it is told: a page of its own, or where there is a single article, that."""
        alone = self.story.size == 1 and len(self.members) == 1
        return f"/article/{self.members[0]}" if alone else f"/story/{self.story.id}"

    def is_within(self, articles: Collection[int]) -> bool:
        """Whether all its articles are among some."""
        return bool(articles) and bool(self.members) and all(one in articles for one in self.members)

    @property
    def outlet(self) -> str:
        """Who told it last."""
        return self.sites[0] if self.sites else ""

    @property
    def topic(self) -> str:
        """What it is about."""
        return topic_of(self.story)


@dataclass(frozen=True, slots=True)
class PaperSection:
    """Stories about one topic."""

    topic: str
    stories: tuple[StoryTeaser, ...]
    count: int  # all of the edition, also those at the top

    @property
    def lead(self) -> StoryTeaser:
        """The first one."""
        return self.stories[0]


@dataclass(frozen=True, slots=True)
class Edition:
    """The stories of a day."""

    made: datetime
    since: datetime
    top: tuple[StoryTeaser, ...] = ()
    sections: tuple[PaperSection, ...] = ()
    count: int = 0
    topics: tuple[tuple[str, int], ...] = ()  # all that there are stories of, and how many

    @property
    def teasers(self) -> list[StoryTeaser]:
        """All that it shows."""
        return [*self.top, *(one for section in self.sections for one in section.stories)]

    def without(self, articles: Collection[int]) -> Edition:
        """The same without the stories that only these articles tell."""
        if not articles:
            return self
        top = tuple(one for one in self.top if not one.is_within(articles))
        kept = (
            replace(section, stories=tuple(one for one in section.stories if not one.is_within(articles)))
            for section in self.sections
        )
        return replace(self, top=top, sections=tuple(section for section in kept if section.stories))


def topics() -> tuple[str, ...]:
    """The topics there are, in the order in which a paper has them."""
    return (*topic_names(), OTHER)


def topic_of(story: Story) -> str:
    """What a story is about; of one that nobody has asked yet, what its outlet's word stands for."""
    return story.topic or section_topic(story.category) or OTHER


def edition(
    store: Store,
    now: datetime,
    languages: Sequence[str] | None = None,
    *,
    named: Named,
    sections: Sequence[str] = (),
    own: str = "",
) -> Edition:
    """The stories of the last days, sorted.

    Args:
        store: where they are.
        now: when it is made.
        languages: in which they are told; None is all.
        named: what the outlet of an article is called.
        sections: the topics that are wanted, in their order; none: all, the fullest first.
        own: a language whose first story leads, where there is one.
    """
    since, found = current_stories(store, now, languages)
    first = next((one for one in found if one.language == own), None)
    found.sort(key=lambda one: one is not first)
    by_topic: dict[str, list[Story]] = {}
    for one in found:
        by_topic.setdefault(topic_of(one), []).append(one)
    top = _with_lead(spread(told(store, found[: _TOP * 4], named, found), lambda one: one.outlet, strict=True), 1)[
        : _TOP + 1
    ]
    shown = {one.story.id for one in top}
    made = []
    for topic in sections or sorted(by_topic, key=lambda name: (name == OTHER, -len(by_topic[name]))):
        inside = [one for one in by_topic.get(topic, ()) if one.id not in shown]
        if len(inside) >= _FEWEST or (inside and sections):
            teasers = _with_lead(told(store, inside[: _IN_SECTION * 3], named, found), _LEADS)
            stories = spread(teasers, lambda one: one.outlet, strict=True)[:_IN_SECTION]
            made.append(PaperSection(topic, tuple(stories), len(by_topic[topic])))
    counts = tuple((topic, len(by_topic[topic])) for topic in topics() if topic in by_topic)
    return Edition(now, since, tuple(top), tuple(made), len(found), counts)


def current_stories(
    store: Store, now: datetime, languages: Sequence[str] | None = None
) -> tuple[datetime, list[Story]]:
    """The stories of the last days, those that most tell of first; and since when."""
    latest = store.stories(language=languages, limit=1).items
    last = at_or_before(latest[0].last if latest else now, now)
    since, found = last, list[Story]()
    for span in _SPANS:
        since = last - span
        found = store.top_stories(since, limit=_MOST_STORIES, language=languages)
        if len(found) >= _ENOUGH:
            return since, found
    known = {one.id for one in found}  # news of today beside a paper of last spring: what is missing comes from there
    older = store.stories(language=languages, limit=_ENOUGH * 2).items
    return since, found + [one for one in older if one.id not in known]


def told(
    store: Store, stories: Sequence[Story], named: Named, around: Sequence[Story] | None = None
) -> list[StoryTeaser]:
    """Stories with those who tell them; a picture that several of these, or of those around them, have is left out."""
    members = store.story_members([one.id for one in stories])
    pictures = Counter(image for some in members.values() for image in {one.image for one in some} if image)
    pictures |= Counter(one.image for one in around or ())
    return [_told(one, members.get(one.id, []), pictures, named) for one in stories]


def _told(story: Story, members: Sequence[ArticleHeadline], pictures: Counter[str], named: Named) -> StoryTeaser:
    names = {named(one): one.site for one in reversed(members)}
    sources = tuple(reversed(names))[:_TELLERS]
    wanted = (story.image, *(one.image for one in members))
    image, *others = dict.fromkeys(one for one in wanted if one and pictures[one] < _REPEATED) or ("",)
    return StoryTeaser(
        story,
        tuple(one.id for one in members),
        sources,
        direction_of(story.language),
        tuple(names[one] for one in sources),
        brief(story.summary or next((one.summary for one in members if one.summary), ""), story.title, story.language),
        image,
        members[0].address if members else "",
        tuple(others),
        bool(members) and all(one.teaser_reason for one in members),
    )


def spread(items: Iterable[T], outlet: Callable[[T], str], most: int = _IN_A_ROW, *, strict: bool = False) -> list[T]:
    """The same in nearly the same order, with at most so many of one outlet in a row, as long as there are others.

    Args:
        items: what is to be shown.
        outlet: whose each is.
        most: so many in a row.
        strict: where there are no others, it ends there.
    """
    waiting, found = list(items), list[T]()
    while waiting:
        last = {outlet(one) for one in found[-most:]} if len(found) >= most else set()
        crowded = last.pop() if len(last) == 1 else None
        places = (at for at, one in enumerate(waiting) if crowded is None or outlet(one) != crowded)
        place = next(places, None)
        if place is None and strict:
            break
        found.append(waiting.pop(place or 0))
    return found


def _with_lead(teasers: list[StoryTeaser], among: int) -> list[StoryTeaser]:
    """The same, led by the first of some that has a picture; stories of teasers alone come last."""
    teasers = sorted(teasers, key=lambda one: one.is_teaser_only)
    lead = next((one for one in teasers[:among] if one.image), teasers[0] if teasers else None)
    return [] if lead is None else [lead, *(one for one in teasers if one is not lead)]


def brief(summary: str, title: str, language: str = "", most: int = _LONGEST_SUMMARY) -> str:
    """A summary that ends with a sentence and does not say what the headline says."""
    said = _plain(title)
    found = ""
    for sentence in sentences(without_byline(fold_space(summary)), language)[:6]:
        line = fold_space(sentence)
        plain = _plain(line)
        if not plain or plain in said or (said and said in plain and len(plain) < 1.5 * len(said)):
            continue
        if line.endswith(("…", "...")) or len(found) + len(line) > (most if found else 2 * most):
            break
        found = f"{found} {line}".strip()
    return found


def _plain(text: str) -> str:
    return " ".join(letter_runs(fold_case(text)))
