"""Feeds: what is written is well-formed, safe, and comes in again as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from html import escape

import feedparser
import pytest
from hypothesis import given
from lxml import etree
from lxml import html as lxml_html

from tests.portal.made import SEEN, articles, kept, paragraph, texts
from tidings.article import Article, Image, Precision
from tidings.page.invisible import cleaned
from tidings.sources import canonical, read_feed
from tidings.sources.feeds.entry import plain_text
from tidings_portal.feeds import Content, FeedAddresses, FeedEntry, FeedFormat, OutFeed, write
from tidings_portal.feeds.outgoing import entry

FORMS = tuple(FeedFormat)
HERE = FeedAddresses(
    home="https://news.example/world",
    itself="https://news.example/world.feed?page=2",
    first="https://news.example/world.feed",
    next="https://news.example/world.feed?page=3",
    previous="https://news.example/world.feed",
    hubs=("https://hub.example/",),
    image="https://news.example/logo.png",
)


def feed_of(*found: Article, content: Content = Content.FULL, title: str = "World", **told: str) -> OutFeed:
    entries = tuple(entry(kept(one, number), content) for number, one in enumerate(found, 1))
    return OutFeed("urn:example:world", title, entries=entries, places=HERE, **told)


def visible(text: str) -> str:
    """Return a text without invisible characters, white space folded."""
    return " ".join(cleaned(text).text.split())


def as_rss_is_read(text: str) -> str:
    """RSS does not say whether a title is HTML: tags written out are lost in reading, everything else stays."""
    return plain_text(escape(text, quote=False)) if "<" in text or "&" in text else text


@pytest.mark.parametrize("form", FORMS)
@given(found=articles, other=articles, title=texts)
def test_whatever_stands_in_an_article_comes_in_again(
    form: FeedFormat, found: Article, other: Article, title: str
) -> None:
    feed = feed_of(found, other, title=" ".join(title.split()) or "World")
    body = write(feed, form).body
    if form is not FeedFormat.JSON:
        etree.fromstring(body, etree.XMLParser(resolve_entities=False, huge_tree=False))
    read = read_feed(body, "https://news.example/world.feed")
    assert not [problem for problem in read.problems if problem.trouble.value == "not well-formed"]
    assert len(read.items) == 2
    for item, told in zip(read.items, feed.entries, strict=True):
        assert item.guid == told.id
        assert item.canonical_url == (canonical(told.address) or "")
        # Readers of feeds remove invisible characters.
        title = visible(told.title)
        assert item.title == (as_rss_is_read(title) if form is FeedFormat.RSS else title)
        assert item.content == cleaned(told.html).text
        assert item.language == (told.language or read.language)
        assert (item.published and item.published.moment) == told.published
        assert item.updated is not None
        assert item.updated.moment == told.updated
        if form is FeedFormat.JSON:
            assert item.authors == tuple(dict.fromkeys(filter(None, map(visible, told.authors))))
            assert item.categories == tuple(dict.fromkeys(filter(None, map(visible, told.categories))))
        assert {one.address for one in item.enclosures} == ({canonical(told.image)} - {None} if told.image else set())


@pytest.mark.parametrize("form", FORMS)
@given(found=articles)
def test_nothing_in_the_content_can_run(form: FeedFormat, found: Article) -> None:
    body = write(feed_of(found), form).body
    content = read_feed(body).items[0].content
    again = lxml_html.tostring(lxml_html.fromstring(content), encoding="unicode") if content else ""
    for shown in (content, again):
        tree = lxml_html.fromstring(shown or "<p></p>")
        for node in tree.iter():
            assert node.tag not in {"script", "style", "iframe", "object", "svg", "math", "base", "meta", "noscript"}
            assert not [name for name in node.attrib if name.startswith("on") or name in {"style", "srcdoc"}]
            for name in ("href", "src"):
                assert node.get(name, "https://").lower().startswith(("https://", "http://", "mailto:"))


@pytest.mark.parametrize("form", [FeedFormat.RSS, FeedFormat.ATOM])
@given(found=articles)
def test_feedparser_finds_nothing_to_complain_of(form: FeedFormat, found: Article) -> None:
    feed = feed_of(found)
    read = feedparser.parse(write(feed, form).body, sanitize_html=False, resolve_relative_uris=False)
    assert not read.bozo, read.get("bozo_exception")
    assert read.entries[0].id == feed.entries[0].id
    assert read.entries[0].content[0].value == feed.entries[0].html


@pytest.mark.parametrize("form", FORMS)
def test_plain_texts_are_exact_in_every_format(form: FeedFormat) -> None:
    found = Article(
        url="https://harbour.example/1",
        title="Q&A: is a < b, AT&T?",
        authors=("Ayşe Işık", "J. O'Neil & Sons"),
        published=datetime(2024, 3, 5, 9, 30, tzinfo=timezone(timedelta(hours=3))),
        modified=datetime(2024, 3, 5, 11, tzinfo=timezone(timedelta(hours=3))),
        language="tr",
        site="The Harbour Gazette",
        summary="İki fok & bir gemi < iki gemi",
        section="Dünya",
        tags=("seals", "R&D"),
        image=Image("https://harbour.example/seal.jpg", "A seal"),
        blocks=(paragraph("Seals."),),
    )
    read = read_feed(write(feed_of(found, language="tr"), form).body)
    (item,) = read.items
    assert (item.title, item.summary) == (found.title, found.summary)
    assert item.authors == found.authors
    assert item.categories == ("Dünya", "seals", "R&D")
    assert item.published is not None
    assert item.published.moment == found.published
    assert item.updated is not None
    assert item.updated.moment == found.modified
    assert [one.address for one in item.enclosures] == ["https://harbour.example/seal.jpg"]
    assert item.enclosures[0].media_type == "image/jpeg"
    assert 'src="https://harbour.example/seal.jpg"' in item.content  # the lead is shown, for the text does not
    assert 'lang="tr" dir="ltr"' in item.content
    if form is not FeedFormat.JSON:
        assert item.publisher == "The Harbour Gazette"
    assert (read.title, read.language, read.home) == ("World", "tr", "https://news.example/world")
    assert (read.itself, read.next_page) == (HERE.itself, HERE.next)
    assert read.hubs == ("https://hub.example/",)
    assert read.image == "https://news.example/logo.png"


def test_titles_that_look_like_markup_are_markup_to_no_reader() -> None:
    """HOSTILE 23: a reader of RSS that takes titles for HTML must not find an element in one."""
    hostile = "<img src=x onerror=alert(1)> &lt;script&gt;"
    body = write(
        feed_of(Article(title=hostile, url="https://harbour.example/1", authors=(hostile,))), FeedFormat.RSS
    ).body
    item = etree.fromstring(body).find("channel/item")
    for name in ("title", "{http://purl.org/dc/elements/1.1/}creator"):
        shown = lxml_html.fragment_fromstring(item.findtext(name), create_parent="p")
        assert len(shown) == 0
        assert shown.text == hostile
    for form in (FeedFormat.ATOM, FeedFormat.JSON):
        assert read_feed(write(feed_of(Article(title=hostile)), form).body).items[0].title == hostile


@pytest.mark.parametrize("form", FORMS)
def test_right_to_left_text_says_so(form: FeedFormat) -> None:
    found = Article(
        url="https://roozname.example/1",
        title="بازگشت خوک‌های دریایی",
        language="fa",
        direction="rtl",
        blocks=(paragraph("آن‌ها می‌روند."),),
    )
    written = write(feed_of(found), form)
    item = read_feed(written.body).items[0]
    assert item.title == found.title  # joiners and all
    assert item.language == "fa"
    assert 'lang="fa" dir="rtl"' in item.content
    assert "می‌روند" in item.content
    if form is FeedFormat.JSON:
        assert json.loads(written.body)["items"][0]["_tidings"]["direction"] == "rtl"


@pytest.mark.parametrize("form", FORMS)
def test_summaries_only(form: FeedFormat) -> None:
    long = "word " * 200
    feed = feed_of(
        Article(url="https://harbour.example/1", title="A", summary="In short.", blocks=(paragraph("The whole."),)),
        Article(title="B", blocks=(paragraph(long),)),
        content=Content.SUMMARY,
    )
    body = write(feed, form).body
    assert b"The whole." not in body
    first, second = read_feed(body).items
    assert first.summary == "In short."
    assert second.summary.startswith("word word")
    assert len(second.summary) < 410
    assert second.summary.endswith("…")


def test_atom_has_what_the_standard_demands() -> None:
    """RFC 4287: an author for every entry (4.2.1), content where nothing is linked to (4.1.2), one updated (4.2.15)."""
    name = "{http://www.w3.org/2005/Atom}"
    feed = feed_of(Article(title="No address, no author", summary="s"), content=Content.SUMMARY)
    root = etree.fromstring(write(feed, FeedFormat.ATOM).body)
    assert root.findtext(f"{name}id") == "urn:example:world"
    assert len(root.findall(f"{name}updated")) == 1
    one = root.find(f"{name}entry")
    assert one.findtext(f"{name}source/{name}author/{name}name") == "harbour.example"
    assert one.findtext(f"{name}content") == "s"
    assert len(one.findall(f"{name}updated")) == 1
    empty = etree.fromstring(write(OutFeed("urn:example:none", "Empty"), FeedFormat.ATOM).body)
    assert empty.findtext(f"{name}updated") == "1970-01-01T00:00:00+00:00"


@pytest.mark.parametrize("form", FORMS)
def test_a_feed_with_nothing_in_it(form: FeedFormat) -> None:
    read = read_feed(write(OutFeed("urn:example:none", "Empty"), form).body)
    assert read.is_feed
    assert read.items == ()


class TestTimes:
    def published(self, told: datetime | None, seen: datetime = SEEN, precision: Precision = "") -> datetime | None:
        return entry(kept(Article(published=told, published_precision=precision), first_seen=seen)).published

    def test_no_time_is_made_up(self) -> None:
        assert self.published(None) is None
        body = write(feed_of(Article(title="x")), FeedFormat.RSS).body
        assert b"pubDate" not in body

    def test_a_day_alone_is_that_day_everywhere(self) -> None:
        found = self.published(datetime(2024, 3, 1), precision="day")
        assert found is not None
        for hours in (-11, 0, 11):
            assert found.astimezone(timezone(timedelta(hours=hours))).date() == date(2024, 3, 1)

    def test_what_lies_ahead_was_out_when_it_was_seen(self) -> None:
        assert self.published(datetime(2999, 1, 1, tzinfo=UTC)) == SEEN.replace(microsecond=0)
        assert self.published(datetime(2024, 3, 5), precision="day") == datetime(2024, 3, 5, 12, tzinfo=UTC)

    def test_odd_zones_and_years_are_written_all_the_same(self) -> None:
        lmt = timezone(timedelta(hours=0, minutes=53, seconds=28))  # Berlin before 1893
        found = self.published(datetime(1890, 1, 1, 12, tzinfo=lmt))
        assert found == datetime(1890, 1, 1, 11, 6, 32, tzinfo=UTC)
        for form in FORMS:
            write(feed_of(Article(title="x", published=datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))))), form)

    def test_updated_is_when_it_changed(self) -> None:
        later = SEEN + timedelta(days=2)
        first = Article(published=datetime(2024, 3, 1), published_precision="day")
        article = replace(first, modified=datetime(2024, 3, 2), modified_precision="day")
        assert entry(kept(article)).updated == datetime(2024, 3, 2, 12, tzinfo=UTC)
        assert entry(kept(article, version=2, extracted=later)).updated == later.replace(microsecond=0)
        before = replace(article, modified=datetime(2020, 1, 1))  # pages say such things
        assert entry(kept(before)).updated == entry(kept(before)).published


class TestIdentity:
    def test_it_stays_when_everything_else_changes(self) -> None:
        one = entry(kept(Article(url="https://a.example/1", title="Before")))
        other = entry(
            kept(Article(url="https://a.example/new", title="After"), version=2, extracted=SEEN + timedelta(days=1))
        )
        assert one.id == other.id
        assert one.id == "urn:uuid:9214336e-8372-5069-b68e-5882c07cb585"  # pinned: readers know articles by it

    def test_two_articles_are_two(self) -> None:
        same = Article(url="https://a.example/", title="Same")
        assert entry(kept(same, 1)).id != entry(kept(same, 2)).id
        assert entry(kept(same)).id != entry(kept(same, first_seen=SEEN + timedelta(microseconds=1))).id

    def test_it_is_the_same_in_all_formats(self) -> None:
        feed = feed_of(Article(title="x"))
        assert len({read_feed(write(feed, form).body).items[0].guid for form in FORMS}) == 1


class TestConditionalRequests:
    def test_the_same_feed_has_the_same_tag(self) -> None:
        one, same = (
            write(feed_of(Article(title="x")), FeedFormat.RSS),
            write(feed_of(Article(title="x")), FeedFormat.RSS),
        )
        other = write(feed_of(Article(title="y")), FeedFormat.RSS)
        assert one == same
        assert one.etag != other.etag
        assert one.etag[0] == one.etag[-1] == '"'

    def test_who_has_it_need_not_get_it(self) -> None:
        written = write(feed_of(Article(title="x")), FeedFormat.ATOM)
        assert written.last_modified == "Tue, 05 Mar 2024 12:00:00 GMT"
        assert written.is_known(written.etag)
        assert written.is_known(f'"other", W/{written.etag}')
        assert written.is_known("*")
        assert not written.is_known('"other"', written.last_modified)  # the tag counts, RFC 9110, 13.2.2
        assert written.is_known("", written.last_modified)
        assert not written.is_known("", "Tue, 05 Mar 2024 11:59:59 GMT")
        assert not written.is_known("", "")

    @given(tag=texts, since=texts)
    def test_any_header_gets_an_answer(self, tag: str, since: str) -> None:
        written = write(OutFeed("urn:example:none", "Empty"), FeedFormat.JSON)
        assert not written.is_known(tag + '"x"' if "*" not in tag else '"x"', since)

    def test_an_old_article_that_comes_late_changes_the_time(self) -> None:
        """Else one who asks by time alone would never see it."""
        old = Article(title="Old", published=datetime(1999, 1, 1), published_precision="day")
        one = OutFeed("x", "x", entries=(entry(kept(Article(title="x"))),))
        late = entry(kept(old, 2, extracted=SEEN + timedelta(hours=1)))
        assert (
            write(replace(one, entries=(*one.entries, late)), FeedFormat.RSS).changed
            > write(one, FeedFormat.RSS).changed
        )


@pytest.mark.parametrize("form", FORMS)
def test_a_feed_that_nobody_cleaned_is_written_all_the_same(form: FeedFormat) -> None:
    hostile = "]]> <b> \ud800\x00\ufffe &amp; end"
    feed = OutFeed("urn:example:x", hostile, hostile, hostile, (FeedEntry(hostile, title=hostile, summary=hostile),))
    assert len(read_feed(write(feed, form).body).items) == 1


def test_addresses_of_the_feed_are_cleaned_too() -> None:
    hostile = FeedAddresses(
        home="javascript:alert(1)", itself='https://x.example/"><script>', hubs=("ftp://x.example",)
    )
    for form in FORMS:
        body = write(replace(feed_of(), places=hostile), form).body
        assert b"javascript" not in body
        assert b"<script" not in body
        assert b"ftp:" not in body


@pytest.mark.parametrize("form", FORMS)
def test_a_page_that_calls_another_host_its_own_is_linked_where_it_was_read(form: FeedFormat) -> None:
    told = Article(url="https://gazette.example/1", canonical="https://evil.example/1", title="Tides")
    before = kept(told)  # as a store has it that was filled by an older version
    before = replace(before, headline=replace(before.headline, address=told.canonical))
    written = write(OutFeed("urn:example:world", "World", entries=(entry(before),), places=HERE), form).body.decode()
    assert "https://gazette.example/1" in written
    assert "evil.example" not in written
