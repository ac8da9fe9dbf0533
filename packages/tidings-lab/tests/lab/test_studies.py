"""The documents' experiments on the bundled newspaper and on pages whose answers are known."""

from __future__ import annotations

import csv
import io
import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from xml.etree.ElementTree import fromstring

import numpy as np
import pytest

from tests.lab.made_samples import written_sample
from tidings.charts import Chart, ChartKind, Series, chart_svg, document, draw_all
from tidings.errors import InputError, UnknownFormat
from tidings.extractors.registry import Extractor
from tidings.newspaper import path
from tidings.page import Page, Spans
from tidings.text import count_words
from tidings_lab.corpora import Sample, load
from tidings_lab.studies import (
    FORMATS,
    STUDIES,
    InTurn,
    Table,
    combinations,
    domains,
    lengthened,
    sample_subset,
    study,
    workers,
    write,
)
from tidings_lab.studies.page_groups import scored
from tidings_lab.studies.shallow_tree_learner import ShallowTreeLearner, content_blocks, prepare, text_f1
from tidings_lab.studies.study import in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.validation import Mode


@pytest.fixture(scope="module")
def newspaper() -> list[Sample]:
    return load(path())


# -- what all studies share ----------------------------------------------------------------------------------


def test_each_study_has_a_name_of_its_own_and_says_where_it_is_from() -> None:
    assert len(STUDIES) >= 17
    assert all(name == study(name).name and study(name).title and study(name).citation for name in STUDIES)


def test_an_unknown_study_is_answered_with_the_nearest() -> None:
    with pytest.raises(InputError, match="did you mean dana-gap"):
        study("dana-gaps")


def test_a_subset_does_not_depend_on_the_order(newspaper: list[Sample]) -> None:
    chosen = sample_subset(newspaper, 10)
    assert len(chosen) == 10
    assert {sample.id for sample in sample_subset(newspaper[::-1], 10)} == {sample.id for sample in chosen}
    fewer = sample_subset(newspaper, 7)
    assert fewer == [sample for sample in chosen if sample in fewer]
    assert sample_subset(newspaper, None) == newspaper


def test_tables_say_the_same_in_every_format() -> None:
    table = Table("A | B", ("name", "value"), (("x|y", 0.12345), ("z", 2)))
    assert table.markdown().splitlines()[-2:] == ["| x\\|y | 0.123 |", "| z | 2 |"]
    assert list(csv.reader(io.StringIO(table.csv()))) == [["name", "value"], ["x|y", "0.12345"], ["z", "2"]]
    assert json.loads(write([table], "json"))[0]["rows"][0] == {"name": "x|y", "value": 0.12345}
    assert {form: bool(write([table], form)) for form in FORMATS} == dict.fromkeys(FORMATS, True)
    with pytest.raises(UnknownFormat, match="markdown"):
        write([table], "markdwn")


@pytest.mark.parametrize("kind", ChartKind)
def test_charts_are_drawn_the_same_each_time(kind: ChartKind, tmp_path: Path) -> None:
    series = Series("one", (0.1, 0.4, 0.2), (0.0, 0.3, 0.1), (0.2, 0.5, 0.3)), Series("two", (0.3, 0.2, 0.1))
    chart = Chart("curve", "Title", "x", "y", (0, 1, 20), series, kind, marked=((1, "here"),), logarithmic=True)
    (first,) = draw_all([chart], tmp_path / "one")
    written = first.read_text(encoding="utf-8")
    assert written == document(chart_svg(chart))
    root = fromstring(written)
    assert root.get("aria-label") == "Title"
    said = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Title", "x", "y", "one", "two", "here"} <= set(said)
    told = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert "two, 20: 0.1" in told


# -- combinations, workers, domains --------------------------------------------------------------------------


def test_every_form_of_combination_is_tried(newspaper: list[Sample]) -> None:
    found = combinations.run(newspaper[:14], names=("danag", "bte", "cetd", "lqf-50"))
    names = [form.name for form in found.forms]
    assert names[:5] == ["single", "union", "intersection", "vote, any quorum", "serial"]
    assert all(len(form.scores) == 14 for form in found.forms)
    assert all(choice.startswith("serial(") for choice in found.forms[4].chosen)
    assert [len(table.rows) for table in found.tables()] == [7]


