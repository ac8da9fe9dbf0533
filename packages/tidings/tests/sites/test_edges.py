"""Rules bring no junk back that the long way had left out: what follows a story in its container is cut off."""

from __future__ import annotations

from collections.abc import Callable

import tidings
from tests.sites import village
from tidings import Reader
from tidings.sites.learning import induce
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.trimming import trimmed
from tidings.sites.templates.rule import MAIN

ADDRESS = "https://post.example/{}"


def story_page(number: int, behind: str) -> str:
    told = village.story(number)
    body = "".join(f"<p>{text}</p>\n" for text in told["paragraphs"])  # type: ignore[attr-defined]
    return (
        f"<!doctype html><html lang=en><head><title>{told['title']} | The Village Post</title></head>"
        f"<body class='page'><div id='masthead'><a href='/'>The Village Post</a></div><div class='story-body'>"
        f"<h1>{told['title']}</h1>\n{body}{behind}</div><div class='imprint'>Printed in the village</div></body></html>"
    )


def links(number: int, opened: str = "<li>", closed: str = "</li>") -> str:
    """Links to other stories, other ones on each page."""
    titles = [" ".join(str(village.story(n)["title"]).split()[:3]) for n in range(9 * number + 100, 9 * number + 109)]
    return "\n".join(f"{opened}<a href='/n/{n}'>Elsewhere: {title}</a>{closed}" for n, title in enumerate(titles))


def announced(number: int) -> str:
    """Other stories below a line that is the same on all pages; neither the line nor the list has a name."""
    return story_page(number, f"<h3>More from the village</h3>\n<ul>{links(number)}</ul>")


def unannounced(number: int) -> str:
    """The same with nothing that tells where it begins: each page has other tags there."""
    kind = f"x{'abcdefghij'[number % 10]}"
    listed = links(number, f"<{kind}i>", f"</{kind}i>").replace("</a>", f"</a{' ' * (number + 1)}>")
    return story_page(number, f"<{kind}>{listed}</{kind}>")


def test_what_a_repeated_line_announces_is_cut_off() -> None:
    reader = Reader(audit_every=0)
    for number in range(8):
        reader.extract(announced(number), ADDRESS.format(number))
    for number in range(20, 27):
        article = reader.extract(announced(number), ADDRESS.format(number))
        assert article.provenance["body"].startswith("rule")
        assert "Elsewhere" not in article.text
        for paragraph in village.story(number)["paragraphs"]:  # type: ignore[attr-defined]
            assert paragraph in article.text


def test_a_site_may_write_in_two_languages() -> None:
    reader = Reader(audit_every=0)
    for number in range(8):
        reader.extract(announced(number), ADDRESS.format(number))
    article = reader.extract(announced(30).replace("lang=en", "lang=tr"), ADDRESS.format(30))
    assert article.provenance["body"].startswith("rule")
    assert article.language == "tr"
    assert reader.extract(announced(31), ADDRESS.format(31)).language == "en"


def test_rules_that_keep_more_than_the_long_way_are_not_kept() -> None:
    reader = Reader(audit_every=0)
    for number in range(8):
        reader.extract(unannounced(number), ADDRESS.format(number))
    assert "not learned" in [event.what for event in reader.memory.log("post.example")]
    for number in range(20, 27):
        article = reader.extract(unannounced(number), ADDRESS.format(number))
        assert article.text == tidings.extract(unannounced(number), ADDRESS.format(number)).text


def lessons(make: Callable[[int], str]) -> list[Lesson]:
    from tidings import extractors

    default = extractors.extractor(extractors.DEFAULT)
    return [Lesson.read(make(number).encode(), ADDRESS.format(number), default) for number in range(6)]


def test_a_line_that_announces_other_stories_is_where_they_are_cut_off() -> None:
    (template,) = induce(lessons(announced))
    (rule,) = template.of(MAIN)
    assert str(rule.anchor) == "div.story-body"
    assert rule.right == "<h3>More from the village"


def test_nothing_is_cut_off_a_story_that_nothing_follows() -> None:
    (template,) = induce(lessons(lambda number: story_page(number, "")))
    assert template.of(MAIN)[0].right == ""
    rule = template.of(MAIN)[0]
    assert trimmed(rule, []) == rule


def test_a_page_without_the_line_is_served_all_the_same() -> None:
    reader = Reader(audit_every=0)
    for number in range(8):
        reader.extract(announced(number), ADDRESS.format(number))
    article = reader.extract(story_page(30, ""), ADDRESS.format(30))
    assert article.provenance["body"].startswith("rule")
    for paragraph in village.story(30)["paragraphs"]:  # type: ignore[attr-defined]
        assert paragraph in article.text
