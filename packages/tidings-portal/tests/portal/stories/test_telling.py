"""What each article adds, summaries, headlines."""

from __future__ import annotations

import pytest

from tidings.errors import BadState
from tidings_portal.stories.report import Report
from tidings_portal.stories.summary import StoryTerms, story_title, summarise, what_each_adds

FIRST = "A bridge fell into the river Ast on Monday. Nobody was hurt when the bridge fell. Engineers will look at it."
SECOND = "On Monday a bridge fell into the river Ast. The mayor wants a new bridge by spring of next year."
THIRD = "Engineers found rust in eleven girders of the fallen bridge. The mayor wants a new bridge by spring."


def story() -> list[Report]:
    titles = ("Bridge falls into river", "Bridge falls into the Ast", "Rust found in bridge")
    return [
        Report(n, title, text, "en") for n, (title, text) in enumerate(zip(titles, (FIRST, SECOND, THIRD), strict=True))
    ]


def test_only_what_was_not_said_is_new() -> None:
    first, second, third = what_each_adds(story())
    assert first.new[0] == "A bridge fell into the river Ast on Monday."
    assert second.new == ("The mayor wants a new bridge by spring of next year.",)
    assert third.new == ("Engineers found rust in eleven girders of the fallen bridge.",)
    assert second.share == 0.5
    repeated = what_each_adds([story()[0], story()[0]])[1]
    assert repeated.sentences
    assert all(one.novelty == 0.0 for one in repeated.sentences)


def test_what_was_told_is_kept() -> None:
    told = StoryTerms()
    told.add(story()[0])
    again = StoryTerms.from_state(told.state())
    assert again.add(story()[1]) == told.add(story()[1])
    for bad in (b"", b"{", b"3", b"[1]", b"\xff", b"[" * 100_000):
        with pytest.raises(BadState):
            StoryTerms.from_state(bad)


def test_nothing_adds_nothing() -> None:
    assert StoryTerms().add(Report(1)).share == 0.0
    assert StoryTerms().add(Report(1, "", "Yes. No. Why?", "en")).sentences == ()


def test_a_summary_says_each_thing_once_in_order() -> None:
    chosen = summarise(story(), 3)
    assert len(chosen) == 3
    texts = [one.text for one in chosen]
    assert not {FIRST.split(". ", maxsplit=1)[0] + ".", SECOND.split(". ", maxsplit=1)[0] + "."} <= set(texts)
    places = [(one.report, (FIRST, SECOND, THIRD)[one.report].index(one.text)) for one in chosen]
    assert places == sorted(places)
    assert summarise([], 3) == summarise([Report(1)], 3) == ()
    assert len(summarise(story(), 100)) <= 7
    assert summarise(story()) == summarise(story())


@pytest.mark.parametrize(
    ("dateline", "sentence", "is_left_out"),
    [
        ("PORT SELENE – ", "Storm Ilse drove the sea into the streets of the old town.", True),
        ("İSTANBUL (AA) - ", "Fırtına sabaha karşı kıyıyı vurdu ve yolları kapattı.", True),
        ("МОСКВА, 7 марта (Агентство) — ", "Мост снова открыт для машин и пешеходов сегодня утром.", True),
        ("【サンドリー】", "アンセルム川の河口でアザラシの群れが確認された。", True),
        ("NATO – ", "the alliance of many states – met in the capital on Monday.", False),
        ("The storm – ", "The Worst in years, they say – hit the coast at night.", False),
    ],
)
def test_a_summary_has_no_dateline(dateline: str, sentence: str, is_left_out: bool) -> None:
    (chosen,) = summarise([Report(1, text=dateline + sentence)], 1)
    assert chosen.text == (sentence if is_left_out else dateline + sentence)


def test_a_summary_in_a_script_without_spaces() -> None:
    text = "港口今天早上重新开放。渔民们很高兴，船只都回来了。市长昨天宣布了这个决定。"
    chosen = summarise([Report(1, "", text, "zh")], 2)
    assert len(chosen) == 2
    assert all(one.text in text for one in chosen)


def test_the_headline_is_the_one_most_like_the_others() -> None:
    assert story_title(story()) in {"Bridge falls into river", "Bridge falls into the Ast"}
    assert story_title([Report(1, "  A  headline \n", "", "en")]) == "A headline"
    assert story_title([Report(1)]) == story_title([]) == ""
