"""Stories of a store that has just begun: what is known beforehand of rarity stands in for articles not yet seen."""

from __future__ import annotations

import json
import random
from itertools import combinations
from pathlib import Path

import pytest

from tests.portal.stories.wire import stream
from tidings_portal.stories.report import Report
from tidings_portal.stories.story_index import Tracking
from tidings_portal.stories.tracker import Tracker
from tidings_portal.stories.weights import _listed, common_terms

LANGUAGES = "en de fa fr es it pt nl tr pl ru uk ar he sv da no fi cs ro hu el id".split()


def pairs(tracker: Tracker, events: dict[int, str]) -> tuple[int, int, int]:
    """Pairs rightly together, wrongly together, wrongly apart."""
    story = {member: one.id for one in tracker.stories() for member in one.members}
    together = [(events[a] == events[b], story[a] == story[b]) for a, b in combinations(events, 2)]
    return together.count((True, True)), together.count((False, True)), together.count((True, False))


def test_terms_of_at_least_twenty_languages() -> None:
    assert set(_listed()) == set(LANGUAGES)
    for language in LANGUAGES:
        known = common_terms(language)
        assert len(known) >= 60
        assert all(0 < share <= 0.5 for share in known.values())
    assert common_terms("xx") == {}


def test_listed_terms_are_common_and_others_rare_from_the_first_article_on() -> None:
    tracker = Tracker()
    text = "The government said on Monday that the people of the city want a plan for the lighthouse at Norport."
    tracker.add(Report(1, "Lighthouse plan", text, "en"))
    rarity = tracker._languages["en"]._index._rarity
    number = tracker._languages["en"]._index._rows.numbers
    government, lighthouse = (rarity.of_all()[number[name]] for name in ("govern", "lighthous"))
    assert lighthouse > government + 0.5


def test_kept_and_taken_up_again_it_goes_on_as_if_nothing_had_been() -> None:
    told = [one for _, one in stream(40, seed=3)]
    whole = Tracker()
    whole.add_all(told)
    first = Tracker()
    first.add_all(told[:15])
    again = Tracker.from_state(first.state())
    again.add_all(told[15:])
    assert again.stories() == whole.stories()


@pytest.mark.shared
def test_twenty_four_articles_of_three_events_are_about_three_stories(shared_data: object) -> None:
    lines = (Path(str(shared_data)) / "stories" / "docs.jsonl").read_text(encoding="utf-8").splitlines()
    by_event: dict[str, list[dict[str, str]]] = {}
    for one in map(json.loads, lines):
        by_event.setdefault(one["event"], []).append(one)
    counts = {name: [0, 0, 0] for name in ("with", "without")}
    stories = []
    for seed in range(10):
        chance = random.Random(seed)
        names = [name for name in sorted(by_event) if len(by_event[name]) >= 6]
        chosen: dict[str, str] = {}  # one event of a topic
        for name in chance.sample(names, len(names)):
            chosen.setdefault(by_event[name][0]["topic"], name)
        some = [one for name in list(chosen.values())[:3] for one in by_event[name][:8]]
        chance.shuffle(some)
        events = {place: one["event"] for place, one in enumerate(some, 1)}
        for name, tracking in (("with", Tracking()), ("without", Tracking(background=0.0))):
            tracker = Tracker(tracking)
            tracker.add_all(Report(at, one["title"], one["text"], "en") for at, one in enumerate(some, 1))
            counts[name] = [old + new for old, new in zip(counts[name], pairs(tracker, events), strict=True)]
            if name == "with":
                stories.append(len(tracker.stories()))
    right, wrong, apart = counts["with"]
    assert right / (right + apart) >= 0.7
    assert right / (right + wrong) >= 0.97
    assert counts["without"][0] / (right + apart) < 0.65
    assert sum(stories) / len(stories) < 6.5
