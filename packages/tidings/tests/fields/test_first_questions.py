"""What fields ask first, to be spared a longer look: never another answer than the longer look gives."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from tidings import newspaper
from tidings.fields.authors import bylines, names
from tidings.fields.date_parsing import parsing
from tidings.fields.date_parsing.parsing import find
from tidings.fields.dates import visible_dates
from tidings.fields.titles import choice as title_choice
from tidings.fields.titles.candidates import gather
from tidings.fields.titles.choice import choose, weights
from tidings.fields.titles.features import MostGained, TitleEvidence, features
from tidings.page import Page, Spans

HEADINGS = (
    *("<h1>", "<h2>", "</h2>", "<h3>", "<nav>", "</nav>", "<a href=x>", "</a>", "<b>", "<p>", "<header>"),
    *(
        "<h1 hidden>",
        "<h2 style='display:none'>",
        "<span hidden>x</span>",
        "Bridge",
        "reopens at last",
        " ",
        "- Gazette",
    ),
)


@given(
    st.lists(st.sampled_from(HEADINGS), max_size=25).map("".join),
    st.booleans(),
    st.booleans(),
    st.frozensets(st.sampled_from(sorted(weights()))),
)
@example("<h1>Bridge</h1><h2>Bridge reopens at last", True, True, frozenset())
@example("<h1>Bridge</h1><h2>Bridge reopens at last", True, True, frozenset(weights()))
def test_no_candidate_for_the_headline_is_better_than_its_bound(
    html: str, declared: bool, is_content: bool, turned: frozenset[str]
) -> None:
    learned = {name: -weight if name in turned else weight for name, weight in weights().items()}
    head = "<title>Bridge reopens at last - Gazette</title>"
    head += '<meta property="og:title" content="Bridge reopens"><meta name="twitter:title" content="BRIDGE">' * declared
    page = Page(f"{head}<body>{html}<p>Some more words.", "https://gazette.example/a")
    content = Spans.of([(3, len(page.text))], len(page.text)) if is_content else None
    candidates = gather(page)
    rows = features(page, candidates, content)
    bounds = TitleEvidence(page, candidates, content).bounds(MostGained(learned))
    for row, bound in zip(rows, bounds, strict=True):
        assert sum(learned.get(name, 0.0) * value for name, value in row.items()) <= bound + 1e-9
    evidence = TitleEvidence(page, candidates, content)
    assert title_choice._best(candidates, evidence, weights()) is choose(candidates, rows, weights())


def test_the_headlines_of_the_newspaper_are_the_best_of_all_candidates() -> None:
    for issue in newspaper.pages():
        page = Page(issue.html)
        candidates = gather(page)
        evidence = TitleEvidence(page, candidates, None)
        best = title_choice._best(candidates, evidence, weights())
        assert best is choose(candidates, features(page, candidates, None), weights())


PREFIX_WORDS = sorted(set(re.findall(r"[a-zA-ZäöéıłćńęàÀ-ÿ.]+", names._PREFIX.pattern)))


@given(
    st.sampled_from((*PREFIX_WORDS, "Ann", "Bylaw", "O'Hara")),
    st.sampled_from(("", " ", ": ", ":", " : ", "：", "/", " by ", " von ", "\u2003")),
    st.sampled_from(("Ann Lee", "ann", "Ödön", "")),
)
def test_a_prefix_of_names_is_never_missed(word: str, between: str, name: str) -> None:
    for text in (f"{word}{between}{name}", f"{word.upper()}{between}{name}", f"{word.title()}{between}{name}"):
        assert not names._PREFIX.match(text) or names._may_have_prefix(text)


ROLE_WORDS = sorted(set(re.findall(r"[a-zA-Zäéö-]+", names._ROLES)))
ENDINGS = (
    "GmbH",
    "AG",
    "Inc.",
    "S.p.A.",
    "SpA",
    "e. V.",
    "B.V",
    "Ltd..",
    "Co. KG",
    "LLC",
    "Corp",
    "S.r.l",
    "Anna",
    "V",
)


@given(
    st.sampled_from(ROLE_WORDS), st.sampled_from((" ", ", ", "-", "")), st.sampled_from(("", "s", " of", "-in-chief"))
)
def test_a_role_is_never_missed(role: str, before: str, behind: str) -> None:
    for name in (f"Ann Lee{before}{role}{behind}", f"Ann Lee{before}{role.upper()}{behind}"):
        bare = names._ROLE.sub("", name)
        expected = bare if "," in name[len(bare) : len(bare) + 1] or len(bare.split()) > 1 else name
        assert names._without_role(name) == expected


@given(st.sampled_from(ENDINGS), st.sampled_from(ENDINGS))
def test_a_firm_is_never_missed(one: str, other: str) -> None:
    for text in (one, f"Harbour {one}", f"{one} {other}", f"{one}{other}"):
        assert names._is_firm(text) == bool(names._COMPANY.search(text))


DATED = (
    *(
        "12",
        "3",
        "2026",
        "March",
        "Mar",
        "14",
        ".",
        "/",
        "-",
        " ",
        "\n",
        ",",
        ":",
        "T",
        "٢٠٢٦",
        "²",
        "年",
        "月",
        "Posted ",
    ),
    *("14 March 2026", "2026-03-14", "12.03.26", "1773480000"),
)


@given(st.lists(st.sampled_from(DATED), max_size=25).map("".join))
@example("14\nMarch\n2026")
@example("12.\n03.\n26")
def test_no_line_with_a_date_is_passed_over(text: str) -> None:
    lines = text.split("\n")
    passed = {at for at, line in enumerate(lines) if "²" not in line and find(line, "en") is not None}
    seen = visible_dates._NUMBERS_IN
    assert passed <= {at for at, line in enumerate(lines) if seen.search(line)}
    if "²" in text:
        return
    before = visible_dates._before_digits(text)
    for at in range(len(lines)):
        for count in (2, 3):
            joined = " ".join(lines[at : at + count])
            if find(joined, "en") is not None and at + count <= len(lines):
                assert at in before


@given(st.lists(st.sampled_from((*DATED, "5", "12", "1999", "20265", "min", "tháng", "of ", "Mar", "-")), max_size=12))
@example(["March ", "20265"])
@example(["312026-", "03-14"])
@example(["14 March 2026", "T", "2026-03-14"])
def test_where_numbers_say_that_a_date_may_be_is_every_date(pieces: list[str]) -> None:
    text = "".join(pieces)
    told = dict(parsing._places(text, parsing._NUMBER.split(text)))
    for rule in parsing._RULES:
        found = [match.start() for match in rule[0].finditer(text)]
        if rule not in told:
            assert not found
        elif (places := told[rule]) is not None:
            assert set(found) <= set(places)


SIGNED = ("by", "By", "BY ", "von ", "par:", "por: ", "bypass", "Mara", "\n", " ", "x" * 120, "İ", "part ", "\u2003")


@given(st.lists(st.sampled_from(SIGNED), max_size=20).map("".join))
def test_lines_that_sign_are_found(text: str) -> None:
    expected = [line for line in text.split("\n") if len(line) <= bylines._SIGNED_LENGTH and bylines._SIGNS(line)]
    assert bylines._signing_lines(text) == expected


BEGUN = ("By ", "by", "BY:", "Von ", "Par ", "Автор: ", "文：", "Kom", "Ann Lee", "\n", "İx", "ſtory by ", "  ")


@given(st.lists(st.sampled_from(BEGUN), max_size=20).map("".join))
@example("Kommentar von Ann Lee\nBy Ann Lee")
def test_lines_that_begin_like_bylines_are_found(text: str) -> None:
    begun, at, behind = [], 0, 0
    for line in text.split("\n"):
        letters = line[:3].lower()
        if letters in bylines._BEGINNINGS or (not letters.isascii() and letters[0] in bylines._FIRST_LETTERS):
            match = bylines._BY.match(text, at) if at >= behind else None
            if match is not None:
                begun.append(match.span())
                behind = match.end()
        at += len(line) + 1
    assert [match.span() for match in bylines._byline_lines(text)] == begun
