"""Articles cannot change, can be hashed and pickled, and are equal by value."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

import tidings.article
from tidings.article import Article, Block, Inline, Item, Kind, Provenance

ARTICLE = Article(
    title="T",
    blocks=(Block(Kind.LIST_ITEM, (Inline("a"),), None, 1, Item(True, 2)),),
    provenance={"title": "h1"},
)


def test_equal_by_value_and_hashable() -> None:
    same = Article(title="T", blocks=ARTICLE.blocks, provenance=Provenance({"title": "h1"}))
    assert same == ARTICLE
    assert hash(same) == hash(ARTICLE)
    assert replace(ARTICLE, title="U") != ARTICLE
    assert replace(ARTICLE, provenance={}) != ARTICLE
    assert len({same, ARTICLE}) == 1


def test_pickled_and_copied() -> None:
    assert pickle.loads(pickle.dumps(ARTICLE)) == ARTICLE  # noqa: S301  # our own
    assert copy.deepcopy(ARTICLE) == ARTICLE


def test_nothing_can_be_set() -> None:
    with pytest.raises(FrozenInstanceError):
        ARTICLE.title = "U"  # type: ignore[misc]
    with pytest.raises(TypeError):
        ARTICLE.provenance["title"] = "x"  # type: ignore[index]


def test_provenance_is_not_the_dict_it_was_made_from() -> None:
    told = {"title": "h1"}
    article = Article(provenance=told)
    told["title"] = "changed"
    assert article.provenance["title"] == "h1"
    assert dict(article.provenance) == {"title": "h1"}
    assert repr(article.provenance) == "Provenance({'title': 'h1'})"


def test_exported_names_exist_and_are_sorted() -> None:
    names = tidings.article.__all__
    assert [name for name in names if not hasattr(tidings.article, name)] == []
    assert sorted(names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)) == names


@pytest.mark.parametrize(
    ("url", "canonical", "address"),
    [
        ("https://a.example/1?x=2", "https://a.example/1", "https://a.example/1"),
        ("https://m.a.example/1", "https://www.a.example/1", "https://www.a.example/1"),
        ("https://www.a.example/1", "https://news.a.example/1", "https://news.a.example/1"),
        ("https://a.example/1", "https://evil.example/1", "https://a.example/1"),
        ("https://a.example/1", "https://nota.example/1", "https://a.example/1"),
        ("https://a.example/1", "https://a.example.evil.test/1", "https://a.example/1"),
        ("https://a.example/1", "https://example/1", "https://a.example/1"),
        ("https://a.example/1", "", "https://a.example/1"),
        ("", "https://a.example/1", "https://a.example/1"),
        ("", "", ""),
        ("https://a.example/1", "https://[bad/1", "https://a.example/1"),
    ],
)
def test_an_article_is_read_where_it_is_from(url: str, canonical: str, address: str) -> None:
    assert Article(url=url, canonical=canonical).address == address
