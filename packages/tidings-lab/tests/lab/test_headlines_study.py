"""The experiment on headlines: on the newspaper, and on pages whose answers are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.made_samples import written_sample
from tidings.newspaper import path
from tidings.page import Page
from tidings_lab.corpora import Sample, load
from tidings_lab.metrics.fields import FieldVerdict
from tidings_lab.studies import headlines
from tidings_lab.studies.headlines import WAYS, HeadlineTrial, f1, is_eligible, macro_f1
from tidings_lab.studies.trials import Trials

STORY = "".join(f"<p>Wardens counted {n} pups on the sandbank, more than in any year on record.</p>" for n in range(9))
PAGE = (
    "<html lang=en><head><title>{title}</title></head><body><h1>Harbour News</h1>"
    "<div>Grey seals return to the estuary</div>{story}</body></html>"
)


def sample(folder: Path, title: str, gold: str, name: str, site: str = "a") -> Sample:
    found = written_sample(
        folder, PAGE.format(title=title, story=STORY), "Wardens counted 1 pups", name=name, site=site
    )
    return Sample(found.id, found.site, found.lang, found.page_type, found.file, {**found.gold, "title": gold})


def test_each_way_says_what_it_finds(tmp_path: Path) -> None:
    """The headline is in a DIV, as on the BBC's pages of the thesis: headings mislead, the title element says more."""
    title = "Grey seals return to the estuary | Harbour News"
    (tried,) = headlines.run([sample(tmp_path, title, "Grey seals return to the estuary", "one")]).tried
    found = dict(zip(WAYS, tried.verdicts, strict=True))
    assert tried.is_eligible
    assert found["TF"] is FieldVerdict.RIGHT
    assert found["largest heading"] is FieldVerdict.WRONG
    assert found["title element"] is FieldVerdict.WRONG


@pytest.mark.parametrize(
    ("title", "headline", "eligible"),
    [
        ("Grey seals return to the estuary | Harbour News", "Grey seals return to the estuary", True),
        ("Grey seals return to the estuary", "Grey  seals return to the estuary ", True),
        ("Seals are back | Harbour News", "Grey seals return to the estuary", False),  # not in the title element
        ("Grey seals return | Harbour News", "Grey seals return", False),  # no run of its own
        ("Grey seals return | Harbour News", "", False),
    ],
)
def test_which_pages_are_of_the_thesiss_kind(title: str, headline: str, eligible: bool) -> None:
    assert is_eligible(Page(PAGE.format(title=title, story=STORY)), headline) is eligible


def test_the_mean_over_sites_counts_a_small_one_as_much_as_a_large_one() -> None:
    right, wrong = (FieldVerdict.RIGHT,), (FieldVerdict.WRONG,)
    large = [HeadlineTrial("c", "large", True, 1, right, (1.0,)) for _ in range(9)]
    pages = Trials([*large, HeadlineTrial("c", "b", True, 1, wrong, (1.0,))])
    assert f1(pages, 0) == pytest.approx(0.9)
    assert macro_f1(pages, 0) == pytest.approx(0.5)
    assert macro_f1(Trials(), 0) == 0.0


def test_on_the_newspaper(tmp_path: Path) -> None:
    """TF finds all of them, which is more than any other form and than the baselines (thesis 5.4.4)."""
    kept = [one for one in load(path()) if one.gold.get("text")][::3]
    pages = [*kept, sample(tmp_path, "x", "", "no headline in gold")]
    found = headlines.run(pages)
    assert len(found.tried) == len(kept)
    (table,) = found.tables()
    by = {str(row[3]): row for row in table.rows}
    assert by["TF"][4] == 1.0
    assert float(by["largest heading"][4]) < 1.0
    assert by["title element"][4] == 0.0
    assert all(int(row[-1]) > 0 for row in table.rows)
    assert [chart.name for chart in found.charts()] == ["headlines-all", "headlines-eligible"]
