"""The choice among everything that may be the headline."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.fields.keys import plain
from tidings.fields.titles import choice as title_choice
from tidings.fields.titles.candidates import cuts, gather
from tidings.fields.titles.features import features
from tidings.fields.titles.site_names import host_names, site_names
from tidings.page import Page, Spans
from tidings.text import fold_space

STORY = "<p>After two years the harbour carries cars again. Engineers had found cracks in the old piers.</p>" * 4
TITLE = "Harbour bridge reopens after two years"


def page(head: str = "", body: str = f"<h1>{TITLE}</h1>", url: str = "https://www.harbour-gazette.example/a") -> Page:
    return Page(f"<html><head>{head}</head><body>{body}{STORY}</body></html>", url)


def chosen(found: Page) -> tuple[str, str]:
    told = title_choice.find(found)
    assert told is not None
    return told.value, told.by


def og(title: str) -> str:
    return f'<meta property="og:title" content="{title}">'


def ld(headline: str) -> str:
    return f'<script type="application/ld+json">{json.dumps({"@type": "NewsArticle", "headline": headline})}</script>'


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("Bridge reopens at last - Harbour Gazette", "Bridge reopens at last"),
        ("Harbour Gazette | Bridge reopens at last", "Bridge reopens at last"),
        ("港の橋が二年ぶりに開通した｜毎日港新聞", "港の橋が二年ぶりに開通した"),
        ("港の橋が二年ぶりに開通した : 毎日港新聞", "港の橋が二年ぶりに開通した"),
        ("Harbour Gazette: why we moved", "Harbour Gazette: why we moved"),  # a colon before is the headline's own
        ("Bridge - what the Gazette knows", "Bridge - what the Gazette knows"),
        ("Jobs | Harbour Gazette", "Jobs | Harbour Gazette"),  # too short to be a headline
        ("Harbour Gazette - harbourgazette", "Harbour Gazette - harbourgazette"),
    ],
)
def test_declared_headlines_lose_the_name_of_the_site(title: str, kept: str) -> None:
    assert title_choice.without_site(title, frozenset({"harbourgazette", "毎日港新聞"})) == kept


def test_a_headline_with_the_name_on_every_source_loses_it() -> None:
    named = f"{TITLE} - Harbour Gazette"
    assert chosen(page(og(named) + ld(named), f"<h1>{named}</h1>")) == (TITLE, "h1")


@pytest.mark.parametrize("dots", ["...", "…", " …"])
def test_a_headline_that_was_cut_short_is_taken_whole(dots: str) -> None:
    head = og(f"Harbour bridge reopens{dots}") + ld(f"Harbour bridge reopens{dots}")
    assert chosen(page(head, f"<h1>{TITLE}</h1>"))[0] == TITLE


# -- choosing ----------------------------------------------------------------------------------------------------


def test_heading_and_declared_titles_agree() -> None:
    assert chosen(page(og(TITLE) + ld(TITLE))) == (TITLE, "h1")


def test_agreement_looks_through_quotes_and_keeps_the_page_s_own() -> None:
    assert chosen(page(og("The 'old' piers"), "<h1>The ‘old’ piers</h1>"))[0] == "The ‘old’ piers"


@pytest.mark.parametrize("name", ["Harbour Gazette", "harbour-gazette.example", "The Harbour Gazette"])
@pytest.mark.parametrize("pattern", ["{} - {}", "{} | {}", "{} – {}", "{} :: {}"])
def test_name_of_the_site_is_cut_off(name: str, pattern: str) -> None:
    title = f"<title>{pattern.format(TITLE, name)}</title>"
    assert chosen(page(title, ""))[0] == TITLE
    assert chosen(page(title + og(pattern.format(TITLE, name)), f"<h1>{name}</h1><h2>{TITLE}</h2>"))[0] == TITLE


def test_the_heading_that_resembles_the_title_not_the_logo() -> None:
    body = f"<header><h1><a href='/'>Harbour Gazette</a></h1></header><h1>{TITLE}</h1>"
    assert chosen(page(f"<title>{TITLE} | Harbour Gazette</title>", body)) == (TITLE, "h1")


def test_a_dash_inside_the_headline_is_no_separator() -> None:
    title = "Ferry - an obituary"
    head = f"<title>{title} | Harbour Gazette</title>" + og(title)
    assert chosen(page(head, f"<h1>{title}</h1>"))[0] == title


def test_page_without_headings_is_titlefinders() -> None:
    body = f"<div>News</div><div><b>{TITLE}: the ferry goes</b></div><div>Weather</div>"
    head = f"<title>Harbour Gazette - City : {TITLE}: the ferry goes</title>"
    assert chosen(page(head, body)) == (f"{TITLE}: the ferry goes", "text like the title element")


def test_nothing_to_choose_from() -> None:
    assert title_choice.find(Page("<p>Some words.</p>")) is None


def test_hidden_heading_loses_against_a_shown_one() -> None:
    body = f'<h1 style="display:none">Gazette app</h1><h1>{TITLE}</h1>'
    assert chosen(page(f"<title>{TITLE}</title>", body))[0] == TITLE


def test_hidden_part_of_a_heading_is_left_out() -> None:
    assert chosen(page("", f"<h1><span hidden>Article: </span>{TITLE}</h1>"))[0] == TITLE


def test_content_is_evidence() -> None:
    body = "<h1>First of two headings here</h1><p>Teaser.</p><h1>Second of two headings here</h1>"
    found = page("", body)
    start = found.text.index("Second")
    content = Spans.of([(start, len(found.text))], len(found.text))
    rows = features(found, gather(found), content)
    assert [("near content" in row, "before content" in row) for row in rows] == [(True, True), (True, False)]


# -- the parts ---------------------------------------------------------------------------------------------------


def test_cuts() -> None:
    found = {(piece, which) for piece, which, _ in cuts("A b - C d | E f")}
    assert found == {
        ("A b", "short front"), ("A b - C d", "front"), ("C d | E f", "back"), ("E f", "short back"), ("C d", "middle"),
    }  # fmt: skip


@given(st.text(max_size=200))
def test_cuts_are_pieces(title: str) -> None:
    for piece, _, rest in cuts(title):
        assert piece in title
        assert rest in title


def test_equal_candidates_are_one() -> None:
    found = gather(page(og(TITLE) + ld(TITLE) + f"<title>{TITLE} - Gazette</title>"))
    one = next(candidate for candidate in found if plain(candidate.text) == TITLE)
    assert one.by == ["h1", "ld", "og", "title front"]
    assert one.rest == "Gazette"


@pytest.mark.parametrize(
    ("address", "names"),
    [
        ("https://www.harbour-times.co.uk/a", {"harbourtimescouk", "harbourtimes"}),
        ("https://blog.gazette.example/", {"bloggazetteexample", "gazette"}),
        ("http://[::1", set()),
        ("", set()),
    ],
)
def test_names_in_an_address(address: str, names: set[str]) -> None:
    assert set(host_names(address)) == names


def test_names_a_site_declares() -> None:
    head = '<meta property="og:site_name" content="The Gazette!"><meta name="application-name" content="Gazette App">'
    assert {"thegazette", "gazetteapp", "harbourgazette"} <= site_names(page(head))


def test_every_feature_has_a_weight_or_never_occurred() -> None:
    """A name misspelt on one side would silently count nothing."""
    learned = set(title_choice.weights())
    seen: set[str] = set()
    for sample in newspaper.pages(page_type="article"):
        found = Page(sample.html, sample.url)
        content = found.visible
        seen.update(*features(found, gather(found), content))
    assert len(seen - learned) <= 2, seen - learned


# -- together ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outlet", newspaper.outlets())
def test_the_sample_newspaper(outlet: str) -> None:
    for sample in newspaper.pages(outlet):
        if sample.page_type != "front":
            assert chosen(Page(sample.html, sample.url))[0] == fold_space(sample.gold["title"]), sample.id


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_page_is_survived_and_told_the_same_twice(title: str, heading: str, meta: str) -> None:
    source = f"<title>{title}</title><meta property=og:title content='{meta}'><h1>{heading}</h1>{STORY}"
    assert title_choice.find(Page(source)) == title_choice.find(Page(source))


def test_a_title_of_very_many_parts_is_not_cut_into_all_of_them() -> None:
    found = gather(Page(f"<title>{'a | ' * 50_000}</title><h1>{TITLE}</h1>{STORY}"))
    assert len(found) < 20


def test_a_kicker_is_not_glued_to_the_headline() -> None:
    html = "<title>News</title><h1><span>Instead of Notion</span><span>Personal knowledge kept safely</span></h1>"
    found = title_choice.find(Page(html))
    assert found is not None
    assert "NotionPersonal" not in found.value
    told = f'<meta property="og:title" content="Personal knowledge kept safely">{html}'
    found = title_choice.find(Page(told))
    assert found is not None
    assert found.value == "Personal knowledge kept safely"


@pytest.mark.parametrize("tail", [" : Sport", " – HT – 13.06.2026", " | Home", "｜文化"])
def test_a_section_behind_the_headline_is_cut_where_the_h1_has_none(tail: str) -> None:
    page = Page(
        f'<title>The ferry came back{tail} | Harbour Times</title><meta property="og:title" '
        f'content="The ferry came back{tail}"><h1>The ferry came back</h1><p>The ferry came back to the harbour.</p>'
    )
    found = title_choice.find(page)
    assert found is not None
    assert found.value == "The ferry came back"


def test_a_long_second_part_of_a_title_stays() -> None:
    whole = "The ferry came back : what the whole town had waited for since March"
    page = Page(f'<title>{whole}</title><meta property="og:title" content="{whole}"><h1>{whole}</h1><p>Text.</p>')
    found = title_choice.find(page)
    assert found is not None
    assert found.value == whole


def test_a_title_that_a_quotation_mark_broke_off_is_taken_whole() -> None:
    whole = 'Mayor on the bridge: we said "never again" and meant it'
    head = f'<meta property="og:title" content="{whole}"><meta name="twitter:title" content="{whole}">'
    assert chosen(page(head, f"<h1>{whole}</h1>"))[0] == whole


@pytest.mark.parametrize("line", ["<h1><span>{kicker}</span><br><span>{title}</span></h1>"])
def test_the_part_of_a_heading_that_a_title_states_goes_before_the_whole(line: str) -> None:
    heading = line.format(kicker="Everything you have to know of it", title=TITLE)
    assert chosen(page(og(TITLE), heading))[0] == TITLE


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Harbour", TITLE), ("Gazette", TITLE), ("Time", f"{TITLE} | Time"), ("Bourga", f"{TITLE} | Bourga")],
)
def test_a_name_that_the_host_begins_or_ends_with_is_the_site_s(name: str, kept: str) -> None:
    assert title_choice.without_site(f"{TITLE} | {name}", frozenset({"harbourgazette", "timetable"})) == kept


def test_the_initials_of_the_site_behind_the_title() -> None:
    named = site_names(page('<meta property="og:site_name" content="Harbour Trade Awards of 2026">'))
    assert title_choice.without_site(f"{TITLE} | HTA", named) == TITLE
    assert title_choice.without_site(f"{TITLE} | HTA", site_names(page())) == f"{TITLE} | HTA"


def test_a_title_that_was_encoded_twice() -> None:
    twice = "The harbour’s bridge reopens".encode().decode("latin-1")
    assert chosen(page(og(twice), f"<h1>{twice}</h1>"))[0] == "The harbour’s bridge reopens"
    broken = f"{twice} – at last"  # has letters that are in no such encoding
    assert chosen(page(og(broken), f"<h1>{broken}</h1>"))[0] == broken


# -- TitleFinder against headings that are not the headline ------------------------------------------------------

POOL = "Council votes to close the old swimming pool"
POOL_STORY = "<p>The council has decided to close the pool in spring. Engineers found cracks in its walls.</p>" * 5
NAME = "The Coast Chronicle"
#: The headline in an element without meaning, in three layouts.
LAYOUTS = (
    "<h1>{heading}</h1><span>{headline}</span>{story}",
    "<header><h1><a href=/>{heading}</a></h1></header><div><header><b>{headline}</b></header>By Ann Lee{story}</div>",
    "<table><tr><td><h1>{heading}</h1></td></tr><tr><td><font size=5>{headline}</font>{story}</td></tr></table>",
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("address", [None, "https://www.coast-chronicle.example/pool", "https://news.example/1"])
@pytest.mark.parametrize("pattern", ["{headline} - {name}", "{name} | {headline}", "{headline}"])
@pytest.mark.parametrize("heading", [NAME, "All the news of the coast since 1921", "Local news"])
def test_name_slogan_or_section_in_h1_is_not_the_headline(
    heading: str, pattern: str, address: str | None, layout: str
) -> None:
    title = pattern.format(headline=POOL, name=NAME)
    body = layout.format(heading=heading, headline=POOL, story=POOL_STORY)
    for declared in ("", og(title)):
        document = Page(
            f"<html lang=en><head><title>{title}</title>{declared}</head><body>{body}</body></html>", address
        )
        start = document.text.index("The council has")
        content = Spans.of([(start, len(document.text))], len(document.text))
        result = title_choice.find(document, content)
        assert result is not None
        assert result.value == POOL


@pytest.mark.parametrize(
    ("title", "heading", "after"),
    [
        ("Why we swim - Ann Lee on cold water and courage : Chronicle", "Why we swim", "<h2>{}</h2>"),  # a subtitle
        (
            "Ann Lee on cold water and courage | Chronicle",
            "Why we never swim in summer",
            "<p>{}</p>",
        ),  # in one box with the heading
        ("Pool closes: Ann Lee on cold water and courage", "Engineers found cracks in the pool", "<p>x</p><p>{}</p>"),
    ],
)
def test_headline_in_h1_is_not_replaced_by_another_part_of_the_title(title: str, heading: str, after: str) -> None:
    line = after.format("Ann Lee on cold water and courage")
    body = f"<div><h1>{heading}</h1>{line}</div>{POOL_STORY}"
    document = Page(f"<html lang=en><title>{title}</title><body>{body}</body></html>")
    start = document.text.index("The council has")
    result = title_choice.find(document, Spans.of([(start, len(document.text))], len(document.text)))
    assert result is not None
    assert result.value == heading
