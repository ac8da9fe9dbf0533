"""The edition of a day: stories in the languages of a reader, in sections by topic, each with a lead story.

It needs no request, because both the front page and `tidings edition` use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, TypeVar

from tidings.text import fold_case, fold_space, letter_runs, sentences
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import ArticleHeadline, Story
from tidings_portal.stories.byline import without_byline
from tidings_portal.stories.topics import OTHER, section_topic, topic_names
from tidings_portal.trends import at_or_before
from tidings_portal.web.languages import direction_of

T = TypeVar("T")
Named = Callable[[ArticleHeadline], str]

#: An edition covers two days before the last article or, if these have too few stories, a week or a month.
_SPANS: Final = (timedelta(days=2), timedelta(days=7), timedelta(days=31))
_ENOUGH: Final = 9
_MOST_STORIES: Final = 600
#: Stories at the top, besides the lead; stories per section; sources named per story.
_TOP, _IN_SECTION, _NAMED_SOURCES = 6, 5, 4
#: Minimum number of stories of a section.
_FEWEST: Final = 2
#: The lead of a section is the first story with a picture among this many.
_LEADS: Final = 4
#: A picture that this many stories share is a logo of the site.
_REPEATED: Final = 3
#: Maximum number of successive stories of one outlet.
_IN_A_ROW: Final = 2
_LONGEST_SUMMARY: Final = 220


@dataclass(frozen=True, slots=True)
class StoryTeaser:
    """A story in a list: with its latest articles, some of its sources, a summary and a picture."""

    story: Story
    members: tuple[int, ...]  # ids of its latest articles
    sources: tuple[str, ...]
    direction: str
    sites: tuple[str, ...] = ()  # the hosts of `sources`, in the same order
    summary: str = ""
    image: str = ""
    link: str = ""  # URL of its latest article
    other_images: tuple[str, ...] = ()  # used if `image` cannot be loaded
    is_teaser_only: bool = False  # none of its articles has its text

    @property
    def address(self) -> str:
        """Return the path of the story or, if it has a single article, of the article."""
        alone = self.story.size == 1 and len(self.members) == 1
        return f"/article/{self.members[0]}" if alone else f"/story/{self.story.id}"

    def is_within(self, articles: Collection[int]) -> bool:
        """Return whether all articles of the story are in a set of articles."""
        return bool(articles) and bool(self.members) and all(member in articles for member in self.members)

    @property
    def outlet(self) -> str:
        """Return the host of the latest article."""
        return self.sites[0] if self.sites else ""

    @property
    def topic(self) -> str:
        """Return the topic of the story."""
        return topic_of(self.story)


@dataclass(frozen=True, slots=True)
class PaperSection:
    """A section of an edition: stories about one topic."""

    topic: str
    stories: tuple[StoryTeaser, ...]
    count: int  # in the whole edition, including those at the top

    @property
    def lead(self) -> StoryTeaser:
        """Return the lead story."""
        return self.stories[0]


@dataclass(frozen=True, slots=True)
class Edition:
    """The stories of a day."""

    made: datetime
    since: datetime
    top: tuple[StoryTeaser, ...] = ()
    sections: tuple[PaperSection, ...] = ()
    count: int = 0
    topics: tuple[tuple[str, int], ...] = ()  # all topics with their number of stories

    @property
    def teasers(self) -> list[StoryTeaser]:
        """Return all stories of the edition, from the top and the sections."""
        return [*self.top, *(one for section in self.sections for one in section.stories)]

    def without(self, articles: Collection[int]) -> Edition:
        """Return the edition without the stories that consist of these articles only."""
        if not articles:
            return self
        top = tuple(one for one in self.top if not one.is_within(articles))
        remaining = (
            replace(section, stories=tuple(story for story in section.stories if not story.is_within(articles)))
            for section in self.sections
        )
        return replace(self, top=top, sections=tuple(section for section in remaining if section.stories))


def topics() -> tuple[str, ...]:
    """Return all topics in the order of a newspaper."""
    return (*topic_names(), OTHER)


def topic_of(story: Story) -> str:
    """Return the topic of a story, or that of its outlet's section if the story is not yet classified."""
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
    """Return the edition of the last days.

    Args:
        store: the store of the articles.
        now: the time of the edition.
        languages: the languages of stories; None means all.
        named: returns the name of the outlet of an article.
        sections: topics in order; empty means all, the largest first.
        own: the language of the lead story, if it has a story in that language.
    """
    since, found = current_stories(store, now, languages)
    first = next((one for one in found if one.language == own), None)
    found.sort(key=lambda one: one is not first)
    by_topic: dict[str, list[Story]] = {}
    for one in found:
        by_topic.setdefault(topic_of(one), []).append(one)
    top = _with_lead(
        spread(teasers_of(store, found[: _TOP * 4], named, found), lambda one: one.outlet, strict=True), 1
    )[: _TOP + 1]
    shown = {one.story.id for one in top}
    made = []
    for topic in sections or sorted(by_topic, key=lambda name: (name == OTHER, -len(by_topic[name]))):
        inside = [one for one in by_topic.get(topic, ()) if one.id not in shown]
        if len(inside) >= _FEWEST or (inside and sections):
            teasers = _with_lead(teasers_of(store, inside[: _IN_SECTION * 3], named, found), _LEADS)
            stories = spread(teasers, lambda one: one.outlet, strict=True)[:_IN_SECTION]
            made.append(PaperSection(topic, tuple(stories), len(by_topic[topic])))
    counts = tuple((topic, len(by_topic[topic])) for topic in topics() if topic in by_topic)
    return Edition(now, since, tuple(top), tuple(made), len(found), counts)


