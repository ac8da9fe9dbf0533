"""Rereading of stored pages by a recipe: what would change, and a comparison of two recipes.

Pages are stored as received, with the metadata of their links. So a recipe can be tried on past articles, and nothing
changes before it is accepted.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from tidings.article import Article, Provenance, with_recordings
from tidings.errors import PageError
from tidings.fetch.agent import our_version
from tidings.page import Hints
from tidings.page.decode import decode
from tidings.sites import Reader
from tidings.text import words
from tidings_portal.recipes.recipe import GroupingMethod, Recipe
from tidings_portal.recipes.recipe_reader import PageReading, RecipeReader
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import ArticleHeadline, Fate, NewArticle, Only, RawPage
from tidings_portal.store.records_of_work import SourceKind
from tidings_portal.stories.linkage import Clusters
from tidings_portal.stories.report import Report
from tidings_portal.stories.tracker import Tracker
from tidings_portal.watch.feed_text import embeds
from tidings_portal.watch.linked_stories import clusters_of
from tidings_portal.watch.reading import hints_of
from tidings_portal.watch.store_links import address_key

_AT_ONCE: Final = 50
#: The provenance of fields from the feed item or the link.
FROM_FEED: Final = ("feed", "source")


@dataclass(frozen=True, slots=True)
class Reread:
    """An article as stored, and as extracted again with a recipe."""

    headline: ArticleHeadline
    before: Article
    after: Article
    page: RawPage
    keys: tuple[str, ...]

    @property
    def agreement(self) -> float:
        """Return the F1 of the words of both versions as bags; 1 if both are empty."""
        return agreement(self.before, self.after)

    @property
    def is_changed(self) -> bool:
        """Return whether text, headline or pictures of the versions differ."""
        pictures = [[image.src for image in article.images] for article in (self.before, self.after)]
        return (self.before.text, self.before.title, pictures[0]) != (self.after.text, self.after.title, pictures[1])


def agreement(first: Article, second: Article) -> float:
    """Return the F1 of the words of two articles as bags; 1 if both are empty."""
    bags = Counter(words(first.text)), Counter(words(second.text))
    total = bags[0].total() + bags[1].total()
    return 2 * (bags[0] & bags[1]).total() / total if total else 1.0


def kept_pages(store: Store, only: Only, limit: int | None = None) -> Iterator[tuple[ArticleHeadline, RawPage]]:
    """Yield articles of a list with their saved pages, newest first."""
    after: str | None = None
    number = 0
    while True:
        page_of_list = store.articles(only, limit=_AT_ONCE, after=after)
        for headline in page_of_list.items:
            page = store.page_of(headline.id)
            if page is not None:
                yield headline, page.page
                number += 1
                if limit is not None and number >= limit:
                    return
        after = page_of_list.after
        if after is None:
            return


def reread(
    store: Store, recipe: Recipe, only: Only, limit: int | None = None, default: PageReading | None = None
) -> Iterator[Reread]:
    """Yield articles extracted again with a recipe. Nothing is written.

    Args:
        store: the store.
        recipe: the recipe.
        only: the filter of the articles.
        limit: the maximum number of articles.
        default: reads the pages that the recipe leaves to the default; None is a new reader.
    """
    reader = RecipeReader(recipe, default or Reader())
    for headline, page in kept_pages(store, only, limit):
        stored = store.article(headline.id)
        if stored is None:
            continue
        hints, keys = _link_of(store, headline, page)
        try:
            after = reader.extract(_as_sent(page), page.address, hints)
        except PageError:
            continue
        after = with_recordings(with_values_of_feed(stored.article, after), embeds(store.enclosures(headline.id)))
        yield Reread(headline, stored.article, after, page, keys)


def with_values_of_feed(before: Article, after: Article) -> Article:
    """Return a newly extracted article with values of the stored version that come from the feed and not from the page.

    These are title, authors, date, summary, section, tags and language if the page has none, and the text if the feed
    had more of it.
    """
    changes: dict[str, Any] = {}
    provenance = dict(after.provenance)
    for name in ("title", "authors", "published", "summary", "section", "tags", "language"):
        origin = before.provenance.get(name, "")
        if origin in FROM_FEED and not getattr(after, name):
            changes[name] = getattr(before, name)
            provenance[name] = origin
    if before.provenance.get("body") == "feed" and len(before.words) > len(after.words):
        changes |= {"blocks": before.blocks, "images": before.images, "marks": before.marks}
        provenance["body"] = "feed"
    return replace(after, **changes, provenance=Provenance(provenance)) if changes else after


def take(store: Store, rereads: Sequence[Reread], at: datetime) -> int:
    """Store reread articles as their current versions; return the number of changed ones."""
    new = [
        NewArticle(
            *(reread_.after, at, f"tidings {our_version()}: {reread_.after.provenance.get('body', '')}"),
            *(reread_.page, reread_.keys, reread_.headline.category),
        )
        for reread_ in rereads
    ]
    return sum(saved.fate is Fate.CHANGED for saved in store.keep(new))


def _link_of(store: Store, headline: ArticleHeadline, page: RawPage) -> tuple[Hints, tuple[str, ...]]:
    """Return the hints and keys of an article's link."""
    for address in (headline.address, page.address):
        link = store.link_for(address_key(address))
        if link is not None and link.article == headline.id:
            kinds = {source.settings.kind for number in link.sources if (source := store.source(number)) is not None}
            return hints_of(link.seen, kinds == {SourceKind.FRONT_PAGE}), link.seen.keys
    return Hints(), tuple(filter(None, (address_key(headline.address),)))


