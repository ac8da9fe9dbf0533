"""Rules as files: nothing is lost on the way, and nothing hostile gets in."""

from __future__ import annotations

import fnmatch
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import examples
from tidings.errors import BadRules, UnknownFormat
from tidings.sites import Health, Rule, Site, Template, TrackedTemplate, formats
from tidings.sites.formats import text_rules, xml_rules, xpath
from tidings.sites.storage import as_json
from tidings.sites.templates.anchor import HOWS, Anchor, Condition
from tidings.sites.templates.rule import FIELDS, MAIN, UNINFORMATIVE, Expected, fits

_word = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=12
)
_phrase = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=20)
_tag = st.sampled_from(["div", "h1", "td", "x-y", "p"])
_condition = st.one_of(
    _word.map(lambda word: Condition("id", "is", word)),
    st.tuples(st.sampled_from(["itemprop", "role"]), st.sampled_from(HOWS), _phrase).map(lambda made: Condition(*made)),
)
_anchor = st.builds(
    lambda tag, words, others: Anchor(
        tag, (*dict.fromkeys(others), *(Condition("class", "word", one) for one in words))
    ),
    _tag,
    st.lists(_word, max_size=2, unique=True),
    st.lists(_condition, max_size=2, unique_by=lambda one: one.name),
)
_fields = st.sampled_from([MAIN, UNINFORMATIVE, *FIELDS])
_rule = st.one_of(
    st.builds(Rule, _fields, _anchor, st.none() | _anchor, each=st.booleans()),
    st.builds(Rule, _fields, left=_phrase, right=_phrase, syntax=st.sampled_from(["html", "json", "json list"])),
    st.builds(Rule, st.sampled_from(FIELDS), value=_phrase),
    st.just(Rule("published", address=True)),
)
_template = st.builds(
    Template,
    name=_word,
    pattern=_phrase,
    rules=st.lists(_rule, max_size=5, unique=True).map(lambda rules: (Rule(MAIN, Anchor.of("div", id="m")), *rules)),
    expected=st.builds(
        Expected,
        words=st.tuples(st.integers(0, 99), st.integers(100, 999)),
        link_share=st.sampled_from([0.0, 0.25, 1.0]),
        latin=st.none() | st.sampled_from([0.0, 0.5, 1.0]),
        markers=st.lists(_phrase, max_size=3).map(tuple),
    ),
    noise=st.frozensets(st.integers(0, 2**64 - 1), max_size=3),
    valid_from=st.none() | st.dates(date(2000, 1, 1), date(2030, 1, 1)),
    valid_until=st.none() | st.dates(date(2000, 1, 1), date(2030, 1, 1)),
    learned=_phrase,
    agreement=st.none() | st.sampled_from([0.5, 0.987]),
    several=st.booleans(),
    test_urls=st.lists(_phrase, max_size=2).map(tuple),
)
_site = st.builds(
    Site,
    _word,
    st.lists(
        st.builds(TrackedTemplate, _template), min_size=1, max_size=2, unique_by=lambda one: one.template.name
    ).map(tuple),
)


def _tidy(site: Site) -> bool:
    """Whether every rule is one that can be used: the strategies also make doubled or overlapping ones."""
    try:
        for known in site.templates:
            known.template.checked()
    except BadRules:
        return False
    return True


@given(_site.filter(_tidy))
@examples(120)
def test_xml_and_json_lose_nothing(site: Site) -> None:
    assert as_json.loads(as_json.dumps(site)) == site
    again = xml_rules.loads(xml_rules.dumps(site))
    # In XML the order of conditions is: id, class, others.
    assert _sorted(again) == _sorted(site)


def _sorted(site: Site) -> object:
    return repr(site.name), [
        [
            (
                rule.field,
                _set(rule.anchor),
                _set(rule.inside),
                rule.left,
                rule.right,
                rule.value,
                rule.syntax,
                rule.each,
            )
            for rule in known.template.rules
        ]
        + [known.template.expected, known.template.noise, known.template.valid_from, known.template.learned]
        for known in site.templates
    ]


def _set(anchor: Anchor | None) -> object:
    return anchor and (anchor.tag, frozenset(anchor.conditions))


def test_health_is_kept_in_json() -> None:
    known = TrackedTemplate(Template(rules=(Rule(MAIN, Anchor("div")),)), Health(5, 2, 1, date(2026, 1, 2), "no match"))
    site = Site("a.example", (known,), ((123, 4),))
    assert as_json.loads(as_json.dumps(site)) == site


