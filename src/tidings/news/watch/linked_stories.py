"""Stories by single or complete link (LBNEST V.A), for recipes that ask for it.

Every batch clusters the articles of the last days again. The previous clusters are in the store, so that a story keeps
its number as long as its first members remain together.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from tidings.news.recipes.recipe import GroupingMethod, Recipe
from tidings.news.store import Store
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.stories.linkage import Clusters, complete_link, single_link
from tidings.news.stories.report import Report
from tidings.news.stories.tracker import TrackedStory

#: The number of latest articles to cluster.
MOST: Final = 3_000


@dataclass(frozen=True, slots=True)
class StoryChanges:
    """Changed stories, and the numbers of deleted ones."""

    changed: tuple[TrackedStory, ...]
    gone: frozenset[int]


def clusters_of(reports: Sequence[Report], recipe: Recipe) -> Clusters:
    """Return the clusters of articles, by the link and cut of a recipe."""
    link = complete_link if recipe.grouping.method is GroupingMethod.COMPLETE_LINK else single_link
    return link(reports, recipe.grouping.cut)


def place_linked(
    store: Store, at: datetime, articles: Sequence[KeptArticle], recipe: Recipe, space: str
) -> StoryChanges:
    """Group articles of a recipe into stories; return the changes."""
    name = f"links: {recipe.name}"
    kept = store.load_state(name, space)
    before: list[list[int]] = json.loads(kept.value) if kept is not None else []
    fresh = {one.headline.id: one for one in articles}
    numbers = sorted({number for cluster in before for number in cluster} - fresh.keys())
    known = {one.headline.id: one for one in store.articles_by_number(numbers)} | fresh
    newest = max(one.headline.time for one in known.values())
    since = newest - timedelta(days=recipe.grouping.days)
    recent = sorted((one for one in known.values() if one.headline.time >= since), key=lambda one: one.headline.id)
    reports = [Report.of(one.headline.id, one.article, one.headline.time) for one in recent[-MOST:]]
    clusters = clusters_of(reports, recipe)
    store.save_state(name, json.dumps(clusters).encode(), at, version=0 if kept is None else kept.version, space=space)
    earlier = {tuple(cluster) for cluster in before}
    changed = []
    for cluster in clusters:
        if cluster not in earlier:
            members = [known[number].headline for number in cluster]
            times = [member.time for member in members]
            language = members[0].language
            changed.append(TrackedStory(cluster[0], language, cluster, min(times), max(times)))
    gone = {cluster[0] for cluster in before} - {cluster[0] for cluster in clusters}
    return StoryChanges(tuple(changed), frozenset(gone))
