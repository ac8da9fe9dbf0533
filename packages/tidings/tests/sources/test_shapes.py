"""Which shapes of addresses lead to articles, learned as pages are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadModel
from tidings.sources.front.url_shapes import MOST_SHAPES, Shapes, shape


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (
            "https://a.example/sport/2026/03/cup-final-1234.html",
            "https://a.example/sport/2025/12/lund-wins-99.html",
            True,
        ),
        ("https://a.example/news/seals-return-to-estuary", "https://a.example/news/a-b-c-d", True),
        ("https://a.example/haber.asp?id=1", "https://a.example/haber.asp?id=2345", True),
        ("https://a.example/articles/c1234567", "https://a.example/articles/c7654321", True),
        ("https://a.example/news/seals-return-to-estuary", "https://a.example/tag/seals-return-to-estuary", False),
        ("https://a.example/haber.asp?id=1", "https://a.example/kategori.asp?k=1", False),
        ("https://a.example/sport", "https://a.example/sport/1234", False),
        ("https://a.example/x", "https://b.example/x", False),
    ],
)
def test_shapes(one: str, other: str, alike: bool) -> None:
    assert (shape(one) == shape(other)) is alike


def test_experience_counts_more_the_more_there_is() -> None:
    seen = Shapes()
    before = 0.0
    for at in range(5):
        seen = seen.learn([(f"https://a.example/news/{at + 1000}", True)])
        assert seen.log_odds("https://a.example/news/9999") > before
        before = seen.log_odds("https://a.example/news/9999")
    assert seen.log_odds("https://a.example/about") == 0
    assert seen.log_odds("https://a.example/about", 1.5) == 1.5
    assert seen.log_odds("https://a.example/news/9999", -3) > 0  # what was seen goes before what is believed
    assert seen.learn([("https://a.example/tag/1234", False)]).log_odds("https://a.example/tag/9999") < 0


addresses = st.sampled_from([f"https://a.example/{path}" for path in ("news/1", "news/a-b-c-d", "tag/x", "p?id=1", "")])
experience = st.lists(st.tuples(addresses, st.booleans()), max_size=8)


@given(experience, experience)
def test_what_two_learned_can_be_added(first: list[tuple[str, bool]], second: list[tuple[str, bool]]) -> None:
    one, other = Shapes().learn(first), Shapes().learn(second)
    assert one + other == other + one == Shapes().learn([*first, *second])
    assert Shapes.of_json((one + other).to_json()) == one + other
    assert one + Shapes() == one


def test_there_are_never_too_many() -> None:
    seen = Shapes().learn(
        (f"https://a.example/{'x' * (at % 15 + 1)}/s{at}/y/{at}", True) for at in range(3 * MOST_SHAPES)
    )
    assert len(seen.counts) <= MOST_SHAPES


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": [1, "x"]}', '{"a": [-1, 2]}', "null", "[" * 100_000])
def test_what_is_no_experience_is_refused(text: str) -> None:
    with pytest.raises(BadModel):
        Shapes.of_json(text)
