"""The scanner reads broken HTML as Lexbor does: the same words, in the same elements, with the same attributes."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st

from tidings.errors import EmptyPage
from tidings.page import Page

from . import lexbor, soup

ANYTHING = (
    *soup.tagged(soup.INLINE),
    *soup.tagged(soup.FLOW),
    soup.starts(soup.VOID),
    soup.ends([*soup.VOID, "br", "p"]),
    soup.nuls_and_line_ends,
    *map(st.sampled_from, (soup.COMMENTS, soup.RAW, soup.ODD_TAGS, soup.REFERENCES)),
)


def visible_words(source: str) -> list[str]:
    try:
        page = lexbor.ScannedPage(source)
    except EmptyPage:
        assume(False)
    return page.visible.words(page)


def as_a_parser_gets_it(source: str) -> str:
    """Without NULs and with plain line ends, as `decode` hands it on."""
    return source.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")


@given(soup.soup(*ANYTHING))
def test_soup_has_the_same_words(source: str) -> None:
    assert visible_words(source) == lexbor.visible_words(as_a_parser_gets_it(source))


@given(st.lists(soup.soup(*ANYTHING, size=6), min_size=1, max_size=4))
def test_soup_in_cells_has_the_same_words(cells: list[str]) -> None:
    source = "<table><tr><td>" + "<td>".join(cell.removeprefix("<body>") for cell in cells) + "</table> end"
    # What one cell leaves open, the table has to close.
    assert visible_words(source) == lexbor.visible_words(as_a_parser_gets_it(source))


@given(soup.soup(*soup.tagged(soup.TABLE), *soup.tagged(soup.FLOW), *soup.tagged(soup.INLINE)))
def test_wild_tables_lose_no_letter(source: str) -> None:
    """A browser moves stray text out of a table, here it stays; but no letter is lost or doubled."""
    ours, theirs = visible_words(source), lexbor.visible_words(source)
    assert Counter("".join(ours)) == Counter("".join(theirs))


@given(soup.soup(*soup.tagged(soup.FLOW), soup.hiding(soup.FLOW), soup.starts(soup.VOID)))
def test_soup_hides_the_same_words(source: str) -> None:
    assert visible_words(source) == lexbor.visible_words(source)


@given(soup.soup(*soup.tagged(soup.OTHERS), soup.hiding(soup.OTHERS)))
def test_soup_of_rare_elements_hides_the_same_words(source: str) -> None:
    assert visible_words(source) == lexbor.visible_words(source)


@given(soup.soup(st.just(" a "), soup.starts(soup.RUBY), soup.ends(soup.RUBY)))
def test_ruby_has_the_same_words(source: str) -> None:
    source = source.replace("<body>", "<body><ruby>") + "</ruby> b"
    assert visible_words(source) == lexbor.visible_words(source)


@given(soup.soup(*soup.tagged([*soup.FLOW, "li", "p", "dd", "option", "article"]), size=20))
def test_soup_makes_the_same_elements(source: str) -> None:
    page = Page(source)
    assert joined(ancestry(page)) == joined(lexbor.ancestry(source))


def ancestry(page: Page) -> list[tuple[str, list[str]]]:
    elements, found = page.elements, []
    for run in range(len(page.runs)):
        names, owner = [], int(page.runs.element[run])
        while owner > 0:
            names.append(page.tag_names[elements.tag[owner]])
            owner = int(elements.parent[owner])
        text = page.text[page.runs.text_start[run] : page.runs.text_end[run]]
        found.append((" ".join(text.split()), [name for name in names if name not in lexbor.MADE_UP]))
    return found


def joined(texts: list[tuple[str, list[str]]]) -> list[tuple[str, list[str]]]:
    """Neighbours in the same elements as one: a stray end tag ends a run, but not a text node."""
    found: list[tuple[str, list[str]]] = []
    for text, names in texts:
        if found and found[-1][1] == names:
            found[-1] = (found[-1][0] + text.replace(" ", ""), names)
        else:
            found.append((text.replace(" ", ""), names))
    return found


attribute_names = st.sampled_from(["href", "CLASS", "data-x", "a:b", "é", "x", "X", '"', "on.click"])
attribute_values = st.text(st.sampled_from("ab/?é>\"'&;=<` \n"), max_size=6)


@st.composite
def start_tags(draw: st.DrawFn) -> str:
    """A start tag with attributes in all the ways one can write them."""
    parts, blank = ["<div"], [" ", "\n", "\t"]
    between = [*blank, "/", " / "]
    for _ in range(draw(st.integers(0, 5))):
        name, value = draw(attribute_names), draw(attribute_values)
        equals = draw(st.sampled_from(["=", " = ", "=\n", "\t="]))
        written = {
            "none": "",
            "double": equals + '"' + value.replace('"', "") + '"',
            "single": equals + "'" + value.replace("'", "") + "'",
            "bare": equals + "v" + value.translate(dict.fromkeys(map(ord, " \n>"))),
        }
        kind = draw(st.sampled_from(sorted(written)))
        parts += [draw(st.sampled_from(between)), name, written[kind]]
        between = blank if kind == "bare" else [*blank, "/", " / "]  # a slash behind a bare value belongs to it
    return "".join(parts) + draw(st.sampled_from([">", " >", " />"])) + "x"


@given(start_tags())
def test_attributes_are_the_same(source: str) -> None:
    page = Page(source)
    assert page.attributes(1) == lexbor.attributes(source, "div")
