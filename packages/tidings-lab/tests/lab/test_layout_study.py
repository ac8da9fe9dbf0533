"""The layout study: its pages, its figures, and a run in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tidings import newspaper
from tidings_lab.corpora import Sample
from tidings_lab.studies.layout import DRAWN, METHODS, SAVED, LayoutFigures, LayoutTrial, chosen, further, run


def sample(name: str, site: str, corpus: str = "a", lang: str = "en") -> Sample:
    return Sample(name, site, lang, "article", Path("none.html"), {"text": "x"}, corpus=corpus)


def test_pages_are_chosen_by_rule() -> None:
    """As many of each half, in turn from each corpus and language, no site twice, the same in any order."""
    samples = [
        sample(f"{corpus}{site}{page}", f"site-{corpus}-{site}", corpus, lang)
        for corpus, lang in (("a", "en"), ("a", "tr"), ("b", "en"))
        for site in range(12)
        for page in range(3)
    ]
    found = chosen(samples, 8)
    assert found == chosen(samples[::-1], 8)
    assert [one.half for one in found] == [0] * 4 + [1] * 4
    assert len({one.site for one in found}) == 8
    groups = [(one.corpus, one.lang) for one in found[:4]]
    assert {("a", "en"), ("a", "tr"), ("b", "en")} == set(groups)


def test_further_pages_are_of_half_1_and_of_other_sites() -> None:
    samples = [sample(f"page-{place}", f"site-{place}") for place in range(300)]
    found = further(samples, 20)
    assert len(found) == 20
    assert {one.half for one in found} == {1}
    assert not {one.site for one in found} & {one.site for one in chosen(samples)}


def test_fewer_pages_than_wanted_are_all_taken() -> None:
    samples = [sample("one", "x"), sample("two", "x"), sample("three", "y")]
    assert {one.site for one in chosen(samples)} == {"x", "y"}


def test_tables_and_chart() -> None:
    def trial(place: int, hybrid: float) -> LayoutTrial:
        scores = tuple(hybrid if method == ("layout-lbnest", DRAWN) else 0.5 for method in METHODS)
        return LayoutTrial(
            str(place), f"site-{place}", place % 2, scores, (0.01,) * len(METHODS), 1.0, 600.0 + 200 * place
        )

    seen = LayoutFigures((trial(0, 0.75), trial(1, 0.5)))
    methods, differences = seen.tables()
    rows = {row[:2]: row for row in methods.rows}
    assert rows["layout-lbnest", DRAWN][2:5] == (0.75, 0.5, 0.625)
    assert rows["layout-lbnest", DRAWN][-2:] == ("10", "1010")
    assert rows["lbnest", SAVED][-2:] == ("10", "10")
    assert rows["layout-lbnest", DRAWN][5:7] == (0.75, 0.5)  # lines of 600 px are columns, of 800 not
    assert differences.rows[2][2].startswith("+0.125")  # type: ignore[union-attr]  # it is a text
    assert differences.rows[2][3] == "1 / 1 / 0"
    assert seen.charts()[0].series[0].values[METHODS.index(("layout-lbnest", DRAWN))] == 0.75


@pytest.mark.usefixtures("chromium")
def test_on_pages_of_the_newspaper() -> None:
    pages = list(newspaper.pages("gazette", page_type="article"))[:2]
    samples = [
        Sample(page.id, page.id, page.lang, "article", newspaper.path() / page.html_file, dict(page.gold), page.url)
        for page in pages
    ]
    seen = run(samples)
    assert {trial.id for trial in seen.trials} == {page.id for page in pages}
    assert all(trial.showing > 0 and len(trial.f1) == len(METHODS) for trial in seen.trials)
    assert min(seen.values(("layout-largest", DRAWN))) > 0.2
    assert all(trial.line < 1000 for trial in seen.trials)
