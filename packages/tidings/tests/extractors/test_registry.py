"""The names of extractors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tidings.errors import UnknownExtractor
from tidings.extractors import Entry, Extractor, entries, extractor, register, registry
from tidings.extractors.combine import Vote
from tidings.extractors.published.dana import DANA
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
    """Undo registrations after the test."""
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry._ENTRIES))
    return iter(())


def test_the_published_names_are_there() -> None:
    assert {"everything", "r2l", "dana", "danag", "addanag"} <= {entry.name for entry in entries()}


def test_each_published_name_stands_once() -> None:
    assert len({entry.name for entry in registry.PUBLISHED}) == len(registry.PUBLISHED) > 50


@pytest.mark.parametrize("entry", registry.PUBLISHED, ids=lambda entry: entry.name)
def test_the_table_says_where_an_extractor_is_and_what_it_is(entry: Entry) -> None:
    module, _, attribute = str(entry.place).partition(":")
    make = entry.make
    assert (make.__module__, make.__qualname__) == (f"tidings.extractors.{module}", attribute)
    assert entry.citation
    assert entry.summary.endswith(".")
    made = make()
    assert isinstance(made, Extractor)
    if isinstance(make, type):
        assert type(made) is make
        assert hasattr(make.__call__, "checks_parameters")  # its class is `checked`
        assert entry.needs_layout == module.startswith("published.layout.")
    else:  # a combination, which is called by what it combines
        assert isinstance(made, Vote)


def test_no_extractor_of_the_package_is_left_out_of_the_table() -> None:
    listed = {str(entry.place).partition(":")[0] for entry in registry.PUBLISHED}
    package = Path(registry.__file__).parent
    of_extractors = {
        ".".join(file.relative_to(package).with_suffix("").parts)
        for file in package.rglob("*.py")
        if "\n@checked\n" in file.read_text()
    }
    assert of_extractors == listed - {"pipelines"}


@pytest.mark.parametrize("entry", registry.PUBLISHED, ids=lambda entry: entry.name)
def test_only_entries_of_its_class_are_asked_for_the_name_of_an_extractor(entry: Entry) -> None:
    kind = type(entry.make())
    same = [other.name for other in registry.PUBLISHED if type(other.make()) is kind]
    likely = [other.name for other in registry.PUBLISHED if other.may_make(kind)]
    assert likely == ([] if kind is Vote else same)


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
