"""The scanner: every page has columns that fit together, and words are found in start tags."""

from __future__ import annotations

import random
from html import unescape
from html.entities import html5
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks import pages
from tests.page import soup
from tests.page.properties import check_columns
from tidings import Page, newspaper
from tidings.errors import PageError
from tidings.page import tags

#: Start tags with words in them.
WORDED = (
    "<p class=Author>",
    '<p class="postAUTHOR date">',
    "<p>",
    "<p title=é-x>",
    "<p title='中'>",
    '<a href="?author">',
    "<br ab>",
    "<script date>author</script>",
    "text author",
)


def check(data: bytes | str) -> None:
    """Check the columns of a page, if it has text."""
    try:
        page = Page(data)
    except PageError:
        return
    check_columns(page)


@given(soup.soup(*soup.PIECES, size=40))
@example("<p>&#" + "9" * 5000 + ";")
@example('<p title="never closed>text')
@example("<p a='>'b='never closed>")
@example("<a x='>'" * 14)
@example('<noscript><iframe src="x" /></noscript><p>text<iframe>more</p><title>x<b>y')
@example("<svg><style/></svg><p>text")
@example("<p中>text")
@example("x")
def test_columns_of_made_up_pages_fit_together(html: str) -> None:
    check(html)


@pytest.mark.parametrize("seed", range(20))
def test_columns_of_odd_pieces_in_any_order_fit_together(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        check("".join(chance.choices(soup.ODD, k=chance.randint(1, 60))))


@given(soup.soup(*soup.PIECES, size=40), st.integers(1, 12))
@example("<p>a<p>b<p>c<p>d<p>e<p>f<svg><style/>", 6)
@example("<p>a<p>b<p>c<p>d<p>e<p>f<new-name title='>", 6)
@example("<p>a<p>b<p>c<p>d<p>e<p>f &lt; 3 < 4", 6)
def test_columns_of_pages_with_too_many_tags_fit_together(html: str, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tidings.page.cut.MAX_TAGS", most)
        check(html)
        assert len(Page(f"{html}x").cut.codes) <= most + 1


def test_columns_of_the_newspaper_fit_together() -> None:
    for page in newspaper.pages():
        check(page.html)


@pytest.mark.shared
@pytest.mark.parametrize(
    "corpus",
    ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "trafilatura-eval", "news-modern", "frontpages"],
)
def test_columns_of_real_pages_fit_together(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for data in pages.each(corpus, every=1 if gate else 20):
        check(data)


def check_references(spelled: list[str]) -> None:
    """Check the text of paragraphs with character references against the standard library."""
    page = Page("<p>" + "<p>".join(spelled))
    cleaned = page.source.split("<p>")[1:]  # without invisible characters
    assert len(cleaned) == len(spelled)
    assert page.text.split("\n") == [" ".join(unescape(text).split()) for text in cleaned]


def test_every_named_reference_means_what_the_standard_says() -> None:
    check_references([f"a&{name} &{name}x &{name.rstrip(';')}b" for name in html5])


@pytest.mark.parametrize("plane", range(18))
def test_every_numbered_reference_means_what_the_standard_says(plane: int) -> None:
    numbers = range(plane << 16, (plane << 16) + 0x1_0000, 1 if plane == 0 else 257)
    check_references([f"a&#{number};b&#x{number:x};c" for number in numbers])


@pytest.mark.parametrize("code", [0x41, 0xE9, 0x4E2D, 0x2_0000])
def test_an_encoding_does_not_change_the_columns(code: int) -> None:
    sign = chr(code)
    html = f"<p>{sign * 3} <b>x{sign}</b></p><td title='{sign}>'>{sign}&amp;"
    for data in (html, html.encode(), html.encode("utf-16"), html.encode().replace(b" ", b"\r\n\0")):
        page = Page(data)
        check_columns(page)
        assert page.text == f"{sign * 3} x{sign}\n{sign}&"


@given(
    st.lists(st.sampled_from(WORDED), max_size=12).map("".join),
    st.lists(st.sampled_from(("author", "uth", "ate", '="?', "ab=", "--a")), min_size=1, max_size=5, unique=True),
    st.sampled_from((0, tags.NUMBERS["p"], tags.NUMBERS["script"])),
)
def test_words_are_found_in_start_tags(html: str, words: list[str], tag: int) -> None:
    page = Page(html + "x")
    spelled = (page.cut.tag(at).lower() if at >= 0 else "" for at in page.opened.tolist())
    spelled = (one.partition(">")[0] if one.startswith("<script") else one for one in spelled)
    asked = (not tag or tag == one for one in page.elements.tag.tolist())
    holding = (is_it and any(word in one for word in words) for is_it, one in zip(asked, spelled, strict=True))
    assert page.holding(tuple(words), tag).tolist() == [element for element, is_it in enumerate(holding) if is_it]


@pytest.mark.parametrize(
    ("unended", "text"),
    [
        ("<p title='never>", "one\ntwothree"),
        ("</p a='>", "one\ntwothree"),
        ("<title>", "onetwothree"),
        ("<textarea>", "onetwothree"),
        ("<iframe>", "onetwothree"),
        ("<style>", "one"),
        ("<script>", "one"),
        ("<!--", "one"),
    ],
)
def test_the_rest_behind_a_tag_that_never_ends_is_kept_unless_it_is_code(unended: str, text: str) -> None:
    assert Page(f"<p>one{unended}two<b>three").text == text


def test_a_tag_that_closes_itself_in_svg_keeps_its_spelling() -> None:
    page = Page("a<svg><style/></svg>b")
    assert page.text == "a\nb"
    assert page.cut.source == page.source


def test_columns_outlive_their_page() -> None:
    """Arrays keep the memory of the core alive; it goes with the last of them."""
    words = Page("<p>one two<p>three").runs.words
    for _ in range(50):
        Page("<p>x" * 1000)
    assert words.tolist() == [2, 1]
    with pytest.raises(ValueError, match="read-only"):
        words[0] = 5