def test_workers_are_timed_and_compared(newspaper: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    """With these times two workers take half as long, and more of them gain nothing."""
    taken = {1: 2.0, 2: 1.0, 4: 1.0, 8: 1.0, 16: 1.0}
    noise = iter(np.random.default_rng(0).normal(0, 0.01, 1000).tolist())
    monkeypatch.setattr(workers, "_time", lambda _pools, _pages, task: taken[task[1]] + next(noise))
    monkeypatch.setattr(workers, "_pool", lambda _worker, count: ThreadPoolExecutor(count))
    found = workers.run(newspaper[:4], InTurn(jobs=2))
    assert found.pages >= workers.PAGES / 2
    rows = found.tables()[0].rows
    assert [row[:2] for row in rows] == [(kind, n) for kind in ("processes", "threads") for n in workers.COUNTS]
    assert rows[1][-1] == pytest.approx(2.0, abs=0.1)
    assert len(found.charts()[0].series) == 2
    pairs = {row[0]: row[4] for row in found.tables()[2].rows}
    assert {pair for pair, differ in pairs.items() if differ == "yes"} == {f"1 – {count}" for count in (2, 4, 8, 16)}
    assert len(pairs) == 10


@pytest.mark.parametrize("worker", workers.Worker)
def test_one_run_of_each_kind_of_worker(newspaper: list[Sample], worker: workers.Worker) -> None:
    with workers._pool(worker, 2) as pool:
        assert workers._time({worker: pool}, [newspaper[0].html] * 3, (worker, 2)) > 0


def test_fewer_pages_are_timed_where_a_page_takes_long(
    newspaper: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = count(step=2)
    monkeypatch.setattr(workers, "perf_counter", lambda: next(seconds))
    assert len(workers._affordable([newspaper[0].html])) == workers._FEWEST


def test_blocks_of_the_gold_text_are_content() -> None:
    page = Page("<body><p>menu weather sport</p><p>Grey seals return to the bay</p><p>menu seals</p></body>")
    assert content_blocks(page, "Grey seals return to the bay", "en").tolist() == [False, True, False]
    assert content_blocks(Page("<body><p></p> x</body>"), "nothing of it", "en").tolist() == [False]


def template(site: int, number: int) -> tuple[str, str]:
    """On even sites stories are long and menus short, on odd ones the other way round: neither teaches the other."""
    story = [f"Story {number} of site {site} line {line} has its words" for line in range(12)]
    menu = [f"menu {line} entry" for line in range(12)]
    long, short = (story, menu) if site % 2 == 0 else (menu, story)
    long = [f"{line} {'more of the same ' * 6}" for line in long]
    text, other = (long, short) if site % 2 == 0 else (short, long)
    blocks = [*other[:6], *text, *other[6:]]
    return "".join(f"<p>{one}</p>" for one in blocks), "\n\n".join(text)


def test_the_three_modes_differ_where_templates_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domains, "ORDERS", 2)
    monkeypatch.setattr(domains, "FOLDS", 3)
    samples = []
    for site in range(2):
        for number in range(5):
            body, text = template(site, number)
            samples.append(
                written_sample(tmp_path, f"<html lang=en><body>{body}</body></html>", text, f"s{site}", str(number))
            )
    evaluation = replace(samples[0], id="s9/0", site="s9", more={"licence": "local evaluation only"})
    found = domains.run([*samples, evaluation])
    assert "s9" not in found.sites  # never trained on, so never measured here
    means = {mode: float(np.mean(scores)) for mode, scores in found.modes.items()}
    assert means[Mode.SINGLE] > 0.95
    assert means[Mode.MERGED] > 0.95
    assert means[Mode.ACROSS] < 0.5
    assert len(found.tables()) == 2
    assert len(draw_all(found.charts(), tmp_path / "charts")) == 2


def test_modes_need_sites_with_several_pages(newspaper: list[Sample]) -> None:
    with pytest.raises(InputError, match="two sites"):
        domains.run(newspaper[:1])


def test_an_extractor_that_was_trained_is_an_extractor(newspaper: list[Sample]) -> None:
    examples = [prepare(sample) for sample in newspaper[:8]]
    trained = ShallowTreeLearner().fit(examples[1:])
    assert isinstance(trained, Extractor)
    page = examples[0].page
    score = scored(newspaper[0], page, trained(page)).f1
    assert text_f1(trained, examples[0]) == pytest.approx(score)


def test_pages_with_nothing_to_see_teach_nothing(tmp_path: Path, newspaper: list[Sample]) -> None:
    empty = prepare(written_sample(tmp_path, "<html><body><p hidden>not for you</p></body></html>", "gold"))
    trained = ShallowTreeLearner().fit([empty])
    assert not trained(Page(newspaper[0].html))
    assert text_f1(trained, empty) == 0.0


# -- long texts ----------------------------------------------------------------------------------------------


_LONG = 800  # words: the newspaper has no more in some languages


def _opening(page: Page, /) -> Spans:
    return Spans.of([(0, len(page.text) // 10)], len(page.text))


def test_a_story_is_lengthened_in_its_own_box(newspaper: list[Sample]) -> None:
    found = [(lengthened.lengthen(*story), story[1]) for story in lengthened.with_more(newspaper, _LONG)[:8]]
    assert any(longer is not None for longer, _ in found)
    for longer, added in found:
        if longer is None:
            continue
        assert count_words(longer.sample.gold["text"]) > _LONG
        page = Page(longer.html)
        blocks = {page.text[start:end]: place for place, (start, end) in enumerate(_ranges(page))}
        boxes = {page.elements.parent[page.blocks.element[blocks[text]]] for text in added if text in blocks}
        assert len(boxes) == 1


def _ranges(page: Page) -> list[tuple[int, int]]:
    return list(zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True))


def test_what_ends_before_the_text_has_little_recall(newspaper: list[Sample]) -> None:
    (whole,), (opening,) = (
        lengthened.run(newspaper, extractor=one, long=_LONG).tables()[0].rows[-1:] for one in (None, _opening)
    )
    assert whole[0] == opening[0] == "all"
    assert float(whole[3]) > 0.9
    assert float(opening[3]) < 0.3
    assert opening[5] == opening[1]  # all are lost


def test_a_story_without_paragraphs_is_not_lengthened(tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    assert lengthened.lengthen(written_sample(tmp_path, f"<div>{words}</div>", words), ["more"]) is None


def test_hints_are_gold_s_headline_and_first_paragraph(tmp_path: Path) -> None:
    lead = "After two years the harbour carries cars again, and the ferry is back."
    sample = written_sample(tmp_path, f"<h1>Bridge open</h1><p>{lead}</p>", f"Bridge open\n\n{lead}")
    assert lengthened.title_of(sample) == "Bridge open"
    assert lengthened.teaser_of(sample) == lead
    assert lengthened.title_of(written_sample(tmp_path, "<p>x</p>", lead * 4)) == ""


def test_what_heeds_no_hints_gains_nothing_by_them(newspaper: list[Sample]) -> None:
    all_pages, low = lengthened.run_hints(newspaper[:6], extractor=_opening).tables()
    assert all_pages.rows[-1][3:] == ("+0.0000", "+0.0000", "+0.0000", 0, 0)
    assert low.rows[-1][1] == all_pages.rows[-1][1]  # a tenth of the page is never the story

    def hinted(page: Page, /) -> Spans:
        return page.visible if page.hints.title else _opening(page)

    gained = lengthened.run_hints(newspaper[:6], extractor=hinted).tables()[0].rows[-1]
    assert str(gained[3]) == str(gained[5]) > "+0.1"
    assert (gained[4], gained[6]) == ("+0.0000", gained[1])


# -- the command line ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["dana-filters", "inserted-sentences"])
def test_the_command_writes_tables_and_charts(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tidings_lab.cli.study import study as command

    call = partial(command, corpus=[path()], page_type=None, jobs=1, listed=False)
    call(name, out=tmp_path, limit=20, form="json")
    assert json.loads(capsys.readouterr().out)[0]["rows"]
    assert {file.suffix for file in tmp_path.iterdir()} == {".svg", ".md", ".csv", ".json"}
    with pytest.raises(UnknownFormat):
        call(name, out=None, limit=2, form="xml")


def test_the_command_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    from tidings_lab.cli.study import study as command

    command(None, listed=True)
    listed = capsys.readouterr().out
    assert all(name in listed for name in STUDIES)
    for arguments in ((None, None), ("dana-gap", None), ("no-such", [path()])):
        with pytest.raises(InputError):
            command(arguments[0], corpus=arguments[1])


def test_search_and_table_still_run(capsys: pytest.CaptureFixture[str]) -> None:
    from tidings_lab.cli.search import search

    search(path(), only=["danag", "bte"], most=2, folds=3, jobs=1)
    assert "folds that agree" in capsys.readouterr().out


@dataclass(frozen=True)
class PageTrial:
    site: str
    method: str
    f1: float
    by_gap: tuple[float, ...] = (0.0, 1.0)


def test_trials_are_asked_for_by_their_fields_and_compared_page_by_page() -> None:
    pages = [PageTrial("a", "plain", 0.5), PageTrial("a", "new", 0.75), PageTrial("b", "plain", 1.0)]
    trials = Trials.of(lambda page: [page, replace(page, site="c")], pages, "trying", in_turn)
    assert len(trials) == 6
    plain = trials.where(method="plain")
    assert plain.column("site") == ["a", "c", "b", "c"]
    assert plain.mean("f1") == 0.75
    assert plain.means("by_gap") == (0.0, 1.0)
    assert plain.gain("f1", [0.5, 0.5, 0.5, 0.5]).signed.startswith("+0.250 [")
    assert math.isnan(trials.where(site="nowhere").mean("f1"))
