"""The other fields of a page: where each is looked for, what is passed over, and its provenance."""

from __future__ import annotations

import json
import pickle

import pytest

from tidings import fields
from tidings.fields import Fields, read
from tidings.page import Page, Spans

SITE = "https://www.harbour-gazette.example"
URL = SITE + "/news/seals"


def fields_of(head: str, body: str = "<p>The seals are back in the estuary.</p>", url: str | None = URL) -> Fields:
    return read(Page(f"<html><head>{head}</head><body>{body}</body></html>", url))


def ld(**thing: object) -> str:
    story = {"@type": "NewsArticle", "headline": "Seals"} | thing
    return f'<script type="application/ld+json">{json.dumps(story)}</script>'


@pytest.mark.parametrize(
    ("head", "canonical", "by"),
    [
        (
            '<link rel="canonical" href="/news/seals?x=1#y">',
            SITE + "/news/seals?x=1",
            "link canonical",
        ),
        ('<link rel="canonical" href="javascript:alert(1)">', "", None),
        (
            '<link rel="canonical" href="data:text/html,x"><meta property="og:url" content="/a">',
            SITE + "/a",
            "meta og:url",
        ),
        ('<link rel="canonical" href="mailto:a@b.example">', "", None),
        ('<link rel="canonical" href="https://u:p@other.example/x">', "https://other.example/x", "link canonical"),
        (
            '<link rel="canonical" href="/"><meta property="og:url" content="/b">',
            SITE + "/b",
            "meta og:url",
        ),
        (
            ld(mainEntityOfPage={"@type": "WebPage", "@id": "/c"}),
            SITE + "/c",
            "json-ld mainEntityOfPage",
        ),
        (
            '<base href="https://other.example/dir/"><link rel="canonical" href="x">',
            "https://other.example/dir/x",
            "link canonical",
        ),
        ('<link rel="canonical" href="http://[::1">', "", None),
    ],
)
def test_canonical(head: str, canonical: str, by: str | None) -> None:
    found = fields_of(head)
    assert (found.canonical, found.provenance.get("canonical")) == (canonical, by)


@pytest.mark.parametrize(
    ("head", "site", "by"),
    [
        ('<meta property="og:site_name" content="The Gazette">', "The Gazette", "meta og:site_name"),
        (ld(publisher={"@type": "Organization", "name": "Gazette"}), "Gazette", "json-ld publisher"),
        ("<title>Seals return - Harbour Gazette</title>", "Harbour Gazette", "title element"),
        ("<title>Harbour Gazette: Seals return</title>", "Harbour Gazette", "title element"),
        ("<title>Seals return - Marine life</title>", "harbour-gazette.example", "host"),
        (f'<meta property="og:site_name" content="{"long slogan " * 9}">', "harbour-gazette.example", "host"),
        ('<script type="application/ld+json">{"@type": "WebSite", "name": "HG"}</script>', "HG", "json-ld WebSite"),
    ],
)
def test_site(head: str, site: str, by: str) -> None:
    found = fields_of(head)
    assert (found.site, found.provenance["site"]) == (site, by)


def test_no_address_no_site() -> None:
    assert fields_of("<title>Seals return - Gazette</title>", url=None).site == ""


CUT = (
    '<meta property="og:description" content="The seals came back to the estuary in spring, and the…">'
    '<meta name="description" content="The seals came back to the estuary in spring, and the town is glad.">'
)
SAID_TWICE = (
    '<meta property="og:title" content="Seals"><meta property="og:description" content="SEALS">'
    '<meta name="description" content="More.">'
)


@pytest.mark.parametrize(
    ("head", "summary", "by"),
    [
        ('<meta name="description" content="A summary.">', "A summary.", "meta description"),
        (ld(description="Of <b>seals</b> &amp; people."), "Of seals & people.", "json-ld description"),
        (
            CUT,
            "The seals came back to the estuary in spring, and the town is glad.",
            "meta description",
        ),
        (
            SAID_TWICE,
            "More.",
            "meta description",
        ),
    ],
)
def test_summary(head: str, summary: str, by: str) -> None:
    found = fields_of(head)
    assert (found.summary, found.provenance["summary"]) == (summary, by)


TRAIL = {
    "@type": "BreadcrumbList",
    "itemListElement": [
        {"@type": "ListItem", "position": 1, "name": "Start", "item": SITE + "/"},
        {"@type": "ListItem", "position": 2, "item": {"@id": "/environment", "name": "Environment"}},
        {"@type": "ListItem", "position": 3, "name": "Seals", "item": URL},
    ],
}


