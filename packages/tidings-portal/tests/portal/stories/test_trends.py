"""TrendFinder: records in three forms, cosines over the query's dictionary, periods, changes, tables."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import BadRecords, BadTrends
from tidings_portal.stories.trends.finder import (
    DatedText,
    PeriodLength,
    TrendPoint,
    TrendQuery,
    Unusable,
    abrupt_changes,
    cosine_over,
    day_of,
    find_trends,
    read_queries,
)
from tidings_portal.stories.trends.formats import as_csv, read_json_lines, read_ris, read_xml, wide, write_xml

# A record as in the thesis's listing 6.1, with words of our own.
RIS = """TY - JOUR
AU - HEATH, ANNA
TI - Seals of the Skerries
TI - Las focas de los islotes
PY - 2006
AB - Abstract: Seals breed on skerries
    and on beaches.
ER -

TY  - JOUR
T1  - No abstract
Y1  - 2007/03/15/Spring
ER  -
TY  - JOUR
DA  - sometime
AB  - Text
ER  -
TY  - JOUR
PY  - 2008///
N2  - UK-based seals,
US -led counts
"""

XML = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE note SYSTEM "Note.dtd">
<research>
<journal>
    Shore
</journal>
<title>
    Seals of the Skerries
</title>
<date>
    2006
</date>
<abstract>
    Abstract: Seals &amp; skerries
    and beaches.
</abstract>
</research>
"""


def test_ris_records() -> None:
    first, second, third, fourth = read_ris(RIS.splitlines(keepends=True))
    assert first == DatedText(
        date(2006, 1, 1), "Abstract: Seals breed on skerries and on beaches.", "Seals of the Skerries"
    )
    assert second == Unusable("the record at line 10", "it has no text")
    assert isinstance(third, Unusable)
    assert "sometime" in third.why
    assert isinstance(fourth, DatedText)  # the last one has no end
    assert fourth.text.startswith("UK-based seals,")


@given(st.lists(st.text(max_size=30), max_size=20))
def test_any_lines_can_be_read_as_ris(lines: list[str]) -> None:
    list(read_ris(lines))


def test_xml_records() -> None:
    expected = DatedText(date(2006, 1, 1), "Abstract: Seals & skerries and beaches.", "Seals of the Skerries")
    assert list(read_xml([XML.encode()])) == [expected]
    assert list(read_xml([bytes([one]) for one in XML.encode()])) == [expected]
    record = XML[XML.index("<research>") :]
    many = f"<all><x>{record * 3}</x><research/></all>"
    *found, last = read_xml([many.encode()])
    assert found == [expected] * 3
    assert last == Unusable("the record at line 46", "it has no date")


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><research><abstract>&b;</abstract></research>'
EXTERNAL = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><research><abstract>&a;</abstract></research>'
PARAMETER = '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://127.0.0.1:1/x.dtd"> %p;]><research/>'


@pytest.mark.parametrize("attack", [LAUGHS, EXTERNAL, PARAMETER])
def test_xml_that_declares_entities_is_refused(attack: str) -> None:
    with pytest.raises(BadRecords, match="declares entities"):
        list(read_xml([attack.encode()]))


def test_a_remote_document_type_is_not_looked_for() -> None:
    xml = '<!DOCTYPE x SYSTEM "http://127.0.0.1:1/x.dtd"><research><date>2001</date><abstract>a&nbsp;b</abstract></research>'
    assert list(read_xml([xml.encode()])) == [DatedText(date(2001, 1, 1), "ab")]


def test_xml_that_breaks_off_gives_what_came_before() -> None:
    records = read_xml([XML.encode().replace(b"</research>", b"</research><research>")])
    with pytest.raises(BadRecords, match="not well-formed"):
        list(records)
    with pytest.raises(BadRecords, match="not well-formed"):
        list(read_xml([b"seals"]))


@given(st.lists(st.builds(DatedText, st.dates(date(1000, 1, 1)), st.text(min_size=1), st.text()), max_size=5))
def test_what_is_written_as_xml_is_read_again(documents: list[DatedText]) -> None:
    found = list(read_xml([part.encode() for part in write_xml(documents)]))
    assert len(found) == len(documents)
    for one, other in zip(found, documents, strict=True):
        if isinstance(one, DatedText):
            assert one.when == other.when
            assert (
                one.text.split()
                == "".join(sign for sign in other.text if sign >= " " or sign in "\t\n\r")
                .replace("\ufffe", "")
                .replace("\uffff", "")
                .split()
            )


def test_json_lines() -> None:
    lines = [
        '{"year": 1999, "abstract": "Seals", "title": "T"}',
        "",
        '{"published": "2024-03-05T10:00:00Z", "text": "Seals", "language": "en"}',
        "{",
        "[1]",
        '{"date": null, "text": "x"}',
    ]
    first, second, *rest = read_json_lines(lines)
    assert first == DatedText(date(1999, 1, 1), "Seals", "T")
    assert second == DatedText(date(2024, 3, 5), "Seals", "", "en")
    assert rest == [
        Unusable("line 4", "it is no JSON"),
        Unusable("line 5", "it is no object"),
        Unusable("line 6", "it has no date"),
    ]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2006", date(2006, 1, 1)), ("2006/03", date(2006, 3, 1)), ("2006/13/40", date(2006, 1, 1)),
        ("2006-02-31", date(2006, 2, 1)), ("2006///", date(2006, 1, 1)), ("0000", None), ("spring", None), ("", None),
    ],
)  # fmt: skip
def test_dates(told: str, expected: date | None) -> None:
    assert day_of(told) == expected


