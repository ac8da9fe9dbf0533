"""From the store to a folder to annotate, and on to a queue and a model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from typer.testing import CliRunner

from tidings import extract, newspaper
from tidings.cli.app import app
from tidings.errors import InputError
from tidings.extractors.published.memory_based import MemoryBased
from tidings.page import Page
from tidings_lab.annotate.collected_pages import collect_pages
from tidings_lab.annotate.pages import find_pages
from tidings_lab.annotate.project import Project
from tidings_lab.annotation import character_ranges
from tidings_lab.corpora import read
from tidings_lab.learners.timbl_files import read as read_instances
from tidings_portal import store
from tidings_portal.store.query import parse
from tidings_portal.store.records_of_articles import NewArticle, RawPage

NOW = datetime(2026, 4, 1, tzinfo=UTC)
PAGES = [page for page in newspaper.pages(lang="en") if page.page_type == "article"]


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    """A store that has read the English pages of the newspaper."""
    with store.open(tmp_path / "news.tidings") as opened:
        opened.keep(
            [
                NewArticle(
                    extract(page.html, page.url), NOW + timedelta(minutes=number), "", RawPage(page.url, page.html, NOW)
                )
                for number, page in enumerate(PAGES)
            ]
        )
    return tmp_path / "news.tidings"


def test_the_store_is_collected_annotated_and_queued(store_file: Path, tmp_path: Path) -> None:
    answer = CliRunner().invoke(
        app, ["lab", "collect", str(tmp_path / "mine"), "--store", str(store_file), "--each", "3"]
    )
    assert answer.exit_code == 0, answer.output
    samples = read(tmp_path / "mine").samples
    assert samples
    assert max(np.unique([one.site for one in samples], return_counts=True)[1]) <= 3
    by_url = {page.url: page.html for page in PAGES}
    assert all(by_url[one.url] == one.html and one.lang == "en" for one in samples)
    # What was collected is annotated as it is, without anything in between.
    found, problems = find_pages([tmp_path / "mine"])
    assert (len(found), problems) == (len(samples), [])
    project = Project(found, tmp_path / "annotated")
    project.save(0)
    project.close()
    assert read(tmp_path / "annotated").samples[0].gold["text"]
    queue = CliRunner().invoke(app, ["lab", "queue", str(tmp_path / "mine"), "--names", "-j", "1"])
    assert queue.exit_code == 0, queue.output
    assert len(queue.output.splitlines()) >= 1


def test_what_is_collected_can_be_chosen(store_file: Path, tmp_path: Path) -> None:
    with store.open(store_file) as opened:
        assert collect_pages(opened, tmp_path / "none", parse("nothinglikethis")).total() == 0
        assert not (tmp_path / "none").exists()
        assert collect_pages(opened, tmp_path / "two", each=1, limit=2).total() == min(
            2, len({urlsplit(page.url).hostname for page in PAGES})
        )
        with pytest.raises(InputError, match="there already"):
            collect_pages(opened, tmp_path / "two")


def test_a_single_neighbour_has_doubts_too() -> None:
    """k = 1 of the model that ships: an element that is remembered is certain, one that is far from all is not."""
    learned = MemoryBased().learned
    doubts = learned.doubt(Page(PAGES[0].html))
    assert ((doubts >= 0) & (doubts <= 1)).all()
    assert len(np.unique(doubts)) > 5
    strange = learned.doubt(Page("<marquee>" + "<blink>odd " * 60 + "x" * 3000))
    assert strange.mean() > doubts.mean()


def test_instances_and_characters_are_written_by_command(store_file: Path, tmp_path: Path) -> None:
    """Memory-based thesis 5 and 4.1.2: what its programs read and wrote, out of a folder that was annotated here."""
    with store.open(store_file) as opened:
        collect_pages(opened, tmp_path / "mine", limit=2)
    project = Project(find_pages([tmp_path / "mine"])[0], tmp_path / "annotated")
    for number in range(2):
        project.save(number)
    project.close()
    run = CliRunner()
    annotated = str(tmp_path / "annotated")
    answer = run.invoke(app, ["lab", "corpus", "instances", annotated, "-o", str(tmp_path / "a.inst")])
    assert answer.exit_code == 0, answer.output
    instances = read_instances(tmp_path / "a.inst")
    assert len(instances) > 50
    assert any("b" in name for name in instances.names)
    answer = run.invoke(app, ["lab", "corpus", "characters", annotated, str(tmp_path / "chars")])
    assert answer.exit_code == 0, answer.output
    for file in (tmp_path / "chars").glob("*.char"):
        ranges, wrong = character_ranges.parse(file.read_text("utf-8"))
        assert wrong == []
        html = file.with_suffix(".html").read_text("utf-8")
        assert all(0 <= one.start < one.end <= len(html) for one in ranges)
        assert {one.mark.name for one in ranges} >= {"TITLE", "BODY"}
