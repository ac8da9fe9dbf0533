"""Stories in elements without id or class, and in tables that are nothing but layout, get rules too."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import tidings
from tests.sites import village
from tidings import Reader, newspaper
from tidings.errors import BadRules
from tidings.sites.extraction.compiled import cutter
from tidings.sites.extraction.pieces import LayoutMismatch, only_ranges
from tidings.sites.formats import xml_rules
from tidings.sites.storage import as_json
from tidings.sites.templates.anchor import Anchor, Step
from tidings.sites.templates.rule import MAIN, Rule

ADDRESS = "https://plain.example/{}"


def headline_and_text(number: int) -> tuple[str, str]:
    """Return the headline and the paragraphs of a story."""
    story = village.story(number)
    return str(story["title"]), "".join(f"<p>{text}</p>\n" for text in story["paragraphs"])  # type: ignore[attr-defined]


def page(number: int, opened: str, closed: str, before: str = "", behind: str = "") -> str:
    title, body = headline_and_text(number)
    menu = "".join(f"<a href='/{word}'>{word}</a> | " for word in ("news", "sport", "weather", "letters"))
    return (
        f"<!doctype html><html lang=en><head><title>{title} - The Plain Paper</title></head><body>"
        f"<header>{menu}</header>{before}{opened}<h1>{title}</h1>"
        f"{body}{closed}{behind}<footer>The Plain Paper. {menu}</footer></body></html>"
    )


def lone(kind: str) -> Callable[[int], str]:
    return lambda number: page(number, f"<{kind}>", f"</{kind}>")


def among_others(number: int) -> str:
    links = "".join(f"<div><a href='/{n}'>{village.story(n)['title']}</a></div>" for n in range(number, number + 4))
    return page(number, "<div>", "</div>", f"<div>{links}</div>", f"<div><h3>Most read</h3>{links}</div>")


def cell(number: int) -> str:
    links = "".join(f"<tr><td><a href='/{n}'>{village.story(n)['title']}</a>" for n in range(number, number + 4))
    side = f"<td><table><tr><td>Most read</td></tr>{links}</table>"
    return page(number, f"<table><tr>{side}<td>", f"{side}</tr></table>")


def never_closed(number: int) -> str:
    title, _ = headline_and_text(number)
    body = "".join(f"<p>{text}\n" for text in village.story(number)["paragraphs"])  # type: ignore[attr-defined]
    links = "".join(f"<li><a href='/{n}'>{village.story(n)['title']}</a>\n" for n in range(number, number + 6))
    return (
        f"<html><head><title>{title} - The Plain Paper</title></head><body><p>[<a href='/'>Home</a>]"
        f"<hr>\n<h1>{title}</h1>\n<p><i>From our own correspondent</i>\n{body}<hr>\n<p><b>Other stories</b>\n"
        f"<ul>\n{links}</ul></html>"
    )


@pytest.mark.parametrize(
    "make",
    [lone("article"), lone("div"), lone("main"), lone("section"), among_others, cell, never_closed],
    ids=["article", "div", "main", "section", "div among others", "cell", "never closed"],
)
def test_elements_without_a_name_are_told_by_where_they_stand(make: Callable[[int], str]) -> None:
    reader = Reader(learn_from=5)
    for number in range(18):  # the shorter ones are taken for lists, which teach nothing
        reader.extract(make(number), ADDRESS.format(number))
    for number in range(20, 27):
        article = reader.extract(make(number), ADDRESS.format(number))
        assert article.provenance["body"].startswith("rule"), reader.memory.log("plain.example")
        assert article.title == village.story(number)["title"]
        texts = [block.text for block in article.blocks if block.text != article.title]
        wanted = village.story(number)["paragraphs"]
        assert [text for text in texts if text in wanted] == wanted  # type: ignore[operator]
        assert len("".join(texts)) <= 1.05 * len("".join(wanted))


@pytest.mark.parametrize("outlet", ["kiyi", "gazette"])
def test_outlets_of_the_newspaper_are_cut_by_rules(outlet: str) -> None:
    pages = list(newspaper.pages(outlet, page_type="article"))
    reader = Reader()
    found = []
    for number in range(4):
        for place, one in enumerate(pages):
            html = one.html.replace(b"2026", b"202%d" % number)
            found.append(reader.extract(html, f"http://{outlet}.example/{number}/{place}"))
    by_rule = [article.provenance["body"].startswith("rule") for article in found[-len(pages) :]]
    assert sum(by_rule) >= len(by_rule) - 1, reader.memory.log()  # one table of figures is taken for a list


def test_cells_and_rows_end_where_the_next_begins() -> None:
    data = (
        b"<table><tr><td id=a>one<table><tr><td>in<tr><td>ner</table>two"
        b"<td id=b>three</td><!-- <td> --><tr id=r><td>four<td>five<tbody><tr><td id=z>six</table>"
    )

    def held(tag: str, own: str) -> bytes:
        ((start, end),) = only_ranges(cutter(Rule(MAIN, anchor=Anchor.of(tag, id=own)), "utf-8"), "utf-8", data)
        return data[start:end]

    assert held("td", "a") == b"one<table><tr><td>in<tr><td>ner</table>two"
    assert held("td", "b") == b"three"
    assert held("tr", "r") == b"<td>four<td>five"
    assert held("td", "z") == b"six"


def test_a_path_is_walked_over_scripts_and_comments() -> None:
    data = (
        b"<body><script>'<div>'</script><!-- <div> --><div><div>a</div><div>b</div></div>"
        b"<div><table><tr><td>c<td>d<div>e</div></table></div></body>"
    )

    def at(*steps: Step) -> list[bytes]:
        rule = Rule(MAIN, Anchor(steps[-1].tag), path=steps)
        try:
            ranges = only_ranges(cutter(rule.checked(), "utf-8"), "utf-8", data)
        except LayoutMismatch:
            return []
        return [data[start:end] for start, end in ranges]

    assert at(Step("div", 1), Step("div", 2)) == [b"<div>b</div>"]
    assert at(Step("div", 2), Step("table", 1), Step("tr", 1), Step("td", 2)) == [b"d<div>e</div>"]
    assert at(Step("div", 3)) == []
    assert at(Step("div", 1), Step("div", 3)) == []


def test_paths_and_trimmed_elements_are_written_and_read() -> None:
    reader = Reader()
    for number in range(18):
        reader.extract(among_others(number), ADDRESS.format(number))
    site = reader.memory.site("plain.example")
    assert site.templates[0].template.of(MAIN)[0].path == (Step("div", 2),)
    trimmed = Rule(
        MAIN, Anchor("td"), Anchor.of("div", id="x"), left="<hr>", right='<p class="more">', path=(Step("td", 2),)
    )
    assert "td[2]" in str(trimmed)
    assert "before" in str(trimmed)
    for write, read in ((as_json.dumps, as_json.loads), (xml_rules.dumps, xml_rules.loads)):
        assert read(write(site)).templates[0].template == site.templates[0].template
    assert trimmed.checked() == trimmed


@pytest.mark.parametrize(
    "rule",
    [
        Rule(MAIN, Anchor("td"), path=(Step("td", 0),)),
        Rule(MAIN, Anchor("td"), path=(Step("div", 1),)),
        Rule(MAIN, Anchor("td"), path=(Step("td", 10**9),)),
        Rule(MAIN, left="a", right="b", path=(Step("td", 1),)),
        Rule(MAIN, Anchor("td"), path=(Step("t d", 1), Step("td", 1))),
        Rule("title", Anchor("td"), left="a", right="b"),
    ],
)
def test_paths_that_make_no_sense_are_refused(rule: Rule) -> None:
    with pytest.raises(BadRules):
        rule.checked()


def test_a_text_in_utf8_is_not_cut_by_rules_for_another_encoding() -> None:
    def encoded(number: int, codec: str) -> bytes:
        text = village.page(number).replace("village", "dépêche")
        return text.replace('<meta charset="utf-8">', f'<meta charset="{codec}">').encode(codec)

    reader = Reader()
    for number in range(6):
        article = reader.extract(encoded(number, "windows-1252"), village.address(number))
    assert article.provenance["body"].startswith("rule")
    article = reader.extract(encoded(7, "utf-8"), village.address(7))
    assert "Ã" not in article.text
    assert "dépêche" in article.text
    assert article.text == tidings.extract(encoded(7, "utf-8"), village.address(7)).text
