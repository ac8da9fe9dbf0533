"""Found by the review of issue 2: each test is the smallest page that shows the fault."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable

import numpy as np
import pytest

from tidings import newspaper
from tidings.page import Page, Spans

from . import lexbor


def visible(html: str) -> list[str]:
    page = Page(html)
    return page.visible.words(page)


def names_around(html: str, text: str) -> list[str]:
    page = Page(html)
    run = page.runs.text_start.tolist().index(page.text.index(text))
    names, owner = [], int(page.runs.element[run])
    while owner > 0:
        names.append(page.tag_names[page.elements.tag[owner]])
        owner = int(page.elements.parent[owner])
    return names


# -- parts of pages ---------------------------------------------------------------------------------------

WHOLE = Page("<div><p>one</p><p>two</p><p>three</p></div>")
PART = WHOLE.within(Spans.of([(0, 3), (8, 13)], len(WHOLE.text)))


@pytest.mark.parametrize(
    "choose",
    [
        lambda page: page.visible,
        lambda page: Spans.of_runs(page, [0, 1]),
        lambda page: Spans.of_blocks(page, [0, 1]),
        lambda page: Spans.of_elements(page, [0]),
        lambda page: page.shown(page.visible),
    ],
    ids=["visible", "of_runs", "of_blocks", "of_elements", "shown"],
)
def test_what_is_chosen_in_a_part_is_in_the_part(choose: Callable[[Page], Spans]) -> None:
    """Neighbours in a part need not be neighbours in the page: `two` lies between them."""
    assert choose(PART).words(PART) == ["one", "three"]


# -- hostile input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "html",
    ["<p>a &#{};</p>", "<p title='&#{};' style='display:block'>a</p>", "<pre>a &#{};</pre>"],
    ids=["text", "attribute", "pre"],
)
def test_a_character_reference_with_5000_digits_is_no_crash(html: str) -> None:
    """`int` refuses more than 4,300 digits with a ValueError, and `html.unescape` lets it through."""
    page = Page(html.format("1" * 5000))
    assert page.visible.words(page)[0] == "a"
    assert page.attributes(1).keys() <= {"title", "style"}
    assert len(page.source_of_text) == len(page.text) + 1


@pytest.mark.parametrize(
    "make",
    [
        lambda n: '<p style="' + "background " * n + '">end',
        lambda n: '<p style="' + "color " * n + '">end',
        lambda n: '<p style="' + "color " * n + "\n" + "background " * n + '">end',
    ],
)
def test_styles_are_searched_in_linear_time(make: Callable[[int], str]) -> None:
    page = Page(make(16_000))
    start = time.thread_time()
    assert page.visible.words(page) == ["end"]
    assert time.thread_time() - start < 1


@pytest.mark.parametrize(
    "data",
    [b"<script " * 10_000, b"<style>" * 10_000, b"<" * 100_000, b"<!-- " * 20_000],
    ids=["scripts", "styles", "less-than signs", "comments"],
)
def test_detection_takes_linear_time(data: bytes) -> None:
    start = time.thread_time()
    page = Page("<p>Café crème, s’il vous plaît</p>".encode("windows-1252") * 3 + data)
    assert time.thread_time() - start < 2
    assert "Caf" in page.text


@pytest.mark.parametrize("name", ["title", "textarea", "iframe", "noembed", "noframes"])
def test_raw_text_that_never_ends_is_kept_however_often_it_begins(name: str) -> None:
    words = Page(f"<{name}>x " * 100 + "end").text.split()
    assert words[-1] == "end"
    assert len(words) == 101


# -- decoding ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "L’été dernier, les élèves ont visité le château – « c’était magnifique ».",
        "La selección española ganó el partido con un gol en el último minuto. El público celebró la victoria.",
        "Die Brücke wird wieder für den Verkehr freigegeben, sagte die Bürgermeisterin. Es hätte länger gedauert.",
        "Il sindaco ha detto che il ponte riaprirà lunedì. La città è rimasta isolata per più di una settimana.",
    ],
    ids=["French", "Spanish", "German", "Italian"],
)
def test_western_text_without_a_label_is_windows_1252(text: str) -> None:
    """The web's default (HTML standard, 13.2.3.2). Detection answers cp1250, cp775, cp1258, even hp_roman8."""
    html = "<html><body>" + f"<p>{text}</p>" * 8 + "</body></html>"
    assert text in Page(html.encode("windows-1252")).text


