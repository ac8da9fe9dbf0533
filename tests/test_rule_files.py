"""Files of rules and filters are data (HOSTILE 20): what looks like code or a template in them is text, or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.article.test_formats import OF_ALL_TYPES, changed, places
from tidings.errors import BadRules, TidingsError
from tidings.sites import formats
from tidings.sites.extraction.cut import RuleMismatch, cut
from tidings.sites.templates.site import Site
from tidings.sources import read_chain, read_feed, read_opml, read_sitemap
from tidings_portal.stories.trends.finder import Unusable, read_queries
from tidings_portal.stories.trends.formats import read_json_lines, read_xml

TRICKS = (
    "__import__('pathlib').Path('{made}').touch()",
    "{{{{ 7*191 }}}}{{% import os %}}",
    "${{7*191}} #{{7*191}} <%= 7*191 %>",
    "${{jndi:ldap://127.0.0.1:1/x}}",
    "$(touch {made}) `touch {made}`",
    "!!python/object/apply:os.system ['touch {made}']",
    "%(7*191)s {{0.__class__.__mro__}} {{self.__init__.__globals__}}",
    "php:function('system', 'touch {made}')",
    "document('file:///etc/passwd')",
)
#: How a trick gets into a file of each sort, where a text is expected.
FILES: dict[str, Callable[[str], object]] = {
    "rules, XML": lambda text: formats.read(
        f"<site name='a'><template name={_quoted(text)}><main tag='div' class={_quoted(text)}/></template></site>", "a"
    ),
    "rules, JSON": lambda text: formats.read(
        json.dumps(
            {"site": "a", "templates": [{"name": text, "rules": [{"field": "main", "tag": "div", "class": text}]}]}
        ),
        "a",
    ),
    "site configuration": lambda text: formats.read(
        f"title: {text}\nbody: //div[@class='story']\nbody: {text}\nstrip: {text}\ntest_url: {text}\n", "a"
    ),
    "filters, TOML": lambda text: read_chain(f'[[filter]]\nname = "address"\nreject = [{json.dumps(text)}]\n'),
    "filters, XML": lambda text: read_chain(f"<filters><filter name='address' reject={_quoted(text)}/></filters>"),
    "the name of a filter": lambda text: read_chain(f"[[filter]]\nname = {json.dumps(text)}\n"),
    "queries": lambda text: read_queries(f"[queries]\n{json.dumps(text)} = [{json.dumps(text)}]\n"),
}


def _quoted(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return f'"{escaped}"'


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("trick", TRICKS)
def test_nothing_in_them_is_run(file: str, trick: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    try:
        told = repr(FILES[file](trick.format(made=made)))
    except TidingsError as error:
        told = str(error)
    assert not made.exists()
    assert "1337" not in told
    assert "root:" not in told
    assert "<class" not in told


# -- values that no field can have (HOSTILE 38) ---------------------------------------------------------------

ENCODINGS = ("no-such", "hex", "rot13", "idna", "undefined", "utf-7", "utf-16", "utf-32", "shift_jis", "big5", "")
XML: dict[str, tuple[Callable[[str], object], str]] = {
    "rules": (
        lambda text: formats.read(text, "a.example"),
        '<site name="a.example"><template name="t"><main tag="div" class="story"/></template></site>',
    ),
    "filters": (read_chain, '<filters><filter name="words" minimum="4"/></filters>'),
    "records": (
        lambda text: list(read_xml([text.encode("utf-8", "surrogatepass")])),
        "<research><date>2001</date><title>Seals</title><abstract>Seals are back.</abstract></research>",
    ),
    "feed": (read_feed, '<rss version="2.0"><channel><title>News</title></channel></rss>'),
    "OPML": (read_opml, '<opml version="2.0"><body><outline text="A" xmlUrl="http://a.example/f"/></body></opml>'),
    "sitemap": (read_sitemap, "<urlset><url><loc>http://a.example/1</loc></url></urlset>"),
}


@pytest.mark.parametrize("kind", XML)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_xml_that_names_an_encoding_it_is_not_in(kind: str, encoding: str) -> None:
    read, document = XML[kind]
    with suppress(TidingsError):
        read(f"<?xml version='1.0' encoding='{encoding}'?>{document}")


@pytest.mark.parametrize("kind", XML)
@pytest.mark.parametrize("bad", ["\ud800", "\x00", "&#xd800;", "&#1114112;", "&#99999999999;", "\ufffe"])
def test_xml_with_characters_that_there_are_not(kind: str, bad: str) -> None:
    read, document = XML[kind]
    for place in ("a.example", "Seals", "News", "story", "words"):
        with suppress(TidingsError):
            read(document.replace(place, place + bad))


RULES = {
    "site": "a.example",
    "texts": [[3, 2]],
    "templates": [
        {
            "name": "article",
            "pattern": "https://a.example/*",
            "rules": [
                {"field": "main", "anchor": ["div", ["class", "word", "story"]], "inside": ["body"], "each": True},
                {"field": "title", "left": "<h1>", "right": "</h1>", "reach": 900},
                {"field": "language", "value": "en"},
                {"field": "published", "address": True},
                {"field": "image", "anchor": ["img"], "attribute": "src", "starts": "<img ", "syntax": "html"},
            ],
            "expected": {"words": [1, 900], "link_share": 0.5, "latin": 1.0, "markers": ["<h1>"], "reach": 900},
            "noise": [7],
            "encoding": "utf-8",
            "valid_from": "2026-01-01",
            "valid_until": None,
            "learned": "from 3 pages",
            "agreement": 0.9,
            "several": False,
            "test_urls": ["https://a.example/1"],
            "health": {"served": 1, "doubted": 0, "in_a_row": 0, "last_served": "2026-01-02", "last_doubt": "none"},
        }
    ],
}
PAGE = b"<html><body><h1>Seals</h1><div class='story'><p>Grey seals are back in the estuary.</p></div></body></html>"


def use(site: Site) -> None:
    """All that is done with rules: they are written in every format, read again, and cut a page."""
    for form in formats.NAMES:
        formats.write(site, form).encode()
    assert formats.read(formats.write(site, "json"), site.name) == (site, ())
    for known in site.templates:
        with suppress(RuleMismatch):
            cut(known.template, PAGE, "https://a.example/2026/03/14/seals")


def test_counts_under_their_former_names_are_read() -> None:
    former = json.loads(json.dumps(RULES))
    former["templates"][0]["health"] |= {"doubted": 3, "last_doubt": "too short"}
    health = formats.read(json.dumps(former), "a.example")[0].templates[0].health
    assert (health.mismatched, health.last_mismatch) == (3, "too short")


def test_rules_in_json_with_values_of_other_types() -> None:
    use(formats.read(json.dumps(RULES), "a.example")[0])
    refused = 0
    for way in places(RULES):
        for value in (*OF_ALL_TYPES, "\ud800", "\x00", "no-such", "hex", "utf-7", "x" * 500):
            text = json.dumps(changed(RULES, way, "#" if value == 10**5000 else value))
            text = text.replace('"#"', "1" + "0" * 5000) if value == 10**5000 else text
            try:
                site, _ = formats.read(text, "a.example")
            except BadRules:
                refused += 1
            else:
                use(site)
    assert refused > 500


NO_VALUES = (
    "1e999", "-1", "1.5", "nan", "inf", "9" * 30, "9" * 5000, "", "x", "no-such", "hex", "\ud800", "x" * 500,
)  # fmt: skip


def test_rules_in_xml_with_values_of_other_kinds() -> None:
    whole = formats.write(formats.read(json.dumps(RULES), "a.example")[0], "xml")
    use(formats.read(whole, "a.example")[0])
    refused = 0
    for match in re.finditer(r'="([^"]*)"', whole):
        for value in (
            "1e999",
            "-1",
            "1.5",
            "nan",
            "inf",
            "9" * 30,
            "9" * 5000,
            "",
            "x",
            "no-such",
            "hex",
            "\ud800",
            "x" * 500,
        ):
            try:
                site, _ = formats.read(whole[: match.start(1)] + value + whole[match.end(1) :], "a.example")
            except BadRules:
                refused += 1
            else:
                use(site)
    assert refused > 100


@pytest.mark.parametrize(
    ("way", "value", "said"),
    [
        (("site",), 3, "site is 3; it is a text"),
        (("templates", 0, "encoding"), "no-such", "'no-such' is not an encoding of web pages"),
        (("templates", 0, "encoding"), "hex", "'hex' is not an encoding of web pages"),
        (("templates", 0, "agreement"), float("inf"), "agreement is Infinity; it is a number"),
        (("templates", 0, "expected", "words"), [1.5, 2], "words is 1.5; it is a whole number"),
        (("templates", 0, "expected", "reach"), 10**30, "reach is 1000"),
        (("templates", 0, "expected", "link_share"), float("nan"), "link_share is NaN; it is a number"),
        (("templates", 0, "health", "served"), float("inf"), "served is Infinity; it is a whole number"),
        (("templates", 0, "rules", 1, "left"), "\ud800", "half of a surrogate pair"),
        (("templates", 0, "rules", 0, "each"), "no", 'each is "no"; it is true or false'),
        (("site",), "\ud800", "not a site name"),
    ],
)
def test_what_is_wrong_with_rules_is_said(way: tuple[str | int, ...], value: object, said: str) -> None:
    with pytest.raises(BadRules, match=said):
        formats.read(json.dumps(changed(RULES, way, value)), "a.example")


def test_a_configuration_with_half_characters() -> None:
    site, unread = formats.read("body: //div[@class='story']\nbody: //p[@class='\ud800']\ntitle: //h1\n", "a.example")
    assert unread == ("body: //p[@class='\ud800']",)
    use(site)
    with pytest.raises(BadRules):
        formats.read("body: //div\ntest_url: http://a.example/\ud800\n", "a.example")


def test_records_in_json_with_values_of_other_types() -> None:
    for value in (*OF_ALL_TYPES, "\ud800"):
        if value == 10**5000:
            continue
        for name in ("date", "text", "title", "language"):
            said = {"date": "2001", "text": "Seals.", "title": "Seals", "language": "en", name: value}
            for record in read_json_lines([json.dumps(said)]):
                assert isinstance(record, Unusable) or all(isinstance(one, str) for one in (record.text, record.title))
    (record,) = read_json_lines(['{"year": 2001, "text": {"a": 1}}'])
    assert record == Unusable("line 1", "its text is no text")
