"""What is fuzzed: everything here that reads what strangers write, with samples to begin from.

A target makes an input from random numbers and reads one. Only errors of `tidings.errors` may leave its reading; it
looks at the whole answer, since much is worked out only when somebody asks.
"""

from __future__ import annotations

import asyncio
import atexit
import gzip
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Final
from urllib.parse import urlsplit

from tests.fuzz import core_entries, samples
from tests.fuzz.mutations import composed, mutated, soup
from tests.fuzz.samples import CHAIN_TOKENS, CHAINS, HEADERS, HERE, XML_TOKENS
from tests.page.properties import check_columns
from tidings import extract, extractors, newspaper, sources
from tidings.article import FORMATS, Options, article_from_json, render
from tidings.errors import InvalidURL, PageError, TidingsError
from tidings.fetch import Archive, Guard, Limits, Request, Response, why_refused
from tidings.fetch.bodies.decompress import BadData, Decompressor
from tidings.fetch.politeness.retry_after import retry_after
from tidings.fetch.politeness.robots import judge
from tidings.fields.date_parsing import parsing
from tidings.fields.urls.sanitise import absolute, safe, safe_picture
from tidings.page import Hints, Page
from tidings.reading import read as read_page
from tidings.sites import Reader, formats, site_of
from tidings.sites.extraction.cut import RuleMismatch, cut
from tidings.sources.dates import read_when
from tidings.sources.front.linear_regex import Pattern
from tidings.text import terms
from tidings.urls import URL, literal
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle
from tidings_portal.stories.duplicates import DuplicateIndex, Signature
from tidings_portal.stories.report import Report
from tidings_portal.stories.summary import summarise
from tidings_portal.stories.tracker import Tracker
from tidings_portal.stories.trends.finder import DatedText, find_trends, read_queries
from tidings_portal.stories.trends.formats import read_json_lines, read_ris, read_xml
from tidings_portal.web import article_html as content