@pytest.mark.parametrize(
    ("outlet", "encoding"), [("kiyi", "windows-1254"), ("migdal", "windows-1255"), ("tagblatt", "windows-1252")]
)
def test_a_newspaper_that_forgot_its_label_is_read(outlet: str, encoding: str) -> None:
    """Turkish is taken for Baltic (cp1257) on most pages, though they say `lang="tr"`."""
    wrong = []
    for sample in newspaper.pages(outlet):
        data = Page(sample.html).source.replace("charset=", "x=").encode(encoding, "xmlcharrefreplace")
        if Page(data).source != data.decode(encoding):
            wrong.append((sample.id, Page(data).encoding))
    assert wrong == []


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        ("ru", "koi8-r", "Правительство утвердило новый бюджет на следующий год, сообщили в министерстве."),
        ("ja", "euc-jp", "政府は本日、新しい経済計画を発表した。来年初めに実施される予定である。"),
        ("zh-TW", "big5", "政府今天宣布了一項新的經濟計劃，預計將在明年初開始實施。"),
        ("zh-Hant", "big5", "政府今天宣布了一項新的經濟計劃，預計將在明年初開始實施。"),
        ("zh-CN", "gb18030", "中国政府今天宣布了一项新的经济计划，预计将在明年初开始实施。"),
        ("sr", "windows-1250", "Vlada je juče usvojila novi budžet za sledeću godinu, saopšteno je iz ministarstva."),
        ("ru", "windows-1251", "Правительство утвердило новый бюджет на следующий год, сообщили в министерстве."),
        ("ja", "shift_jis", "政府は本日、新しい経済計画を発表した。来年初めに実施される予定である。"),
    ],
)
def test_a_language_has_more_than_one_encoding(language: str, encoding: str, text: str) -> None:
    """The language alone does not tell: almost all bytes can be read as windows-1251, gb18030 or half-width kana."""
    html = f'<html lang="{language}"><body>' + f"<p>{text}</p>" * 8 + "</body></html>"
    assert text in Page(html.encode(encoding)).text


def test_a_short_western_text_is_not_taken_for_utf_16() -> None:
    assert Page("<p>é".encode("windows-1252") * 20).encoding == "cp1252"


def test_letters_behind_the_sample_are_not_lost() -> None:
    """Detection looks at the first 32 KB; if they are ASCII it says so, and every other character is replaced."""
    english = "<p>Nothing to see here, all of it is plain English text and nothing else.</p>" * 600
    page = Page((english + "<p>Привет, это русский текст в конце длинной страницы.</p>" * 9).encode("windows-1251"))
    assert "\ufffd" not in page.text


def test_a_surrogate_pair_is_one_character() -> None:
    """As `json.loads` of half-escaped data gives it."""
    assert Page("<p>a \ud83d\ude00</p>").text == "a 😀"


@pytest.mark.parametrize("html", ["<p>\ufffd", "a\ufffd", "<b>\x07a"])
def test_one_odd_character_does_not_make_a_short_page_binary(html: str) -> None:
    assert Page(html).source == html


# -- attributes -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script>var a = "1"; type="application/ld+json"</script>x', {}),
        ("<script async src=a>if (b=c) d</script>x", {"async": "", "src": "a"}),
        ("<textarea rows=2>cols=3</textarea>x", {"rows": "2"}),
        ('<iframe src="a">title=b</iframe>x', {"src": "a"}),
        ("<title>a=b</title>x", {}),
    ],
)
def test_attributes_end_where_the_tag_ends(html: str, expected: dict[str, str]) -> None:
    assert Page(html).attributes(1) == expected


@pytest.mark.parametrize(
    "href",
    [
        "/a?id=5&section=3",
        "/a?b=1&copy=2",
        "/a?b&region=eu&para=1",
        "/a?b=1&ltd",
        "/a?b=1&amp;c=2&notify=1",
        "&lt;&copy;&copy",
    ],
)
def test_a_reference_without_semicolon_in_an_address_is_none(href: str) -> None:
    """13.2.5.73: in an attribute, followed by `=` or a letter or digit, it stands for itself."""
    html = f'<a href="{href}">x</a>'
    assert Page(html).attributes(1) == lexbor.attributes(html, "a")


# -- hidden -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;left:50%;margin-left:-480px;width:960px",
        "margin-top: -120px",
        "top:50%;margin-top:-150px",
        "left:-100%;width:900%",
    ],
)
def test_moving_a_box_a_little_does_not_hide_it(style: str) -> None:
    """The old way to centre a page, and how sliders and headers overlap; on wcxb's dev_0241 it hides the article."""
    assert visible(f'<div style="{style}"><p>story</p></div>') == ["story"]


def test_colours_may_stand_on_two_lines() -> None:
    assert visible('<p style="color:white;\nbackground:white">a</p>b') == ["b"]


# -- the tree ---------------------------------------------------------------------------------------------

