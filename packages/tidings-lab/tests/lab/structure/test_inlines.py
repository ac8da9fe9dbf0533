"""Inlines in every format: abbreviations, insertions and deletions, superscripts and subscripts."""

from __future__ import annotations

import pytest

from tests.lab.structure.test_structure import read
from tests.lab.structure.test_tei import faults
from tests.lab.structure.written import page
from tidings.article import Inline, Options, article_from_json, render

LINE = (
    '<p>The <abbr title="World &amp; Sea Council">WSC</abbr> weighs <del>four</del> <ins>five</ins> tons '
    'of CO<sub>2</sub> on 3 m<sup>2</sup>, as <del><acronym title="Harbour Office">HO</acronym></del> told it on '
    '<abbr class="published" title="2026-03-04T10:00">Wednesday</abbr>, '
    'and <a href="https://example.org/b"><abbr title="Bureau of Boats">BoB</abbr></a> agreed <abbr>etc.</abbr>.</p>'
)
FORMS = {
    "html": (
        '<abbr title="World &amp; Sea Council">WSC</abbr>',
        "<del>four</del> <ins>five</ins>", "CO<sub>2</sub>", "m<sup>2</sup>",
        '<del><abbr title="Harbour Office">HO</abbr></del>', '<abbr title="Bureau of Boats">BoB</abbr></a>',
    ),
    "markdown": (
        '<abbr title="World &amp; Sea Council">WSC</abbr>',
        "~~four~~ <ins>five</ins>", "CO<sub>2</sub>", "m<sup>2</sup>",
        '~~<abbr title="Harbour Office">HO</abbr>~~', '[<abbr title="Bureau of Boats">BoB</abbr>](https://example.org/b)',
    ),
    "tei": (
        "<choice><abbr>WSC</abbr><expan>World &amp; Sea Council</expan></choice>", "<del>four</del> <add>five</add>",
        'CO<hi rend="subscript">2</hi>', 'm<hi rend="superscript">2</hi>',
        "<del><choice><abbr>HO</abbr><expan>Harbour Office</expan></choice></del>",
    ),
    "xml": (
        '<abbreviation expansion="World &amp; Sea Council">WSC</abbreviation>',
        "<deleted>four</deleted> <inserted>five</inserted>",
        "CO<subscript>2</subscript>", "m<superscript>2</superscript>",
    ),
    "text": ("The WSC weighs four five tons of CO2 on 3 m2, as HO told it on Wednesday, and BoB agreed etc..",),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMS)
def test_every_format_has_what_stands_in_a_line(name: str) -> None:
    shown = render(read(page(LINE)), name)
    assert [part for part in FORMS[name] if part not in shown] == []


def test_abbreviations_are_read_back_and_valid() -> None:
    article = read(page(LINE))
    found = [inline for block in article.blocks for inline in block.inlines if inline.expansion]
    assert found == [
        Inline("WSC", expansion="World & Sea Council"),
        Inline("HO", deleted=True, expansion="Harbour Office"),
        Inline("BoB", "https://example.org/b", expansion="Bureau of Boats"),
    ]
    assert article_from_json(render(article, "json")) == article
    assert article_from_json(render(article, "jsonl")) == article
    assert faults(article) == []


def test_what_an_abbreviation_stands_for_cannot_end_its_attribute() -> None:
    article = read(page('<p>By the <abbr title=\'a" onclick="x()"><script>\'>ABC</abbr> rules of the harbour.</p>'))
    for name in ("html", "markdown", "xml"):
        assert "a&quot; onclick=&quot;x()&quot;&gt;&lt;script&gt;" in render(article, name)
    assert "<abbr" not in render(article, "html", Options(formatting=False))
