"""Rules are learned from pages, cut the next ones, and know when they do not fit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.sites import village
from tidings import extractors
from tidings.sites import Template
from tidings.sites.extraction.cut import RuleMismatch, cut
from tidings.sites.extraction.repeated_texts import hash_of, without_noise
from tidings.sites.learning import induce, word_f1
from tidings.sites.learning.lesson import Lesson
from tidings.sites.templates.rule import MAIN, UNINFORMATIVE

STANDING = "The Village Post is printed every morning by the people of the village for the people of the village."


def lessons(numbers: range) -> list[Lesson]:
    default = extractors.extractor(extractors.DEFAULT)
    return [Lesson.read(village.page(number).encode(), village.address(number), default) for number in numbers]


@pytest.fixture(scope="module")
def template() -> Template:
    (learned,) = induce(lessons(range(5)))
    return learned


def test_the_container_is_told_by_a_lasting_name(template: Template) -> None:
    (main,) = template.of(MAIN)
    assert str(main.anchor) in {"div.story-body", "div#columns"}
    assert str(template.of(UNINFORMATIVE)[0].anchor)


@pytest.mark.parametrize("number", range(10, 20))
def test_other_pages_are_cut_out(template: Template, number: int) -> None:
    article = cut(template, village.page(number).encode(), village.address(number)).article
    told = village.story(number)
    assert article.title == told["title"]
    assert article.authors == (told["author"],)
    assert article.published is not None
    assert article.published.isoformat() == f"{told['day']}T08:30:00+00:00"
    assert article.site == "The Village Post"
    assert article.canonical == village.address(number)
    assert article.language == "en"
    assert article.provenance["body"].startswith("rule")
    texts = [block.text for block in article.blocks]
    for paragraph in told["paragraphs"]:  # type: ignore[attr-defined]
        assert paragraph in texts
    assert not any("Most read" in text or "rights reserved" in text for text in texts)
    assert STANDING not in texts, "what stands on every page is no part of the story"


def test_one_page_is_enough_for_a_rule() -> None:
    (learned,) = induce(lessons(range(1)), least=1)
    article = cut(learned, village.page(11).encode(), village.address(11)).article
    assert str(village.story(11)["title"]) == article.title


def test_a_redesigned_page_is_doubted(template: Template) -> None:
    for number in range(5):
        with pytest.raises(RuleMismatch):
            cut(template, village.redesigned(number).encode(), village.address(number))


def test_two_makes_of_page_get_two_templates() -> None:
    default = extractors.extractor(extractors.DEFAULT)
    new = [
        Lesson.read(village.redesigned(number).encode(), village.address(number), default) for number in range(20, 24)
    ]
    found = induce([*lessons(range(4)), *new])
    assert len(found) == 2
    served = [_serves(one, village.page(9)) for one in found], [_serves(one, village.redesigned(9)) for one in found]
    assert [sum(each) for each in served] == [1, 1]


def _serves(template: Template, page: str) -> bool:
    try:
        cut(template, page.encode(), village.address(9))
    except RuleMismatch:
        return False
    return True


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda page: page.replace("story-body", "story-text"), "no match"),
        (lambda page: page.replace("<footer", '<div class="story-body">again</div><footer'), "two matches"),
        (
            lambda page: (
                page.replace("masthead", "m").replace("menu", "n").replace("sidebar", "s").replace("page", "q")
            ),
            "",
        ),
        (lambda page: page[: page.index("<p class=")] + "</div></div></body></html>", ""),
    ],
)
def test_doubt_says_why(template: Template, change: object, reason: str) -> None:
    assert str(template.of(MAIN)[0].anchor) == "div.story-body"
    with pytest.raises(RuleMismatch, match=reason or "."):
        cut(template, change(village.page(12)).encode())  # type: ignore[operator]


def test_text_of_another_length_links_or_script_is_doubted(template: Template) -> None:
    page = village.page(13).encode()
    expected = template.expected
    for odd in (
        replace(expected, words=(10_000, 20_000)),
        replace(expected, words=(1, 5)),
        replace(expected, link_share=-1.0),
        replace(expected, latin=0.0),
    ):
        with pytest.raises(RuleMismatch):
            cut(replace(template, expected=odd), page)


def test_bytes_in_another_encoding_are_doubted(template: Template) -> None:
    with pytest.raises(RuleMismatch, match="utf-8"):
        cut(template, village.page(14).replace("village", "käse").encode("latin-1"))


def test_a_page_seen_before_is_not_all_noise() -> None:
    article = cut(induce(lessons(range(5)))[0], village.page(15).encode()).article
    everything = frozenset(hash_of(block.text) for block in article.blocks)
    assert without_noise(article.blocks, article.images, everything).blocks == article.blocks
    one = frozenset([hash_of(article.blocks[1].text)])
    assert without_noise(article.blocks, article.images, one).blocks == (article.blocks[0], *article.blocks[2:])


def test_what_rules_cut_is_like_what_the_long_way_gives(template: Template) -> None:
    for lesson in lessons(range(30, 36)):
        found = cut(template, lesson.data, lesson.page.url or "")
        assert word_f1(found.article.text, lesson.article.text) > 0.85
