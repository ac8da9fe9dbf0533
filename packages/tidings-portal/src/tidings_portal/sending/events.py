"""New articles and stories: applies reader rules, and queues messages to targets.

All articles since the last run are processed together, by whichever process is first (`save_state` lets only one
succeed). `deliveries` sends the queued messages.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from tidings.article import Article
from tidings.errors import BadQuery, StoreConflict
from tidings_portal.feeds.outgoing import line, web
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import ArticleHeadline, Story
from tidings_portal.store.verbs.sending import ReaderRule, RuleEffect, SendingEvent, SendingTarget

_SPACE: Final = "sending"
#: Articles per run.
_AT_ONCE: Final = 500
#: How long a story is new, and how many sent stories are remembered.
_NEWS: Final = timedelta(days=2)
_STORIES: Final = 50
_REMEMBERED: Final = 2_000
_LEAST: Final = 2

Message = tuple[int, str, str, str]


def begin(store: Store, at: datetime) -> None:
    """Record the latest article, so that rules and messages apply to later ones. Later calls do nothing."""
    if store.load_state(_SPACE, _SPACE) is None:
        state = {"article": store.latest_number(), "stories": [story.id for story in _stories(store, at)]}
        with suppress(StoreConflict):
            store.save_state(_SPACE, json.dumps(state).encode(), at, version=0, space=_SPACE)


def look(store: Store, at: datetime, home: str = "") -> int:
    """Apply the rules of users to new articles, and queue messages about articles and stories.

    Return the number of new articles.

    Args:
        store: the store.
        at: the current time.
        home: the URL of the portal; empty: messages have no links to it.
    """
    rules = store.rules()
    targets = [item for item in store.targets() if item.settings.events and item.is_active and item.is_confirmed]
    if not rules and not targets:
        return 0
    saved = store.load_state(_SPACE, _SPACE)
    if saved is None:
        begin(store, at)
        return 0
    state = json.loads(saved.value)
    numbers = store.article_numbers(int(state["article"]), _AT_ONCE)
    by_event = {event: [item for item in targets if event in item.settings.events] for event in SendingEvent}
    fresh = _fresh_stories(store, at, state["stories"]) if by_event[SendingEvent.STORY] else []
    if not numbers and not fresh:
        return 0
    after = {
        "article": numbers[-1] if numbers else state["article"],
        "stories": [*state["stories"], *(item.id for item in fresh)][-_REMEMBERED:],
    }
    try:
        store.save_state(_SPACE, json.dumps(after).encode(), at, version=saved.version, space=_SPACE)
    except StoreConflict:  # another process handles these articles
        return 0
    alarms = apply_rules(store, rules, numbers, at)
    messages = _of_articles(store, by_event[SendingEvent.ARTICLE], numbers, home)
    messages += _of_alarms(store, by_event[SendingEvent.ALARM], alarms, home)
    messages += [
        (target.id, SendingEvent.STORY.value, item.title, _story(item, at, home))
        for target in by_event[SendingEvent.STORY]
        for item in fresh
    ]
    store.send(messages, at)
    return len(numbers)


def apply_rules(
    store: Store, rules: Iterable[ReaderRule], numbers: Sequence[int], at: datetime
) -> list[tuple[ReaderRule, list[int]]]:
    """Apply rules to articles; return the articles of each notify rule."""
    alarms = []
    keeping: defaultdict[tuple[str, int | None], list[ReaderRule]] = defaultdict(list)
    for rule in rules:
        if rule.effect is RuleEffect.KEEP:
            keeping[rule.person, rule.source].append(rule)
            continue
        matches = _matching(store, rule, numbers)
        if rule.effect is RuleEffect.HIDE:
            store.hide(rule.person, matches, rule.id)
        elif rule.effect is RuleEffect.LABEL:
            store.label(rule.value, matches, rule.person)
        elif rule.effect is RuleEffect.STAR:
            for number in matches:
                store.save(number, rule.person, at)
        elif matches:
            alarms.append((rule, matches))
    for (person, source), rules_of_source in keeping.items():
        matched = {number for rule in rules_of_source for number in _matching(store, rule, numbers)}
        rest = [article for article in store.matching("", source, numbers) if article not in matched]
        store.hide(person, rest, rules_of_source[0].id)
    return alarms


def _matching(store: Store, rule: ReaderRule, numbers: Sequence[int]) -> list[int]:
    try:
        return store.matching(rule.query, rule.source, numbers)
    except BadQuery:  # a query that an older version accepted
        return []


def _of_articles(store: Store, targets: Sequence[SendingTarget], numbers: Sequence[int], home: str) -> list[Message]:
    headlines = {headline.id: headline for headline in store.headlines_of(numbers)} if targets else {}
    return [
        (
            target.id,
            SendingEvent.ARTICLE.value,
            headlines[number].title,
            _article("article.new", headlines[number], home),
        )
        for target in targets
        for number in _matching(store, ReaderRule(target.settings.query, RuleEffect.NOTIFY), numbers)
        if number in headlines
    ]


def _of_alarms(
    store: Store, targets: Sequence[SendingTarget], alarms: Sequence[tuple[ReaderRule, list[int]]], home: str
) -> list[Message]:
    return [
        (target.id, SendingEvent.ALARM.value, headline.title, _article("alarm", headline, home, {"rule": rule.query}))
        for rule, numbers in alarms
        for target in targets
        if target.person == rule.person
        for headline in store.headlines_of(numbers)
    ]


def _fresh_stories(store: Store, at: datetime, numbers: Sequence[int]) -> list[Story]:
    earlier = set(numbers)
    return [story for story in _stories(store, at) if story.id not in earlier]


def _stories(store: Store, at: datetime) -> tuple[Story, ...]:
    return store.stories(since=at - _NEWS, least=_LEAST, limit=_STORIES).items


def _article(kind: str, article: ArticleHeadline, home: str, more: Mapping[str, Any] | None = None) -> str:
    return message(kind, {**described(article, home), **(more or {})})


def _story(story: Story, at: datetime, home: str) -> str:
    fields = {
        "id": story.id,
        "title": line(story.title),
        "summary": line(story.summary),
        "language": story.language,
        "articles": story.size,
        "sites": story.sites,
        "last": story.last.isoformat(),
        "page": f"{home}/story/{story.id}" if home else "",
    }
    return message("story.new", {**fields, "noticed": at.isoformat()})


def message(kind: str, data: Mapping[str, Any]) -> str:
    """Return the body of a message in the format of Standard Webhooks."""
    return json.dumps({"type": kind, "data": dict(data)}, ensure_ascii=False)


def described(headline: ArticleHeadline, home: str, article: Article | None = None) -> dict[str, Any]:
    """Return an article as JSON for other programs, with its text if `article` is given."""
    fields: dict[str, Any] = {
        "id": headline.id,
        "title": line(headline.title),
        "address": web(headline.address),
        "page": f"{home}/article/{headline.id}" if home else "",
        "summary": line(headline.summary),
        "site": headline.site,
        "language": headline.language,
        "authors": list(map(line, headline.authors)),
        "category": line(headline.category),
        "time": headline.time.isoformat(),
        "words": headline.words,
        "story": headline.story,
    }
    if article is not None:
        fields["markdown"] = article.markdown()
    return fields
