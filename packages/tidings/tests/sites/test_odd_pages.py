"""Rules on pages that nobody writes on purpose: deep JSON, and names that are not ASCII."""

from __future__ import annotations

import pytest

from tidings.sites.extraction.cut import RuleMismatch, cut
from tidings.sites.extraction.values import value_of
from tidings.sites.templates.anchor import Anchor, Condition
from tidings.sites.templates.rule import MAIN, Rule, Template

URL = "https://post.example/1"


def test_json_that_is_nested_too_deep_has_no_value() -> None:
    assert not value_of("tags", ["[" * 100_000], "json list", URL, "")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "shift_jis"])
def test_names_of_attributes_need_not_be_ascii(encoding: str) -> None:
    anchor = Anchor("div", (Condition("größe", "is", "5"),))
    template = Template(rules=(Rule(MAIN, anchor=anchor),), encoding=encoding).checked()
    page = "<body><div größe=5>Seals are back.</div></body>"
    if encoding == "shift_jis":  # which has none of these letters: nothing matches, and nothing fails
        with pytest.raises(RuleMismatch):
            cut(template, page.encode("utf-8"), URL)
    else:
        assert cut(template, page.encode(encoding), URL).article.text == "Seals are back."


def test_a_tag_that_is_not_ascii_is_found_by_rules_that_are_tried_while_they_are_learned() -> None:
    template = Template(rules=(Rule(MAIN, anchor=Anchor("dübel")),))
    assert cut(template, "<body><dübel>Seals are back.</dübel></body>".encode(), URL).article.text == "Seals are back."