TREES = {
    # ruby may be written without end tags, and readings are no text (13.2.6.4.7: rb, rtc, rp, rt)
    "ruby": "<ruby>漢<rp>(<rt>kan<rp>)<rt>x</ruby> b",
    # what table rows and cells close (13.2.6.4.9 ff.: clear the stack back to a table context)
    "row in a hidden div": "<table><div hidden><tr><td>a</table>",
    "cell in an object": "<table><object><td>a</table>",
    "row in a hidden caption": "<table><caption hidden>c<tr><td>a</table>",
    "cells outside a table": "<div hidden><td>a</div><td>b</td> c",
    # a formatting element takes what is no block with it (13.2.6.4.7: adoption agency)
    "link in link": "<a href=x><span hidden>a<a href=y>b</a>",
    "hidden span in block in link": "<a><blockquote><span hidden>a</a>b",
    # which elements an end tag passes (13.2.4.2: `dialog` is not special, `template` ends through anything)
    "dialog": "<span><dialog>a</span>b",
    "blocks in a dialog": "<dialog><div><p>a</dialog>b",
    "blocks in an open dialog": "<p>a<dialog open><div>b</dialog>c",
    "template": "<template><object>a</template>b",
    # `select` ends at `input` and at another `select`
    "input in select": "<select><option>a<input>b",
    "select in select": "<select><option>a<select>b",
    # an end tag of something that is not open does not end a picture
    "stray end in a picture": "<svg><g></span><text>a</text></svg>b",
    # the content of `xmp` is raw text
    "xmp": "<xmp><b>a</b></xmp>b",
    # in a script, `<!-->` and `<!--->` end the comment that they begin
    "comment in script": "<script><!---><script></script>a",
    # names are compared as ASCII: `ı` is no `i`, whatever `re.IGNORECASE` says
    "Turkish title": "<tıtle>a</tıtle>b",
    "Turkish script": "<scrİpt>a</scrİpt>b",
    # attributes: `=` may begin a name, and only ASCII white space parts them
    "equals sign first": '<p =">">a',
    "two equals signs": '<p ==">">a',
    "no-break space": '<p x=\xa0">">a',
}


@pytest.mark.parametrize("kind", TREES)
def test_the_words_are_those_of_a_browser(kind: str) -> None:
    html = "<body>" + TREES[kind]
    assert visible(html) == lexbor.visible_words(html)


def test_what_follows_a_misnested_end_is_not_in_the_hidden_span_any_more() -> None:
    """A browser moves the paragraph out of the span, `a` with it; here at least what follows is seen."""
    assert visible("<b><span hidden><p>a</b> b")[-1] == "b"


@pytest.mark.parametrize(
    ("html", "text", "names"),
    [
        ("<table><caption>c<tr><td>a", "a", ["td", "tr", "table"]),
        ("<table><colgroup><col><tr><td>a", "a", ["td", "tr", "table"]),
        ("<table><tr><td>b<caption>c<tr><td>a", "a", ["td", "tr", "table"]),
        ("<select><option>b<optgroup><option>a", "a", ["option", "optgroup", "select"]),
        ("<a><b>b<a>a", "a", ["a"]),
    ],
)
def test_ends_are_implied(html: str, text: str, names: list[str]) -> None:
    """`</caption>` and `</colgroup>` may be left out (13.1.2.4)."""
    assert names_around(html, text) == names


# -- nothing changes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["start", "end", "text_start", "text_end", "block"])
def test_the_columns_of_runs_cannot_be_written_to(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(Page("<p>a").runs, name)[0] = 9


def test_runs_cannot_be_exchanged() -> None:
    with pytest.raises(AttributeError):
        Page("<p>a").runs.start = np.zeros(1, np.int64)  # type: ignore[misc]


@pytest.mark.parametrize("name", ["code", "text", "run", "tag_start", "run_from", "run_to"])
def test_lines_cannot_be_written_to(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(Page("<p>a").lines(), name)[0] = 9


def test_the_way_back_of_a_page_without_text_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Page("<p>").source_of_text[0] = 9


def test_pickled_spans_cannot_be_written_to() -> None:
    again = pickle.loads(pickle.dumps(Spans.all(3)))  # noqa: S301  # our own bytes
    with pytest.raises(ValueError, match="read-only"):
        again.starts[0] = 1


def test_a_pickled_page_remembers_its_encoding() -> None:
    page = Page('<meta charset="koi8-r"><p>Привет</p>'.encode("koi8-r"))
    again = pickle.loads(pickle.dumps(page))  # noqa: S301  # our own bytes
    assert (again.encoding, again.encoding_source) == (page.encoding, page.encoding_source)


def test_a_pickled_page_keeps_its_offsets() -> None:
    """Each reading takes one byte order mark off; two templates in one page have two of them."""
    page = Page("\ufeff\ufeff<p>a")
    assert pickle.loads(pickle.dumps(page)).source == page.source  # noqa: S301  # our own bytes
