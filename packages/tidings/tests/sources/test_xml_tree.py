"""XML from strangers: nothing is expanded, nothing is loaded, and what can be read is read (HOSTILE 13)."""

from __future__ import annotations

import builtins
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import Growth
from tidings.sources.problems import ProblemKind
from tidings.sources.xml_tree import read_xml, without_type

LAUGHS = (
    "<!DOCTYPE r ["
    + "".join(
        f'<!ENTITY l{at} "{"&l" + str(at - 1) + ";" if at else "ha"}{"&l" + str(at - 1) + ";" if at else "ha"}">'
        for at in range(40)
    )
    + "]>"
)


def troubles(text: str) -> set[ProblemKind]:
    return {problem.trouble for problem in read_xml(text).problems}


def test_billion_laughs_stay_unlaughed() -> None:
    tree = read_xml(LAUGHS + "<r><a>&l39;</a><b>kept</b></r>")
    assert tree.root is not None
    assert [child.text() for child in tree.root.children] == ["&l39;", "kept"]
    assert ProblemKind.DECLARES_ENTITIES in {problem.trouble for problem in tree.problems}


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE r SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1:9/evil.dtd"> %p;]>',
        '<!DOCTYPE r PUBLIC "-//X//Y" "http://127.0.0.1:9/x.dtd" [<!ENTITY x "]><r>gone</r>">]>',
        '<!DOCTYPE r [<!-- ]> --><!ENTITY x "boo"><?pi ]> ?>]>',
    ],
)
def test_nothing_is_loaded(doctype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was opened")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(socket, "socket", refuse)
    tree = read_xml(f'<?xml version="1.0" standalone="yes"?>{doctype}<r><a>&x;</a></r>')
    assert tree.root is not None
    assert tree.root.text() == "&x;"


def test_a_declaration_that_is_not_at_the_beginning_ends_the_reading() -> None:
    tree = read_xml('<r/><!DOCTYPE r [<!ENTITY x "boo">]>')
    assert not any("boo" in str(problem) for problem in tree.problems)
    assert read_xml("<!DOCTYPE r [" + "<!ENTITY x 'y'>" * 3).root is None


def test_entities_of_html_mean_what_they_mean_there() -> None:
    tree = read_xml("<r>a&nbsp;b&hellip; &nosuch; <![CDATA[&nbsp;]]></r>")
    assert tree.root is not None
    assert tree.root.text() == "a\u00a0b… &nosuch; &nbsp;"


def test_prefixes_by_namespace_and_by_custom() -> None:
    text = (
        '<rss xmlns:d="http://purl.org/dc/elements/1.1/"><d:Creator>Ann</d:Creator><media:thumbnail url="u"/>'
        '<link xmlns="http://www.w3.org/2005/Atom" HREF="h"/><item/></rss>'
    )
    tree = read_xml(text)
    assert tree.root is not None
    assert [child.name for child in tree.root.children] == ["dc:creator", "media:thumbnail", "atom:link", "item"]
    assert tree.root.children[2].attributes["href"] == "h"


def test_a_document_that_ends_too_soon_gives_what_came() -> None:
    tree = read_xml("<r><a>one</a><a>two</a><a>thr")
    assert tree.root is not None
    assert [child.text() for child in tree.root.children][:2] == ["one", "two"]
    assert troubles("<r><a>one</a><a>tw") == {ProblemKind.CUT_SHORT}


def test_bare_ampersands_and_control_characters_are_mended() -> None:
    tree = read_xml("<r><a>AT&T &amp; <![CDATA[R&D]]></a><b href='?a=1&b=2'>\x0b\x1f!</b></r>")
    assert tree.whole
    assert tree.root is not None
    assert tree.root.children[0].text() == "AT&T & R&D"
    assert tree.root.children[1].attributes["href"] == "?a=1&b=2"


@pytest.mark.parametrize(
    "reference",
    [
        *"&#1114112; &#xd800; &#99999999999999999999; &#0; &#x0; &#xFFFE; &#11; &#X110000;".split(),
        f"&#{'9' * 5000};",
        f"&#x{'f' * 5000};",
    ],
    ids=lambda reference: reference[:12],
)
def test_a_reference_to_no_character_costs_that_character(reference: str) -> None:
    """HOSTILE 34."""
    tree = read_xml(f"<r><a b='1{reference}2'>x{reference}y &#8217; &#x41;</a><b>more</b></r>")
    assert tree.whole
    assert tree.root is not None
    assert tree.root.children[0].attributes["b"] == "12"
    assert [node.text() for node in tree.root.children] == ["xy \u2019 A", "more"]


def test_references_in_other_spellings_are_read() -> None:
    tree = read_xml("<r>&#X41;&#" + "0" * 5000 + "66;&#x0043; <![CDATA[&#xd800;]]>&#xd800; &#x; &#; &1;</r>")
    assert tree.root is not None
    assert tree.root.text() == "ABC &#xd800; &#x; &#; &1;"


@given(st.from_regex(r"&#[xX]?[0-9a-fA-F]{1,30};?", fullmatch=True))
def test_no_reference_loses_what_follows(reference: str) -> None:
    tree = read_xml(f"<r><a>{reference}</a><b>more</b></r>")
    assert tree.root is not None
    assert [node.name for node in tree.root.children] == ["a", "b"]


def test_fifty_thousand_levels() -> None:
    tree = read_xml("<a>" * 50_000 + "deep" + "</a>" * 50_000)
    assert tree.root is not None
    assert tree.root.text() == "deep"


@given(st.text(alphabet="<>!-[]?&;\"'DOCTYPEntiy% ax", max_size=80))
def test_never_raises(text: str) -> None:
    read_xml(text)
    without_type(text)


@pytest.mark.parametrize(
    "piece", ["<!--", "<![CDATA[", "<?", "<!DOCTYPE", "&", "<", "<a>", "<!DOCTYPE a [<!--", '"', "<a b='"]
)
def test_time_grows_with_the_size(piece: str, growth: Growth) -> None:
    small, large = piece * 20_000, piece * 80_000
    assert growth(lambda: read_xml("<r>" + small), lambda: read_xml("<r>" + large)) < 8
    assert growth(lambda: read_xml("<!DOCTYPE x " + small), lambda: read_xml("<!DOCTYPE x " + large)) < 8
