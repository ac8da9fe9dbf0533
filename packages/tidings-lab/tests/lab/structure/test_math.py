"""Formulas in HTML: MathML that a sanitiser does not change, and LaTeX where there is no MathML."""

from __future__ import annotations

import re

import pytest

from tests.article.test_properties import sanitised
from tests.lab.structure.test_structure import pages, read
from tidings.article import Article, Block, Inline, Kind, render
from tidings.article.formats import math_markup
from tidings.article.formats.math_markup import math


@pytest.fixture(autouse=True)
def converter() -> None:
    pytest.importorskip("latex2mathml")


def test_latex_is_told_in_mathml() -> None:
    assert math("x^2") == '<math alttext="x^2"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'
    assert math(r"\frac{a}{b}", display=True).startswith(r'<math alttext="\frac{a}{b}" display="block"><mrow><mfrac>')


@pytest.mark.parametrize(
    "formula", [r"\href{javascript:alert(1)}{x}", r"\style{color:red}{x}", r"\class{a}{x}", r"\color{red}x"]
)
def test_nothing_but_the_formula_comes_out_of_it(formula: str) -> None:
    drawn = math(formula).partition(">")[2]
    assert "<mi>x</mi>" in drawn or "<mtext>" in drawn
    assert not re.search("<[^>]*(?:script|style=|color|class|href)", drawn)


@pytest.mark.parametrize(
    "source",
    [
        r"\nosuchcommand{x}",
        "{" * 1000,
        "x^" * 1000,
        "x" * 100_000,
        "{x" * 90 + "}" * 90,
        "a & b",
        "]]>",
        "</math><script>",
    ],
)
def test_what_cannot_be_drawn_is_shown_as_it_was_typed_and_is_clean(source: str) -> None:
    written = render(Article(blocks=(Block(Kind.FORMULA, (Inline(source, formula=True),)),)), "html")
    assert sanitised(written) == written
    assert "<script" not in written


def test_without_the_library_the_latex_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(math_markup, "_converter", lambda: None)
    math_markup._drawn.cache_clear()
    assert math("x^3") == '<math alttext="x^3"><mtext>x^3</mtext></math>'
    math_markup._drawn.cache_clear()


def test_formulas_of_pages_are_clean() -> None:
    found = [read(page.html) for page in pages() if page.name.startswith("formula")]
    for article in found:
        written = render(article, "html")
        assert sanitised(written) == written
    assert sum("<mfrac>" in render(article, "html") for article in found) > len(found) / 4
