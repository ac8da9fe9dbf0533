"""What changed between two versions of an article."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.support import Growth
from tidings.article import Article, Block, Inline, Kind
from tidings_portal.portal.version_diff import changes, words

texts = st.lists(st.sampled_from(["seal", "seals", "harbour,", "the", "ışık", "خوک", "\n", "a"]), max_size=30).map(
    " ".join
)


def article(title: str, *paragraphs: str) -> Article:
    return Article(title=title, blocks=tuple(Block(Kind.PARAGRAPH, (Inline(text),)) for text in paragraphs))


@given(texts, texts)
def test_both_versions_can_be_read_from_their_difference(before: str, after: str) -> None:
    pieces = list(words(before, after))
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after


def test_a_word_that_changed_is_shown_in_its_paragraph() -> None:
    found = changes(
        article("Wall falls", "It fell at noon on Monday.", "Nobody was hurt."),
        article("Wall falls", "It fell at two on Monday.", "Nobody was hurt.", "It is to be built anew."),
    )
    assert [[(piece.kind, piece.text) for piece in one] for one in found.paragraphs] == [
        [("same", "It fell at "), ("gone", "noon"), ("new", "two"), ("same", " on Monday.")],
        [("new", "It is to be built anew.")],
    ]
    assert changes(article("A", "b"), article("A", "b")).is_only_around


def test_long_versions_are_compared_in_bounded_time(growth: Growth) -> None:
    def work(size: int) -> None:
        changes(
            article("A", *(f"old {n} " + "word " * 50 for n in range(size))),
            article("A", *(f"new {n} " + "other " * 50 for n in range(size))),
        )

    assert growth(lambda: work(500), lambda: work(2000)) < 8
    many = changes(article("A"), article("A", *(f"new paragraph {n}" for n in range(100))))
    assert (len(many.paragraphs), many.more) == (30, 70)