def current_stories(
    store: Store, now: datetime, languages: Sequence[str] | None = None
) -> tuple[datetime, list[Story]]:
    """Return the start of the current period, and its stories by number of sources."""
    latest = store.stories(language=languages, limit=1).items
    last = at_or_before(latest[0].last if latest else now, now)
    since, found = last, list[Story]()
    for span in _SPANS:
        since = last - span
        found = store.top_stories(since, limit=_MOST_STORIES, language=languages)
        if len(found) >= _ENOUGH:
            return since, found
    known_ids = {one.id for one in found}  # too few even in a month: fill up with older stories
    older = store.stories(language=languages, limit=_ENOUGH * 2).items
    return since, found + [one for one in older if one.id not in known_ids]


def teasers_of(
    store: Store, stories: Sequence[Story], named: Named, context: Sequence[Story] | None = None
) -> list[StoryTeaser]:
    """Return teasers of stories. A picture that several stories use is left out."""
    members = store.story_members([one.id for one in stories])
    pictures = Counter(
        image for articles in members.values() for image in {article.image for article in articles} if image
    )
    pictures |= Counter(one.image for one in context or ())
    return [_teaser(one, members.get(one.id, []), pictures, named) for one in stories]


def _teaser(story: Story, members: Sequence[ArticleHeadline], pictures: Counter[str], named: Named) -> StoryTeaser:
    names = {named(one): one.site for one in reversed(members)}
    sources = tuple(reversed(names))[:_NAMED_SOURCES]
    candidates = (story.image, *(member.image for member in members))
    image, *others = dict.fromkeys(url for url in candidates if url and pictures[url] < _REPEATED) or ("",)
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
    """Reorder items as little as possible, so that at most `most` of one outlet follow each other.

    Args:
        items: the items in their order.
        outlet: returns the outlet of an item.
        most: the maximum number of successive items of one outlet.
        strict: if only items of one outlet remain, drop them.
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
    """Move a lead story to the front: among the first `among` stories, one with a picture. Stories without text come
    last.
    """
    teasers = sorted(teasers, key=lambda one: one.is_teaser_only)
    lead = next((one for one in teasers[:among] if one.image), teasers[0] if teasers else None)
    return [] if lead is None else [lead, *(one for one in teasers if one is not lead)]


def brief(summary: str, title: str, language: str = "", most: int = _LONGEST_SUMMARY) -> str:
    """Return a summary in whole sentences, of about `most` characters, without those that repeat the headline."""
    headline = _plain(title)
    shortened = ""
    for sentence in sentences(without_byline(fold_space(summary)), language)[:6]:
        line = fold_space(sentence)
        plain = _plain(line)
        if not plain or plain in headline or (headline and headline in plain and len(plain) < 1.5 * len(headline)):
            continue
        if line.endswith(("…", "...")) or len(shortened) + len(line) > (most if shortened else 2 * most):
            break
        shortened = f"{shortened} {line}".strip()
    return shortened


def _plain(text: str) -> str:
    return " ".join(letter_runs(fold_case(text)))
