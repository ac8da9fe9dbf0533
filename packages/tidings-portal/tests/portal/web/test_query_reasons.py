"""Why a query cannot be read is said in every language of the portal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadQuery
from tidings_portal.store.query import parse
from tidings_portal.web.languages import is_translatable, translated_reason
from tidings_portal.web.translations import words

BAD = (
    "", "…", "x" * 5000, '"never closed', "title:…", "bridge OR", "bridge)", "(" * 200 + "a", "(bridge", "( )", "AND a",
    " ".join(f"w{number}" for number in range(300)), "titel:bridge", "nothinglikeit:x", "title:(a)", "title:site:a",
    'site:""', "story:x", "is:gone", "since:yesterday",
)  # fmt: skip


def reason(query: str) -> str:
    with pytest.raises(BadQuery) as refused:
        parse(query)
    return refused.value.reason


@pytest.mark.parametrize("query", BAD, ids=range(len(BAD)))
def test_every_reason_is_said_in_turkish(query: str) -> None:
    english = reason(query)
    assert is_translatable(english), english
    assert translated_reason(words("en"), english) == english
    turkish = translated_reason(words("tr"), english)
    assert turkish != english
    assert "{" not in turkish.replace(query, "")


def test_names_and_words_stay() -> None:
    assert translated_reason(words("tr"), reason("OR a")).count("OR") == 2
    assert "title" in translated_reason(words("tr"), reason("titel:bridge"))
    assert "since:2024-03-05" in translated_reason(words("tr"), reason("since:yesterday"))


@given(st.text(max_size=300))
def test_anything_else_stays_as_it_is(text: str) -> None:
    assert is_translatable(text) or translated_reason(words("tr"), text) == text


@given(st.text(alphabet='ab:()"- *ANDORtile', max_size=60))
def test_no_query_is_refused_for_a_reason_that_is_not_known(query: str) -> None:
    said = ""
    try:
        parse(query)
    except BadQuery as refused:
        said = refused.reason
    assert not said or is_translatable(said), said
