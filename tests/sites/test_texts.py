"""What a fragment says, told without its blocks, is what its blocks say; and blocks made late are the same blocks."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sites import village
from tidings import Article, Page, Reader
from tidings.article import FORMATS, render
from tidings.article.plain import plain
from tidings.lab.corpora import load
from tidings.lab.studies.learned_sites import address, groups
from tidings.news import newspaper
from tidings.sites.body import CutBody, measures
from tidings.sites.fragment import read
from tidings.sites.noise import hash_of
from tidings.sites.texts import texts_of

BASE = "https://post.example/2026/story"


def same(fragment: str, noise: frozenset[int] = frozenset()) -> bool:
    """Whether the text is told without blocks; either way it must be that of the blocks."""
    blocks = read(fragment, BASE).blocks
    body = CutBody.of(fragment, BASE, noise)
    told = body.pieces is None
    kept = body.made().blocks
    assert list(body.texts) == [block.text for block in kept]
    assert body.hashes == tuple(hash_of(block.text) for block in blocks)
    size, linked = measures(kept)
    assert body.size == size
    assert body.linked >= linked
    if told:
        body.pieces = None
        assert body.text == plain(kept)
    return told


@pytest.mark.parametrize(
    "fragment",
    [
        "<div><p>One two.</p><p>Three <b>four</b> five.</p></div>",
        "<div>a<br>b<br><br>c <br/> <BR> d<br></div>",
        "<div><p>a<p>b<b>over</p><p>lap</b></p>c",
        "<div><ul><li>a<li>b<ul><li>c</ul><li>d<br>e</ul><ol><li>one<p>more</p><li>two</ol>f</div>",
        "<blockquote><ol><li>said<li><p>so</p></ol>more</blockquote>",
        "<UL><LI>Large<LI>Letters</UL>",
        "<div><table><tr><td>a<td>b<tr><td>c</td></td><td></td></tr></table>d</div>",
        "<table><tr><th>a</th><td>b</td></tr></table>",
        "<div><table><tr><td><h2>a</h2></td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table></div>",
        "<table><tbody><tr><td><p>a</p><p>b</p></td><td>c</td></tr><tr><td>d</td></tr></tbody></table>",
        "<table><tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td><td>d</td></tr></table>",
        "<p>a<span style='display:none'>x</span>b<span hidden></span>c</p><div aria-hidden=true>x<p>y</div>d",
        "<p>a&am<b>p;</b> &lt;p&gt; &#1; &nbsp;b</p>",
        "<p title='a>b'>c</p><p title=\"<b>\">d > e</p>",
        '<p>a</p><img alt="a \\"b\\" c">b > c',
        "<p>a<!-- x -->b<script>'<p>'</script>c<noscript>d</noscript>e<?xml v?>f<![if IE]>g<noembed>h</noembed></p>",
        "<p>a<nobr>b</nobr><embed src=x>c<fb:like>d</fb:like></p>",
        "<p\u00a0class=x>glued</p>to",
        "<p>a</p>" + "<span hidden>b</span><div style='display:none'><ul><li>c</ul></div>d" * 60,
        "<div><p title=\"a > b\" style='color:red'>c</p><b style='display:none' data-x='>'>d</b>e</div>",
    ],
)
def test_what_tags_tell_needs_no_blocks(fragment: str) -> None:
    assert same(fragment)


@pytest.mark.parametrize(
    "fragment",
    [
        "<div>3 < 4</div>",
        "<div>a<pre>b\n c</pre></div>",
        "<ol start=3><li>a</ol>",
        "<div><ul><li>a</div><li>b</ul>",
        "<ul><li><h3>a</h3>b</ul>",
        "<table><tr><td>a</td></tr>moved<tr><td>b</td></tr></table>",
        "<table><tr><th>a</th><td><ul><li>b<li>c</ul></td></tr></table>",
        "<table role=presentation><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
        "<p hidden>a<p>b",
        "<p>a<span hidden>b<br>c</span>d</p>",
        "<p>a<!-->b--></p>",
        '<p title="never closed>a</p><p>b</p>',
        "a</br>b",
    ],
)
def test_other_tags_are_asked_of_blocks(fragment: str) -> None:
    assert not same(fragment)


def test_noise_is_left_out_of_the_text_as_of_the_blocks() -> None:
    fragment = (
        "<div><p>Subscribe now!</p><p>A story of some length, long enough to be kept.</p>"
        "<ul><li>one<li>two<li>three</ul>"
        "<table><tr><td>a<td>b<tr><td>c</table><p>The end of the story, and it was a good one.</p></div>"
    )
    texts = [block.text for block in read(fragment, BASE).blocks]
    for out in (texts[:1], texts[2:4], texts[5:6], [texts[0], texts[3], texts[5]], texts):
        assert same(fragment, frozenset(map(hash_of, out)))


_INLINE = ["b", "i", "span", "a href='/x'", "span hidden", "font style='display: none'", "nobr", "x-y", 'a href="b>c"']
_BLOCKS = [*"p div h2 h3 ul ol li blockquote section figure figcaption".split(), "div aria-hidden='true'", "P", "LI"]
_TABLES = [*"table tr td td th tbody thead".split(), "table role='none'"]
_SPACED = ["a  b", "a\tb", "\u00a0c", "d\u3000e", "\x1f", "f\u00adg"]
_REFERRING = ["&amp;", "&am", "p;", "5 &lt; 6", "&#8217;", "&#x41;h", "&nosuch;", "&#1;"]
_text = st.sampled_from(["one", " two ", "three four", "\n", " ", "ünï", "שלום", "，", ">", "<", *_SPACED, *_REFERRING])
_void = st.sampled_from(
    [
        "<br>",
        "<br/><br>",
        "<hr>",
        "<img src='/p.jpg'>",
        "<!-- c -->",
        "<?x?>",
        "</div>",
        "</p>",
        "</td>",
        "<script>b<a</script>",
    ]
)


def _element(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(
        st.sampled_from([*_INLINE, *_BLOCKS, *_TABLES]), st.lists(inner, max_size=4), st.integers(0, 5)
    ).map(lambda made: f"<{made[0]}>{''.join(made[1])}" + (f"</{made[0].split()[0]}>" if made[2] else ""))


def _table(cell: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    cells = st.lists(st.tuples(st.sampled_from(["td", "td", "th"]), cell), min_size=1, max_size=3)
    return st.lists(cells, min_size=1, max_size=3).map(
        lambda rows: (
            "<table>"
            + "".join("<tr>" + "".join(f"<{name}>{inner}</{name}>" for name, inner in row) + "</tr>" for row in rows)
            + "</table>"
        )
    )


_fragment = st.recursive(
    _text | _void,
    lambda inner: _element(inner) | _table(inner) | st.lists(inner, max_size=4).map("".join),
    max_leaves=25,
).map(lambda inside: f"<div>{inside}</div>")


@given(_fragment)
@settings(max_examples=800, deadline=None)
def test_texts_are_those_of_the_blocks(fragment: str) -> None:
    same(fragment)


def test_many_hidden_tables_are_no_trouble() -> None:
    """What is outside a hidden element is counted once, not once for each."""
    hidden = "<div hidden><table><tr><td>x<td>y</table></div>"
    begin = time.thread_time()
    texts_of("<div>" + "<p>a</p>" * 50 + hidden * 20_000 + "</div>")
    assert time.thread_time() - begin < 10


def test_every_part_of_the_newspaper_says_the_same_without_blocks() -> None:
    told = tried = 0
    for file in sorted((newspaper.path() / "html").rglob("*.html"))[::3]:
        page = Page(file.read_bytes())
        elements = page.elements
        held = np.flatnonzero((elements.last - elements.first >= 3) & (elements.depth > 2))
        for element in held[:: max(1, len(held) // 6)].tolist():
            tried += 1
            told += same(page.source[int(elements.start[element]) : int(elements.end[element])])
    assert tried > 60
    assert told > 0.6 * tried


_PIECES = (
    *(
        "<a b=",
        '<a b="',
        "<a b='\"",
        '<a b="<a " ',
        '<a c=" d="',
        "<!--",
        "<!-- -",
        "<script>",
        "<noscript><",
        "&#1",
        "&amp",
    ),
    *("<p hidden>", "<span hidden><b>", "<b hidden><h2></h2></b>", "<p style='a'>", "<ul><li>", "<table><tr><td>"),
    *("<td>", "</td>", "<script ", "<", "a=", "style=", "<br>", "<ul><li>a</ul><table><tr><td>a<td>b<tr><td></table>"),
)


@pytest.mark.parametrize("piece", _PIECES)
def test_hostile_fragments_take_no_longer_the_longer_they_are(piece: str) -> None:
    texts_of("<div>" + piece * 20_000 + "</div>")  # with the square of it this would take minutes


# -- late articles ----------------------------------------------------------------------------------------------


def _cut() -> Iterator[Article]:
    """Articles that rules cut, each time as new."""
    reader = Reader()
    for number in range(5):
        reader.extract(village.page(number), village.address(number))
    picture = "<p>Before.</p><img src='/quay.jpg' alt='The quay'><p>Behind.</p><div"
    while True:
        found = reader.cut(village.page(8).replace("</p>\n<div", "</p>" + picture), village.address(8))
        assert found is not None
        yield found


@pytest.fixture(scope="module")
def late() -> Iterator[Article]:
    return _cut()


def _whole(article: Article) -> Article:
    return Article(**{one.name: getattr(article, one.name) for one in fields(Article)})


def _is_late(article: Article) -> bool:
    return article._body is not None


def test_text_and_fields_make_no_blocks(late: Iterator[Article]) -> None:
    article = next(late)
    text = article.text
    assert (article.title, article.direction) == (village.story(8)["title"], "ltr")
    assert _is_late(article)
    assert text == plain(article.blocks)
    assert not _is_late(article), "the source is let go of"
    assert article.text == text
    assert [image.alt for image in article.images] == ["The quay"]
    assert article.image == article.images[0]
    assert article.provenance["images"].startswith("rule")


def test_nobody_can_tell_a_late_article_from_a_whole_one(late: Iterator[Article]) -> None:
    whole = _whole(next(late))
    assert next(late) == whole
    assert whole == next(late)
    assert hash(next(late)) == hash(whole)
    assert repr(next(late)) == repr(whole)
    assert pickle.loads(pickle.dumps(next(late))) == whole  # noqa: S301  # our own
    assert copy.copy(next(late)) == whole
    assert copy.deepcopy(next(late)) == whole
    assert replace(next(late), title="Other") == replace(whole, title="Other")
    assert next(late).words == whole.words
    for name in FORMATS:
        assert render(next(late), name) == render(whole, name)


def test_what_is_no_field_is_not_there(late: Iterator[Article]) -> None:
    article = next(late)
    assert not hasattr(article, "nothing_of_the_kind")
    with pytest.raises(AttributeError, match="headline"):
        article.headline  # type: ignore[attr-defined]  # noqa: B018
    assert _is_late(article), "and nothing was made to find out"
    assert not hasattr(Article(), "_nothing")


def test_many_threads_get_the_same_blocks(late: Iterator[Article]) -> None:
    names = ["blocks", "image", "text", "provenance"] * 4
    for _ in range(20):
        article = next(late)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(getattr, [article] * len(names), names))
        assert found[0] == article.blocks
        assert found[1] == article.image
        assert found[2] == plain(article.blocks)


@pytest.mark.shared
def test_real_pages_say_the_same_without_blocks(shared_data: Path) -> None:
    cut = 0
    for samples in list(groups(load(shared_data / "sites")).values())[::6]:
        reader = Reader(audit_every=0)
        for sample in samples[:5]:
            reader.extract(sample.html, address(sample))
        for sample in samples[5:]:
            article = reader.cut(sample.html, address(sample))
            if article is not None:
                cut += 1
                assert article.text == plain(article.blocks)
    assert cut > 30