def test_the_cosine_is_over_the_dictionary_of_the_query_alone() -> None:
    # Figure 6.1: components are how often each term is there; 4·1 + 0·1 + 1·1 + 5·1 over √4 · √(16 + 1 + 25).
    query = Counter(["term1", "term2", "term3", "term4"])
    document = Counter({"term1": 4, "term3": 1, "term4": 5, "another": 100})
    assert cosine_over(query, document) == pytest.approx(10 / (2 * 42**0.5))
    assert cosine_over(query, Counter({"another": 3})) == 0.0
    assert cosine_over(Counter(["a", "a", "b"]), Counter(["a", "a", "b"])) == pytest.approx(1.0)


def test_means_by_period_and_the_share_without_a_keyword() -> None:
    queries = read_queries('[queries]\nseals = ["seal", "seals", "skerry"]\nwind = "wind of storms"\n')
    documents = [
        DatedText(date(2020, 1, 5), "The seal and the skerries."),
        DatedText(date(2020, 1, 9), "Wind and storm."),
        DatedText(date(2020, 2, 1), "Sealing wind", language="en-GB"),
        DatedText(date(2020, 2, 1), "Der Wind", language="de"),
    ]
    found = find_trends(queries, documents, PeriodLength.MONTH)
    assert found.periods == ("2020-01", "2020-02")
    assert found.documents == 4
    seals, wind = found.trends
    # seal, seals → seal twice; skerry once: (2, 1) · (1, 1) / (√5 · √2).
    assert seals.points[0].mean == pytest.approx(3 / 10**0.5 / 2)
    assert [point.without for point in seals.points] == [0.5, 0.5]
    assert wind.points[0].mean == pytest.approx(0.5)
    assert wind.points[1].mean == pytest.approx(0.5 / 2**0.5)
    assert [PeriodLength.of(by, date(2021, 1, 3)) for by in PeriodLength] == [
        "2021",
        "2021-01",
        "2020-W53",
        "2021-01-03",
    ]
    heads, rows = wide(found)
    assert heads == ["period", "documents", "seals", "wind"]
    assert rows[0] == ["2020-01", "2", "474", "500"]
    assert as_csv(found).splitlines()[1] == "seals,2020-01,2,0.474342,0.474342,0.500000,"


def test_titles_count_if_wanted() -> None:
    query = [TrendQuery("seals", ("seal",))]
    document = [DatedText(date(2020, 1, 1), "Nothing", "Seals")]
    assert find_trends(query, document).trends[0].points[0].mean == 0.0
    assert find_trends(query, document, with_titles=True).trends[0].points[0].mean == 1.0


def test_a_formula_stays_a_name() -> None:
    found = find_trends([TrendQuery("=HYPERLINK()", ("seal",))], [DatedText(date(2020, 1, 1), "seal")])
    assert as_csv(found).splitlines()[1].startswith("'=HYPERLINK()")


def points(means: list[float], error: float = 0.001, documents: int = 100) -> list[TrendPoint]:
    return [TrendPoint(f"{2000 + place}", documents, mean, error, 0.0) for place, mean in enumerate(means)]


def test_abrupt_changes() -> None:
    steps = [0.10, 0.11, 0.10, 0.12, 0.30, 0.31, 0.30, 0.12]
    found = abrupt_changes(points(steps))
    assert [(change.period, round(change.step, 2)) for change in found] == [("2004", 0.18), ("2007", -0.18)]
    assert abrupt_changes(points(steps, error=0.1)) == ()  # chance explains it
    assert abrupt_changes(points(steps, documents=9)) == ()  # too few to tell
    assert abrupt_changes(points([0.1, 0.3, 0.1, 0.3, 0.1])) == ()  # its daily bread
    assert abrupt_changes(points([0.1] * 5)) == abrupt_changes([]) == ()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("queries = ", "no TOML"), ("", "no queries"), ("queries = 3", "no queries"), ("[queries]\n", "no queries"),
        ('[queries]\nx = ["the", "of"]', "stop word"), ("[queries]\nx = 3", "no keywords"),
        ("language = 3\n[queries]\nx='a'", "no queries"),
        ("[queries]\n" + "\n".join(f"q{n} = 'seal'" for n in range(201)), "200 at most"),
        ("a = " + "1" * 5000, "no TOML"), ("a = " + "[" * 5000, "no TOML"),
    ],
)  # fmt: skip
def test_queries_that_make_no_sense(text: str, reason: str) -> None:
    with pytest.raises(BadTrends, match=reason):
        read_queries(text)


def test_the_thesis_has_words_twice_and_keywords_of_several_words() -> None:
    (query,) = read_queries('[queries]\nbiodiversity = "hot spot functional functional"\n')
    assert Counter(query.terms) == Counter({"hot": 1, "spot": 1, "function": 2})


def test_the_four_queries_of_the_thesis_come_along() -> None:
    """DANA thesis, table 6.3."""
    from importlib.resources import files

    told = read_queries((files("tidings_portal.stories.trends") / "ecology.toml").read_text(encoding="utf-8"))
    assert [one.name for one in told] == ["biodiversity", "evolution", "conservation", "genome"]
    assert [sum(len(keywords.split()) for keywords in one.keywords) for one in told] == [18, 31, 23, 13]
    repeated = {word for one in told for word, count in Counter(one.terms).items() if count > 1}
    assert {"function", "abund", "speciat", "chang"} <= repeated
