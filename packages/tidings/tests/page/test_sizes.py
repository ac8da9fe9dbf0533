"""Pages made to hurt (HOSTILE 15): they take seconds, not minutes, grow no worse than linearly, and keep their text.

The bounds are for safety: they are many times what a page takes, and fail only when something is quadratic.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import tidings
from tidings.page import Page

Maker = Callable[[int], str]
Growth = Callable[[Callable[[], object], Callable[[], object]], float]

INLINE = "a b i em span font code nobr u small label strong".split()
BLOCK = "p div ul li dl dt dd h1 section blockquote pre button form fieldset table tr td option object template".split()

#: What to make of a number, and the number for the full size. Each ends in the word `end`.
KINDS: dict[str, tuple[Maker, int]] = {
    "nested divs": (lambda n: "<div>" * n + "end" + "</div>" * n, 50_000),
    "nested divs with text": (lambda n: "<div>x" * n + " end" + "</div>" * n, 50_000),
    "tiny paragraphs": (lambda n: "<p>x</p>" * n + "end", 50_000),
    "a large attribute": (lambda n: f'<p title="{"x" * n}">end</p>', 5_000_000),
    "a large attribute of entities": (lambda n: f'<p hidden=until-found title="{"&amp;" * n}">end</p>', 500_000),
    "many attributes": (lambda n: f"<p {'a=b ' * n}>end</p>", 200_000),
    "many less-than signs": (lambda n: "<" * n + " end", 1_000_000),
    "many less-than signs apart": (lambda n: "< " * n + " end", 500_000),
    "links whose quote is never closed": (lambda n: "x<a href='>" * n + " end", 50_000),
    "quotes that are never closed, each in the next": (
        lambda n: "b='<textarea<iframe b='<title>" * n + "<p' title=x> end",
        30_000,
    ),
    "links with no end at all": (lambda n: "end " + '<a href="' * n, 100_000),
    "comments that never end": (lambda n: "end " + "<!--" * n, 100_000),
    "one comment of dashes": (lambda n: "end <!--" + "-" * n, 1_000_000),
    "tables in paragraphs, then divs": (lambda n: "<p><table><td><b>" * n + "<div>x" * n + " end", 20_000),
    "tables in tables": (lambda n: "<table><tr><td>x" * n + " end", 20_000),
    "nested pictures": (lambda n: "end " + "<svg>" * n, 50_000),
    "pictures": (lambda n: "<svg><path/></svg>x" * n + " end", 20_000),
    "pictures with text in them": (lambda n: "<svg><foreignObject><div>x</svg>" * n + " end", 10_000),
    "pictures with a closed style": (lambda n: "<svg><style/></svg>x" * n + " end", 20_000),
    "options": (lambda n: "<select><option>x" * n + " end", 20_000),
    "scripts that never end": (lambda n: "end " + "<script>x" * n, 50_000),
    "scripts in comments in scripts": (lambda n: "end <script>" + "<!--<script>x</script>-->" * n, 50_000),
    "broken tags": (lambda n: "end " + "</ <! <? <a = " * n, 50_000),
    "character references": (lambda n: "&amp;&#65;&ampx & " * n + "end", 50_000),
    "ampersands": (lambda n: "&" * n + " end", 500_000),
    "white space": (lambda n: " \n" * n + "end", 1_000_000),
    "one long word": (lambda n: "x" * n + " end", 1_000_000),
    "line breaks": (lambda n: "<br>x" * n + " end", 50_000),
    "misnested": (lambda n: "<a><b><p>x</a></b>" * n + " end", 20_000),
    "misnested deep": (lambda n: "<b>" * 400 + "<div></b>x" * n + " end", 5_000),
    "formatting closed through blocks": (
        lambda n: ("<b>" * 250 + "<div>" * 250 + "x</b>" * 250 + "</div>" * 250) * n + " end",
        60,
    ),
    "list items at the bottom": (lambda n: "<span>" * 500 + "<li>x" * n + " end", 5_000),
    "headings closed at the bottom": (lambda n: "<span>" * 500 + "</h1>x" * n + " end", 10_000),
    "ends of what is not open": (lambda n: "</div></p></b>x" * n + " end", 20_000),
    "styles": (lambda n: "".join(f'<p style="background:#{number}">x' for number in range(n)) + " end", 20_000),
    "preformatted": (lambda n: "<pre>x\n</pre>" * n + "end", 20_000),
}
#: Tags that are opened and never closed. `template` and `object` hide what they hold, but it is there.
KINDS |= {f"unclosed {name}": (lambda n, name=name: f"<{name}>x " * n + " end", 20_000) for name in INLINE + BLOCK}  # type: ignore[misc]


def use(source: str) -> Page:
    """Make a page and all its columns."""
    page = Page(source)
    assert len(page.elements) >= 1
    assert page.visible.source_ranges(page) is not None
    assert len(page.blocks) <= len(page.runs)
    assert len(page.source_of_text) == len(page.text) + 1
    page.lines()
    return page


@pytest.mark.parametrize("kind", KINDS)
def test_it_takes_seconds_and_keeps_the_text(kind: str) -> None:
    make, size = KINDS[kind]
    source = make(size)
    start = time.thread_time()
    page = use(source)
    assert time.thread_time() - start < 10
    assert "end" in page.text.split()


@pytest.mark.parametrize("kind", KINDS)
def test_four_times_the_page_takes_less_than_eight_times_as_long(kind: str, growth: Growth) -> None:
    make, size = KINDS[kind]
    small, large = make(size // 8), make(size // 2)
    assert growth(lambda: use(small), lambda: use(large)) < 8


# -- more tags than any page has (HOSTILE 30) -------------------------------------------------------------------


def test_behind_the_most_tags_nothing_is_read_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.page.cut.MAX_TAGS", 6)
    source = "<p>one</p><p>two</p><p>three</p> more <p>four</p><p>five</p>"
    page = Page(source)
    assert page.text == "one\ntwo\nthree\nmore"
    assert page.source == source
    assert page.is_cut
    assert "truncated" in tidings.extract(source).marks
    assert page.cut.tag_end[-1] == page.elements.end[0] == len(source)
    whole = Page(source[: source.index("<p>four")])
    assert whole.text == page.text
    assert not whole.is_cut
    assert "truncated" not in tidings.extract(whole).marks


@pytest.mark.parametrize("before", ['<a title="', "<title>", "<svg><style/></svg>"])
def test_what_never_ends_brings_no_more_tags(monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    monkeypatch.setattr("tidings.page.cut.MAX_TAGS", 50)
    page = Page(before + ">" + "<p>x</p>" * 1000)
    assert page.is_cut
    assert len(page.cut.codes) <= 53
    assert 1 < len(page.text.split()) < 30
