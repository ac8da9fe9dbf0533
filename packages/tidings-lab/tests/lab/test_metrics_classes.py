"""Classes, clusters, throughput and summaries: the tables of the documents."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings_lab.metrics.classification import ClassMeans, Confusion, macro, micro, news_block_accuracy
from tidings_lab.metrics.clusters import b_cubed, pair_counts
from tidings_lab.metrics.score import Counts, Score
from tidings_lab.metrics.summary import PageScore, Summary, summarise
from tidings_lab.metrics.throughput import Throughput

# Memory-based thesis, table 6.1: title extraction within a single news domain, (TP, FP, FN) of each source.
TITLES = [
    *((18, 0, 0), (15, 16, 2), (22, 1, 0), (7, 2, 2), (19, 0, 1), (10, 2, 0), (15, 1, 0), (17, 0, 0), (26, 0, 0)),
    *((16, 0, 0), (9, 4, 1), (4, 0, 0), (5, 0, 0), (11, 0, 0), (12, 0, 0), (8, 0, 0)),
]

# LBNEST V: reference {1, 2, 3}, {4, 5}, {6} against response {1, 2, 3, 4}, {5, 6}.
REFERENCE, RESPONSE = [{1, 2, 3}, {4, 5}, {6}], [{1, 2, 3, 4}, {5, 6}]

LABELS = st.lists(st.tuples(st.sampled_from("thbg"), st.sampled_from("thbg")), max_size=20)
PARTITIONS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=12)


def test_micro_and_macro_means_of_the_memory_based_thesis() -> None:
    """Table 6.1: macro 0.918, 0.969, 0.938; micro 0.892, 0.973, 0.930."""
    counts = [Counts(*row) for row in TITLES]
    found = macro(counts)
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.918, 0.969, 0.938), abs=0.0006)
    assert found.f1 != pytest.approx(Score(found.precision, found.recall).f1, abs=0.003)
    found = micro(counts)
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.892, 0.973, 0.930), abs=0.0006)


def test_news_block_accuracy() -> None:
    """N-EXT 5.1: 72 of 100 labelled blocks found."""
    assert news_block_accuracy([True] * 72 + [False] * 28) == 0.72
    assert news_block_accuracy([]) == 0.0


def test_confusion_by_hand() -> None:
    gold, predicted = list("tthbbbgggg"), list("tghbbgggtg")
    confusion = Confusion.of(gold, predicted)
    assert confusion.labels == ("t", "h", "b", "g")
    assert confusion.cells.tolist() == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 2, 1], [1, 0, 0, 3]]
    assert confusion.accuracy == 0.7
    assert confusion.counts("t") == Counts(tp=1, fp=1, fn=1, tn=7)
    assert macro(confusion.by_class("thb").values()).recall == pytest.approx((1 / 2 + 1 + 2 / 3) / 3)
    assert list(confusion.by_class()) == ["t", "h", "b", "g"]


def test_tagging_everything_as_garbage_is_worth_nothing() -> None:
    """Memory-based thesis 6.1: 97.318 % of the instances are garbage, so a global figure says nothing."""
    gold = ["g"] * 97 + ["t", "h", "b"]
    confusion = Confusion.of(gold, ["g"] * 100)
    assert confusion.accuracy == 0.97
    assert macro(confusion.by_class("thb").values()) == ClassMeans(0.0, 0.0, 0.0)


@given(LABELS)
def test_of_all_classes_micro_is_accuracy(pairs: list[tuple[str, str]]) -> None:
    confusion = Confusion.of([gold for gold, _ in pairs], [found for _, found in pairs])
    means = micro(confusion.by_class().values())
    assert means.precision == means.recall == pytest.approx(confusion.accuracy)
    for counts in confusion.by_class().values():
        assert counts.total == len(pairs)


def test_labels_must_pair() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Confusion.of(["a", "b"], ["a"])


def test_ordered_pairs_with_self_pairs_as_lbnest_counts_them() -> None:
    counts = pair_counts(REFERENCE, RESPONSE)
    assert counts == Counts(tp=12, fp=8, fn=2, tn=14)
    assert (counts.precision, counts.recall, counts.accuracy) == (12 / 20, 12 / 14, 26 / 36)
    assert pair_counts(REFERENCE, RESPONSE, self_pairs=False) == Counts(tp=6, fp=8, fn=2, tn=14)


def test_b_cubed_by_hand() -> None:
    score = b_cubed(REFERENCE, RESPONSE)
    assert score.precision == pytest.approx((3 * 3 / 4 + 1 / 4 + 1 / 2 + 1 / 2) / 6)
    assert score.recall == pytest.approx((3 * 1 + 1 / 2 + 1 / 2 + 1) / 6)


def clusters(numbers: Sequence[int]) -> list[set[int]]:
    return [{item for item, at in enumerate(numbers) if at == number} for number in set(numbers)]


@given(PARTITIONS)
def test_pairs_are_counted_as_the_definition_says(places: list[tuple[int, int]]) -> None:
    ours, theirs = [one for one, _ in places], [other for _, other in places]
    slow = [0, 0, 0, 0]
    for one in range(len(places)):
        for other in range(len(places)):
            together, expected = theirs[one] == theirs[other], ours[one] == ours[other]
            slow[(0 if expected else 1) if together else (2 if expected else 3)] += 1
    assert pair_counts(clusters(ours), clusters(theirs)) == Counts(*slow)
    score, back = b_cubed(clusters(ours), clusters(theirs)), b_cubed(clusters(theirs), clusters(ours))
    assert (score.precision, score.recall) == pytest.approx((back.recall, back.precision))
    if places:
        assert b_cubed(clusters(ours), clusters(ours)).f1 == pytest.approx(1.0)


def test_partitions_must_hold_the_same_items_once() -> None:
    with pytest.raises(ValueError, match="3 is in one partition only"):
        pair_counts([{1, 2}], [{1, 2, 3}])
    with pytest.raises(ValueError, match="1 is in two clusters of the response"):
        b_cubed([{1, 2}], [{1, 2}, {1}])


def test_throughput() -> None:
    speed = Throughput(10, 4_000_000, 1.0) + Throughput(10, 1_000_000, 1.0)
    assert (speed.megabytes_per_second, speed.pages_per_second) == (2.5, 10.0)
    assert Throughput(0, 0, 0.0).pages_per_second == 0.0


def test_empty_gold_is_apart_from_the_mean() -> None:
    pages = [
        PageScore(1.0, "a"),
        PageScore(0.5, "a"),
        PageScore(0.0, "b", returned_nothing=True),
        PageScore(None, "b", returned_nothing=True),
        PageScore(None, "c"),
    ]
    summary = Summary.of(pages)
    assert (summary.mean, summary.median, summary.pages) == (0.5, 0.5, 3)
    assert (summary.empty_gold, summary.empty_gold_right, summary.returned_nothing) == (2, 1, 1)
    assert 0 <= summary.low <= summary.mean <= summary.high <= 1
    columns = summarise(
        [page.value for page in pages], [page.site for page in pages], [page.returned_nothing for page in pages]
    )
    assert columns == summary


def test_a_summary_of_nothing() -> None:
    assert Summary.of([]) == Summary(0.0, 0.0, 0.0, 0.0, 0)
    assert summarise([None]).empty_gold == 1


def test_pages_that_tell_no_site_are_not_one_site() -> None:
    values = [0.0, 1.0] * 20
    assert summarise(values).low < 0.5 < summarise(values).high
    one_site = summarise(values, ["a"] * 40)
    assert one_site.low == one_site.high == 0.5
