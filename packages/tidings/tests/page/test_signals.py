"""What a page declares of itself, as it is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.page import Page
from tidings.page.microdata import stories


def test_meta_elements_however_they_are_written() -> None:
    page = Page(
        '<meta property="og:title" content="A &amp; B">'
        "<META CONTENT='second' NAME=Author />"
        '<meta content="x" itemprop="dateModified"><meta http-equiv="Content-Language" content="de">'
        '<meta name="empty" content=""><meta charset="utf-8"><p>x'
    )
    assert page.signals.meta == (
        ("og:title", "A & B"),
        ("author", "second"),
        ("datemodified", "x"),
        ("content-language", "de"),
        ("empty", ""),
    )
    assert page.signals.first("empty", "author") == ("author", "second")
    assert page.signals.first("empty") is None


def test_a_meta_element_with_a_value_means_its_content() -> None:
    page = Page('<meta name="og:image" value="/a.jpg"><meta name="b" content="c" value="d"><p>x')
    assert page.signals.meta == (("og:image", "/a.jpg"), ("b", "c"))


@given(st.text(alphabet="ab&;<>\"' \n=é", max_size=12), st.sampled_from(["name", "property", "itemprop"]))
def test_the_quick_way_reads_what_the_slow_way_reads(content: str, by: str) -> None:
    value = content.replace("&", "&amp;").replace('"', "&quot;")
    quick = Page(f'<meta {by}="key" content="{value}"><p>x').signals
    slow = Page(f'<meta lang="" {by}="key" content="{value}"><p>x').signals
    made = Page(f'<meta data-rh="true" {by}="key" content="{value}" data-next-head=""/><p>x').signals
    assert quick.meta == slow.meta == made.meta == (("key", " ".join(content.split())),)


@given(st.text(alphabet="ab&;<>' \n=é", max_size=12), st.sampled_from(["", ' hreflang="de"', ' type="a" title="href"']))
def test_the_quick_way_reads_links_as_the_slow_way_does(address: str, between: str) -> None:
    value = address.replace("&", "&amp;")
    quick = Page(f'<link rel="Next a"{between} href="{value}" rel="b" href="c"><p>x').signals
    slow = Page(f'<link id="" rel="Next a"{between} href="{value}" rel="b" href="c"><p>x').signals
    assert quick.links == slow.links == (("next", address.strip()), ("a", address.strip()))


def test_all_contents_of_names_name_by_name() -> None:
    page = Page('<meta name="b" content="1"><meta name="a" content="2"><meta name="b" content="3"><p>x')
    assert page.signals.all("a", "b") == ("2", "1", "3")


def test_links_without_what_is_loaded() -> None:
    page = Page(
        '<link rel="stylesheet" href="a.css"><link rel="Canonical" href=" /c "><link href="/n" rel="next prefetch">'
        '<link rel="shortcut icon" href="i"><link rel=preload href="p"><p>x'
    )
    assert page.signals.links == (
        ("canonical", "/c"),
        ("next", "/n"),
        ("prefetch", "/n"),
        ("shortcut", "i"),
        ("icon", "i"),
    )


@pytest.mark.parametrize(
    ("script", "count"),
    [
        ('{"@type": "Article", "@graph": [{"@type": "A"}, {"@type": "B"}]}', 3),
        ('[{"@type": "A"}, [{"@type": "B"}], 3]', 2),
        ('<!-- {"@type": "A"} -->', 1),
        ('{"@type": "A", "text": "line\nline"}', 1),
        ('{"@type": "A", "list": [1, 2,],}', 1),
        ('{"@type": "A"}; ', 1),
        ('//<![CDATA[\n{"@type": "A"}\n//]]>', 1),
        ('<![CDATA[{"@type": "A"}]]>', 1),
        ('{"@type": "A"} {"@type": "B"},\n{"@type": "C"}', 3),
        ('{"@type": "A"}\n{"@type": "B", oops', 1),
        ('{"@type": "A", // the type\n "url": "https://a.example/b" /* not // this */}', 1),
        ("{&quot;@type&quot;: &quot;A&quot;}", 1),
        ('{\\"@type\\": \\"A\\", \\"url\\": \\"https:\\/\\/a.example\\"}', 1),
        (r"""{"@type": "A", "name": "Mara\'s \x \\y \u12 seals"}""", 1),
        ('{"@type": "A", "name": "Mara "the seal" Lind"}', 0),
        ('{"a": "' + "\\" * 50_001 + '"}', 0),
        ("/*" * 50_000, 0),
        ('{"a": "' + '\\"' * 50_000, 0),
        ("not json", 0),
        ('{"n": ' + "1" * 10_000 + "}", 0),
        ("[" * 100_000, 0),
        ("", 0),
    ],
)
def test_json_ld(script: str, count: int) -> None:
    page = Page(f'<script type="application/ld+json">{script}</script><p>x')
    assert len(page.signals.json_ld) == count


def test_json_in_other_scripts_is_none() -> None:
    assert Page('<script type="application/json">{"@type": "Article"}</script><p>x').signals.json_ld == ()


MICRODATA = """<body><nav itemscope itemtype="http://schema.org/WPHeader"><b itemprop="name">Site</b></nav>
<article itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">Seals  return</h1>
<span itemprop="author" itemscope itemtype="https://schema.org/Person">By <a itemprop="name" href="/m">Mara</a></span>
<time itemprop="datePublished" datetime="2026-03-14">14 March</time>
<meta itemprop="dateModified" content="2026-03-15"><a itemprop="url" href="/seals">here</a>
<img itemprop="image" src="/a.jpg"><p itemprop="articleBody">Body.</p></article><p itemprop="name">outside"""


def test_microdata_of_a_story_reads_like_json_ld() -> None:
    assert stories(Page(MICRODATA)) == (
        {
            "@type": "NewsArticle",
            "headline": ["Seals return"],
            "author": [{"@type": "Person", "name": ["Mara"]}],
            "datePublished": ["2026-03-14"],
            "dateModified": ["2026-03-15"],
            "url": ["/seals"],
            "image": ["/a.jpg"],
            "articleBody": ["Body."],
        },
    )


@pytest.mark.parametrize(
    "html",
    [
        "<p>itemprop itemtype='Article'",
        '<div itemscope itemtype="https://schema.org/WPFooter"><b itemprop="name">x</b></div>',
        '<div itemscope itemtype="https://schema.org/Article"></div><p itemprop="name">x',
        "<script>'itemtype=\"Article\" itemprop'</script><p>x",
    ],
)
def test_no_story_in_microdata(html: str) -> None:
    assert stories(Page(html)) == ()


def test_microdata_of_a_hostile_size() -> None:
    page = Page(
        '<div itemscope itemtype="https://schema.org/Article">' + '<b itemprop="x">y</b>' * 20_000 + "</div>" * 3
    )
    (found,) = stories(page)
    assert 0 < len(found["x"]) <= 300
