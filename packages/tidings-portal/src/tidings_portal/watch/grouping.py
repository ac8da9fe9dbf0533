"""Grouping of new articles into stories.

The tracker of `tidings_portal.stories` places articles one by one. Its state is in the store, with the number of the
last article it has placed. One watcher at a time groups. If it was killed, the next one repeats the same articles and
gets the same stories. An article that cannot be placed is quarantined; the others are placed without it (HOSTILE 29).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import count, islice
from typing import Final

from tidings.article import Article, Kind
from tidings.errors import BadState, StoreConflict, StoreError
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.recipes.recipe import CategoryRule, GroupingMethod, Recipe
from tidings_portal.recipes.recipe_reader import PROVENANCE
from tidings_portal.store import Store
from tidings_portal.store.quarantine import ItemName, Quarantine, article_name
from tidings_portal.store.records_of_articles import ArticleSubject, KeptArticle, StoryDraft
from tidings_portal.store.records_of_work import Stage
from tidings_portal.store.verbs.write_articles import REGROUP
from tidings_portal.stories.byline import without_byline
from tidings_portal.stories.copies import CopyFacts, agency_of, copies_in
from tidings_portal.stories.duplicates import Signature
from tidings_portal.stories.report import Report
from tidings_portal.stories.summary import story_title, summarise
from tidings_portal.stories.topics import OTHER, TopicModel, declared
from tidings_portal.stories.tracker import TrackedStory, Tracker
from tidings_portal.watch.linked_stories import place_linked

SPACE: Final = "stories"
_BUSY: Final = b"busy"
#: The lease of grouping. After it, the watcher counts as dead.
_LEASE: Final = timedelta(minutes=10)
#: Articles per batch, and the articles of a story for its title and summary: the first and the latest.
AT_ONCE: Final = 1_000
_TOLD_BY: Final = 12
_SENTENCES: Final = 3
#: Articles of a story that are compared for copies: the first and the latest.
_COMPARED: Final = 300


def group(store: Store, at: datetime, *, owner: str = "", at_once: int = AT_ONCE, batches: int | None = None) -> int:
    """Group new articles into stories; return their number, or None if another watcher is grouping.

    Args:
        store: the store.
        at: now.
        owner: the name of the watcher, which can resume its own lease.
        at_once: articles per batch.
        batches: the maximum number of batches; None: no limit.
    """
    lease = store.load_state("lease", SPACE)
    mine = _BUSY + b" " + owner.encode() if owner else _BUSY
    is_other = lease is not None and lease.value.startswith(_BUSY) and not (owner and lease.value == mine)
    if lease is not None and is_other and at - lease.changed < _LEASE:
        return 0
    try:
        version = store.save_state("lease", mine, at, version=0 if lease is None else lease.version, space=SPACE)
    except StoreConflict:
        return 0
    try:
        aside = Quarantine(store, Stage.STORIES, at)
        number = _again(store, at, aside) + _place_completed(store, at, aside)
        _describe_older(store, at)
        for _ in range(batches) if batches is not None else count():
            articles = pending(store, aside, at_once)
            if not articles:
                break
            aside.run(articles, partial(_place, store, at), article_name)
            number += len(articles)
        return number
    finally:  # release the lease, also after an error
        with suppress(StoreError):
            store.save_state("lease", b"", at, version=version, space=SPACE)


def pending(store: Store, aside: Quarantine, most: int) -> list[KeptArticle]:
    """Return the next articles that are not grouped into stories yet, at most `most`, without quarantined ones."""
    _, last, _ = _loaded(store)
    return list(
        islice((article for article in store.each_article(after=last) if not aside.is_out(article_name(article))), most)
    )


def give_up(store: Store, at: datetime, reason: str) -> None:
    """Quarantine the next article, because grouping it crashed a worker."""
    aside = Quarantine(store, Stage.STORIES, at)
    for article in pending(store, aside, 1):
        aside.add(article_name(article), reason)


def _describe_older(store: Store, at: datetime) -> None:
    """Store the topics of some articles that were stored by a version of Tidings without topics."""
    _, last, _ = _loaded(store)
    numbers = store.without_topic(last, AT_ONCE)
    if articles := store.articles_by_number(numbers) if numbers else []:
        describe(store, at, articles, _recipes(store, articles))


def _again(store: Store, at: datetime, aside: Quarantine) -> int:
    """Place articles that another version quarantined, or whose retry was requested; return their number."""
    due = aside.due()
    if not due:
        return 0
    articles = store.articles_by_number([int(entry.item) for entry in due if entry.item.isdigit()])
    aside.run(articles, partial(_place, store, at), article_name)
    stored = {str(article.headline.id) for article in articles}
    # Entries of deleted articles and of whole batches.
    aside.lift([ItemName(entry.kind, entry.item) for entry in due if entry.item not in stored])
    return len(articles)


def _place(store: Store, at: datetime, articles: Sequence[KeptArticle]) -> int:
    """Group articles into stories and save the state of the tracker; return the number of articles."""
    tracker, last, version = _loaded(store)
    recipes = _recipes(store, articles)
    describe(store, at, articles, recipes)
    before = {story.id: story.members for story in tracker.stories()}
    whole = [article for article in articles if not article.headline.teaser_reason]
    tracked, linked = _by_method(whole, recipes)
    episodes = _episodes(store, tracked)
    tracker.add_all(_report(article, has_text=article.headline.id not in episodes) for article in tracked)
    after = {story.id: story for story in tracker.stories()}
    changed = [story for story in after.values() if before.get(story.id) != story.members]
    merged = {name for name in before if name not in after}
    for recipe, linked_articles in linked:
        changes = place_linked(store, at, linked_articles, recipe, SPACE)
        changed += changes.changed
        merged |= changes.removed
    assigned: set[int] = set()
    for story in changed:
        _write(store, story, [name for name in story.members if name in merged], assigned)
    _write_teasers(store, [article for article in articles if article.headline.teaser_reason])
    signatures = {
        article.headline.id: Signature.of(article.article.text, article.article.language).to_bytes()
        for article in whole
    }
    store.save_signatures(signatures)
    for story in changed:
        _fold(store, story)
    last = max(last, *(article.headline.id for article in articles))
    state = last.to_bytes(8, "big") + tracker.state()
    store.save_state("tracker", state, at, version=version, space=SPACE)
    return len(articles)


def _write_teasers(store: Store, teasers: Sequence[KeptArticle]) -> None:
    """Store each teaser-only article as a story of its own: a title and a teaser are too short to compare."""
    numbers = [teaser.headline.id for teaser in teasers]
    topics = {teaser.id: teaser.topic for teaser in store.headlines_of(numbers)} if numbers else {}
    drafts = [
        StoryDraft(
            *((teaser.headline.id,), teaser.article.title, teaser.article.summary, teaser.article.language),
            *(teaser.headline.category, teaser.headline.story, topics.get(teaser.headline.id, OTHER)),
        )
        for teaser in teasers
    ]
    if drafts:
        store.save_stories(drafts)


def _place_completed(store: Store, at: datetime, aside: Quarantine) -> int:
    """Group articles that were teasers and have their text now; return their number."""
    names = store.states(REGROUP)[:AT_ONCE]
    articles = store.articles_by_number([int(name) for name in names])
    aside.run(
        [article for article in articles if not article.headline.teaser_reason],
        partial(_place, store, at),
        article_name,
    )
    for name in names:
        store.forget_state(name, REGROUP)
    return len(articles)


def _recipes(store: Store, articles: Sequence[KeptArticle]) -> dict[int, Recipe]:
    """Return the recipe that each article was extracted with."""
    catalogue = RecipeCatalogue(store)
    return {
        article.headline.id: catalogue.choose(article.article.provenance.get(PROVENANCE, "").partition(",")[0]).recipe
        for article in articles
    }


def describe(store: Store, at: datetime, articles: Sequence[KeptArticle], recipes: Mapping[int, Recipe]) -> None:
    """Store the topics and agencies of articles, and learn from articles whose outlet declares a topic."""
    state = store.load_state("topics", SPACE)
    try:
        model = TopicModel() if state is None else TopicModel.from_state(state.value)
    except BadState:  # by another version of Tidings
        model = TopicModel()
    has_learned = False
    subjects = {}
    for article in articles:
        rule = recipes[article.headline.id].categories
        report = _report(article)
        decided = declared(
            (article.headline.category,), article.article.section, article.article.address, article.article.tags
        )
        if decided is not None:
            has_learned |= model.learn(report, decided.name)
        if rule is CategoryRule.LEARNED:
            decided = model.decide(report, decided)
        topic = OTHER if decided is None or rule is CategoryRule.NONE else decided.name
        subjects[article.headline.id] = ArticleSubject(topic, agency_of(article.article.authors, article.article.text))
    store.save_subjects(subjects)
    if has_learned:
        store.save_state("topics", model.state(), at, version=0 if state is None else state.version, space=SPACE)


def _fold(store: Store, story: TrackedStory) -> None:
    """Mark the copies in a story, comparing from the earliest article on."""
    members = sorted(story.members)
    stored = store.signatures_of((*members[:1], *members[-_COMPARED:])) if len(members) > 1 else {}

    @cache
    def facts(number: int) -> CopyFacts:
        stored_articles = store.articles_by_number([number])
        return (
            CopyFacts.of(stored_articles[0].article.title, stored_articles[0].article.text)
            if stored_articles
            else CopyFacts.of("", "")
        )

    def fits(number: int, first: int, shared: float) -> bool:
        return facts(number).fits(facts(first), shared)

    copies = copies_in([(number, Signature.from_bytes(value)) for number, value in sorted(stored.items())], fits)
    if copies:
        store.save_copies(copies)


def _by_method(
    articles: Sequence[KeptArticle], chosen: Mapping[int, Recipe]
) -> tuple[list[KeptArticle], list[tuple[Recipe, list[KeptArticle]]]]:
    """Return the articles for the story tracker, and the articles of each recipe that groups by links."""
    tracked: list[KeptArticle] = []
    linked: dict[str, tuple[Recipe, list[KeptArticle]]] = {}
    for article in articles:
        recipe = chosen[article.headline.id]
        if recipe.grouping.method is GroupingMethod.TRACKER:
            tracked.append(article)
        else:
            linked.setdefault(recipe.name, (recipe, []))[1].append(article)
    return tracked, list(linked.values())


def _loaded(store: Store) -> tuple[Tracker, int, int]:
    """Return the story tracker, the number of the last article it has placed, and the version of its saved state."""
    state = store.load_state("tracker", SPACE)
    if state is None:
        return Tracker(), 0, 0
    try:
        return Tracker.from_state(state.value[8:]), int.from_bytes(state.value[:8], "big"), state.version
    except BadState:  # by another version of Tidings: start over with the next articles
        return Tracker(), int.from_bytes(state.value[:8], "big"), state.version


def _write(store: Store, story: TrackedStory, merged: Sequence[int], assigned: set[int]) -> None:
    """Store a story: merge the stories that became part of it, and set its members, title and summary."""
    chosen = [*dict.fromkeys((*story.members[:2], *story.members[-_TOLD_BY:]))]
    articles = store.articles_by_number(chosen)
    if not articles:
        return
    # Its number is that of its first members; those that began stories which are part of it now bring theirs.
    candidates = [*articles, *(store.articles_by_number(merged) if merged else ())]
    numbers = [
        number for number in dict.fromkeys(article.headline.story for article in candidates) if number not in assigned
    ]
    target = next((number for number in numbers if number is not None), None)
    merged_stories = {article.headline.story for article in candidates if article.headline.id in merged}
    absorbed = [number for number in numbers if number is not None and number != target and number in merged_stories]
    if target is not None:
        assigned.update((target, *absorbed))
        if absorbed:
            store.merge_stories(target, absorbed)
    reports = [replace(_report(article), text=_prose(article.article)) for article in articles]
    first = articles[0]
    title, summary = first.article.title, first.article.summary
    if len(reports) > 1:
        title = story_title(reports) or title
        summary = " ".join(chosen.text for chosen in summarise(reports, _SENTENCES)) or summary
    category = next((article.headline.category for article in articles if article.headline.category), "")
    topics = Counter(article.headline.topic for article in articles if article.headline.topic not in ("", OTHER))
    topic = topics.most_common(1)[0][0] if topics else OTHER
    draft = StoryDraft(story.members, title, summary, story.language, category, target, topic)
    (number,) = store.save_stories([draft])
    assigned.add(number)


def _prose(article: Article) -> str:
    """Return the paragraphs of an article without tables, captions and headings; the whole text if it has no
    paragraphs.
    """
    prose = "\n".join(block.text for block in article.blocks if block.kind is Kind.PARAGRAPH) or article.text
    return without_byline(prose, article.authors)


def _report(article: KeptArticle, *, has_text: bool = True) -> Report:
    report = Report.of(article.headline.id, article.article, article.headline.time)
    return report if has_text else replace(report, text="")


def _episodes(store: Store, articles: Sequence[KeptArticle]) -> set[int]:
    """Return the numbers of podcast episodes whose only text is the show notes of the feed.

    Show notes repeat the same sentences in every episode, so that they say nothing about a common event.
    """
    from_feed = [article.headline.id for article in articles if article.article.provenance.get("body") == "feed"]
    return {number for number, files in store.enclosures_of(from_feed).items() if any(file.plays for file in files)}