NOW: Final = datetime(2026, 3, 5, 12, tzinfo=UTC)
_ALL: Final = Options(images=True, comments=True)


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads. `share` is its part of the cases: what is cheap and intricate has more."""

    name: str
    share: int
    make: Callable[[Random], bytes]
    read: Callable[[bytes], object]


def text_of(data: bytes) -> str:
    """An input as a text; what is no UTF-8 becomes lone surrogates, as in names of files and in JSON."""
    return data.decode("utf-8", "surrogateescape")


# -- pages ---------------------------------------------------------------------------------------------------------


def _page(rng: Random) -> bytes:
    made = soup(rng) if rng.random() < 0.25 else rng.choice(samples.pages())
    return mutated(rng, (made, *samples.pages()[:8])) if rng.random() < 0.9 else made


def _read_page(data: bytes) -> None:
    """The default, and what is made of it: one of the formats, there and back, or as the reader shows it."""
    article = extract(data, HERE)
    assert article.text is not None
    uses = (*FORMATS, "back", "shown")
    use = uses[sum(data[:64]) % len(uses)]  # one for each input: the bounds are for reading a page, not for all of it
    if use == "back":
        assert article_from_json(render(article, "json")) == article, "JSON does not come back as it was"
    elif use == "shown":
        html = render(content.below_title(article), "html", _ALL)
        content.safe(html, link=lambda address: address, picture=lambda address: address)
    else:
        render(article, use, _ALL)


def _odd_page(rng: Random) -> bytes:
    made = soup(rng, 60)
    return mutated(rng, (made,)) if rng.random() < 0.5 else made


def _scan(data: bytes) -> None:
    """The columns of a page fit together."""
    with suppress(PageError):
        check_columns(Page(data))


def _read_by_method(data: bytes) -> None:
    """Another extractor each time, chosen by the input."""
    methods = [entry for entry in extractors.entries() if entry.name != extractors.DEFAULT]
    method = methods[sum(data[:64]) % len(methods)]
    assert read_page(Page(data, HERE), extractors.extractor(method.name)).text is not None


def _read_front(data: bytes) -> None:
    page = Page(data, "https://www.harbour.example/")
    assert sources.front_page(page).links is not None
    assert sources.front_page(page, sources.LBNEST).links is not None
    assert sources.discover(page) is not None


def _site(rng: Random) -> bytes:
    pages = rng.choice(samples.sites())
    return b"\0\xff\0".join(mutated(rng, (page,)) if rng.random() < 0.3 else page for page in rng.choices(pages, k=7))


def _read_site(data: bytes) -> None:
    """Pages of one site, one after the other: learned from, cut by rules, audited."""
    with Reader(learn_from=3, audit_every=2) as reader:
        for number, page in enumerate(data.split(b"\0\xff\0")):
            try:
                assert reader.extract(page, f"https://www.harbour.example/{number}").text is not None
            except TidingsError:
                continue
        for name in reader.memory.names():
            for form in formats.NAMES:
                formats.write(reader.memory.site(name), form)


# -- feeds, lists of feeds, sitemaps ---------------------------------------------------------------------------------


def _read_feed(data: bytes) -> None:
    types = (None, "text/xml; charset=utf-16", "application/json", "text/html", "application/rss+xml; charset=x-y")
    feed = sources.read_feed(data, HERE, content_type=types[len(data) % len(types)], now=NOW)
    for item in feed.items:
        assert sources.aliases(item) is not None
        assert sources.identity(item) is not None


def _read_opml(data: bytes) -> None:
    found = sources.read_opml(data, HERE)
    again = sources.read_opml(sources.write_opml(found.feeds, found.title))
    assert len(again.feeds) <= len(found.feeds)


def _read_sitemap(data: bytes) -> None:
    sitemap = sources.read_sitemap(data, HERE, now=NOW)
    sources.Walk.start([HERE]).step(sitemap)


def _read_robots(data: bytes) -> None:
    rules = judge(Response(HERE, 200, body=data), 0.0)
    rules.allow(HERE, "tidings")
    rules.delay("tidings")
    assert sources.robots_sitemaps(text_of(data), HERE) is not None


# -- rules, filters, expressions, queries ----------------------------------------------------------------------------


def _read_rules(data: bytes) -> None:
    """A file of rules: read, written in every format, and used on a page."""
    site, _ = formats.read(text_of(data), "harbour.example")
    for form in formats.NAMES:
        formats.write(site, form)
    for known in site.templates:
        try:
            cut(known.template, samples.sites()[0][0], HERE)
        except RuleMismatch:
            continue


def _read_chain(data: bytes) -> None:
    chain = sources.read_chain(text_of(data))
    assert sources.front_page(_front(), chain).links is not None


@cache
def _front() -> Page:
    return Page(next(newspaper.pages(page_type="front")).html, "https://www.harbour.example/")


def _read_pattern(data: bytes) -> None:
    Pattern(text_of(data)).search("/news/2026/03/" + "a" * 2000)


@cache
def _small_page() -> Page:
    return Page("<h1>Seals</h1>" + "<p>Grey seals are back in the estuary, wardens said on Monday.</p>" * 5, HERE)


def _read_expression(data: bytes) -> None:
    extractors.extractor(text_of(data))(_small_page())


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tidings-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _kept() -> store.Store:
    kept = store.open(_folder() / "news.tidings")
    kept.keep([NewArticle(extract(page.html, page.url), NOW) for page in list(newspaper.pages())[:12]])
    atexit.register(kept.close)
    return kept


def _read_query(data: bytes) -> None:
    assert _kept().search(text_of(data)).items is not None


# -- articles, stories, records --------------------------------------------------------------------------------------


def _read_article(data: bytes) -> None:
    article = article_from_json(text_of(data))
    for name in FORMATS:
        render(article, name, _ALL)


def _keep_article(data: bytes) -> None:
    """An article in a store: kept, found and read again as it was."""
    article = article_from_json(text_of(data))
    with store.open(_folder() / f"{len(data) % 4}.tidings") as kept:
        (saved,) = kept.keep([NewArticle(article, NOW)])
        assert saved.article is not None
        found = kept.article(saved.article)
        assert found is not None
        assert found.article.text == article.text


def _read_story(data: bytes) -> None:
    """Two reports of the same: grouped, compared, summarised; what is kept is read again."""
    language, _, rest = text_of(data).partition("\n")
    title, _, text = rest.partition("\n")
    reports = [Report(number, title, text, language, NOW, "a.example") for number in (1, 2)]
    tracker = Tracker()
    tracker.add_all(reports)
    tracker.add(Report(3, "Seals", "Grey seals are back in the estuary.", "en", NOW))
    Tracker.from_state(tracker.state())
    index = DuplicateIndex()
    for report in reports:
        index.add(report.id, Signature.of(report.text, report.language))
    summarise(reports)
    terms(text, language)


def _read_records(data: bytes) -> None:
    """Whatever it is, by each reader: none may trip over the files of another."""
    text, queries = text_of(data), read_queries(samples.RECORDS[3].decode())
    readers: Sequence[Callable[[], object]] = (
        lambda: find_trends(queries, (one for one in read_xml([data[:50], data[50:]]) if isinstance(one, DatedText))),
        lambda: list(read_ris(text.splitlines(keepends=True))),
        lambda: list(read_json_lines(text.splitlines())),
        lambda: read_queries(text),
    )
    for reader in readers:
        try:
            reader()
        except TidingsError:
            continue


# -- what comes over the wire ----------------------------------------------------------------------------------------


def _read_warc(data: bytes) -> None:
    path = _folder() / "some.warc.gz"
    path.write_bytes(data)
    archive = Archive.of(path, Limits())
    for url in [*archive.heads][:5]:
        asyncio.run(archive.fetch(Request(url)))


def _read_header(data: bytes) -> None:
    """A line of a header, or a date: what it says, what it makes of a body, whether it unpacks one."""
    line = text_of(data)
    retry_after(line, 0.0)
    for language in ("", "en", "tr", "fa", "ar"):
        parsing.read(line, language)
        parsing.find(line, language)
        read_when(line, language, NOW)
    assert Page(samples.pages()[0][:4000], HERE, Hints(content_type=line)).text
    try:
        unpacking = Decompressor(line)
        for piece in unpacking.feed(gzip.compress(data, 1)):
            assert piece is not None
    except BadData:
        return


def _read_url(data: bytes) -> None:
    said = text_of(data)
    for base in ("", HERE):
        known = sources.canonical(said, base)
        if known is not None:
            assert sources.canonical(known) == known, "no fixed point"
            assert str(URL.parse(known)) == known, "the canonical URL is parsed as another URL"
            sources.key(known)
        absolute(said, base)
    safe(said)
    safe_picture(said)
    site_of(said)
    with suppress(InvalidURL):
        Guard.allowing([said])
    url = URL.parse(said)
    assert URL.parse(str(url)) == replace(url, userinfo=None), "no fixed point"
    assert urlsplit(str(url)).hostname == url.host, "urllib reads another host"
    with suppress(InvalidURL):
        assert url.join(said).host
    number = literal(url.host)
    if number is not None:
        why_refused(number)


def _bent(begin: Callable[[], Sequence[bytes]], tokens: Sequence[bytes] = ()) -> Callable[[Random], bytes]:
    return lambda rng: mutated(rng, begin(), tokens)


def _told(tokens: Callable[[], Sequence[bytes]], most: int = 24) -> Callable[[Random], bytes]:
    return lambda rng: composed(rng, tokens(), most)


def _either(*makers: Callable[[Random], bytes]) -> Callable[[Random], bytes]:
    return lambda rng: rng.choice(makers)(rng)


TARGETS: Final = {
    target.name: target
    for target in (
        Target("page", 10, _page, _read_page),
        Target("core", 10, core_entries.small_page, core_entries.read_entries),
        Target("scan", 10, _odd_page, _scan),
        Target("method", 8, _page, _read_by_method),
        Target("front", 3, _page, _read_front),
        Target("site", 1, _site, _read_site),
        Target("feed", 12, _bent(lambda: samples.sources("rss", "atom", "rdf", "json"), XML_TOKENS), _read_feed),
        Target("opml", 5, _bent(lambda: samples.sources("opml"), XML_TOKENS), _read_opml),
        Target("sitemap", 5, _bent(lambda: samples.sources("sitemap"), XML_TOKENS), _read_sitemap),
        Target("robots", 3, _bent(lambda: (samples.ROBOTS,)), _read_robots),
        Target("rules", 8, _bent(samples.rules, samples.RULE_TOKENS), _read_rules),
        Target("chain", 6, _either(_bent(lambda: CHAINS, CHAIN_TOKENS), _told(lambda: CHAIN_TOKENS)), _read_chain),
        Target("pattern", 3, _told(lambda: samples.PATTERN_TOKENS), _read_pattern),
        Target("expression", 6, _either(_told(samples.expression_tokens, 12), samples.parameters), _read_expression),
        Target("query", 8, _either(samples.query, _told(lambda: samples.QUERY_TOKENS)), _read_query),
        Target("article", 5, _bent(samples.articles), _read_article),
        Target("store", 1, _bent(samples.articles), _keep_article),
        Target("story", 3, _bent(lambda: samples.STORIES), _read_story),
        Target("records", 6, _bent(lambda: samples.RECORDS, samples.RECORD_TOKENS), _read_records),
        Target("warc", 4, _bent(samples.archives, samples.ARCHIVE_TOKENS), _read_warc),
        Target("header", 6, _either(_bent(lambda: HEADERS), _told(lambda: HEADERS, 4)), _read_header),
        Target("url", 8, samples.url, _read_url),
    )
}
