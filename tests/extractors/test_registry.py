"""The names of extractors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tidings.errors import UnknownExtractor
from tidings.extractors import entries, extractor, register, registry
from tidings.extractors.dana import DANA
from tidings.page import Page, Spans


@dataclass(frozen=True, slots=True)
class Nothing:
    """Chooses nothing.

    And this is not in the summary.
    """

    def __call__(self, page: Page, /) -> Spans:
        return Spans.none(len(page.text))


@pytest.fixture
def own_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is registered in a test is forgotten after it."""
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    return iter(())


def test_the_published_names_are_there() -> None:
    assert {"everything", "r2l", "dana", "danag", "addanag"} <= {entry.name for entry in entries()}


def test_a_name_gives_the_extractor_with_its_defaults() -> None:
    assert extractor("dana") == DANA()


@pytest.mark.usefixtures("own_names")
def test_registered_under_a_name_with_citation_and_summary() -> None:
    assert register("nothing", "Nobody 2024")(Nothing) is Nothing
    assert extractor("nothing") == Nothing()
    entry = entries()[-1]
    assert (entry.name, entry.citation, entry.summary) == ("nothing", "Nobody 2024", "Chooses nothing.")


@pytest.mark.usefixtures("own_names")
def test_a_name_is_given_once() -> None:
    with pytest.raises(ValueError, match="two extractors are called 'dana'"):
        register("dana", "Nobody 2024")(Nothing)
    assert extractor("dana") == DANA()


@pytest.mark.parametrize(("name", "nearest"), [("dna", "dana"), ("danang", "danag"), ("everythin", "everything")])
def test_an_unknown_name_is_answered_with_near_ones(name: str, nearest: str) -> None:
    with pytest.raises(
        UnknownExtractor, match=rf"there is no extractor called '{name}'; did you mean .*{nearest}"
    ) as caught:
        extractor(name)
    assert caught.value.name == name
    assert caught.value.__cause__ is None


def test_a_name_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(UnknownExtractor, match=r"there are: .*dana.*everything"):
        extractor("zzzzzz")