CONFIGURATION = """\
# a site configuration as people share them
title: //h1[@class='headline']
body: //div[@id="story"] | //div[contains(concat(' ',normalize-space(@class),' '),' copy ')]
author: //meta[@name='author']/@content
date: //time/@datetime
strip: //div[contains(@class, 'promo') and @role='note']
strip_id_or_class: newsletter
single_page_link: //a[contains(@href, 'print')]
next_page_link: //div[@class='pager']//a[@rel='next']
prune: no
find_string: <p />
replace_string: <br />
body: //div[count(p) > 3]
test_url: https://post.example/1
"""


def test_a_site_configuration_is_read() -> None:
    site, unread = text_rules.loads(CONFIGURATION, "post.example")
    (known,) = site.templates
    rules = known.template.rules
    assert [str(rule) for rule in rules] == [
        "title: h1[class='headline']",
        "main: div#story",
        "main: div.copy",
        "authors: meta[name='author'] @content",
        "published: time @datetime",
        "uninformative: div[class*='promo'][role='note']",
        "uninformative: *[class*='newsletter']",
        "uninformative: *[id*='newsletter']",
        "single_page: a[href*='print'] @href",
        "next_page: a[rel='next'] @href inside div[class='pager']",
    ]
    assert known.template.test_urls == ("https://post.example/1",)
    assert unread == ("prune: no", "find_string: <p />", "replace_string: <br />", "body: //div[count(p) > 3]")


def test_a_site_configuration_written_is_read_again() -> None:
    site, _ = text_rules.loads(CONFIGURATION, "post.example")
    again, unread = text_rules.loads(text_rules.dumps(site), "post.example")
    assert not unread
    assert again.templates[0].template.rules == site.templates[0].template.rules


@pytest.mark.parametrize(
    "expression",
    [
        "//div[position()>2]",
        "substring-after(//p,'x')",
        "//div[text()='a']",
        "id('x')",
        "//a[@href=//b]",
        "",
        "//",
        "a" * 9000,
    ],
)
def test_other_xpath_is_not_read(expression: str) -> None:
    with pytest.raises(xpath.NotRead):
        xpath.read(expression)


REGULAR = """
{"site": "x", "templates": [{"name": "t", "rules": [{"field": "main", "anchor": ["div", ["a", "regex", "(a+)+$"]]}]}]}
"""


_MANY_CONDITIONS = "".join(f"<headline tag='h1' class='{f'c{n} ' * 60}'/>" for n in range(80))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<!DOCTYPE site [<!ENTITY a 'b'>]><site name='x'/>", "document type"),
        ("<!DOCTYPE site SYSTEM 'file:///etc/passwd'><site name='x'/>", "document type"),
        ("<site name='x'><template><main", "well-formed"),
        ("<sites/>", "<site name=…>"),
        ("<site name='x'><template><main tag='div p'/></template></site>", "not a valid element"),
        ("<site name='x'><template><main tag='<script>'/></template></site>", "well-formed"),
        ("<site name='x'><template><headline tag='h1'/></template></site>", "no rule for the main text"),
        ("<site name='x'><template><main tag='div'/><main tag='div'/></template></site>", "twice"),
        ("<site name='x'><template><main tag='div'/><eval code='1'/></template></site>", "no block called 'eval'"),
        (
            "<site name='x'><template><main tag='div'/><information field='__class__' tag='p'/></template></site>",
            "not a field",
        ),
        ("<site name='x'><template><main tag='div'/><headline left='a'/></template></site>", "pairs"),
        ("<site name='x'><template>" + "<main tag='div'/>" * 100_000 + "</template></site>", "at most"),
        ("<site name='x'>" + "<template><main tag='div'/></template>" * 1000 + "</site>", "at most"),
        (f"<site name='x'><template><main tag='div' class='{'a b ' * 60}'/></template></site>", "120 conditions"),
        (
            f"<site name='x'><template><main tag='div'/>{_MANY_CONDITIONS}</template></site>",
            "4,800 conditions",
        ),
        (REGULAR, "no condition"),
        ('{"site": "x", "templates": 3}', "this is not a site"),
        ("[" * 5000, "no `body:`"),
        ("title: //h1\n", "no `body:`"),
        ("x" * (formats.LARGEST + 1), "at most"),
    ],
)
def test_files_that_make_no_sense_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(BadRules, match=re.escape(reason)):
        formats.read(text, "x")


def test_unknown_formats_are_named() -> None:
    with pytest.raises(UnknownFormat, match="xml"):
        formats.write(Site("x"), "yaml")


@given(st.text("ab/*", max_size=8), st.text("ab/", max_size=10))
@examples(300)
def test_patterns_of_addresses_are_globs(pattern: str, address: str) -> None:
    assert fits(pattern, address) == (not pattern or fnmatch.fnmatchcase(address, pattern))


def test_a_hostile_pattern_is_quick() -> None:
    assert not fits("a*" * 190 + "b", "a" * 200_000)
