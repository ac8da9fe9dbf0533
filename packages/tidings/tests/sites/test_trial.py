"""Rules that were retired are tried before the long way; fresh ones are compared with it until they are trusted."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import tidings
from tests.sites import village
from tidings import Reader
from tidings.sites import SiteMemory
from tidings.sites.learning.lesson import Lesson
from tidings.sites.storage import as_json
from tidings.sites.storage.memory import MOST_RETIRED, TRIAL

SITE = "post.example"


def by_rule(article: tidings.Article) -> bool:
    return article.provenance["body"].startswith("rule")


def events(reader: Reader) -> list[str]:
    return [event.what for event in reader.memory.log(SITE)]


@pytest.fixture
def long_ways(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The addresses of the pages that are read the long way."""
    taken: list[str | None] = []
    read = Lesson.read.__func__  # type: ignore[attr-defined]

    def counted(cls: type[Lesson], data: bytes | str, url: str | None, extractor: object) -> Lesson:
        taken.append(url)
        return read(cls, data, url, extractor)  # type: ignore[no-any-return]

    monkeypatch.setattr(Lesson, "read", classmethod(counted))
    return taken


@pytest.mark.parametrize("block", [6, 20])
def test_two_makes_that_alternate_are_learned_once_each(block: int, long_ways: list[str | None]) -> None:
    reader = Reader()
    makes: tuple[Callable[[int], str], ...] = (village.page, village.redesigned)
    found = [
        by_rule(reader.extract(makes[number // block % 2](number), village.address(number)))
        for number in range(6 * block)
    ]
    assert events(reader) == ["learned", "learned", "revived"]
    assert sum(found) == 6 * block - 10
    assert len(long_ways) <= 10 + 2 * TRIAL + 1, "five pages to learn each, its trial, and the one it comes back with"


def test_an_old_make_comes_back_after_another_process_has_learned_the_new(tmp_path: Path) -> None:
    with Reader(tmp_path / "sites.db") as reader:
        for number in range(6):
            reader.extract(village.page(number), village.address(number))
        for number in range(6, 12):
            reader.extract(village.redesigned(number), village.address(number))
    with Reader(tmp_path / "sites.db") as reader:
        assert [known.template.name for known in reader.memory.site(SITE).retired] == ["template-1"]
        assert by_rule(reader.extract(village.page(12), village.address(12)))
        assert not reader.memory.site(SITE).retired


def renamed(number: int) -> str:
    """A page of a make of its own: of every hundred pages the names are others."""
    era = "abcdefghijklmnop"[number // 100]
    names = ("masthead", "menu", "columns", "story-body", "headline", "byline", "promo", "sidebar", "imprint", "page")
    text = village.page(number)
    for name in names:
        text = text.replace(f'"{name}"', f'"{name}-{era}{era}"')
    return text


def test_no_more_than_some_retired_rules_are_kept() -> None:
    reader = Reader(audit_every=0)
    for era in range(MOST_RETIRED + 4):
        for number in range(era * 100, era * 100 + 6):
            last = reader.extract(renamed(number), village.address(number))
        assert by_rule(last)
    site = reader.memory.site(SITE)
    assert len(site.valid) == 1
    assert len(site.retired) == MOST_RETIRED
    assert by_rule(reader.extract(renamed((MOST_RETIRED + 2) * 100 + 7), village.address(7))), "of the latest"
    assert not by_rule(reader.extract(renamed(7), village.address(8))), "the oldest is forgotten"


def test_the_first_pages_of_fresh_rules_are_read_the_long_way_too(long_ways: list[str | None]) -> None:
    reader = Reader()
    for number in range(5 + TRIAL + 10):
        reader.extract(village.page(number), village.address(number))
    assert long_ways == [village.address(number) for number in range(5 + TRIAL)]
    assert reader.memory.site(SITE).templates[0].health.served == TRIAL + 10


def test_fresh_rules_that_disagree_with_the_long_way_are_retired_for_good() -> None:
    reader = Reader()
    for number in range(6):
        reader.extract(village.page(number), village.address(number))
    for number in range(20, 23):
        article = reader.extract(village.emptied(number), village.address(number))
        assert not by_rule(article)
        assert article.text == tidings.extract(village.emptied(number), village.address(number)).text
    assert events(reader) == ["learned", "audit failed", "audit failed", "refuted"]
    site = reader.memory.site(SITE)
    assert not site.valid
    assert not site.retired
    assert site.templates[0].template.valid_until is not None
    reader.memory.storage.drop_pages(SITE)
    for number in range(7):
        assert not by_rule(reader.extract(village.page(number), village.address(number)))
    assert events(reader)[-1] == "not learned", "the same rules are not taken on again"


def test_an_audit_that_fails_later_puts_rules_on_trial_again() -> None:
    reader = Reader()
    for number in range(5 + TRIAL):
        reader.extract(village.page(number), village.address(number))
    reader.audit_every = 1
    assert not by_rule(reader.extract(village.emptied(40), village.address(40)))
    reader.audit_every = 500
    assert reader.memory.site(SITE).templates[0].health.trial == TRIAL
    assert not by_rule(reader.extract(village.emptied(41), village.address(41)))
    assert events(reader)[-1] == "refuted"


def test_a_long_way_that_takes_the_whole_page_along_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader()
    for number in range(5):
        reader.extract(village.page(number), village.address(number))
    read = Lesson.read.__func__  # type: ignore[attr-defined]

    def swollen(cls: type[Lesson], data: bytes | str, url: str | None, extractor: object) -> Lesson:
        others = [text for number in range(90, 99) for text in village.story(number)["paragraphs"]]  # type: ignore[attr-defined]
        menu = "".join(f"<p>{text}</p>" for text in others)
        assert isinstance(data, str)
        return read(cls, data.replace('<div class="promo">', menu + '<div class="promo">'), url, extractor)  # type: ignore[no-any-return]

    monkeypatch.setattr(Lesson, "read", classmethod(swollen))
    assert all(by_rule(reader.extract(village.page(n), village.address(n))) for n in range(20, 24))
    assert events(reader) == ["learned"]


def test_how_a_trial_stands_is_written_and_read() -> None:
    reader = Reader()
    for number in range(8):
        reader.extract(village.page(number), village.address(number))
    site = reader.memory.site(SITE)
    assert site.templates[0].health.trial == TRIAL - 3
    refuted = replace(site.templates[0], health=replace(site.templates[0].health, trial=7, disagreed=1, refuted=True))
    site = replace(site, templates=(refuted,))
    assert as_json.loads(as_json.dumps(site)) == site


def test_what_an_older_version_wrote_is_trusted_as_before() -> None:
    reader = Reader()
    for number in range(5):
        reader.extract(village.page(number), village.address(number))
    said = json.loads(as_json.dumps(reader.memory.site(SITE)))
    for name in ("trial", "disagreed", "refuted"):
        del said["templates"][0]["health"][name]
    memory = SiteMemory()
    memory.write(as_json.loads(json.dumps(said)), "from version 0.1")
    assert memory.site(SITE).templates[0].health.trial == 0
    assert by_rule(Reader(memory).extract(village.page(7), village.address(7)))
