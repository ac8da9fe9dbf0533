"""`tidings lab run` as people call it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tidings import newspaper
from tidings.cli.app import app
from tidings.errors import InputError, TidingsError, UnknownExtractor, UnknownFormat
from tidings_lab import corpora

CORPUS = ["--corpus", str(newspaper.path()), "--limit", "3", "--jobs", "1"]


def call(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["lab", "run", *CORPUS, *arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def test_a_run_its_cache_and_its_forms(tmp_path: Path) -> None:
    cache = ["--cache", str(tmp_path / "cache")]
    rows, report = tmp_path / "rows.csv", tmp_path / "report.html"
    names = "dana,tests.lab.misbehaving:Raises"
    shown = call("--with", names, *cache, "--speed", "1", "--rows", str(rows), "--workers", "1,2")
    for part in ("Accuracy on 3 pages", "word F1", "LCS F1", "vs dana", "ms/page median", "times as fast as dana"):
        assert part in shown
    assert "Pages a second of dana by processes" in shown
    assert "Scheffé" in shown
    lines = list(csv.DictReader(io.StringIO(rows.read_text(encoding="utf-8"))))
    assert len(lines) == 6
    assert {line["system"] for line in lines} == set(names.split(","))
    # From the cache, in other forms.
    held = json.loads(call("--with", names, *cache, "--speed", "0", "--format", "json"))
    assert [line["pages"] for line in held["systems"]] == [3, 3]
    assert call("--with", names, *cache, "--speed", "0", "--format", "csv").startswith("system,pages,f1,")
    assert "| dana |" in call("--with", names, *cache, "--speed", "0", "--format", "markdown")
    call("--with", "dana", *cache, "--speed", "0", "--format", "html", "--out", str(report), "--worst", "0")
    assert "<svg" in report.read_text(encoding="utf-8")
    worst = call("--with", names, *cache, "--speed", "0", "--format", "worst", "--worst", "2")
    assert worst.count("| newspaper |") == 2
    assert "what is wrong" in worst
    everything = names.partition(",")[2]  # where it does not raise it takes the whole page
    assert "| too much |" in call("--with", everything, *cache, "--speed", "0", "--format", "worst", "--worst", "1")


def test_an_extractor_of_a_user_is_cached_beside_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own_blocks.py").write_text("def everything(page):\n    return page.visible\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["lab", "run", *CORPUS, "--with", "own_blocks:everything", "--cache", "cache", "--speed", "0"]
    outputs = [CliRunner().invoke(app, words, catch_exceptions=False).output + capfd.readouterr().err for _ in range(2)]
    assert "3 measured now" in outputs[0]
    assert "0 measured now" in outputs[1]


@pytest.mark.parametrize(
    ("arguments", "error", "says"),
    [
        (["--with", "dna"], UnknownExtractor, "did you mean"),
        (["--with", ","], InputError, "no system is named"),
        (["--format", "pdf"], UnknownFormat, "pdf"),
        (["--format", "html"], InputError, "--out"),
        (["--rows", "no/such/folder/rows.csv"], InputError, "there is no folder"),
        (["--measure", "wrds"], InputError, "no measure called"),
        (["--with", "dana", "--rival", "trafilatura"], InputError, "not among the systems"),
        (["--type", "poem"], InputError, "no pages of type poem"),
        (["--workers", "two"], InputError, "1,2,4"),
        (["--workers", "0"], InputError, "1,2,4"),
        (["--with", "dana", "--cache", __file__], InputError, "cannot be used as a cache"),
    ],
)
def test_a_wrong_call_is_told_before_anything_is_measured(
    arguments: list[str], error: type[TidingsError], says: str
) -> None:
    done = CliRunner().invoke(app, ["lab", "run", *CORPUS, *arguments])
    assert isinstance(done.exception, error)
    assert says in str(done.exception)


def test_pages_whose_gold_is_part_of_the_story_can_be_left_out(tmp_path: Path) -> None:
    partial = Path(corpora.__file__).with_name("partial_gold.tsv").read_text(encoding="utf-8")
    known = next(line.partition("\t")[0] for line in partial.splitlines() if not line.startswith("#"))
    page = {"site": "gazette.example", "html_file": "page.html", "gold": {"text": "Seals are back in the estuary."}}
    lines = [json.dumps({"id": name, **page}) for name in (known, "whole", "whole too")]
    tmp_path.joinpath("pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    tmp_path.joinpath("page.html").write_text("<p>Seals are back in the estuary.", encoding="utf-8")
    asked = ["lab", "run", "-c", str(tmp_path), "-w", "dana", "--no-cache", "--speed", "0", "--jobs", "1", "-f", "csv"]
    pages = [
        next(csv.DictReader(io.StringIO(CliRunner().invoke(app, [*asked, *more]).stdout)))["pages"]
        for more in ((), ("--whole-gold",))
    ]
    assert pages == ["3", "2"]


def test_a_folder_that_is_no_corpus(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["lab", "run", "--corpus", str(tmp_path)])
    assert isinstance(done.exception, InputError)
