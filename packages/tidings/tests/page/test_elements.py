"""Elements: which tags end which, what range each one has, and its attributes."""

from __future__ import annotations

import pytest

from tidings.page import Page


def outline(html: str) -> str:
    """The tree as text: `ul(li li(p))`."""
    page = Page(html)
    names: list[str] = [page.tag_names[tag] for tag in page.elements.tag]
    parents = page.elements.parent.tolist()

    def show(element: int) -> str:
        inner = " ".join(show(child) for child, parent in enumerate(parents) if parent == element)
        return names[element] + (f"({inner})" if inner else "")

    return show(0)[1:-1]


@pytest.mark.parametrize(
    ("html", "tree"),
    [
        # one line for each kind of start tag in `tags.Start`
        ("<p>a<p>b", "p p"),
        ("<p>a<div>b</div>c", "p div"),
        ("<p>a<span>b<ul><li>c", "p(span) ul(li)"),
        ("<p><b>a<p>b", "p(b) p"),
        ("<p>a<h2>b", "p h2"),
        ("<h1>a<h2>b", "h1 h2"),
        ("<h1><b>a<h2>b", "h1(b(h2))"),
        ("<ul><li>a<li>b", "ul(li li)"),
        ("<ul><li><p>a<li>b", "ul(li(p) li)"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d", "ul(li(ul(li li)) li)"),
        ("<ul><li><div>a<li>b", "ul(li(div) li)"),
        ("<ol><li><blockquote>a<li>b", "ol(li(blockquote(li)))"),
        ("<dl><dt>a<dd>b<dt>c", "dl(dt dd dt)"),
        ("<dl><dd>a<dl><dt>b</dl><dt>c", "dl(dd(dl(dt)) dt)"),
        ("<select><option>a<option>b</select>", "select(option option)"),
        ("<table><tr><td>a<td>b<tr><td>c", "table(tr(td td) tr(td))"),
        ("<table><tr><th>a<td>b", "table(tr(th td))"),
        ("<table><thead><tr><th>a<tbody><tr><td>b<tfoot>", "table(thead(tr(th)) tbody(tr(td)) tfoot)"),
        ("<table><tr><td><table><tr><td>a<td>b</table><td>c", "table(tr(td(table(tr(td td))) td))"),
        ("<a>a<a>b", "a a"),
        ("<button>a<button>b", "button button"),
        ("<html><head><title>a</title><body>b", "html(head(title) body)"),
        ("<html><body>a<html><body>b", "html(body)"),
        ("<div>a<br>b<img>c</div>", "div(br img)"),
        # what an end tag reaches through, and what it does not
        ("<div><span>a</div>b", "div(span)"),
        ("<div><p>a</div><p>b", "div(p) p"),
        ("<p>a<button><p>b</button>c", "p(button(p))"),
        ("<table><tr><td><p>a</table><p>b", "table(tr(td(p))) p"),
        ("<div><table><tr><td>a</div>b</table>c<i>d", "div(table(tr(td)) i)"),
        ("<ul><li><span>a</li><li>b</ul>", "ul(li(span) li)"),
        ("<h1>a</h2><p>b", "h1 p"),
        ("<b><p>a</b>b", "b(p)"),
        ("<span><div>a</span>b<i>c", "span(div(i))"),
        ("a</div></p></li>b<i>c", "i"),
        ("<x-card><y-body>a</x-card>b<i>c", "x-card(y-body) i"),
        # nothing in a picture is an element
        ("<svg><g><path/><text>a</text></g></svg><p>b", "svg p"),
        ("<svg><g><p>b</p>", "svg p"),
        ("<div><svg><g></div><p>a", "div(svg) p"),
    ],
)
def test_ends_are_implied(html: str, tree: str) -> None:
    assert outline(html) == tree


def test_a_formatting_element_with_a_block_inside_ends_without_the_block() -> None:
    """The adoption agency, as far as it concerns which text is in what: `b` is not in the link any more."""
    page = Page("<a><div>a</a>b</div>")
    assert page.runs.in_link.tolist() == [True, False]
    assert page.runs.element.tolist() == [2, 2]


def test_nesting_stops_at_the_depth_of_browsers_and_nothing_is_lost() -> None:
    page = Page("".join(f"<div>{level} " for level in range(600)) + "</div>" * 600 + "<p>end")
    assert page.elements.depth.max() <= 512
    assert page.text.split() == [*map(str, range(600)), "end"]
    assert page.elements.parent[-1] == 0


def test_depth_counts_the_elements_around() -> None:
    page = Page("<div><p>a<p><b>b</b></div><hr>")
    assert page.elements.depth.tolist() == [0, 1, 2, 2, 3, 1]


@pytest.mark.parametrize(
    ("html", "element"),
    [
        ("x<p>a</p>y", "<p>a</p>"),
        ("<p>a<p>b", "<p>a"),
        ("<ul><li>a</ul>", "<ul><li>a</ul>"),
        ("x<br>y", "<br>"),
        ("<p>a", "<p>a"),
        ("<script>a<b</script>x", "<script>a<b</script>"),
        ("<svg><g></g></svg>x", "<svg><g></g></svg>"),
        ("<div>a</span>b</div>c", "<div>a</span>b</div>"),
    ],
)
def test_the_range_of_an_element_holds_its_tags(html: str, element: str) -> None:
    page = Page(html)
    assert page.source[page.elements.start[1] : page.elements.end[1]] == element


def test_element_0_is_the_document() -> None:
    page = Page(" <p>a</p> ")
    elements = page.elements
    first = (elements.tag[0], elements.parent[0], elements.depth[0], elements.start[0], elements.end[0])
    assert first == (0, -1, 0, 0, len(page.source))
    assert page.attributes(0) == {}


def test_elements_know_their_runs() -> None:
    page = Page("<div>a<p>b<i>c</i></p></div>d<hr>")
    held = {
        page.tag_names[tag]: [page.text[page.runs.text_start[run]] for run in range(first, last)]
        for tag, first, last in zip(page.elements.tag, page.elements.first, page.elements.last, strict=True)
    }
    assert held == {"": ["a", "b", "c", "d"], "div": ["a", "b", "c"], "p": ["b", "c"], "i": ["c"], "hr": []}


def test_tags_outside_the_standard_have_names_too() -> None:
    page = Page("<x-card>a</x-card><Story>b</story><X-CARD>c")
    assert [page.tag_names[tag] for tag in page.elements.tag[1:]] == ["x-card", "story", "x-card"]


def test_nearest_climbs_to_a_chosen_tag_or_the_document() -> None:
    from tidings.page.tag_sets import tag_set
    from tidings.page.tags import numbers

    page = Page("<div><b><i>a</i></b></div><u>b</u>")
    assert page.nearest(tag_set(numbers("div"))).tolist() == [0, 1, 1, 1, 0]


# -- attributes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<div>", {}),
        ('<div id="a">', {"id": "a"}),
        ("<div id='a'>", {"id": "a"}),
        ("<div id=a>", {"id": "a"}),
        ("<div id>", {"id": ""}),
        ("<div id=>", {"id": ""}),
        ('<div id = "a" >', {"id": "a"}),
        ('<div\nid\n=\n"a\nb"\n>', {"id": "a\nb"}),
        ('<div id="a"class="b">', {"id": "a", "class": "b"}),
        ('<div id="a" ID="b" Id=c>', {"id": "a"}),
        ('<DIV ID="A" DATA-X=B>', {"id": "A", "data-x": "B"}),
        ('<div title="a &amp; b &lt; &#39;c&#x27;">', {"title": "a & b < 'c'"}),
        ('<div title="a > b">', {"title": "a > b"}),
        ("<div title='say \"x\"'>", {"title": 'say "x"'}),
        ("<div id=a/>", {"id": "a/"}),
        ("<div id=a />", {"id": "a"}),
        ("<div/id=a/class=b>", {"id": "a/class=b"}),
        ("<div a/b>", {"a": "", "b": ""}),
        ("<div href=/a?b=c&d=e>", {"href": "/a?b=c&d=e"}),
        ('<div é="ü" @click="go" :x="y" data-x.y="z">', {"é": "ü", "@click": "go", ":x": "y", "data-x.y": "z"}),
        ('<div class="a" CLASS="b" class="c" Id="d">', {"class": "a", "id": "d"}),
        ('<div class="a&amp;b" id="c" class="d" >', {"class": "a&b", "id": "c"}),
        ('<div "a">', {'"a"': ""}),
        ('<div style="">', {"style": ""}),
    ],
)
def test_attributes_are_read_from_the_tag(tag: str, expected: dict[str, str]) -> None:
    assert Page(tag + "x").attributes(1) == expected


def test_an_attribute_whose_quote_never_closes_does_not_swallow_the_page() -> None:
    page = Page('<p>a<a href="x>b</a><p>c')
    assert page.text == "ab\nc"
