"""The canonical text: what is folded, decoded, joined and parted; runs, blocks and the way back to the source."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import EmptyPage
from tidings.page import Page

from . import soup

ZWNJ, ZWJ, NBSP = "\u200c", "\u200d", "\u00a0"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        # white space
        ("  a \n\t b  ", "a b"),
        ("<p> a </p> <p> b </p>", "a\nb"),
        ("a<b>b</b>c", "abc"),
        ("a <b>b</b> c", "a b c"),
        ("a<b> b </b>c", "a b c"),
        ("a <b> b", "a b"),
        ("a<i> </i>b", "a b"),
        ("a<!-- x -->b", "ab"),
        ("a<script>x</script>b", "ab"),
        ("a<img>b", "ab"),
        ("a<wbr>b", "ab"),
        # character references and special spaces
        ("a&nbsp;b", "a b"),
        (f"a{NBSP}{NBSP}b", "a b"),
        ("a<b>&nbsp;</b>b", "a b"),
        ("&nbsp;a&nbsp;<b>b</b>", "a b"),
        ("&lt;b&gt; &amp;amp; &copy 2024 &euro;5", "<b> &amp; © 2024 €5"),
        ("&#1605;&#x631;", "مر"),
        ("a&thinsp;b\u3000c", "a b c"),
        (f"می{ZWNJ}خواهم", f"می{ZWNJ}خواهم"),
        ("می&zwnj;خواهم", f"می{ZWNJ}خواهم"),
        (f"क्{ZWJ}ष &#8203;x", f"क्{ZWJ}ष x"),
        ("soft&shy;hyphen", "soft\u00adhyphen"),
        # line breaks
        ("a<br>b", "a\nb"),
        ("a<br/> b</br>c", "a\nb\nc"),
        ("<p>a<br><p>b", "a\nb"),
        ("<br>a<br>", "a"),
        # blocks
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"),
        ("<h1>a</h1>b", "a\nb"),
        ("a<hr>b", "a\nb"),
        # preformatted text keeps its white space
        ("<pre>a  b\n  c</pre>", "a  b\n  c"),
        ("<pre>a <b> b</b>\n\tc</pre>d", "a  b\n\tc\nd"),
        ("<pre>if a &lt; b:\n    c</pre>", "if a < b:\n    c"),
        ("<pre>a</pre><pre>b</pre>", "a\nb"),
        ("x<pre>\n  </pre>y", "x\ny"),
    ],
)
def test_the_text_of(html: str, text: str) -> None:
    assert Page(html).text == text


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("a<br>b", 1),
        ("a<br><br>b", 2),
        ("a<br> <br/>b<br>c", 2),
        ("a<br>&nbsp;<br>b", 2),
        ("<p>a</p><p>b</p>", 2),
        ("<p>a <b>b</b> <a>c</a></p>", 1),
        ("<p>a<p></p><p> </p><p>&nbsp;</p><p>b", 2),
        ("<div><div>a</div></div>", 1),
        ("<div>a<p>b</p>c</div>", 3),
        ("<table><tr><td>a<td>b</table>", 2),
        ("", 0),
    ],
)
def test_blocks_are_what_a_reader_sees_as_one(html: str, blocks: int) -> None:
    assert len(Page(html + "<img>").blocks) == blocks


def test_a_run_knows_where_it_stands() -> None:
    page = Page("<p>one <a href=x>two three</a></p><p>four</p>")
    runs = page.runs
    texts = [page.text[start:end] for start, end in zip(runs.text_start, runs.text_end, strict=True)]
    assert texts == ["one", "two three", "four"]
    assert [page.source[start:end] for start, end in zip(runs.start, runs.end, strict=True)] == texts
    assert [page.tag_names[page.elements.tag[owner]] for owner in runs.element] == ["p", "a", "p"]
    assert runs.chars.tolist() == [3, 9, 4]
    assert runs.words.tolist() == [1, 2, 1]
    assert runs.in_link.tolist() == [False, True, False]
    assert runs.block.tolist() == [0, 0, 1]


def test_a_block_sums_up_its_runs() -> None:
    page = Page("<p>one <a href=x>two three</a></p><div>four <b>five</b></div>")
    blocks = page.blocks
    assert [page.text[s:e] for s, e in zip(blocks.text_start, blocks.text_end, strict=True)] == [
        "one two three",
        "four five",
    ]
    assert blocks.words.tolist() == [3, 2]
    assert blocks.link_words.tolist() == [2, 0]
    assert blocks.chars.tolist() == [13, 9]
    assert [page.tag_names[page.elements.tag[element]] for element in blocks.element] == ["p", "div"]


@pytest.mark.parametrize(
    ("text", "words"),
    [("one two", 2), ("re-read it", 3), ("東京で", 3), (f"می{ZWNJ}خواهم", 1), ("e\u0301t\u00e9", 1), ("– … !", 0)],
)
def test_words_are_counted_as_in_the_measures(text: str, words: int) -> None:
    assert Page(f"<p>{text}</p>").runs.words.tolist() == [words]


# -- the way back -----------------------------------------------------------------------------------------

SOUP = soup.soup(
    *soup.tagged(soup.FLOW),
    *soup.tagged(soup.INLINE),
    soup.nuls_and_line_ends,
    *map(st.sampled_from, (soup.COMMENTS, soup.RAW, soup.ODD_TAGS, soup.REFERENCES, ["<br>", "<pre>", "&nbsp;", "  "])),
)


def page_of(source: str) -> Page | None:
    try:
        return Page(source)
    except EmptyPage:
        return None


@given(SOUP)
def test_straight_runs_map_to_the_same_characters(source: str) -> None:
    page = page_of(source)
    if page is None:
        return
    runs, back = page.runs, page.source_of_text
    for run in range(len(runs)):
        first, last = int(runs.text_start[run]), int(runs.text_end[run])
        straight = last - first == runs.end[run] - runs.start[run]
        for place in range(first, last):
            assert runs.start[run] <= back[place] < runs.end[run]
            if straight:
                shown, written = page.text[place], page.source[back[place]]
                assert shown == written or (shown == " " and written.isspace())


@given(SOUP)
def test_the_way_back_never_falls(source: str) -> None:
    page = page_of(source)
    if page is not None:
        back = page.source_of_text
        assert len(back) == len(page.text) + 1
        assert (np.diff(back) >= 0).all()
        assert back[-1] <= len(page.source)


@given(SOUP)
def test_runs_tile_the_text_but_for_white_space(source: str) -> None:
    page = page_of(source)
    if page is None:
        return
    done = 0
    for start, end in zip(page.runs.text_start.tolist(), page.runs.text_end.tolist(), strict=True):
        assert start >= done
        assert not page.text[done:start].strip()
        assert start < end
        done = end
    assert done == len(page.text)


@given(SOUP)
def test_blocks_tile_the_runs(source: str) -> None:
    page = page_of(source)
    if page is not None and len(page.runs):
        blocks = page.blocks
        assert blocks.first[0] == 0
        assert blocks.last[-1] == len(page.runs)
        assert (blocks.first[1:] == blocks.last[:-1]).all()
        assert blocks.words.sum() == page.runs.words.sum()


@pytest.mark.parametrize(
    "html", ["a &amp; b &lt; c", "x  &nbsp; y&copy;z", "<pre> a\n&gt;  b</pre>", "&NotEqualTilde; z"]
)
def test_decoded_characters_map_to_their_reference(html: str) -> None:
    page = Page(html)
    for place, character in enumerate(page.text):
        written = page.source[page.source_of_text[place]]
        assert written in (character, "&") or (character == " " and written.isspace())


@pytest.mark.parametrize(
    ("inner", "line"),
    [
        ("<span class=k>Light on Notion</span><span>Personal knowledge</span>", "Light on Notion Personal knowledge"),
        ("<span>27.01.2022</span>Oil in November", "27.01.2022 Oil in November"),
        ("<span>Exclusive!</span><span>Ferries stop</span>", "Exclusive! Ferries stop"),
        ("<b>You</b>Tube is down", "YouTube is down"),
        ("<span>T</span>he seals return", "The seals return"),
        ("<i>i</i>Phone", "iPhone"),
        ("Mac<wbr>Book", "MacBook"),
        ("Seals <em>return</em>, <span>again</span>", "Seals return, again"),
        ("NASA<span>Seals</span>", "NASASeals"),
        ("<span>Category</span><span>:</span><span>Seals</span>", "Category:Seals"),
        ("<span>海豹</span><span>返回</span>", "海豹返回"),
    ],
)
def test_a_line_parts_what_only_a_style_sheet_parts(inner: str, line: str) -> None:
    page = Page(f"<h1>{inner}</h1>")
    assert page.line(0, len(page.runs)) == line
    assert page.line(0, 0) == ""
