"""Feeds of all kinds and in all states (N-EXT 4.1.1; HOSTILE 13, 16, 21, 22)."""

from __future__ import annotations

import calendar
import gzip
import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import Growth
from tidings import newspaper
from tidings.sources import DateDoubt, Enclosure, Link, ProblemKind, read_feed
from tidings.sources.feeds import json_feed, xml_feed
from tidings.sources.feeds.xml_feed import FeedContext
from tidings.sources.feeds.xml_feed import entry as read_entry
from tidings.sources.xml_tree import XmlNode

HOME = "https://harbour.example/feed.xml"
RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
 xmlns:atom="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">
<channel><title>Harbour &amp;amp; Quay</title><link>https://harbour.example/</link><language>en-gb</language>
<image><url>/logo.png</url></image><ttl>15</ttl><skipHours><hour>1</hour><hour>24</hour></skipHours>
<skipDays><day>Sunday</day></skipDays>
<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>
<atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="https://harbour.example/feed.xml"/>
<atom:link rel="next" href="/feed.xml?page=2"/>
<item><title>Seals &lt;b&gt;return&lt;/b&gt; to the &amp;quot;estuary&amp;quot;</title>
<link>/news/1-seals?utm_source=rss&amp;id=1#top</link><guid isPermaLink="false">g1</guid>
<pubDate>Mon, 16 Mar 2026 10:00:00 EST</pubDate><author>ann@harbour.example (Ann Lee)</author>
<dc:creator>Bo</dc:creator>
<category>Nature</category><category>Nature</category><description>&lt;p&gt;Nine of them.&lt;/p&gt;</description>
<content:encoded><![CDATA[<p>One.</p><script>x()</script>]]></content:encoded><comments>/c/1</comments>
<enclosure url="/a.mp3" type="audio/mpeg" length="123"/><itunes:duration>1:02:03</itunes:duration>
<media:group><media:content url="/p.jpg" medium="image"/></media:group><source url="x">The Wire</source></item>
</channel></rss>"""


def test_everything_a_feed_can_tell() -> None:
    feed = read_feed(RSS.encode(), HOME)
    assert (feed.kind, feed.title, feed.language) == ("rss 2.0", "Harbour & Quay", "en-gb")
    assert (feed.home, feed.image) == ("https://harbour.example/", "https://harbour.example/logo.png")
    assert feed.hubs == ("https://hub.example/",)
    assert feed.itself == HOME
    assert feed.next_page == "https://harbour.example/feed.xml?page=2"
    assert feed.schedule.interval == timedelta(hours=6)
    assert feed.schedule.skip_hours == {0, 1}
    assert feed.schedule.skip_days == {6}
    assert feed.problems == ()
    (link,) = feed.items
    assert link.canonical_url == "https://harbour.example/news/1-seals?id=1"
    assert link.title == 'Seals return to the "estuary"'
    assert link.summary == "Nine of them."
    assert "One." in link.content
    assert link.authors == ("Bo", "Ann Lee")
    assert link.categories == ("Nature",)
    assert link.published is not None
    assert link.published.instant == datetime(2026, 3, 16, 15, tzinfo=UTC)
    assert link.enclosures == (
        Enclosure("https://harbour.example/a.mp3", "audio/mpeg", 123, 3723),
        Enclosure("https://harbour.example/p.jpg", "image/jpeg"),
    )
    assert (link.guid, link.publisher, link.comments) == ("g1", "The Wire", "https://harbour.example/c/1")
    assert link.hints.title == link.title
    assert link.hints.description == "Nine of them."


@pytest.mark.parametrize(
    "source", [one for one in newspaper.sources() if one.kind not in {"sitemap", "opml"}], ids=lambda one: one.file
)
def test_the_feeds_of_the_newspaper(source: newspaper.SampleSource) -> None:
    feed = read_feed(source.content, source.url, source.media_type)
    assert feed.problems == ()
    stories = {page.url: page for page in newspaper.pages(source.outlet) if page.page_type != "front"}
    assert feed.items
    for link in feed.items:
        page = stories[link.declared_url]
        assert link.title == " ".join(page.gold["title"].split())
        assert link.published is not None
        assert link.published.moment is not None
        assert link.published.moment.isoformat().startswith(page.gold["published"])  # a day alone, on some pages


@pytest.mark.parametrize(
    "source",
    [one for one in newspaper.sources() if one.kind in {"rss", "rss-wordpress", "atom", "rdf"}],
    ids=lambda one: one.file,
)
def test_feedparser_says_the_same(source: newspaper.SampleSource) -> None:
    import feedparser

    theirs = feedparser.parse(io.BytesIO(source.content)).entries
    ours = read_feed(source.content, source.url).items
    assert [link.declared_url for link in ours] == [entry.link for entry in theirs]
    assert [link.title for link in ours] == [" ".join(entry.title.split()) for entry in theirs]
    assert [link.guid for link in ours] == [entry.get("id", "") for entry in theirs]
    for link, entry in zip(ours, theirs, strict=True):
        assert link.published is not None
        told = entry.get("published_parsed") or entry.get("updated_parsed")
        assert link.published.instant == datetime.fromtimestamp(calendar.timegm(told), UTC)


def test_atom_with_xhtml_and_base() -> None:
    feed = read_feed(
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/b/" xml:lang="de">'
        '<title type="html">A &amp;lt;3</title>'
        '<entry><title type="text">1 &lt; 2 &amp; so on</title><link rel="enclosure" href="s.ogg"/><link href="c"/>'
        '<link rel="replies" href="c#r"/><id>tag:1</id><author><name>Ann</name><email>a@b.example</email></author>'
        '<category term="t" label="Thema"/><updated>2026-03-16T10:00:00Z</updated>'
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">'
        "<p>x <b>y</b><br/>z &lt; 1</p></div></content></entry></feed>"
    )
    (link,) = feed.items
    assert (feed.kind, feed.language, feed.title) == ("atom", "de", "A <3")
    assert link.title == "1 < 2 & so on"
    assert link.canonical_url == "https://a.example/b/c"
    assert link.content == "<div><p>x <b>y</b><br>z &lt; 1</p></div>"
    assert link.enclosures[0].media_type == "audio/ogg"
    assert link.published is None  # a date of change is none of publication
    assert link.updated is not None
    assert (link.authors, link.categories) == (("Ann",), ("Thema",))


ITEM = "<item><title>T</title><link>http://a.example/1</link></item>"
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns='
NETSCAPE = '<!DOCTYPE rss PUBLIC "-//Netscape//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">'
ATOM = '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><title>T</title><link rel="alternate" '
JSON_1_1 = "json feed 1.1"
DIALECTS = {
    f'<rss version="0.91"><channel>{ITEM}</channel></rss>': "rss 0.91",
    f'{NETSCAPE}<rss version="0.92"><channel/>{ITEM}</rss>': "rss 0.92",
    f'{RDF}"http://my.netscape.com/rdf/simple/0.9/"><channel/>{ITEM}</rdf:RDF>': "rdf",
    f'{RDF}"http://purl.org/rss/1.0/"><item rdf:about="http://a.example/1"><title>T</title></item></rdf:RDF>': "rdf",
    f'{ATOM}href="http://a.example/1"/></entry></feed>': "atom",
    "<rss><channel><item><title>T</title><guid>http://a.example/1</guid></item></channel></rss>": "rss",
    '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "http://a.example/1", "title": "T"}]}': JSON_1_1,
    '{"items": [{"id": 7, "external_url": "http://a.example/1", "title": "T", "authors": [null]}]}': "json feed",
}


@pytest.mark.parametrize(("text", "kind"), DIALECTS.items(), ids=range(len(DIALECTS)))
def test_every_dialect(text: str, kind: str) -> None:
    feed = read_feed(text)
    assert feed.kind == kind
    assert [(link.canonical_url, link.title) for link in feed.items] == [("http://a.example/1", "T")]


def test_a_web_page_instead_of_a_feed_offers_its_feeds() -> None:
    head = '<head><link rel="alternate" type="application/rss+xml" href="/rss" title="All"></head>'
    page = f"<!doctype html><html>{head}<body><p>Moved.</p></body></html>"
    feed = read_feed(page.encode(), "https://a.example/old-feed")
    assert not feed.is_feed
    assert [problem.trouble for problem in feed.problems] == [ProblemKind.WEB_PAGE]
    assert feed.offers[0].address == "https://a.example/rss"
    assert not feed.offers[0].guess


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (b"", ProblemKind.EMPTY),
        (b"\0\0\0\0", ProblemKind.EMPTY),
        (b"   \n", ProblemKind.EMPTY),
        (b"%PDF-1.7 ...", ProblemKind.BINARY),
        (b"\x1f\x8bgarbage", ProblemKind.BINARY),
        (b"just words", ProblemKind.UNKNOWN_FORMAT),
        (b"{", ProblemKind.NOT_WELL_FORMED),
        (b'{"a": 1}', ProblemKind.UNKNOWN_FORMAT),
        (b"[" * 100_000, ProblemKind.UNKNOWN_FORMAT),
        (b'{"items": ' + b"[" * 100_000, ProblemKind.NOT_WELL_FORMED),
        (b"<rss", ProblemKind.UNKNOWN_FORMAT),
    ],
)
def test_what_is_no_feed_says_so(data: bytes, trouble: ProblemKind) -> None:
    feed = read_feed(data)
    assert not feed.is_feed
    assert trouble in {problem.trouble for problem in feed.problems}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "windows-1254"])
def test_encodings(encoding: str) -> None:
    text = (
        '<?xml version="1.0" encoding="windows-1254"?><rss><channel><item><title>Kıyıda şölen ğü</title>'
        "<link>http://a.example/1</link></item></channel></rss>"
    )
    feed = read_feed(text.encode(encoding))
    assert feed.items[0].title == "Kıyıda şölen ğü"


def test_the_header_names_the_charset() -> None:
    data = "<rss><channel><item><title>שלום עולם</title><link>http://a.example/1</link></item></channel></rss>".encode(
        "windows-1255"
    )
    assert read_feed(data, "", "text/xml; charset=windows-1255").items[0].title == "שלום עולם"


def test_packed_by_gzip_and_never_more_than_the_cap() -> None:
    assert len(read_feed(gzip.compress(RSS.encode()), HOME).items) == 1
    bomb = gzip.compress(b"<rss><channel>" + b"<item><title>x</title><link>http://a.example/1</link></item>" * 200_000)
    assert len(bomb) < 100_000
    feed = read_feed(bomb, largest=100_000)
    assert {ProblemKind.TOO_LARGE, ProblemKind.CUT_SHORT} <= {problem.trouble for problem in feed.problems}
    assert 1000 < len(feed.items) < 2000


def test_a_feed_cut_off_anywhere_gives_its_complete_entries() -> None:
    item = (
        "<item><title>Story {0}</title><link>http://a.example/{0}</link><description>x &amp;amp; y</description></item>"
    )
    whole = "<rss><channel><title>C</title>" + "".join(map(item.format, range(5))) + "</channel></rss>"
    for end in range(40, len(whole), 7):
        feed = read_feed(whole[:end])
        complete = whole[:end].count("</item>")
        assert len(feed.items) in {complete, complete + 1}
        assert [link.title for link in feed.items[:complete]] == [f"Story {at}" for at in range(complete)]


def test_a_broken_entry_costs_itself_only() -> None:
    good = "<item><title>Story {0}</title><link>http://a.example/{0}</link></item>"
    broken = "<item><title>Bad <b>one</title><link>http://a.example/bad</link><p>unclosed</item>"
    text = "<rss><channel><title>C</title>" + good.format(1) + broken + good.format(2) + "</channel></rss>"
    feed = read_feed(text, HOME)
    assert [link.canonical_url for link in feed.items] == [
        "http://a.example/1",
        "http://a.example/bad",
        "http://a.example/2",
    ]
    assert feed.items[0].title == "Story 1"
    assert ProblemKind.NOT_WELL_FORMED in {problem.trouble for problem in feed.problems}
    assert feed.title == "C"


NO_CHARACTERS = ("&#1114112;", "&#xd800;", "&#99999999999999999999;", "&#0;", "&#xfffe;", "&#" + "9" * 5000 + ";")


@pytest.mark.parametrize("reference", NO_CHARACTERS, ids=lambda reference: reference[:12])
@pytest.mark.parametrize("fault", ["", "<b>", "<p", "</i>"])
@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_a_reference_to_no_character_costs_that_character(reference: str, fault: str, kind: str) -> None:
    """HOSTILE 34: in an entry that is well-formed but for it, and in one that is broken besides."""
    name, link, whole = {
        "rss": ("item", "<link>http://a.example/{}</link>", "<rss><channel><title>C</title>{}</channel></rss>"),
        "atom": (
            "entry",
            '<link href="http://a.example/{}"/>',
            '<feed xmlns="http://www.w3.org/2005/Atom"><title>C</title>{}</feed>',
        ),
    }[kind]
    entries = [f"<{name}><title>Story {at}</title>{link.format(at)}</{name}>" for at in range(5)]
    described = f"<description>Some {reference}words{fault}</description>"
    entries[2] = f"<{name}><title>Sto{reference}ry 2</title>{link.format(2)}{described}</{name}>"
    feed = read_feed(whole.format("".join(entries)), HOME)
    assert [link.title for link in feed.items] == [f"Story {at}" for at in range(5)]
    assert [link.canonical_url for link in feed.items] == [f"http://a.example/{at}" for at in range(5)]
    assert feed.title == "C"
    assert ProblemKind.NOT_WELL_FORMED in {problem.trouble for problem in feed.problems}


def test_of_a_broken_entry_counts_what_can_be_read() -> None:
    good = "<item><title>Story {0}</title><link>http://a.example/{0}</link></item>"
    bad = "<item><link>http://a.example/bad</link><title>Bad <b>one</title></item>"
    feed = read_feed(f"<rss><channel>{good.format(1)}{bad}{good.format(2)}</channel></rss>")
    assert [link.canonical_url for link in feed.items] == [
        "http://a.example/1",
        "http://a.example/bad",
        "http://a.example/2",
    ]


def test_signs_that_are_no_markup_are_text() -> None:
    entry = "<item><title>AT&T: 5 < 6 & more</title><link>http://a.example/?a=1&b=2</link><b></item>"
    feed = read_feed(f"<rss><channel><title>C</title>{entry}</channel></rss>", HOME)
    assert [(link.title, link.canonical_url) for link in feed.items] == [
        ("AT&T: 5 < 6 & more", "http://a.example/?a=1&b=2")
    ]


@pytest.mark.parametrize("piece", ["<item>", "<item><a ", "<item><![CDATA[", "<item><b></i>", "<entry x="])
def test_thousands_of_broken_entries_bring_no_stories(piece: str) -> None:
    feed = read_feed("<rss><channel>" + piece * 3_000)
    assert not [link for link in feed.items if link.canonical_url or link.title]


def test_the_time_for_an_entry_grows_with_its_size(growth: Growth) -> None:
    def broken(times: int) -> str:
        return f"<rss><channel><item><title>T</title><description>{'<![CDATA[' * times}</description></item>"

    small, large = broken(2_000), broken(8_000)
    assert growth(lambda: read_feed(small), lambda: read_feed(large)) < 8


def test_text_behind_the_feed_does_no_harm() -> None:
    feed = read_feed(
        "<rss><channel><item><title>T</title><link>http://a.example/1</link></item></channel></rss><script>x</script>"
    )
    assert len(feed.items) == 1


def test_billion_laughs_in_a_feed() -> None:
    text = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss><channel><item><title>&b;</title><link>http://a.example/1</link></item></channel></rss>'
    feed = read_feed(text)
    assert feed.items[0].title == "&b;"
    assert ProblemKind.DECLARES_ENTITIES in {problem.trouble for problem in feed.problems}


def test_dates_are_kept_with_what_is_known() -> None:
    dates = (
        "Mon, 16 Mar 2026 10:00:00",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "2027-01-01T00:00:00Z",
        "03/04/2026",
        "yesterday",
        "",
    )
    items = "".join(
        f"<item><title>{at}</title><link>http://a.example/{at}</link><pubDate>{one}</pubDate></item>"
        for at, one in enumerate(dates)
    )
    feed = read_feed(f"<rss><channel>{items}</channel></rss>", now=datetime(2026, 5, 1, tzinfo=UTC))
    whens = [link.published for link in feed.items]
    doubts = [when.doubts if when else None for when in whens]
    told: list[set[DateDoubt] | None] = [None if one is None else set(one) for one in doubts]
    assert told[:3] == [{DateDoubt.NO_ZONE}, {DateDoubt.BEFORE_THE_WEB}, {DateDoubt.FUTURE}]
    assert told[3:] == [{DateDoubt.NO_TIME, DateDoubt.ORDER}, set(), None]
    assert whens[4] is not None
    assert whens[4].moment is None
    assert whens[4].text == "yesterday"
    assert whens[1] is not None
    assert whens[1].instant is None
    assert ProblemKind.BAD_DATE in {problem.trouble for problem in feed.problems}


def test_entries_that_share_an_address_are_told_apart() -> None:
    items = "".join(
        f"<item><title>Part {at}</title><guid>ep{at}</guid><link>https://a.example/show</link></item>"
        for at in range(3)
    )
    feed = read_feed(f"<rss><channel>{items}</channel></rss>")
    assert not any(link.has_own_url for link in feed.items)
    assert ProblemKind.SHARED_ADDRESS in {problem.trouble for problem in feed.problems}


def test_a_feed_moved_and_ended() -> None:
    feed = read_feed(
        "<rss><channel><itunes:new-feed-url>https://b.example/f</itunes:new-feed-url><itunes:complete>Yes</itunes:complete></channel></rss>"
    )
    assert feed.moved_to == "https://b.example/f"
    assert feed.is_ended


@pytest.mark.parametrize("trap", ["http://127.0.0.1:9/feed", "/etc/passwd", "file:///etc/passwd"])
def test_a_string_is_never_an_address_or_a_file(trap: str) -> None:
    assert not read_feed(trap).is_feed
    assert read_feed(
        f"<rss><channel><item><title>{trap}</b></title><link>http://a.example/1</link></item></channel></rss>"
    ).items


@given(st.binary(max_size=300))
def test_bytes_never_raise(data: bytes) -> None:
    read_feed(data)
    read_feed(b"<rss><channel><item>" + data)
    read_feed(b'{"items": [' + data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["url", "id", "authors", "tags", "attachments", "title", "date_published", "image"]),
                inner,
                max_size=4,
            )
        ),
    )
)
def test_any_json_is_read_or_told(value: object) -> None:
    import json

    read_feed(json.dumps({"items": [value], "hubs": value, "title": value}))


def test_an_entry_that_makes_us_raise_costs_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOSTILE 29: whatever the mistake of ours is, the other entries are read."""
    real_link = json_feed._link

    def bad_entry(node: XmlNode, around: FeedContext) -> Link:
        found = read_entry(node, around)
        if "bad" in found.title:
            raise KeyError("a mistake of ours")
        return found

    def bad_link(told: dict[str, Any], *more: Any) -> Link:
        if "bad" in told["title"]:
            raise KeyError("a mistake of ours")
        return real_link(told, *more)

    monkeypatch.setattr(xml_feed, "entry", bad_entry)
    monkeypatch.setattr(json_feed, "_link", bad_link)
    titles = ("one", "bad two", "three", "bad four")
    items = "".join(f"<item><title>{one}</title><link>https://a.example/{one[-3:]}</link></item>" for one in titles)
    told = [{"id": one, "title": one, "url": f"https://a.example/{one[-3:]}"} for one in titles]
    listed = {"version": "https://jsonfeed.org/version/1.1", "title": "t", "items": told}
    for body in (f"<rss version='2.0'><channel>{items}</channel></rss>", json.dumps(listed)):
        feed = read_feed(body.encode(), "https://a.example/feed")
        assert [link.title for link in feed.items] == ["one", "three"]
        (problem,) = feed.problems
        assert problem.trouble is ProblemKind.BAD_ENTRY
        assert str(problem) == "damaged in some entries: entry 2 raised KeyError: 'a mistake of ours' and 1 more"
