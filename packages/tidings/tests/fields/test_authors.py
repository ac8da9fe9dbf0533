"""Authors: which statement goes before which, names made clean, and what is no author."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.fields import authors
from tidings.fields.authors import bylines
from tidings.fields.authors.names import MOST, is_handle, is_name, names
from tidings.fields.titles import choice as title_choice
from tidings.page import Page, Spans

TITLE = "Harbour bridge reopens"
STORY = "<p>After two years the harbour carries cars again. Ann Lee of the yard was there.</p>" * 4


def page(head: str = "", byline: str = "", language: str = "en") -> Page:
    site = '<meta property="og:site_name" content="Harbour Gazette">'
    body = f"<h1>{TITLE}</h1>{byline}{STORY}"
    return Page(f'<html lang="{language}"><head>{site}{head}</head><body>{body}</body></html>', "https://hg.example/a")


def ld(author: object, **more: object) -> str:
    told = {"@type": "Article", "headline": TITLE, "author": author} | more
    return f'<script type="application/ld+json">{json.dumps(told)}</script>'


def found(told: Page) -> tuple[tuple[str, ...], str]:
    result = authors.find(told, None, TITLE)
    return (result.value, result.by) if result else ((), "")


LD = ld({"@type": "Person", "name": "Ann Lee"})
META = '<meta name="author" content="Ann Lee">'
MARK = '<p class="byline">By <a rel="author">Ben Roe</a></p>'
LINE = "<p>By Cem Ay</p>"
PLACE = "<p>Dan Poe</p><p>14 March 2026</p>"


@pytest.mark.parametrize(
    ("head", "byline", "names", "by"),
    [
        (LD + META.replace("Ann", "Eve"), MARK, ("Ann Lee",), "json-ld author"),
        (META, MARK, ("Ann Lee",), "meta author"),
        ("", LINE + MARK, ("Ben Roe",), "byline element"),
        ("", LINE + PLACE, ("Cem Ay",), "byline"),
        ("", PLACE, ("Dan Poe",), "byline beside the date"),
        ("", "", (), ""),
    ],
)
def test_order(head: str, byline: str, names: tuple[str, ...], by: str) -> None:
    assert found(page(head, byline)) == (names, by)


@pytest.mark.parametrize(
    "author",
    [
        "Ann Lee, Ben Roe",
        ["Ann Lee", "Ben Roe"],
        [{"name": "Ann Lee"}, {"name": "Ben Roe"}],
        {"@list": [{"name": "Ann Lee"}, "Ben Roe"]},
        [{"@type": "Person", "name": "By Ann Lee"}, {"@type": "Person", "name": "Ben Roe, Staff Writer"}],
        [{"name": "Ann Lee &amp; Ben Roe"}],
        {"name": ["Ann Lee"]},
    ],
)
def test_shapes_of_json_ld(author: object) -> None:
    names, _ = found(page(ld(author), "<p>Ann Lee and Ben Roe</p>"))
    assert names[0] == "Ann Lee"
    assert names[1:] in {(), ("Ben Roe",)}
    assert len(names) == 2 or author == {"name": ["Ann Lee"]}


def test_reference_into_the_graph() -> None:
    graph = [
        {"@type": "Article", "headline": TITLE, "author": {"@id": "#ann"}},
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
    ]
    head = f'<script type="application/ld+json">{json.dumps({"@graph": graph})}</script>'
    assert found(page(head)) == (("Ann Lee",), "json-ld author")


def test_the_sites_own_name_gives_way_to_a_person() -> None:
    assert found(page(ld({"@type": "Organization", "name": "Harbour Gazette"}), MARK))[0] == ("Ben Roe",)


def test_the_sites_own_name_counts_only_where_a_byline_shows_it() -> None:
    own = ld({"@type": "Organization", "name": "Harbour Gazette"})
    assert found(page(own))[0] == ()
    assert found(page(own, "<p>By Harbour Gazette</p>"))[0] == ("Harbour Gazette",)


@pytest.mark.parametrize("kind", ["Organization", "Person"])
def test_a_news_article_may_declare_its_newsroom(kind: str) -> None:
    own = ld({"@type": kind, "name": "Harbour Gazette"}, **{"@type": "NewsArticle"})
    assert found(page(own))[0] == ("Harbour Gazette",)
    assert found(page(own, MARK))[0] == ("Ben Roe",)


def test_the_site_as_the_title_element_names_it() -> None:
    head = f'<title>Tidal Times - {TITLE}</title><meta name="author" content="Tidal Times">'
    assert found(page(head, MARK))[0] == ("Ben Roe",)


def test_account_names_give_way_to_a_byline() -> None:
    head = '<meta name="author" content="b.roe">'
    assert found(page(head, MARK))[0] == ("Ben Roe",)
    assert found(page(head))[0] == ("b.roe",)


def test_a_declared_name_that_no_reader_sees_gives_way_to_a_byline() -> None:
    head = ld("Eva Moss")
    assert found(page(head, MARK))[0] == ("Ben Roe",)
    assert found(page(head))[0] == ("Eva Moss",)


def test_a_site_that_has_the_name_of_its_author() -> None:
    """A personal site: what is declared to be a person and stands on the page is one."""
    own = page('<meta property="og:site_name" content="Ann Lee">' + LD)
    assert found(own)[0] == ("Ann Lee",)
    assert found(page('<meta property="og:site_name" content="Ann Lee">' + META))[0] == ("Ann Lee",)
    assert found(page('<meta name="author" content="Harbour Gazette">'))[0] == ()  # nowhere on the page


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("by Mara · Dec 20, 2026 at 3:00 am · One comment", "Mara"),
        ("Dec 20, 2026 by Ben Roe In News", "Ben Roe"),
        ("Geschrieben von kiesel am 20.12.2026", "kiesel"),
        ("By Ben Roe August 12, 2026 August 13, 2026", "Ben Roe"),
        ("Posted by mara", "mara"),
        ("Down by the harbour on Dec 20, 2026", ""),
        ("Reduced by up to 3 % on Dec 20, 2026", ""),
        ("Seen by nobody", ""),
    ],
)
def test_lines_that_tell_the_date_and_the_author(line: str, name: str) -> None:
    assert found(page("", f"<p>{line}</p>"))[0] == ((name,) if name else ())


def test_the_editor_in_charge_signs_in_brackets() -> None:
    assert found(page("", "<p>(责编：牛镛、岳弘)</p>", "zh"))[0] == ("牛镛", "岳弘")


@pytest.mark.parametrize("text", ["Categories: Uncategorized", "Head of Marketing", "Wellness & Prevention"])
def test_sections_and_offices_are_no_names(text: str) -> None:
    assert names(text) == ()


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Ann Lee, Chief Technology Officer & Head of Harbour Labs", "Ann Lee"),
        ("Ann Lee, Sr. Director of Operations", "Ann Lee"),
        ("Ann Lee, Master Horticulturalist & Garden Educator", "Ann Lee"),
        ("投稿者 Ann Lee", "Ann Lee"),
    ],
)
def test_what_somebody_is_is_no_name(line: str, name: str) -> None:
    assert names(line, loose=True) == (name,)


def test_a_firm_is_not_parted() -> None:
    assert names("Harbour Reuters Tax & Accounting") == ("Harbour Reuters Tax & Accounting",)
    assert names("Ann Lee & Ben Roe") == ("Ann Lee", "Ben Roe")


def test_links_to_profiles_that_are_not_side_by_side_are_of_others() -> None:
    line = '<p>By <a href="/author/ann">Ann Lee</a>{}<a href="/author/ben">Ben Roe</a></p>'
    assert found(page("", line.format(" and ")))[0] == ("Ann Lee", "Ben Roe")
    assert found(page("", line.format(" with thanks for the pictures to ")))[0] == ("Ann Lee",)


def test_a_byline_of_another_story_above_the_headline() -> None:
    above = '<div class="author">Eva Moss</div><p>' + "Other stories of the week in the town. " * 8 + "</p>"
    body = f'<h1>{TITLE}</h1><div class="author_cont">Ann Lee</div>{STORY}'
    assert found(Page(f'<html lang="en"><body>{above}{body}</body></html>', "https://hg.example/a"))[0] == ("Ann Lee",)


def test_several_marked_names_side_by_side() -> None:
    byline = '<p>By <a rel="author" href="/a">Ann Lee</a> and <a rel="author" href="/b">Ben Roe</a></p>'
    assert found(page("", byline))[0] == ("Ann Lee", "Ben Roe")


def test_names_glued_to_what_follows() -> None:
    byline = '<p class="author"><span>Ann Lee</span><span>Editor</span></p>'
    assert found(page("", byline))[0] == ("Ann Lee",)


def test_comments_and_portraits_are_no_bylines() -> None:
    byline = '<div class="comment-author">Troll Tom</div><div class="author-bio">Ann writes about boats</div>'
    assert found(page("", byline))[0] == ()


def test_written_by_counts_anywhere_at_the_beginning_of_a_line() -> None:
    far = "<p>A long way down the page it goes on and on.</p>" * 100
    assert found(page("", far + "<p>Written by Ben Roe</p>"))[0] == ("Ben Roe",)
    assert found(page("", far + "<p>He read a book written by Ben Roe</p>"))[0] == ()


def test_who_checked_is_not_who_wrote() -> None:
    assert found(page("", '<p class="byline">Fact checked by Ben Roe</p>'))[0] == ()


@pytest.mark.parametrize(
    ("line", "language", "expected"),
    [
        ("By Ann Lee and Ben Roe", "en", ("Ann Lee", "Ben Roe")),
        ("Written by: Ann Lee", "en", ("Ann Lee",)),
        ("Von Ann Lee und Ben Roe", "de", ("Ann Lee", "Ben Roe")),
        ("Ein Gastbeitrag von Ann Lee", "de", ("Ann Lee",)),
        ("Par Anne Légaré et Jean Roy", "fr", ("Anne Légaré", "Jean Roy")),
        ("Por Ana López y Luis Gil", "es", ("Ana López", "Luis Gil")),
        ("Di Anna Rossi", "it", ("Anna Rossi",)),
        ("Door Jan de Vries", "nl", ("Jan de Vries",)),
        ("Автор: Анна Ли", "ru", ("Анна Ли",)),
        ("Yazan: Ayşe Işık", "tr", ("Ayşe Işık",)),
        ("بقلم: سلمى الرافعي", "ar", ("سلمى الرافعي",)),
        ("نویسنده: نگار ساحلی", "fa", ("نگار ساحلی",)),
        ("מאת: רות לוי", "he", ("רות לוי",)),
        ("作者：王小明", "zh", ("王小明",)),
        ("記者／王小明", "zh", ("王小明",)),
    ],
)
def test_languages(line: str, language: str, expected: tuple[str, ...]) -> None:
    assert names(line) == expected
    assert found(page("", f'<p class="byline">{line}</p>', language))[0] == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("By Ann Lee | March 14, 2026", ("Ann Lee",)),
        ("Ann Lee, Senior Editor", ("Ann Lee",)),
        ("Ann Lee, Home and Digital Security Expert", ("Ann Lee",)),
        ("Ann Lee Redakteurin", ("Ann Lee",)),
        ("Ann Lee, MD, Ben Roe", ("Ann Lee, MD", "Ben Roe")),
        ("Ann Lee Updated March 14", ("Ann Lee",)),
        ("Ann Lee Mar 14", ("Ann Lee",)),
        ("Ann Lee • 5 min read", ("Ann Lee",)),
        ("Ann Lee (dpa)", ("Ann Lee",)),
        ("Ann Lee ann@gazette.example", ()),
        ("ann@gazette.example", ()),
        ("https://gazette.example/ann", ()),
        ("admin", ()),
        ("Posted by", ()),
        ("March 14, 2026", ()),
        ("Read more", ()),
        ("wegewerk GmbH", ()),
        ("Ludwig van der Berg", ("Ludwig van der Berg",)),
        ("The bridge was closed for two years", ()),
    ],
)
def test_names_made_clean(line: str, expected: tuple[str, ...]) -> None:
    assert names(line) == expected


def test_declared_names_may_be_unusual() -> None:
    assert names("ibby", loose=True) == ("ibby",)
    assert names("ibby") == ()
    assert names("Church and Life", loose=True) == ("Church and Life",)


def test_family_name_first_in_library_formats() -> None:
    assert found(page('<meta name="dc.creator" content="Lee, Ann">'))[0] == ("Ann Lee",)


@pytest.mark.parametrize(("name", "handle"), [("q_admin", True), ("ann.lee", True), ("Ann Lee", False), ("Ann", False)])
def test_handles(name: str, handle: bool) -> None:
    assert is_handle(name) is handle


def test_a_masthead_is_not_a_list_of_authors() -> None:
    letters = [chr(ord("A") + at) for at in range(20)]
    assert len(names("; ".join(f"Ann {letter}ee" for letter in letters), loose=True)) == MOST


@given(st.text(max_size=120))
def test_names_are_names(text: str) -> None:
    for name in names(text):
        assert is_name(name)
        assert name == name.strip()


def test_long_nonsense_is_read_to_a_limit() -> None:
    assert len(names("by " * 100_000)) <= 1
    assert names("Ann Lee, " * 100_000, loose=True) == ("Ann Lee",)


@pytest.mark.parametrize("author", [None, 7, [], [[]], {}, {"name": {}}, {"@id": "#x"}, {"@list": [{"@list": []}]}])
def test_odd_declarations(author: object) -> None:
    assert found(page(ld(author)))[0] == ()


#: A name of one word without spaces beside others, and two names with a dash between them: left out on purpose.
UNREAD = {"depeche/ja-harbour-bridge", "kiyi/kupa-roversin"}


@pytest.mark.parametrize("outlet", newspaper.outlets())
def test_the_sample_newspaper(outlet: str) -> None:
    for sample in newspaper.pages(outlet):
        if sample.page_type == "front" or sample.id in UNREAD:
            continue
        told = Page(sample.html, sample.url)
        title = title_choice.find(told)
        result = authors.find(told, None, title.value if title else "")
        assert list(result.value if result else ()) == list(sample.gold["authors"]), sample.id


def test_a_publisher_declared_as_author_gives_way_to_who_stands_under_the_headline() -> None:
    page = Page(
        '<head><meta name="author" content="Great Presses"><meta name="article:author" content="Ann Lee"></head>'
        f"<h1>The ferry came back</h1><p>Ann Lee</p>{'<p>The ferry came back to the harbour in the rain.</p>' * 40}"
        "<footer>All rights reserved, Great Presses</footer>"
    )
    found = authors.find(page, None, "The ferry came back")
    assert found is not None
    assert (found.value, found.by) == (("Ann Lee",), "meta article:author")


def test_a_declared_author_stays_where_the_page_shows_nobody_else() -> None:
    page = Page(
        '<head><meta name="author" content="Ann Lee"><meta name="article:author" content="Ben Ray"></head>'
        "<h1>The ferry came back</h1><p>The ferry came back to the harbour.</p><p>Ann Lee writes of ships.</p>"
    )
    found = authors.find(page, None, "The ferry came back")
    assert found is not None
    assert found.value == ("Ann Lee",)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("By Dr. Ann Lee, PhD", ("Dr. Ann Lee, PhD",)),
        ("By Ann Lee, MD, and Tom Roe, RN", ("Ann Lee, MD", "Tom Roe, RN")),
        ("By J. R. R. Stone and A.J. Reed", ("J. R. R. Stone", "A.J. Reed")),
        ("By Ann Lee, Political Editor", ("Ann Lee",)),
        ("By Ann Lee, BBC News, Berlin", ("Ann Lee",)),
        ("By Ann Lee, CNN", ("Ann Lee",)),
        ("By ANN LEE, Associated Press", ("ANN LEE",)),
        ("By Ann Lee, The Harbour Gazette", ("Ann Lee",)),
        ("By Ann Lee, Emily Post", ("Ann Lee", "Emily Post")),
        ("Von Dr. Anna Lehmann, Brüssel", ("Dr. Anna Lehmann",)),
    ],
)
def test_degrees_and_initials_stay_and_roles_and_outlets_go(line: str, found: tuple[str, ...]) -> None:
    assert names(line) == found


LINES = (
    "By Ann Lee",
    "by: ÄB Roe",
    "Author:",
    "Ann Lee",
    "AUTOR: x y",
    "作者:某人",
    "(文/某人",
    "text:\tB",
    "",
    "x By Ann",
    "İ",
    "ſtory by Ann",
)


@given(st.lists(st.sampled_from(LINES), max_size=6).map("\n".join))
def test_bylines_are_looked_for_at_the_beginnings_of_lines(text: str) -> None:
    expected = [match.span() for match in bylines._BY.finditer(text)]
    assert [match.span() for match in bylines._byline_lines(text)] == expected


@pytest.mark.parametrize(
    ("byline", "people"),
    [
        ("By Ann Lee and Ben Roe", ("Ann Lee", "Ben Roe")),
        ("By Ann Lee</p><p>and Ben Roe", ("Ann Lee", "Ben Roe")),
        ("Von Ann Lee, Cem Ay und Ben Roe", ("Ann Lee", "Cem Ay", "Ben Roe")),
        ("By Ann Lee and Ben Roe Harbour Staff and Harbour Correspondent", ("Ann Lee", "Ben Roe")),
        ("By Ann Lee, Harbour Gazette", ("Ann Lee",)),
        ("By Ann Lee and Harbour Gazette", ("Ann Lee",)),
        ("Cem Ay and Ben Roe", ("Ann Lee",)),
    ],
)
def test_a_byline_may_name_more_than_are_declared(byline: str, people: tuple[str, ...]) -> None:
    assert found(page(LD, f"<p>{byline}</p>"))[0] == people


@pytest.mark.parametrize("did", ["Photography by", "Photos by", "Styled by", "Fotos von", "Illustrations by"])
def test_who_took_the_pictures_did_not_write(did: str) -> None:
    both = ld([{"@type": "Person", "name": "Ann Lee"}, {"@type": "Person", "name": "Ben Roe"}])
    assert found(page(both, f"<p>By Ann Lee</p><p>{did} Ben Roe</p>"))[0] == ("Ann Lee",)
    assert found(page(both, "<p>By Ann Lee</p><p>With Ben Roe</p>"))[0] == ("Ann Lee", "Ben Roe")
    assert found(page(both, "<p>Photo: Ben Roe</p><p>By Ann Lee</p>"))[0] == ("Ann Lee", "Ben Roe")
    alone = page(ld({"@type": "Person", "name": "Ben Roe"}), f"<p>{did} Ben Roe</p>")
    assert found(alone)[0] == ("Ben Roe",)


@pytest.mark.parametrize(
    ("line", "life", "people"),
    [
        ("Eve Orr", "Eve Orr is a writer who has lived at the harbour for ten years.", ("Eve Orr",)),
        ("Eve Orr", "Eve Orr schreibt seit zehn Jahren über den Hafen und die Schiffe.", ("Eve Orr",)),
        ("Eve Orr", "Eve Orrick is a writer who has lived at the harbour for ten years.", ()),
        ("The Harbour", "The Harbour is a place that nobody has written about for ten years.", ()),
        ("Harbour Gazette", "Harbour Gazette is a paper that has been read for a hundred years.", ()),
    ],
)
def test_whose_life_is_told_behind_the_story(line: str, life: str, people: tuple[str, ...]) -> None:
    story = "<p>After two years the harbour carries cars again, and all the ferries are gone.</p>" * 4
    told = Page(
        f'<meta property="og:site_name" content="Harbour Gazette"><h1>{TITLE}</h1>{story}<h4>{line}</h4><p>{life}</p>',
        "https://hg.example/a",
    )
    content = Spans.of([(len(TITLE) + 1, told.text.rindex("gone.") + 5)], len(told.text))
    result = authors.find(told, content, TITLE)
    assert (result.value if result else ()) == people


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("Ann Lee The Associated Press", ("Ann Lee",)),
        ("Ann Lee Reuters", ("Ann Lee",)),
        ("Ann Lee, Head of Harbours and Bridges", ("Ann Lee",)),
        ("Guide by Ann Lee", ("Ann Lee",)),
        ("By The Harbour editors", ("The Harbour editors",)),
        ("Reading Time", ()),
        ("Lifestyle", ()),
        ("Press Staff", ("Press Staff",)),
    ],
)
def test_employers_offices_and_sections_are_no_part_of_a_name(line: str, people: tuple[str, ...]) -> None:
    assert names(line) == people


def test_one_word_is_a_name_behind_written_by() -> None:
    assert found(page("", "<p>Written by</p><p>Mara - Harbour writer</p>"))[0] == ("Mara",)


def test_a_team_beside_the_date() -> None:
    assert found(page("", "<p>Quay Team</p><p>March 14, 2026</p>"))[0] == ("Quay Team",)


def test_one_declared_word_gives_way_to_a_whole_name_under_the_headline() -> None:
    editor = ld({"@type": "Person", "name": "Heri"}, **{"@type": "NewsArticle"})
    assert found(page(editor, MARK)) == (("Ben Roe",), "byline element")
    assert found(page(editor, LINE)) == (("Cem Ay",), "byline")
    assert found(page(editor, '<p class="byline">By Heri</p>'))[0] == ("Heri",)
    assert found(page(editor, STORY * 4 + MARK))[0] == ("Heri",)  # far below: of another story


def test_the_name_in_an_element_further_in_goes_before_what_its_bearer_is() -> None:
    line = '<span class="author-name">Ben Roe</span> <span class="author-trade">Gardener &amp; Sailor</span>'
    assert found(page("", f'<div class="author-line">{line}</div>'))[0] == ("Ben Roe",)


def test_all_whom_another_meta_element_names_with_the_first() -> None:
    several = "".join(f'<meta name="citation_authors" content="{name}">' for name in ("Lee, Ann", "Roe, Ben"))
    assert found(page('<meta name="dc.creator" content="Ann Lee">' + several))[0] == ("Ann Lee", "Ben Roe")


def test_a_byline_that_was_read_to_its_first_word() -> None:
    named = '<meta property="og:site_name" content="Harbour On"><meta name="author" content="Harbour On">'
    assert found(page(named, "<p>Mar 14, 2026 by Harbour On</p>"))[0] == ("Harbour On",)


def test_the_line_above_the_headline_that_has_date_and_name() -> None:
    for line in ("Mar 14, 2026 | Ben Roe", "<span>Mar 14, 2026</span><span>Ben Roe</span>"):
        assert found(Page(f"<p>{line}</p><h1>{TITLE}</h1>{STORY}"))[0] == ("Ben Roe",)
    for line in ("<p>Ben Roe</p><p>Find Us</p>", "<p>Quay LifeMARCH 14, 2026</p>"):
        assert found(Page(f"{line}<h1>{TITLE}</h1>{STORY}"))[0] == ()


def test_names_that_begin_with_a_number() -> None:
    assert names("98 Quay Social", loose=True) == ("98 Quay Social",)
    assert names("262588213843476", loose=True) == names("98 Quay Social") == ()
