"""Stories by single or complete link (LBNEST V.A), for recipes with these grouping methods.

Every batch clusters the articles of the last days again. The previous clusters are in the store, so that a story keeps
its number as long as its first members remain together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from tidings_portal.recipes.recipe import GroupingMethod, Recipe
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import KeptArticle
from tidings_portal.stories.linkage import Clusters, complete_link, single_link
from tidings_portal.stories.report import Report
from tidings_portal.stories.tracker import TrackedStory

#: The number of latest articles to cluster.
MOST: Final = 3_000


@dataclass(frozen=True, slots=True)
class StoryChanges:
    """The result of grouping: changed stories, and the numbers of deleted ones."""

    changed: tuple[TrackedStory, ...]
    removed: frozenset[int]


def clusters_of(reports: Sequence[Report], recipe: Recipe) -> Clusters:
    """Return the clusters of articles, by the link and cut of a recipe."""
    link = complete_link if recipe.grouping.method is GroupingMethod.COMPLETE_LINK else single_link
    return link(reports, recipe.grouping.cut, stemmed=recipe.grouping.stemmed)


def place_linked(
    store: Store, at: datetime, articles: Sequence[KeptArticle], recipe: Recipe, space: str
) -> StoryChanges:
    """Group the articles of a recipe into stories; return the changes."""
    name = f"links: {recipe.name}"
    state = store.load_state(name, space)
    before: list[list[int]] = json.loads(state.value) if state is not None else []
    fresh = {article.headline.id: article for article in articles}
    numbers = sorted({number for cluster in before for number in cluster} - fresh.keys())
    by_number = {article.headline.id: article for article in store.articles_by_number(numbers)} | fresh
    newest = max(article.headline.time for article in by_number.values())
    since = newest - timedelta(days=recipe.grouping.days)
    recent = sorted(
        (article for article in by_number.values() if article.headline.time >= since),
        key=lambda article: article.headline.id,
    )
    reports = [Report.of(article.headline.id, article.article, article.headline.time) for article in recent[-MOST:]]
    clusters = clusters_of(reports, recipe)
    store.save_state(
        name, json.dumps(clusters).encode(), at, version=0 if state is None else state.version, space=space
    )
    earlier = {tuple(cluster) for cluster in before}
    changed = []
    for cluster in clusters:
        if cluster not in earlier:
            members = [by_number[number].headline for number in cluster]
            times = [member.time for member in members]
            language = members[0].language
            changed.append(TrackedStory(cluster[0], language, cluster, min(times), max(times)))
    merged = {cluster[0] for cluster in before} - {cluster[0] for cluster in clusters}
    return StoryChanges(tuple(changed), frozenset(merged))
