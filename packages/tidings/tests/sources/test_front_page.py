"""Front pages: links to stories, teasers, and what was dropped (LBNEST II.C, fig. 5 and 6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tidings
from tests.support import Growth
from tidings import newspaper
from tidings.page import Page
from tidings.sources import LBNEST, Shapes, bears_out, front_page, key
from tidings.sources.front.filter_config import BEST, Chain
from tidings.sources.front.link_features import address_marks, is_silent, owner, says_more, text_marks, word_count

FRONTS = list(newspaper.pages(page_type="front"))
#: An encyclopaedia's links are names of things, which no rule for news can tell from its menu; shapes learned can.
NEWS = [page for page in FRONTS if page.outlet != "almanac"]
#: As in fig. 5: headline and teaser in plain text, and a link that says no more than that there is more.
FIG_5 = """<html><body><div class="menu"><a href="/sport">Sport</a> <a href="/about">About us</a></div>
<div><h3>Relations between the two ports never so warm</h3><p>16 March 2026</p>
<p>Never were the two harbours so close, said the visiting minister at a meeting in the town hall this morning.</p>
<p><a href="/news/relations-never-so-warm-1234">Full Story</a></p></div>
<div><h3>Ferry fares to rise in April by a tenth</h3>
<p>The company blames the price of diesel, the council the company.</p>
<p><a href="/news/ferry-fares-to-rise-1235">Full Story</a></p></div></body></html>"""


def keys(links: list[str]) -> set[str]:
    return {key(one) for one in links}


@pytest.mark.parametrize("page", NEWS, ids=lambda page: page.id)
def test_the_front_pages_of_the_newspaper(page: newspaper.SamplePage) -> None:
    found = front_page(Page(page.html, page.url))
    gold = {key(link["url"]): link for link in page.gold["links"]}
    assert {key(link.canonical_url) for link in found.links} == set(gold)
    for link in found.links:
        wanted = gold[key(link.canonical_url)]
        title = " ".join(wanted["title"].split())
        # Where the headline is linked nowhere on the page, the text beside the link tells it.
        assert (
            link.title == title
            or (link.verify and title in f"{link.title} {link.teaser}")
            or title.startswith(link.title)
        )


@pytest.mark.parametrize("page", NEWS, ids=lambda page: page.id)
def test_teasers_lead_to_the_pages_that_bear_them_out(page: newspaper.SamplePage) -> None:
    stories = {key(one.url): one for one in newspaper.pages(page.outlet)}
    rescued = [link for link in front_page(Page(page.html, page.url), LBNEST).links if link.verify]
    more = {key(link["url"]) for link in page.gold["links"] if link["anchor"] == "more"}
    for link in rescued:
        if key(link.canonical_url) in more:
            story = stories[key(link.canonical_url)]
            article = tidings.extract(story.html, story.url)
            assert bears_out(link.teaser, f"{article.title}\n{article.summary}\n{article.text}", story.lang), (
                link.teaser
            )


def test_a_teaser_is_not_borne_out_by_another_page() -> None:
    teaser = "Never were the two harbours so close, said the visiting minister this morning."
    assert bears_out(teaser, "The minister, visiting this morning, said that two harbours were never so close.", "en")
    assert not bears_out(
        teaser, "Terms of use. The content of these pages is protected by the law of two countries.", "en"
    )
    assert not bears_out("", "anything")


def test_all_links_behind_read_more_are_rescued() -> None:
    rescued = wanted = 0
    for page in NEWS:
        found = {key(link.canonical_url): link for link in front_page(Page(page.html, page.url)).links}
        for link in page.gold["links"]:
            if link["anchor"] == "more":
                wanted += 1
                rescued += key(link["url"]) in found
    assert wanted >= 10
    assert rescued == wanted


def test_the_example_of_the_paper() -> None:
    found = front_page(Page(FIG_5, "https://paper.example/"))
    assert [link.title for link in found.links] == [
        "Relations between the two ports never so warm",
        "Ferry fares to rise in April by a tenth",
    ]
    assert all(link.verify for link in found.links)
    assert found.links[0].teaser.startswith("Never were the two harbours so close")
    assert found.links[0].hints.anchor == "Full Story"
    assert found.links[0].hints.teaser == found.links[0].teaser
    assert [section.title for section in found.sections] == ["Sport"]
    published = front_page(Page(FIG_5, "https://paper.example/"), LBNEST)
    assert {link.canonical_url for link in published.links if link.verify} >= {
        link.canonical_url for link in found.links
    }


def test_the_nearest_text_goes_before_the_farther() -> None:
    page = Page(
        "<body><p>Far away stands a text of many words here.</p>"
        "<div><div><p>Near by stands a text of several words.</p>"
        "<p><a href='/news/one-two-three-four-five'>More</a></p></div></div></body>",
        "https://a.example/",
    )
    (link,) = front_page(page).links
    assert link.teaser == "Near by stands a text of several words."


def test_picture_headline_and_more_are_one_link() -> None:
    page = Page(
        "<article><a href='/news/seals-return-to-estuary?ref=pic'><img src='a.jpg' alt='A seal'></a>"
        "<h2><a href='/news/seals-return-to-estuary'>"
        "Seals return to the estuary</a></h2><p>After 38 years they breed on the sandbanks again.</p>"
        "<a href='/news/seals-return-to-estuary#more'>Read more</a></article>",
        "https://a.example/",
    )
    (link,) = front_page(page).links
    assert link.title == "Seals return to the estuary"
    assert link.teaser == "After 38 years they breed on the sandbanks again."
    assert not link.verify


def test_what_was_learned_of_a_site_decides() -> None:
    html = "".join(f"<li><a href='/wiki/Thing_{at}'>Thing {at}</a></li>" for at in "abc")
    page = Page(f"<ul>{html}</ul>", "https://a.example/")
    assert not front_page(page).links
    seen = [(f"https://a.example/wiki/Other_{at}", True) for at in "abcdefghijklmnopqrst"]
    assert len(front_page(page, shapes=Shapes().learn(seen)).links) == 3
    stories = Page(
        "<h2><a href='/news/seals-return-to-the-old-estuary'>Seals return to the estuary</a></h2>", "https://a.example/"
    )
    assert front_page(stories).links
    never = Shapes().learn((f"https://a.example/news/one-two-three-{at}", False) for at in "abcdefghijklmnopqrst")
    assert not front_page(stories, shapes=never).links


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Seals return to the estuary", 5),
        ("don't panic", 2),
        ("ハイイロアザラシ", 4),
        ("灰海豹回到河口", 4),
        ("政治", 1),
        ("می‌روم خانه", 2),
        ("NHKで見る", 3),
        ("", 0),
    ],
)
def test_words_are_counted_alike_in_all_scripts(text: str, count: int) -> None:
    assert word_count(text) == count


@pytest.mark.parametrize(
    "text",
    [
        "Read more",
        "READ MORE »",
        "Full Story",
        "Devamını oku",
        "اقرأ المزيد",
        "ادامه مطلب...",
        "קראו עוד",
        "続きを読む",
        "Weiterlesen",
        "[more]",
    ],
)
def test_more_in_many_languages(text: str) -> None:
    assert says_more(text)
    assert is_silent(text)
    assert not says_more(text + " about the seals of the estuary")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("www.harbour-times.co.uk", "harbourtimes"),
        ("sport.spiegel.de", "spiegel"),
        ("localhost", "localhost"),
        ("a.com.tr", "a"),
        ("m.b.example:8080", "b"),
    ],
)
def test_who_a_host_belongs_to(host: str, name: str) -> None:
    assert owner(host) == name


@pytest.mark.parametrize(
    "piece", ["1", "1a", "a", "-1", "/2026/03/", "1,", "%D8%A7", "0a1b2c3d-", "x.", ".html", "&id=1"]
)
@pytest.mark.parametrize("end", ["", "!", "z"])
def test_marks_take_no_time_on_any_address(piece: str, end: str, growth: Growth) -> None:
    def work(size: int) -> object:
        return [address_marks(f"https://a.example/{piece * size}{end}", "a.example") for _ in range(20)]

    assert growth(lambda: work(150), lambda: work(600)) < 8
    assert growth(lambda: text_marks(piece * 150 + end, set()), lambda: text_marks(piece * 600 + end, set())) < 8


def test_links_to_others_and_to_nowhere_are_dropped() -> None:
    page = Page(
        "<a href='https://twitter.com/x/status/1234567890'>Our reporter writes about the seals of the estuary</a>"
        "<a href='#top'>Back to the top of this page</a><a href='javascript:void(0)'>Open the menu of this page</a>"
        "<a href='mailto:a@b.example'>Write to the desk of news</a><a>No address at all in this one</a>"
        "<a href='http://[::1'>A broken address with many words</a><a href='/'>The home page of the Gazette</a>",
        "https://a.example/",
    )
    found = front_page(page)
    assert not found.links
    assert {one.reason for one in found.dropped} == {"same-site", "home-pages"}


@given(
    st.lists(
        st.sampled_from(
            [
                "<a href='/a-b-c-d-e'>",
                "</a>",
                "<p>",
                "</p>",
                "<div>",
                "</div>",
                "<h2>",
                "one two three four ",
                "<a href='?id=12'>",
                "<img alt='x y'>",
                "<nav>",
                "<ul><li>",
                "more",
            ]
        ),
        max_size=25,
    )
)
def test_any_soup_gives_links_of_the_page(pieces: list[str]) -> None:
    html = "".join(pieces) + "x"
    found = front_page(Page(html, "https://a.example/"))
    again = front_page(Page(html, "https://a.example/"))
    assert found == again
    addresses = [link.canonical_url for link in found.links] + [dropped.url for dropped in found.dropped]
    assert len(addresses) == len(set(addresses))
    for link in found.links:
        assert link.probability is not None
        assert 0 <= link.probability <= 1


@pytest.mark.parametrize(
    "piece",
    [
        "<a href='/x{0}'>one two three four five</a>",
        "<div><a href='/y{0}'>more</a>",
        "<p>words of a text here <a href='/z{0}'>more</a></p>",
        "<ul><li><a href='/w{0}'>w</a>",
    ],
)
def test_time_grows_with_the_size(piece: str, growth: Growth) -> None:
    pages = [Page("".join(piece.format(at) for at in range(size)), "https://a.example/") for size in (500, 2000)]
    assert growth(lambda: front_page(pages[0]), lambda: front_page(pages[1])) < 8


def test_a_kicker_is_not_glued_to_the_headline_of_a_link() -> None:
    """Kicker and headline are two spans of one link, which a style sheet puts below each other."""
    html = "<html><body>" + "".join(
        f'<article><a href="/news/{number}-keeping-what-one-knows-safely-{number}0001.html">'
        f"<span>Instead of Notion</span><span>Personal knowledge is kept safely in town number {number}</span></a>"
        "<p>Some programs keep what one thinks in a cloud, and that makes one depend on it.</p></article>"
        for number in range(1, 7)
    )
    texts = {link.title for link in front_page(Page(html, "https://a.example/")).links}
    assert "Instead of Notion Personal knowledge is kept safely in town number 3" in texts


@pytest.mark.parametrize(
    "card",
    [
        "<a href='{url}'><h4>Nahost</h4><h3>{title}</h3></a>",
        "<a href='{url}'><h3>Nahost</h3><h3>{title}</h3></a>",
        "<a href='{url}'><h4>Krieg in der Region Nahost</h4><h3>{title}</h3></a>",
        "<a href='{url}'><span>Nahost</span><h2>{title}</h2></a>",
        "<article><h4>Nahost</h4><h3><a href='{url}'>{title}</a></h3><p>Er bleibt bei seiner Haltung.</p></article>",
    ],
)
@pytest.mark.parametrize("chain", [BEST, LBNEST], ids=["default", "lbnest"])
def test_the_title_of_a_card_with_a_kicker_is_the_headline(card: str, chain: Chain) -> None:
    titles = [f"Minister sagt nein zu Vorschlag Nummer {number} der Hafenstadt" for number in range(6)]
    cards = "".join(
        f"<div>{card.format(url=f'/politik/minister-sagt-nein-zum-vorschlag-{number}', title=title)}</div>"
        for number, title in enumerate(titles)
    )
    found = front_page(Page(f"<html lang=de><body>{cards}</body>", "https://zeitung.example/"), chain)
    assert [link.title for link in found.links] == titles
