"""The tracker: events found, first stories called, time, languages, order, state."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.portal.stories.wire import report, stream
from tests.support import needs
from tidings.errors import BadState
from tidings_lab.metrics.clusters import b_cubed
from tidings_portal.stories.report import Report
from tidings_portal.stories.story_index import Span, Tracking, average_link
from tidings_portal.stories.tracker import EventAge, Tracker
from tidings_portal.stories.weights import TermWeights, names

MARCH = datetime(2024, 3, 1, tzinfo=UTC)


def test_stories_are_the_events() -> None:
    told = stream(60)
    tracker = Tracker()
    placed = tracker.add_all(report for _, report in told)
    gold: dict[str, set[int]] = {}
    for event, one in told:
        gold.setdefault(event, set()).add(one.id)
    stories = tracker.stories()
    score = b_cubed(gold.values(), [story.members for story in stories])
    assert score.f1 > 0.95
    assert placed[0].is_first
    assert sum(one.is_first for one in placed) <= 6
    assert len(tracker) == 60
    last = placed[-1]
    assert last.story in {story.id for story in stories}
    assert told[-1][1].id in next(story for story in stories if story.id == last.story).members


@given(st.integers(0, 30), st.integers(0, 1000))
@settings(max_examples=10)
def test_a_tracker_that_was_kept_goes_on_as_if_nothing_had_been(stop: int, seed: int) -> None:
    told = [report for _, report in stream(30, seed)]
    through, kept = Tracker(), Tracker()
    for number, one in enumerate(told):
        if number == stop:
            state = kept.state()
            kept = Tracker.from_state(state)
            assert kept.state() == state
        assert through.add(one) == kept.add(one)
    assert through.stories() == kept.stories()


@given(st.integers(0, 500))
@settings(max_examples=10)
def test_what_is_told_of_changes_is_all_that_changed(seed: int) -> None:
    tracker = Tracker(Tracking(joins=0.3))
    stories: dict[int, set[int]] = {}
    for _, one in stream(40, seed):
        placed = tracker.add(one)
        now = {story.id: set(story.members) for story in tracker.stories()}
        assert one.id in now[placed.story]
        assert placed.is_first == (now[placed.story] == {one.id})
        assert set(placed.merged) == stories.keys() - now.keys()
        differing = {name for name in now if now[name] != stories.get(name)} - {placed.story}
        assert set(placed.changed) == differing
        assert all(name == members_first(tracker, name) for name in now)
        stories = now
    assert sorted(number for members in stories.values() for number in members) == list(range(40))


def members_first(tracker: Tracker, name: int) -> int:
    return next(story.members[0] for story in tracker.stories() if story.id == name)


def test_an_article_is_placed_once() -> None:
    tracker = Tracker()
    tracker.add_all(report for _, report in stream(10))
    stories = tracker.stories()
    again = tracker.add(stream(10)[3][1])
    assert stream(10)[3][1].id in next(story.members for story in stories if story.id == again.story)
    assert tracker.stories() == stories
    assert len(tracker) == 10


def test_languages_are_kept_apart() -> None:
    tracker = Tracker()
    tracker.add(report(1, "seals", 1))
    assert tracker.add(report(2, "seals", 2, language="de")).is_first
    assert not tracker.add(report(3, "seals", 3, language="en-GB")).is_first
    assert [story.language for story in tracker.stories()] == ["de", "en"]


def test_a_story_ages_and_is_forgotten() -> None:
    tracker = Tracker(Tracking(span=Span(fresh=3, half_life=7, most=30)))
    for number in range(5):
        tracker.add(replace(report(number, "bridge", number), published=MARCH + timedelta(hours=number)))
    soon = replace(report(10, "bridge", 10), published=MARCH + timedelta(days=2))
    late = replace(report(11, "bridge", 11), published=MARCH + timedelta(days=60))
    assert not tracker.add(soon).is_first
    again = tracker.add(late)
    assert again.is_first  # a bridge falls a second time
    first, second = tracker.stories()
    assert first.age(late.published or MARCH) is EventAge.PAST
    assert second.age(late.published or MARCH) is EventAge.CURRENT
    assert first.last == soon.published


def test_an_article_from_before_joins_too() -> None:
    tracker = Tracker()
    tracker.add(replace(report(1, "bridge", 1), published=MARCH))
    placed = tracker.add(replace(report(2, "bridge", 2), published=MARCH - timedelta(days=1)))
    assert placed.story == 1
    assert tracker.stories()[0].first == MARCH - timedelta(days=1)


def test_forgotten_articles_leave_the_index() -> None:
    tracker = Tracker()
    for number in range(1100):
        event = "seals" if number < 700 else "bridge"
        when = MARCH + timedelta(hours=6 * number)
        tracker.add(replace(report(number, event, number, words=12), published=when))
    assert len(tracker) == 400
    assert len(tracker.stories()) == 1
    assert Tracker.from_state(tracker.state()).stories() == tracker.stories()


def test_texts_without_words_and_without_end() -> None:
    tracker = Tracker()
    assert tracker.add(Report(1)).is_first
    assert tracker.add(Report(2)).is_first
    assert tracker.add(Report(3, "x " * 100_000, "word " * 100_000 + "\ud800", "en")).is_first
    assert tracker.add(Report(4, "\x00", "\x00" * 1000, "zz")).is_first


def test_scripts_without_spaces() -> None:
    tracker = Tracker()
    harbour, vote = "港口今天早上重新开放渔民们很高兴船只回来了", "市长选举的结果昨天公布候选人表示接受失败"
    for number, text in enumerate([harbour, vote, harbour[3:] + "他们等了很久", vote[2:] + "投票率很高"]):
        tracker.add(Report(number, "", text, "zh"))
    assert {story.members for story in tracker.stories()} == {(0, 2), (1, 3)}


def test_names_are_words_with_a_capital_inside_sentences() -> None:
    text = "The mayor of Norport spoke. Later the Mayor met Anna Hadley there. Rain fell on it all that long day."
    assert names(text, "en") == {"norport", "anna", "hadley"}
    assert names("All Words Here Have One. So None Of Them Is A Name.", "en") == frozenset()
    assert names("", "en") == frozenset()
    told = Report(1, "Norport", text, "en")
    weights = TermWeights(headline=2.0, name=2.0).of(told)
    assert weights["norport"] == pytest.approx(2.0 * (1 + np.log(3)))
    assert weights["rain"] == 1.0


def test_average_link_by_hand() -> None:
    likeness = np.array([[1, 0.8, 0.3, 0.0], [0.8, 1, 0.5, 0.0], [0.3, 0.5, 1, 0.1], [0.0, 0.0, 0.1, 1]])
    ones = np.ones(4)
    assert average_link(likeness, ones, 0.6) == [[0, 1], [2], [3]]
    assert average_link(likeness, ones, 0.4) == [[0, 1, 2], [3]]  # (0.3 + 0.5) / 2
    assert average_link(likeness, ones, 0.41) == [[0, 1], [2], [3]]
    assert average_link(likeness, np.array([1.0, 3, 1, 1]), 0.41) == [[0, 1, 2], [3]]  # (0.3 + 3 · 0.5) / 4
    assert average_link(likeness, ones, 0.0) == [[0, 1, 2, 3]]


@given(st.integers(2, 9), st.integers(0, 10_000), st.floats(0.1, 0.9))
def test_average_link_is_that_of_scipy(count: int, seed: int, least: float) -> None:
    hierarchy = needs("scipy.cluster.hierarchy")
    square = np.random.default_rng(seed).random((count, count))
    likeness = (square + square.T) / 2
    far = (1 - likeness)[np.triu_indices(count, 1)]
    labels = hierarchy.fcluster(hierarchy.linkage(far, "average"), 1 - least, "distance")
    expected = {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist())}
    assert {frozenset(one) for one in average_link(likeness, np.ones(count), least)} == expected


def test_damaged_states_are_refused() -> None:
    kept = Tracker().state()
    for bad in (b"", kept[:40], b"[]", kept.replace(b"told", b"tolt")):
        with pytest.raises(BadState):
            Tracker.from_state(bad)


@pytest.mark.shared
def test_the_tracker_on_labelled_events(shared_data: object) -> None:
    from pathlib import Path

    from tidings_lab.studies.stories import measured, read_labelled, tracked
    from tidings_portal.stories.linkage import single_link

    articles = [one for one in read_labelled(Path(str(shared_data)) / "stories" / "docs.jsonl") if one.half == 1]
    ours = measured(tracked(Tracking()), articles)
    theirs = measured(single_link, articles)
    assert ours.pair_f1 > 0.82
    assert ours.b_cubed_f1 > 0.86
    assert ours.pair_f1 > theirs.pair_f1 + 0.5
