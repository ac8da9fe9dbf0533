"""Text that a person cannot see reaches no output, by model or by rule; what a person sees does (HOSTILE 19, 35)."""

from __future__ import annotations

from functools import cache

import pytest

import tidings
from tests.hidden_ways import HIDDEN, SHOWN, HidingWay
from tests.sites import village
from tidings import Reader, extractors
from tidings.article import FORMATS, Article, render
from tidings.page import Page

WORD = "xylophones"
_ADDRESS = "https://quay.example/news/{}"
_MENU = "".join(f'<li><a href="/{name}">{name.title()}</a></li>' for name in "news sport weather markets".split())


def paragraphs(number: int) -> list[str]:
    """What a story says."""
    found = village.story(number)["paragraphs"]
    assert isinstance(found, list)
    return found


def story_page(way: HidingWay, number: int = 0) -> str:
    """A page of a small newspaper whose story has something hidden in it."""
    title = village.story(number)["title"]
    first, second, *rest = (f"<p>{text}</p>\n" for text in paragraphs(number))
    sentence = f"The ombudsman praised {number} velvet {WORD} of the {title}."
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | The Quay</title>
<meta property="og:site_name" content="The Quay">{way.head}</head>
<body><header class="masthead"><a href="/">The Quay</a><ul class="menu">{_MENU}</ul></header>
<div class="columns"><div class="story-body"><h1 class="headline">{title}</h1><p class="byline">By Ada Marlow</p>
{first}{second}{way.body.replace("{}", sentence)}
{"".join(rest)}</div>
<div class="sidebar"><h2>Most read</h2><ul><li><a href="/a">Ferry late again</a></li></ul></div></div>
<footer class="imprint"><p>All rights reserved.</p></footer></body></html>"""


def outputs(article: Article) -> dict[str, str]:
    """All that an article is written as."""
    return {
        **{name: render(article, name) for name in sorted(FORMATS)},
        "text": article.text,
        "blocks": " ".join(block.text for block in article.blocks),
        "pictures": " ".join(f"{one.alt} {one.caption}" for one in article.images),
    }


@cache
def reader() -> Reader:
    """A reader that knows the site from pages with nothing hidden in them."""
    found = Reader(audit_every=0)
    for number in range(8):
        found.extract(story_page(HidingWay("", ""), number), _ADDRESS.format(number))
    known = found.extract(story_page(HidingWay("", ""), 20), _ADDRESS.format(20))
    assert known.provenance["body"].startswith("rule"), "the site is learned"
    return found


def names(ways: list[HidingWay]) -> list[str]:
    return [f"{number} {way.name}" for number, way in enumerate(ways)]


def test_there_are_many_ways() -> None:
    assert len(HIDDEN) >= 120
    assert len(SHOWN) >= 30


@pytest.mark.parametrize("way", HIDDEN, ids=names(HIDDEN))
def test_hidden_text_is_in_no_output(way: HidingWay) -> None:
    page = story_page(way)
    article = tidings.extract(page, url=_ADDRESS.format("x"))
    assert paragraphs(0)[1] in article.text
    assert [name for name, said in outputs(article).items() if WORD in said] == []


@pytest.mark.parametrize("way", HIDDEN, ids=names(HIDDEN))
def test_hidden_text_does_not_come_back_by_rules(way: HidingWay) -> None:
    number = 30 + HIDDEN.index(way)
    article = reader().extract(story_page(way, number), _ADDRESS.format(number))
    assert paragraphs(number)[1] in article.text
    assert [name for name, said in outputs(article).items() if WORD in said] == []


#: Methods that keep most of a page; each leaves hidden text out.
@pytest.mark.parametrize("name", ["bte", "cetr", "dana", "lqf-50", "crunch"])
def test_hidden_text_is_in_no_result_of_a_published_method(name: str) -> None:
    extractor = extractors.extractor(name)
    leaks = []
    for way in HIDDEN:
        page = Page(story_page(way))
        if WORD in extractor(page).text(page):
            leaks.append(way.name)
    assert leaks == []


@pytest.mark.parametrize("way", SHOWN, ids=names(SHOWN))
def test_what_only_looks_hidden_is_there(way: HidingWay) -> None:
    article = tidings.extract(story_page(way), url=_ADDRESS.format("x"))
    assert WORD in outputs(article)["pictures" if "alt=" in way.body else "text"]


@pytest.mark.parametrize("way", SHOWN, ids=names(SHOWN))
def test_what_only_looks_hidden_is_there_by_rules(way: HidingWay) -> None:
    number = 300 + SHOWN.index(way)
    article = reader().extract(story_page(way, number), _ADDRESS.format(number))
    assert WORD in outputs(article)["pictures" if "alt=" in way.body else "text"]


@pytest.mark.parametrize(
    "piece", ['<span style="display:none">{}</span>', "<span class=sr-only>{}</span>", '<b style="opacity:.0">{}</b>']
)
def test_hidden_text_is_in_no_headline(piece: str) -> None:
    for number, read in ((0, tidings.extract), (21, reader().extract)):
        title = str(village.story(number)["title"])
        page = story_page(HidingWay("", ""), number).replace("</h1>", piece.replace("{}", WORD) + "</h1>")
        article = read(page, url=_ADDRESS.format(number))
        assert article.title == title
        assert [name for name, said in outputs(article).items() if WORD in said] == []


def test_most_are_read_by_rule() -> None:
    articles = [reader().extract(story_page(way, 500 + at), _ADDRESS.format(500 + at)) for at, way in enumerate(HIDDEN)]
    assert sum(one.provenance["body"].startswith("rule") for one in articles) > 0.9 * len(HIDDEN)


@pytest.mark.parametrize("head", ["", "<style>.story-body{visibility:hidden}</style>"])
def test_a_story_hidden_until_a_script_runs_is_found_and_marked(head: str) -> None:
    attribute = "" if head else " hidden"
    page = story_page(HidingWay("", "", head), 3).replace('"story-body"', f'"story-body"{attribute}')
    article = tidings.extract(page, url=_ADDRESS.format(3))
    assert paragraphs(3)[1] in article.text
    assert article.provenance["body"] == "learned, hidden until a script runs"
    shown = tidings.extract(story_page(HidingWay("", ""), 3), url=_ADDRESS.format(3))
    assert shown.provenance["body"] == "learned"
    assert shown.text == article.text
