"""Sequences of filters, declared in TOML and XML (LBNEST II.C.2; HOSTILE 13, 20)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadFilter, BadPattern
from tidings.page import Page
from tidings.sources import LBNEST, front_page, read_chain
from tidings.sources.front.filters import LearnedFilter, UrlFilter, WordsFilter

TOML = """
[[filter]]
name = "words"
minimum = 3
rescue = false

[[filter]]
name = "url"
reject = ['/(tag|author)/', '\\.pdf$']
"""
XML = (
    '<filters><filter name="words" minimum="3" rescue="false"/>'
    "<filter name='address'><reject>/(tag|author)/</reject><reject>\\.pdf$</reject></filter></filters>"
)
FRONT = """<a href="/news/seals-return">Seals return to estuary</a><a href="/tag/seals">All about the seals</a>
<a href="/x">Short</a><a href="/report.pdf">The whole report here</a>"""


def test_toml_and_xml_declare_the_same() -> None:
    assert read_chain(TOML) == read_chain(XML)
    assert [one for _, one in read_chain(TOML).filters] == [
        WordsFilter(3, False),
        UrlFilter(reject=("/(tag|author)/", "\\.pdf$")),
    ]


def test_a_declared_chain_runs() -> None:
    found = front_page(Page(FRONT, "https://a.example/"), read_chain(TOML))
    assert [link.canonical_url for link in found.links] == ["https://a.example/news/seals-return"]
    assert {dropped.url: dropped.reason for dropped in found.dropped} == {
        "https://a.example/tag/seals": "url",
        "https://a.example/x": "words",
        "https://a.example/report.pdf": "url",
    }


def test_former_names_of_filters_and_parameters_are_read() -> None:
    former = """[[filter]]\nname = "address"\nreject = ["/tag/"]\n[[filter]]\nname = "learned"\nchance = 0.7"""
    assert read_chain(former).filters == (("url", UrlFilter(reject=("/tag/",))), ("learned", LearnedFilter(0.7)))


def test_numbers_may_be_written_with_and_without_a_point() -> None:
    assert read_chain('[[filter]]\nname="learned"\nprobability=0.7').filters[0][1] == LearnedFilter(0.7)
    assert read_chain('<filters><filter name="site-name" similarity="1"/></filters>').filters[0][0] == "site-name"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[[filter]]\nname = "word"', "did you mean words"),
        ('[[filter]]\nname = "words"\nmin = 4', "no parameter 'min'"),
        ('[[filter]]\nname = "words"\nminimum = "four"', "a whole number"),
        ('[[filter]]\nname = "words"\nminimum = true', "a whole number"),
        ('[[filter]]\nname = "words"\nminimum = -1', "goes from 0"),
        ('[[filter]]\nname = "words"\nrescue = 1', "true or false"),
        ('[[filter]]\nname = "learned"\nchance = 2.0', "goes from"),
        ('[[filter]]\nname = "url"\nreject = [1]', "a list of texts"),
        ('[[filter]]\nname = "home-pages"\nx = 1', "it has none"),
        ("[[filter]]\nname = 3", "no filter called 3"),
        ("filter = 3", "two pairs of brackets"),
        ("[filter]\nname='words'", "two pairs of brackets"),
        ("[[rule]]\nname='words'", "only [[filter]]"),
        ("name =", "no TOML"),
        ("", "no filter is declared"),
        ("<filters/>", "no filter is declared"),
        ("<rules/>", "not in <rules>"),
        ("<filters><rule/></filters>", "no <rule>"),
        ("<filters><filter name='words'>", "no XML"),
        ('<!DOCTYPE f [<!ENTITY a "b">]><filters><filter name="words"/></filters>', "entities"),
        ('<filters><filter name="url" reject="a"><reject>b</reject></filter></filters>', "both"),
        ("x" * 100_001, "characters"),
        ('[[filter]]\nname="words"\n' * 51, "51 filters"),
        ("a = " + "[" * 5000, "no TOML"),
        ("a = " + "1" * 5000, "no TOML"),
    ],
)
def test_what_is_wrong_is_said(text: str, says: str) -> None:
    with pytest.raises(BadFilter) as raised:
        read_chain(text)
    assert says in str(raised.value)


def test_a_bad_pattern_points_at_its_place() -> None:
    with pytest.raises(BadPattern, match="filter 'url'"):
        read_chain('[[filter]]\nname = "url"\nreject = ["(?=x)"]')


@given(st.text(alphabet='[filter]name="words=\n<>/&;', max_size=60))
def test_any_text_is_a_chain_or_an_error(text: str) -> None:
    with suppress(BadFilter):  # and nothing else
        assert read_chain(text).filters


def test_the_published_chain() -> None:
    page = Page(
        "<title>The Harbour Gazette</title><a href='/1'>one two three</a><a href='/2'>one two three four</a>"
        "<a href='/3'>The Harbour Gazette of Selene</a>",
        "https://harbourgazette.example/",
    )
    found = front_page(page, LBNEST)
    assert [link.canonical_url[-1] for link in found.links] == ["2"]
    assert {dropped.url[-1]: dropped.reason for dropped in found.dropped} == {"1": "words", "3": "site-name"}
