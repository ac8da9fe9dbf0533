"""The sample newspaper is what its build makes, and its gold is really on its pages."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser

import pytest

from tests.support import ROOT, needs
from tidings import newspaper
from tidings.newspaper import SamplePage

pytestmark = pytest.mark.gate

PAGES = list(newspaper.pages())
STORIES = [page for page in PAGES if page.page_type != "front"]
FRONTS = [page for page in PAGES if page.page_type == "front"]
TRAPS = {"comments", "related", "appended", "consent", "hidden", "share", "ads", "unclosed"}
LANGUAGES = {"en", "de", "fr", "ja", "tr", "ar", "fa", "ur", "ps", "he"}
LINKS_THAT_LOAD_NOTHING = {"canonical", "alternate", "amphtml", "license", "profile"}
EVENTS = {"bridge-reopening", "storm-ilse", "water-price", "cup-final", "seal-return"}


class VisibleText(HTMLParser):
    """Collects the words of a page outside scripts and styles, and what the page would load."""

    def __init__(self) -> None:
        """Start with nothing read."""
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self.loaded: list[str] = []
        self.anchors: list[tuple[str, str]] = []
        self._silent = ""
        self._href: str | None = None
        self._anchor: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note resources and anchors; a tag parts no words, as in the gold."""
        named = {name: value or "" for name, value in attrs}
        if tag in ("script", "style"):
            self._silent = tag
        if tag == "a":
            self._href, self._anchor = named.get("href"), []
        self.loaded += [named[key] for key in ("src", "srcset", "data-src", "poster", "background") if key in named]
        if tag == "link" and named.get("rel") not in LINKS_THAT_LOAD_NOTHING:
            self.loaded.append(named.get("href", ""))
        self.loaded += re.findall(r"url\(([^)]*)\)", named.get("style", ""))
        if tag in ("br", "p", "div", "td", "th", "tr", "li", "h1", "h2", "h3", "h4"):
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Close scripts, styles and anchors."""
        if tag == self._silent:
            self._silent = ""
        if tag == "a" and self._href is not None:
            self.anchors.append((self._href, normal("".join(self._anchor))))
            self._href = None

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        if self._silent == "style":
            self.loaded += re.findall(r"@import[^;]*|url\([^)]*\)", data)
        if not self._silent:
            self.pieces.append(data)
            self._anchor.append(data)


def normal(words: str) -> str:
    """Fold white space."""
    return " ".join(words.split())


def read(page: SamplePage) -> VisibleText:
    """Decode a page as declared and read it."""
    parser = VisibleText()
    parser.feed(page.html.decode(page.codec))
    parser.close()
    return parser


def words_of(page: SamplePage) -> str:
    """The visible words of a page with folded white space."""
    return normal("".join(read(page).pieces))


def name(page: SamplePage) -> str:
    """The name of a test case."""
    return page.id


def test_there_are_enough_pages_in_every_language() -> None:
    """At least forty stories; every language; every outlet has a front page."""
    assert len(STORIES) >= 40
    assert {page.lang for page in STORIES} == LANGUAGES
    assert {page.outlet for page in FRONTS} == set(newspaper.outlets()) == {page.outlet for page in STORIES}
    assert len({page.id for page in PAGES}) == len({page.url for page in PAGES}) == len(PAGES)


def test_kinds_of_pages() -> None:
    """Every kind of page that the story format names occurs."""
    kinds = {"article", "live", "gallery", "list", "column", "teaser", "encyclopaedia", "front"}
    assert {page.page_type for page in PAGES} == kinds


def test_shared_events() -> None:
    """Several outlets tell each of the shared events."""
    for event in EVENTS:
        assert len({page.outlet for page in STORIES if page.event == event}) >= 3, event


def test_build_makes_the_shipped_files() -> None:
    """`build.py --check` finds no difference."""
    needs("jinja2")
    command = [sys.executable, str(ROOT / "newspaper" / "build.py"), "--check"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("page", STORIES, ids=name)
def test_gold_is_on_the_page(page: SamplePage) -> None:
    """Title, authors, every block, every caption stand on the page, the blocks in their order."""
    visible = words_of(page)
    assert normal(page.gold["title"]) in visible
    for author in page.gold["authors"]:
        assert author in visible
    for caption in page.gold["captions"]:
        assert normal(caption) in visible
    place = 0
    for paragraph in page.gold["paragraphs"]:
        pieces = [normal(piece) for piece in re.split(r" \| |\n", paragraph)]
        for piece in pieces:
            found = visible.find(piece, place)
            assert found >= 0, piece
            place = found + len(piece)


@pytest.mark.parametrize("page", STORIES, ids=name)
def test_gold_is_whole(page: SamplePage) -> None:
    """The text is its paragraphs, the date is a day of March 2026, no markup is left."""
    gold = page.gold
    assert gold["text"] == "\n\n".join(gold["paragraphs"])
    assert re.fullmatch(r"2026-03-\d\d", gold["date"])
    assert gold["published"].startswith(gold["date"])
    assert len(gold["text"]) > 200
    assert not re.search(r"\]\(|\*\*|<[a-z]", gold["text"])
    assert set(gold["headings"]) <= set(gold["paragraphs"])


@pytest.mark.parametrize("page", STORIES, ids=name)
def test_noise_is_on_the_page_and_not_in_the_gold(page: SamplePage) -> None:
    """What the traps put around the story is there, and is not part of it."""
    visible, text = words_of(page), normal(page.gold["text"])
    assert set(page.traps) <= TRAPS
    assert set(page.noise) - {"paywall"} == set(page.traps)
    for trap, pieces in page.noise.items():
        assert pieces or trap == "unclosed"
        for piece in pieces:
            words = [normal(part) for part in re.split(r" \| |\n", piece)]
            assert all(part in visible for part in words), (trap, piece)
            assert normal(piece) not in text, (trap, piece)


def test_every_trap_is_set_at_least_twice() -> None:
    """No trap rests on a single page."""
    counted = Counter(trap for page in STORIES for trap in page.traps)
    assert set(counted) == TRAPS
    assert min(counted.values()) >= 2


@pytest.mark.parametrize("page", [page for page in STORIES if "unclosed" in page.traps], ids=name)
def test_unclosed_pages_lack_end_tags(page: SamplePage) -> None:
    """Paragraphs, cells or items are opened more often than closed."""
    source = page.html.decode(page.codec).lower()
    opened, closed = (len(re.findall(pattern, source)) for pattern in (r"<(p|li|td)\b", r"</(p|li|td)\b"))
    assert opened > closed


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_page_decodes_as_declared(page: SamplePage) -> None:
    """The bytes are in the encoding that the page names, and the page names it early."""
    head = page.html[:1024].decode("ascii", "ignore").lower()
    declared = re.search(r"charset=[\"']?([\w-]+)", head)
    assert declared is not None
    assert declared[1] == page.charset
    page.html.decode(page.codec)


def test_old_encodings_occur() -> None:
    """Bytes that are not UTF-8, and bytes that only windows-1252 explains under the label iso-8859-1."""
    by_label = {page.charset: page for page in STORIES}
    assert set(by_label) == {"utf-8", "windows-1254", "iso-8859-1", "shift_jis"}
    for label in set(by_label) - {"utf-8"}:
        with pytest.raises(UnicodeDecodeError):
            by_label[label].html.decode("utf-8")
    assert any(0x80 <= byte < 0xA0 for byte in by_label["iso-8859-1"].html)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_nothing_is_loaded_from_elsewhere(page: SamplePage) -> None:
    """Pictures are the ones that ship; there is no other resource."""
    shipped = {path.name for path in (newspaper.path() / "pictures").iterdir()}
    for address in read(page).loaded:
        if not address.startswith("data:"):
            assert address.startswith("../../pictures/"), address
            assert address.removeprefix("../../pictures/") in shipped, address


@pytest.mark.parametrize("page", [page for page in PAGES if page.page_type != "front"], ids=name)
def test_pages_have_the_size_of_pages(page: SamplePage) -> None:
    """Between eight and sixty kilobytes, most of it not story."""
    assert 8_000 < len(page.html) < 60_000
    assert len(page.gold["text"]) < len(page.html) / 2


@pytest.mark.parametrize("page", FRONTS, ids=name)
def test_front_page_links_to_its_stories(page: SamplePage) -> None:
    """Every gold link is an anchor; those marked "more" carry their headline outside of it."""
    by_id = {story.id: story for story in STORIES}
    anchors, visible = read(page).anchors, words_of(page)
    for link in page.gold["links"]:
        story = by_id[link["page"]]
        texts = [text for href, text in anchors if href == link["url"] == story.url]
        assert texts
        assert normal(link["title"]) == normal(story.gold["title"])
        assert normal(link["title"]) in visible
        if link["anchor"] == "headline":
            assert normal(link["title"]) in texts


def test_every_story_is_on_a_front_page_and_in_a_feed() -> None:
    """No story is out of reach."""
    addresses = {story.url for story in STORIES}
    assert {link["url"] for page in FRONTS for link in page.gold["links"]} == addresses
    listed: set[str] = set()
    for source in newspaper.sources():
        if source.kind == "json":
            listed |= {item["url"] for item in json.loads(source.content)["items"]}
        elif source.kind not in ("opml", "sitemap"):
            listed |= feed_addresses(ET.fromstring(source.content))
    assert addresses <= listed


def feed_addresses(root: ET.Element) -> set[str]:
    """Every address in the links of an XML feed."""
    links = [element for element in root.iter() if element.tag.rpartition("}")[2] == "link"]
    return {link.get("href") or (link.text or "") for link in links}


def test_kinds_of_sources() -> None:
    """Each feed format, a sitemap and an OPML file that lists every feed."""
    found = list(newspaper.sources())
    kinds = {source.kind for source in found}
    assert kinds == {"rss", "rss-wordpress", "atom", "rdf", "json", "sitemap", "opml"}
    opml = next(source for source in found if source.kind == "opml")
    listed = {outline.get("xmlUrl") for outline in ET.fromstring(opml.content).iter("outline")}
    assert listed == {source.url for source in found if source.kind not in ("sitemap", "opml")}


def test_redesign() -> None:
    """One outlet changed its templates on 10 March; both designs have several pages."""
    redesigned = [page for page in STORIES if page.redesign]
    assert {page.outlet for page in redesigned} == {"tagblatt"}
    for page in redesigned:
        assert page.redesign == ("old" if page.gold["date"] < "2026-03-10" else "new")
        assert (b"XHTML 1.0 Transitional" in page.html) == (page.redesign == "old")
    assert min(Counter(page.redesign for page in redesigned).values()) >= 3


def test_filters_of_pages() -> None:
    """`pages` takes an outlet, a language and a type."""
    chosen = list(newspaper.pages("nahr", lang="ur", page_type="article"))
    assert chosen
    assert {(page.outlet, page.lang, page.page_type) for page in chosen} == {("nahr", "ur", "article")}
