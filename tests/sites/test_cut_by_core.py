"""What the compiled core cuts out of a page is what the Python cuts out of it, and so are the reasons of doubt."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import examples
from tests.sites import village
from tidings import Page, Reader
from tidings.lab.corpora import load
from tidings.lab.studies.learned_sites import address, groups
from tidings.news import newspaper
from tidings.page.style_sheet import NO_STYLES
from tidings.sites.anchor import HOWS, Anchor, Condition, Step
from tidings.sites.compiled import Compiled, compiled
from tidings.sites.cut import TOLERANCE, PageCut, read_fields
from tidings.sites.fragment_text import fragments, text_of_fragment
from tidings.sites.noise import hash_of
from tidings.sites.pieces import Doubt, OtherMake, page_ranges, searched_ranges
from tidings.sites.rule import FIELDS, Expected, Rule, Template


def ranges(way: object, ready: Compiled, data: bytes) -> tuple[bool, str, list[int]] | str:
    try:
        found = (page_ranges if way == "core" else searched_ranges)(ready, data)
    except OtherMake as doubt:
        return str(doubt)
    return found.has_base, found.language, found.numbers[found.at :]


def same(template: Template, data: bytes) -> bool:
    """Whether both ways give the same; says whether it is more than a doubt."""
    ready = compiled(template)
    assert ready.rules is not None
    found = ranges("core", ready, data)
    assert found == ranges("Python", ready, data)
    return not isinstance(found, str)


_tags = st.sampled_from(["div", "p", "td", "tr", "table", "script", "span", "DIV", "x-y"])
_names = st.sampled_from(["id", "class", "data-x"])
_values = st.sampled_from(["a", "b", "ab", "a b", "a-b", "é", '"', "a>", "'"])
_conditions = st.lists(st.builds(Condition, _names, st.sampled_from(HOWS), _values), min_size=1, max_size=2)
_anchors = st.builds(Anchor, _tags, st.just(())) | st.builds(Anchor, _tags | st.just(""), _conditions.map(tuple))
_texts = st.sampled_from(["<p>", "a", "</", ">", "<div", "class=", '"', "é", "--"])
_paths = st.lists(st.builds(Step, _tags, st.integers(1, 2)), min_size=1, max_size=3)
_each = st.booleans()


def _by_path(field: str, steps: list[Step], inside: Anchor | None) -> Rule:
    return Rule(field, anchor=Anchor(steps[-1].tag), path=tuple(steps), inside=inside)


def _rules(field: st.SearchStrategy[str]) -> st.SearchStrategy[Rule]:
    inside = st.none() | _anchors
    reach = st.sampled_from([0, 0, 30, 10_000])
    starts = st.sampled_from(["", "", "<div", "<p ", '<div class="a"', "<td>"])
    elements = st.builds(Rule, field, anchor=_anchors, inside=inside, each=_each, reach=reach, starts=starts)
    asking = st.builds(Rule, field, anchor=_anchors, attribute=_names, each=_each, reach=reach)
    between = st.builds(Rule, field, left=_texts, right=_texts, inside=inside, each=_each, reach=reach)
    return elements | asking | between | st.builds(_by_path, field, _paths, inside)


def _trimmed(anchor: Anchor, left: str, right: str) -> Rule:
    return Rule("main", anchor=anchor, left=left, right=right)


_MAIN = st.just("main")
_main = _rules(_MAIN) | st.builds(_trimmed, _anchors, _texts | st.just(""), _texts | st.just(""))
_templates = st.builds(
    lambda main, noise, fields, several, expected: Template(
        rules=(*main, *noise, *fields), several=several, expected=expected
    ),
    st.lists(_main, min_size=1, max_size=2),
    st.lists(_rules(st.just("uninformative")), max_size=2),
    st.lists(_rules(st.sampled_from(FIELDS)), max_size=3),
    st.booleans(),
    st.builds(Expected, markers=st.lists(_texts, max_size=2).map(tuple), reach=st.sampled_from([0, 0, 50])),
)
_quoted = st.builds("{0}{1}{0}".format, st.sampled_from(['"', "'", ""]), _values | st.just("x a b"))
_attributes = st.builds("{}{}={}".format, st.sampled_from([" ", "\n", "/", ""]), _names, _quoted) | st.just(" id = a")
_opened = st.builds("<{}{}>".format, _tags, st.lists(_attributes, max_size=3).map("".join))
_odd = st.sampled_from(
    ["<!--", "-->", "<!-->", "<script>", "</script >", "<STYLE>", "</style>", "<style", "<script", "</SCRIPTS>", "<",
     "</", ">", "<div", "</div", "<noscript>", "</noscript>", "<base href=x>", "</>", "<1>", "<é>"]
)  # fmt: skip
_pages = st.lists(_opened | _tags.map("</{}>".format) | _texts | _odd | st.just("some text"), max_size=30)


@given(_templates, _pages.map("".join))
@examples(300)
def test_made_up_rules_cut_made_up_pages_alike(template: Template, page: str) -> None:
    same(template, page.encode())


@given(_anchors, st.lists(_attributes, max_size=4).map("".join))
@examples(200)
def test_conditions_are_met_alike(anchor: Anchor, attributes: str) -> None:
    tag = anchor.tag or "div"
    same(Template(rules=(Rule("main", anchor=anchor),)), f"<{tag}{attributes}>text</{tag}>".encode())


_signs = st.sampled_from(
    ["a", "B", " ", "\t", "\n", "  ", "\u00a0", "\u3000", "\u200b", "\x1f", "\x00", "é", "語", "😀", "&amp;", "&",
     "&nbsp;", "&#8217;", "&#xd800;", "&eacute", "&#" + "9" * 20 + ";", "<b>", "</b>", "<br>", "<", "|", "\udcff"]
)  # fmt: skip


def fields(ready: Compiled, data: bytes) -> tuple[str, str]:
    """What both ways say of the fields of a page."""
    values = []
    for one in (page_ranges(ready, data, fragments()), searched_ranges(ready, data)):
        page = PageCut(ready, data, "http://a.example/", "http://a.example/", one, TOLERANCE)
        try:
            values.append(repr(read_fields(page)))
        except Doubt as doubt:
            values.append(str(doubt))
    return values[0], values[1]


_field = st.sampled_from(["title", "published", "tags", "canonical", "image", "section"])


@given(st.lists(_signs, max_size=12).map("".join), _field, _each)
@examples(300)
def test_what_fields_say_is_told_alike(said: str, field: str, each: bool) -> None:
    rules = (Rule("main", anchor=Anchor("p")), Rule(field, left="[", right="]", each=each), Rule("section", value="x"))
    data = f"<p>text é</p>[{said}][ two]".encode("utf-8", "surrogateescape")
    ready = compiled(Template(rules=rules))
    core, spec = fields(ready, data)
    assert core == spec
    found = page_ranges(ready, data, fragments())
    assert found.numbers[found.at] < 0 or "<" in said or "\udcff" in said


@pytest.mark.parametrize(
    "address",
    ["http://a.example/b", "https://a.example/b?c=d#e", "HTTP://a.example/", "http://-a", "http://", "https:///a", "/b",
     "http://a.example/é", "http://a.example/b c", "mailto:a@b.example", "http://a.example/<b>", "http://ſ.example/"],
)  # fmt: skip
@pytest.mark.parametrize("field", ["canonical", "image"])
def test_addresses_of_fields_are_told_alike(address: str, field: str) -> None:
    rules = (Rule("main", anchor=Anchor("p")), Rule(field, left="[", right="]"))
    core, spec = fields(compiled(Template(rules=rules)), f"<p>text</p>[{address}]".encode())
    assert core == spec


_markup = st.sampled_from(
    ["<b>", "</b>", "<br>", "<P class=a>", "</p", "<pé>", "<li/>", "<h1", "<h7>", "<a title='<p>'>", "<!-- <p> -->",
     "<!--", "-->", "<script>x</script>", "<style>", "<ſection>", "<span hidden>", "<i style='display:none'>", "</i>",
     "<i class=gone>", "<br_>", "<table><tr><th>1<td>2<tr><td>3<td>4</table>", "< b>", "</ p>"]
)  # fmt: skip


@given(
    st.lists(_signs | _markup, max_size=12).map("".join),
    st.sampled_from(["title", "authors"]),
    _each,
    st.sampled_from(["", "<style>.gone { display: none }</style>"]),
)
@examples(400)
def test_what_elements_say_is_told_alike(said: str, field: str, each: bool, styles: str) -> None:
    rules = (Rule("main", anchor=Anchor("main")), Rule(field, anchor=Anchor("x-y"), each=each))
    data = f"{styles}<main>text é</main><x-y>{said}</x-y> <x-y a>two</x-y>".encode("utf-8", "surrogateescape")
    core, spec = fields(compiled(Template(rules=rules)), data)
    assert core == spec


_blocks = st.lists(
    st.sampled_from(
        ["é", "a", " ", "😀", "<p>", "<li>", "<ol><li>", "</ol>", "<br>", "語", "שלום", "\u00ad", "ก\u200b", "\u200b",
         "<p>repeated</p>", "<ul><li>repeated</ul>", "<a href=b>c</a>"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(_blocks, st.sampled_from([frozenset[int](), frozenset({hash_of("repeated"), 7, -1})]))
@examples(300)
def test_the_finished_text_is_the_same(inner: str, noise: frozenset[int]) -> None:
    template = Template(rules=(Rule("main", anchor=Anchor("div")),), noise=noise)
    fragment = f"<div>x{inner}</div>"
    found = page_ranges(compiled(template), fragment.encode(), fragments()).text
    spec = text_of_fragment(fragment, NO_STYLES)
    assert found is not None
    assert spec is not None
    assert found == spec.finished(noise)


_WHOLE = Template(rules=(Rule("main", anchor=Anchor("div")),))
_roots = st.sampled_from(
    ["<html", "<HTML", "<htmlx", " ", "\n", ">", "/", "lang", "LANG", "xml:lang", "=", '"', "'", "de", "pt-BR", "e",
     "eng", "é", " x" * 600]
)  # fmt: skip


@given(st.lists(_roots, max_size=14).map("".join), st.sampled_from(["", "x" * 4080]))
@examples(300)
def test_the_declared_language_is_told_alike(root: str, before: str) -> None:
    same(_WHOLE, f"{before}<html{root}<div>text</div>".encode())


def test_a_root_declares_a_language() -> None:
    data = b'<!doctype html><HTML class=a  Lang = "sv-SE"><div>text</div>'
    assert page_ranges(compiled(_WHOLE), data).language == searched_ranges(compiled(_WHOLE), data).language == "sv"


def test_many_ranges_have_room() -> None:
    template = Template(rules=(Rule("main", anchor=Anchor("p"), each=True),))
    assert same(template, b"<p>a</p><b>c</b>" * 900)


def test_a_page_may_be_empty() -> None:
    assert not same(Template(rules=(Rule("main", anchor=Anchor("p")),)), b"")


def _learned(pages: list[tuple[bytes | str, str]]) -> list[Template]:
    reader = Reader(audit_every=0)
    for data, url in pages[:5]:
        reader.extract(data, url)
    return [known.template for name in reader.memory.names() for known in reader.memory.site(name).templates]


def test_the_newspaper_is_cut_alike() -> None:
    pages = [file.read_bytes() for file in sorted((newspaper.path() / "html").rglob("*.html"))]
    (template,) = _learned([(village.page(number), village.address(number)) for number in range(5)])
    assert all(same(template, village.page(number).encode()) for number in range(5, 15))
    cut = 0
    for data in pages[::4]:
        page = Page(data)
        for element in range(1, len(page.elements), 7):
            found = page.attributes(element)
            tag = page.tag_names[page.elements.tag[element]]
            anchor = Anchor.of(tag, id=found.get("id", ""), classes=found.get("class", ""))
            cut += same(Template(rules=(Rule("main", anchor=anchor),)), data)
    assert cut > 100


@pytest.mark.shared
def test_real_pages_are_cut_alike(shared_data: Path) -> None:
    served = 0
    for samples in list(groups(load(shared_data / "sites")).values())[::4]:
        pages = [(sample.html, address(sample)) for sample in samples]
        for template in _learned(list(pages)):
            served += sum(same(template, data) for data, _ in pages)
    assert served > 60
