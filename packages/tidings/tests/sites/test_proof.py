"""Templates are valid only if an extractor other than the teacher agrees with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from tests.sites import village
from tidings import Reader
from tidings.extractors import Extractor, extractor
from tidings.page import Page, Spans
from tidings.sites.learning import induce
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.proof import Proof, witness_of
from tidings.sites.templates.rule import Template

SITE = "post.example"


def page(number: int) -> str:
    """Return a page of the village with forty linked headlines, other ones on every page."""
    rng = Random(1000 + number)
    links = "".join(f'<li><a href="/{n}">{village._sentence(rng)}</a></li>' for n in range(40))
    return village.page(number).replace('<div class="sidebar">', f'<div class="sidebar"><ul>{links}</ul>')


@dataclass(frozen=True, slots=True)
class OneElement:
    """A teacher that always selects one element by its class."""

    name: str

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the element."""
        tags = ["", *page.cut.tags(page.opened[1:])]
        element = next(place for place, tag in enumerate(tags) if f'class="{self.name}"' in tag)
        return page.shown(Spans.of_runs(page, range(page.elements.first[element], page.elements.last[element])))


def taught(teacher: Extractor) -> tuple[list[Lesson], Template]:
    lessons = [Lesson.read(page(number), village.address(number), teacher) for number in range(5)]
    (template,) = induce(lessons)
    return lessons, template


def test_the_witness_is_another_extractor() -> None:
    for name in ("learned", "block-tree", "content-seeker", "danag"):
        assert witness_of(extractor(name)) != extractor(name)
    assert witness_of(extractor("default")) == extractor("content-seeker")


def test_story_is_proven() -> None:
    for teacher in (OneElement("story-body"), extractor("default")):
        lessons, template = taught(teacher)
        assert Proof(witness_of(teacher)).fault(template, lessons) == ""


def test_sidebar_is_not_proven_although_its_teacher_agrees_with_it() -> None:
    lessons, template = taught(OneElement("sidebar"))
    assert template.agreement == 1.0
    assert "of its text is in links" in Proof(extractor("default")).fault(template, lessons)


def test_witness_decides_where_the_text_looks_like_an_article() -> None:
    lessons, template = taught(OneElement("story-body"))
    assert "agrees by 0.0" in Proof(OneElement("menu")).fault(template, lessons)


@pytest.mark.parametrize(
    ("name", "fault"),
    [("promo", "its text has 11 words"), ("imprint", "of its text is on other pages too")],
)
def test_short_and_repeated_texts_are_not_proven(name: str, fault: str) -> None:
    notice = "<p>Printed by the village for all the people of the village who read it. </p>" * 5
    html = [
        page(number).replace('<footer class="imprint">', f'<footer class="imprint">{notice}') for number in range(5)
    ]
    teacher = OneElement(name)
    lessons = [Lesson.read(source, village.address(number), teacher) for number, source in enumerate(html)]
    (template,) = induce(lessons)
    template = replace(template, noise=frozenset())
    assert fault in Proof(teacher).fault(template, lessons)


def test_reader_learns_from_the_default_extractor_where_its_teacher_is_wrong() -> None:
    reader = Reader(teacher=OneElement("sidebar"))
    articles = [reader.extract(page(number), village.address(number)) for number in range(12)]
    by_rule = [article for article in articles if article.provenance["body"].startswith("rule")]
    assert len(by_rule) == 7
    for number, article in enumerate(articles[5:], 5):
        assert str(village.story(number)["paragraphs"][0]) in article.text  # type: ignore[index]
    assert {tracked.template.teacher for tracked in reader.memory.site(SITE).templates} == {"learned"}


def test_site_is_not_learned_without_proof_and_the_log_says_why() -> None:
    reader = Reader(teacher=OneElement("sidebar"))
    reader._teachers = {name: pair for name, pair in reader._teachers.items() if name != "learned"}
    for number in range(5):
        reader.extract(page(number), village.address(number))
    (event,) = reader.memory.log(SITE)
    assert event.what == "not learned"
    assert "in links" in event.why
