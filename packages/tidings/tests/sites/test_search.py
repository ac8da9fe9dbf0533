"""Elements in the bytes of a page, against what the page itself says of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import examples
from tidings import Page
from tidings.sites.extraction.compiled import compiled, cutter
from tidings.sites.extraction.cut import field_value
from tidings.sites.extraction.pieces import LayoutMismatch, field_ranges, only_ranges, page_ranges
from tidings.sites.templates.anchor import Anchor, Condition
from tidings.sites.templates.rule import MAIN, Expected, Rule, Template


def found(anchor: Anchor, text: str) -> list[str]:
    """Return the start tags of elements."""
    data, rule = text.encode(), Rule("tags", anchor=anchor, attribute="id", each=True)
    return [data[start:end].decode() for start, end in field_ranges(cutter(rule, "utf-8"), "utf-8", data)]


def elements(anchor: Anchor, data: bytes) -> list[bytes]:
    """Return the only element with its tags; none if there is another, or it is never closed."""
    try:
        ranges = only_ranges(cutter(Rule(MAIN, anchor=anchor), "utf-8"), "utf-8", data)
    except LayoutMismatch:
        return []
    return [data[start:end] for start, end in ranges]


@pytest.mark.parametrize(
    "tag",
    [
        '<div id="x">',
        "<div id='x'>",
        "<div id=x>",
        '<DIV ID="x">',
        '<div class="y" id = "x" title="a">',
        '<div\nid="x"\n>',
    ],
)
def test_an_id_is_found_however_it_is_written(tag: str) -> None:
    assert found(Anchor.of("div", id="x"), f"<p>a</p>{tag}b</div>") == [tag]


@pytest.mark.parametrize(
    "tag", ['<div id="xy">', '<div id="x y">', '<div data-id="x">', '<span id="x">', '<p>id="x"</p>', '<divan id="x">']
)
def test_what_only_looks_like_it_is_passed_over(tag: str) -> None:
    assert found(Anchor.of("div", id="x"), tag) == []


def test_a_word_of_a_class_is_a_whole_word() -> None:
    text = '<p class="lead big"><p class="leader"><p class="big lead"><p class="lead"><p class="mis-lead">'
    assert found(Anchor.of("p", classes="lead"), text) == [
        '<p class="lead big">',
        '<p class="big lead">',
        '<p class="lead">',
    ]
    assert found(Anchor.of("p", classes="lead big"), text) == ['<p class="lead big">', '<p class="big lead">']


def test_other_conditions() -> None:
    text = '<a rel="next" href="/2"><a href="/page/3"><a href="http://x/page">'
    assert found(Anchor("a", (Condition("href", "holds", "page"),)), text) == [
        '<a href="/page/3">',
        '<a href="http://x/page">',
    ]
    assert found(Anchor("a", (Condition("href", "begins", "/"),)), text) == [
        '<a rel="next" href="/2">',
        '<a href="/page/3">',
    ]
    assert found(Anchor("", (Condition("rel", "is", "next"),)), text) == ['<a rel="next" href="/2">']


def test_a_value_with_signs_of_regular_expressions_is_text() -> None:
    assert found(Anchor.of("div", id="a.*(b"), '<div id="aXXb"><div id="a.*(b">') == ['<div id="a.*(b">']


def closed(text: str, anchor: Anchor) -> str | None:
    return next((element.decode() for element in elements(anchor, text.encode())), None)


@pytest.mark.parametrize(
    ("inside", "behind"),
    [
        ("a<div>b</div>c", "d</div>"),
        ("a<DIV>b</DIV>c", "d</div>"),
        ("<script>document.write('<div>')</script>c", "</div>"),
        ("<!-- </div> -->c", "</div>"),
        ("<!-- <div> -->c", "<div></div>"),
        ("<style>/* </div> */</style>", ""),
        ("<divider>no div</divider>", "</div>"),
    ],
)
def test_the_end_is_found_by_counting(inside: str, behind: str) -> None:
    whole = f'<div id="x">{inside}</div>'
    assert closed(whole + behind, Anchor.of("div", id="x")) == whole


def test_short_names_are_not_taken_for_longer_ones() -> None:
    assert (
        closed('<p id="x">a<pre>b</pre><param>c</p>d</p>', Anchor.of("p", id="x"))
        == '<p id="x">a<pre>b</pre><param>c</p>'
    )


def test_what_is_never_closed_has_no_end() -> None:
    assert closed('<div id="x">a<div>b</div>', Anchor.of("div", id="x")) is None


_tree = st.recursive(
    st.sampled_from(["text", "a &amp; b", "<br>", "<!-- <div> -->", "<script>'</div>'</script>"]),
    lambda inner: st.tuples(st.sampled_from(["div", "span", "section"]), st.lists(inner, max_size=4)).map(
        lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"
    ),
    max_leaves=25,
)


@given(before=_tree, inside=_tree, behind=_tree)
@examples(150)
def test_the_cut_is_the_element_of_the_page(before: str, inside: str, behind: str) -> None:
    source = f'<body>{before}<div class="k" id="wanted">{inside}</div>{behind}</body>'
    page = Page(source)
    element = next(at for at in range(1, len(page.elements)) if page.attributes(at).get("id") == "wanted")
    expected = source[int(page.elements.start[element]) : int(page.elements.end[element])]
    assert closed(source, Anchor.of("div", id="wanted")) == expected


def test_hostile_tags_take_linear_time() -> None:
    tags = "<div " + 'class="x ' * 200_000 + ">" + '<div class="wanted">a</div>'
    assert found(Anchor.of("div", classes="wanted"), tags) == ['<div class="wanted">']
    nested = b'<div id="x">' + b"<div>" * 100_000 + b"</div>" * 100_000 + b"</div>"
    assert elements(Anchor.of("div", id="x"), nested) == [nested]
    assert elements(Anchor.of("div", id="x"), b'<div id="x">' + b"<script>" * 100_000) == []


def test_an_only_element_is_found_among_what_looks_like_it() -> None:
    story = Anchor.of("div", classes="story")
    one = b"<p>a story</p><div class='x story'>b</div><div class=storyline>c</div><div title='story'>d</div> story"
    assert elements(story, one) == [b"<div class='x story'>b</div>"]
    assert elements(story, one + b"<div class=story>e</div>") == []
    assert elements(story, one[:20]) == []
    assert elements(story, b"story") == []


@pytest.mark.parametrize(
    "inner", ["<!-- <div> -->", "<script>'<div>'</script>", "<STYLE></div></STYLE>", "<DIV></DIV>", "<divx>"]
)
def test_tags_that_do_not_count(inner: str) -> None:
    data = f"<div id=a>{inner}b</div>c</div>".encode()
    assert elements(Anchor.of("div", id="a"), data) == [f"<div id=a>{inner}b</div>".encode()]


@given(
    st.lists(st.sampled_from(["<a>", "<bb>", "<ab>", "<c>", "<d>"]), min_size=1, max_size=6, unique=True),
    st.lists(st.sampled_from(["<a>", "<bb>", "<ab>", "<c>", "<d>", "a", "<"]), max_size=12).map("".join),
    st.integers(1, 40),
)
def test_markers_are_found_in_any_order(markers: list[str], page: str, reach: int) -> None:
    expected = Expected(markers=tuple(markers), reach=reach)
    ready = compiled(Template(rules=(Rule(MAIN, anchor=Anchor("main")),), expected=expected))
    data = f"{page}<main>one</main>".encode()
    there = sum(marker.encode() in data[:reach] for marker in markers)
    if there >= math.ceil(0.6 * len(markers)):
        assert page_ranges(ready, data).main(ready) == [(len(page), len(data))]
    else:
        with pytest.raises(LayoutMismatch):
            page_ranges(ready, data)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<div><p class=t>one</p><p class=t>two</p></div>", "one"),
        ("<div><b class=t>never closed <p class=t>two</p></div>", "two"),
        ("<div><b class=t><b class=t>one</b> in it</b> <p class=t>two</p></div>", "one in it"),
        ("<div><p>none</p></div>", None),
    ],
)
def test_a_field_is_the_first_element_that_is_closed(page: str, title: str | None) -> None:
    for rule in (
        Rule("title", Anchor.of("", classes="t")),
        Rule("title", Anchor.of("", classes="t"), inside=Anchor.of("div")),
    ):
        one, data = cutter(rule, "utf-8"), page.encode()
        found = field_value(one, data, field_ranges(one, "utf-8", data), "utf-8", "", "")
        assert (found or None) == title
