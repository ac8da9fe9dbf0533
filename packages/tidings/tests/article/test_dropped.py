"""What was left out, and why."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.article import Reason, dropped
from tidings.extractors import extractor
from tidings.page import Page, Spans

PAGE = """<nav><a href=a>Home</a></nav><p>Before it.</p><article><h1>Seals</h1><p>The story <b>begins</b>.</p>
<p hidden>Secret.</p><aside>Beside it.</aside><p><a href=x>Another</a> <a href=y>story</a></p><p>It ends.</p></article>
<p>Behind it.</p><div class="cookie-banner">We use cookies.</div><div id=comments><p>No comments yet.</p></div>
<form>Subscribe</form><footer>Imprint</footer>"""


def reasons(html: str, *words: str) -> dict[str, Reason]:
    page = Page(html)
    blocks = page.blocks
    texts = [page.text[start:end] for start, end in zip(blocks.text_start, blocks.text_end, strict=True)]
    chosen = Spans.of_blocks(page, [any(word in text for word in words) for text in texts])
    return {piece.text: piece.reason for piece in dropped(page, chosen)}


def test_each_reason() -> None:
    assert reasons(PAGE, "The story", "It ends") == {
        "Home": Reason.MENU,
        "Before it.": Reason.BEFORE,
        "Seals": Reason.BEFORE,
        "Secret.": Reason.HIDDEN,
        "Beside it.": Reason.ASIDE,
        "Another story": Reason.LINKS,
        "Behind it.": Reason.BEHIND,
        "We use cookies.": Reason.NOTICE,
        "No comments yet.": Reason.COMMENT,
        "Subscribe": Reason.FORM,
        "Imprint": Reason.FOOTER,
    }


def test_nothing_chosen() -> None:
    found = reasons(PAGE, "no such word")
    assert found["Before it."] is found["Behind it."] is Reason.NOT_CHOSEN
    assert found["Home"] is Reason.MENU


def test_what_was_not_chosen_of_a_block() -> None:
    page = Page("<p>one two three</p>")
    (first, last) = dropped(page, Spans.of([(4, 7)], len(page.text)))
    assert [(first.text, first.reason), (last.text, last.reason)] == [("one", Reason.BEFORE), ("three", Reason.BEHIND)]
    assert page.text[last.start : last.end].strip() == "three"


def test_hidden_text_is_dropped_even_if_it_was_chosen() -> None:
    page = Page("<p>one <i hidden>two</i></p>")
    (piece,) = dropped(page, Spans.all(len(page.text)))
    assert (piece.text, piece.reason) == ("two", Reason.HIDDEN)


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), max_size=6))
def test_chosen_and_dropped_are_the_whole_page(ranges: list[tuple[int, int]]) -> None:
    page = Page(PAGE)
    chosen = Spans.of(ranges, len(page.text))
    rest = Spans.of([(piece.start, piece.end) for piece in dropped(page, chosen)], len(page.text))
    kept = page.shown(chosen)
    assert not rest & kept
    left = ~(rest | kept)
    assert not left.text(page).strip()


def test_on_the_newspaper() -> None:
    for sample in newspaper.pages("gazette"):
        page = Page(sample.html)
        assert {piece.reason for piece in dropped(page, extractor("dana")(page))} > {Reason.MENU, Reason.FOOTER}
        break