def _as_sent(page: RawPage) -> bytes | str:
    charset = page.content_type.lower().partition("charset=")[2].strip("\"' ")
    return page.content if not charset or charset.startswith("utf") else decode(page.content, page.content_type).text


@dataclass(frozen=True, slots=True)
class RecipeResult:
    """The results of a recipe on some articles."""

    name: str
    words: int
    pictures: int
    stories: int  # of two or more articles
    seconds: float


@dataclass(frozen=True, slots=True)
class RecipeComparison:
    """A comparison of two recipes on the same articles."""

    articles: int
    first: RecipeResult
    second: RecipeResult
    agreement: float  # mean F1 of the words
    same: int  # articles with the same words
    together: float  # F1 of the pairs of articles in one story; 1 if neither recipe has any
    unlike: tuple[tuple[ArticleHeadline, float, int, int], ...]  # the least similar ones: agreement, and words of both


def compare_recipes(
    store: Store, first: Recipe, second: Recipe, only: Only, limit: int | None = None, most_unlike: int = 5
) -> RecipeComparison:
    """Compare two recipes on the articles of a list whose pages are saved."""
    readers = [RecipeReader(recipe, Reader()) for recipe in (first, second)]
    seconds = [0.0, 0.0]
    both: list[tuple[ArticleHeadline, Article, Article]] = []
    for headline, page in kept_pages(store, only, limit):
        hints, _ = _link_of(store, headline, page)
        data = _as_sent(page)
        read: list[Article] = []
        for place, reader in enumerate(readers):
            started = time.perf_counter()
            try:
                read.append(reader.extract(data, page.address, hints))
            except PageError:
                break
            seconds[place] += time.perf_counter() - started
        if len(read) == len(readers):
            both.append((headline, read[0], read[1]))
    scores = [agreement(one, other) for _, one, other in both]
    sides = [[(headline, pair[place]) for headline, *pair in both] for place in range(2)]
    clusters = [stories_of(side, recipe) for side, recipe in zip(sides, (first, second), strict=True)]
    results = [
        RecipeResult(
            recipe.name,
            sum(len(article.words) for _, article in side),
            sum(len(article.images) for _, article in side),
            sum(len(cluster) > 1 for cluster in some),
            spent,
        )
        for recipe, side, some, spent in zip((first, second), sides, clusters, seconds, strict=True)
    ]
    order = sorted(range(len(both)), key=lambda at: (scores[at], both[at][0].id))[:most_unlike]
    return RecipeComparison(
        len(both),
        results[0],
        results[1],
        sum(scores) / len(scores) if scores else 1.0,
        sum(score == 1.0 for score in scores),
        _pair_agreement(*clusters),
        tuple(
            (both[at][0], scores[at], len(both[at][1].words), len(both[at][2].words)) for at in order if scores[at] < 1
        ),
    )


def stories_of(articles: Sequence[tuple[ArticleHeadline, Article]], recipe: Recipe) -> Clusters:
    """Return the stories into which a recipe groups articles, as article numbers."""
    timed = sorted(articles, key=lambda one: (one[0].time, one[0].id))
    reports = [Report.of(headline.id, article, headline.time) for headline, article in timed]
    if recipe.grouping.method is not GroupingMethod.TRACKER:
        return clusters_of(reports, recipe)
    tracker = Tracker()
    tracker.add_all(reports)
    return [story.members for story in tracker.stories()]


def _pair_agreement(first: Clusters, second: Clusters) -> float:
    pairs = [{(a, b) for cluster in side for a in cluster for b in cluster if a < b} for side in (first, second)]
    total = len(pairs[0]) + len(pairs[1])
    return 2 * len(pairs[0] & pairs[1]) / total if total else 1.0