@pytest.mark.parametrize(
    ("head", "section", "by"),
    [
        (ld(articleSection=["Nature", "News"]), "Nature", "json-ld articleSection"),
        ('<meta property="article:section" content="Nature">', "Nature", "meta article:section"),
        (f'<script type="application/ld+json">{json.dumps(TRAIL)}</script>', "Environment", "json-ld BreadcrumbList"),
    ],
)
def test_section(head: str, section: str, by: str) -> None:
    found = fields_of(head)
    assert (found.section, found.provenance["section"]) == (section, by)


@pytest.mark.parametrize(
    ("head", "body", "tags"),
    [
        (
            '<meta property="article:tag" content="seals"><meta property="article:tag" content="sea">',
            "",
            ("seals", "sea"),
        ),
        (ld(keywords="seals, sea,, seals"), "", ("seals", "sea")),
        (ld(keywords=["seals", "Tag:internal", {"name": "sea"}]), "", ("seals", "sea")),
        (
            "",
            '<a rel="tag" href="/t/1">Seals</a><a href=x rel="category tag">Sea</a><a href=y>no</a>',
            ("Seals", "Sea"),
        ),
        ('<meta name="keywords" content="' + ",".join(map(str, range(100))) + '">', "", ()),
    ],
)
def test_tags(head: str, body: str, tags: tuple[str, ...]) -> None:
    assert fields_of(head, body + "<p>x").tags == tags


@pytest.mark.parametrize(
    ("head", "image"),
    [
        ('<meta property="og:image" content="/a.jpg">', SITE + "/a.jpg"),
        (
            '<meta property="og:image" content="/img/logo.png">' + ld(image=[{"url": "/b.jpg"}]),
            SITE + "/b.jpg",
        ),
        ('<meta property="og:image" content="/default-share.png">', ""),
        ('<meta property="og:image" content="/Biologos.jpg">', SITE + "/Biologos.jpg"),
        ('<meta name="twitter:image" content="data:image/png;base64,xx">', ""),
        ('<link rel="image_src" href="/c.jpg">', SITE + "/c.jpg"),
    ],
)
def test_lead_image(head: str, image: str) -> None:
    assert fields_of(head).image == image


def test_comments_of_the_structured_data_serve_where_the_page_shows_none() -> None:
    comment = {"@type": "Comment", "text": "What a sight.", "author": {"name": "Mara"}, "dateCreated": "2026-03-14"}
    found = fields_of(ld(comment=[comment, {"@type": "Comment"}, 3]))
    (remark,) = found.comments
    assert (remark.text, remark.author, str(remark.published)) == ("What a sight.", "Mara", "2026-03-14")
    assert found.provenance["comments"] == "json-ld comment"


def test_every_field_that_is_told_has_a_provenance() -> None:
    found = fields_of(
        ld(articleSection="x", keywords="a", isAccessibleForFree=False, datePublished="2026-03-14")
        + '<link rel="canonical" href="/c"><meta property="og:image" content="/a.jpg">'
        + '<link rel=next href="/news/seals/2">'
    )
    names = {name for name in Fields.__slots__ if getattr(found, name) and name != "provenance"}
    assert set(found.provenance) == names
    assert {"section", "tags", "marks", "published", "canonical", "image", "next_page"} <= names


@pytest.mark.parametrize(
    "html",
    [
        "<p>x",
        "<p>\ud800",
        ld(image={"url": {"url": {}}}, author=[[[]]], publisher=3, keywords={"a": 1}, comment={"text": 4}) + "<p>x",
        ld(hasPart="x", articleSection={}, isAccessibleForFree={}, wordCount="many", url=[[]], inLanguage=7) + "<p>x",
        '<meta property="og:url" content="http://[">' * 3 + "<p>x",
        "<a href=" + "@" * 100_000 + ">x</a>",
    ],
)
def test_odd_pages(html: str) -> None:
    found = read(Page(html, "http://[bad"))
    assert isinstance(found, Fields)


def test_fields_can_be_pickled_and_repeat_themselves() -> None:
    found = fields_of(ld(articleSection="x"))
    assert pickle.loads(pickle.dumps(found)) == found == fields_of(ld(articleSection="x"))  # noqa: S301  # our own


def test_nothing_chosen_is_no_trouble() -> None:
    page = Page("<p>x")
    assert fields.read(page, Spans.none(len(page.text))).title == fields.read(page).title
