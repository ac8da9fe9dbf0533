"""The command line as a person or a script uses it."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tidings import newspaper
from tidings.cli import main
from tidings.errors import InputError

PAGE = newspaper.path() / "html" / "gazette" / "grey-seals-return.html"


@dataclass(frozen=True)
class Run:
    """How a call of the command line ended."""

    code: int
    output: str
    errors: str


Tidings = Callable[..., Run]


@pytest.fixture
def tidings(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Tidings:
    """Calls the command line in this process, in an empty folder."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "argv", ["tidings", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        return Run(code, *capfd.readouterr())

    return call


def out(run: Run) -> str:
    assert run.code == 0, run.errors
    return run.output


def test_one_page_goes_to_standard_output(tidings: Tidings) -> None:
    text = out(tidings("extract", PAGE))
    assert "Grey seals are back in the estuary of the Anselm." in text


def test_standard_input(tidings: Tidings) -> None:
    assert out(tidings("extract", "-", "--with", "everything", stdin=b"<p>Seals are back.</p>")) == "Seals are back.\n"


def test_extract_with_what_a_feed_says_of_the_page(tidings: Tidings) -> None:
    seals = "Grey seals came back to the harbour this spring, and the wardens counted forty pups on the rocks."
    ferry = "The ferry to the islands costs twice as much from May on, and the council asks the company why that is."
    page = f"<title>Harbour</title><div><p>{seals}</div><div><p>{ferry}</div>".encode()
    asked = ("extract", "-", "--with", "n-ext")
    assert out(tidings(*asked, "--title", "Seals back in the harbour", stdin=page)) == f"{seals}\n"
    assert out(tidings(*asked, "--title", "Ferry to the islands costs twice as much", stdin=page)) == f"{ferry}\n"
    page = f"<title>Harbour</title><p>{ferry}<p>Sun today.<p>Win big!<p>Buy our zebra quiz.".encode()
    asked = ("extract", "-", "--with", "lbnest")
    assert out(tidings(*asked, "--teaser", "The council and the ferry company", stdin=page)) == f"{ferry}\n"
    assert out(tidings(*asked, "--teaser", "Zebra quiz", stdin=page)) == "Buy our zebra quiz.\n"


def test_a_gzipped_page(tidings: Tidings, tmp_path: Path) -> None:
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(PAGE.read_bytes()))
    assert out(tidings("extract", file)) == out(tidings("extract", PAGE))


@pytest.mark.parametrize("format_", ["text", "markdown", "html", "json", "jsonl", "csv", "xml", "tei", "jsonld"])
def test_every_format(tidings: Tidings, format_: str) -> None:
    assert "seals" in out(tidings("extract", PAGE, "--format", format_))


def test_jsonl_of_a_folder_has_one_line_a_page(tidings: Tidings, tmp_path: Path) -> None:
    target = tmp_path / "articles.jsonl"
    folder = newspaper.path() / "html" / "migdal"
    out(tidings("extract", folder, "-f", "jsonl", "-o", target))
    lines = [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == len(list(folder.glob("*.html")))
    assert {line["language"] for line in lines} == {"he-IL"}
    assert sorted(line["input"] for line in lines) == sorted(map(str, folder.glob("*.html")))


def test_csv_has_one_header(tidings: Tidings) -> None:
    folder = newspaper.path() / "html" / "migdal"
    rows = list(csv.DictReader(io.StringIO(out(tidings("extract", folder, "-f", "csv")))))
    assert len(rows) == len(list(folder.glob("*.html")))
    assert all(row["title"] for row in rows)
    assert sorted(row["input"] for row in rows) == sorted(map(str, folder.glob("*.html")))
    (alone,) = csv.DictReader(io.StringIO(out(tidings("extract", PAGE, "-f", "csv"))))
    assert "input" not in alone, "of one page everybody knows where it came from"


def test_one_file_a_page_into_a_folder(tidings: Tidings, tmp_path: Path) -> None:
    out(tidings("extract", newspaper.path() / "html" / "migdal", "-f", "markdown", "-o", tmp_path))
    names = {path.stem for path in tmp_path.iterdir()}
    assert names == {path.stem for path in (newspaper.path() / "html" / "migdal").glob("*.html")}


def test_several_processes_give_the_same_as_one(tidings: Tidings) -> None:
    folder = newspaper.path() / "html" / "gazette"
    assert out(tidings("extract", folder, "-j", "2")) == out(tidings("extract", folder, "-j", "1"))


def test_links_can_be_left_out_without_changing_the_text(tidings: Tidings) -> None:
    page = b"<p>Seals are <a href='https://gazette.example/x'>back</a> in the estuary.</p>"
    common = ("extract", "-", "--with", "everything", "-f", "markdown")
    assert "https://gazette.example/x" in out(tidings(*common, stdin=page))
    assert out(tidings(*common, "--no-links", stdin=page)).strip() == "Seals are back in the estuary."


def test_a_combination(tidings: Tidings) -> None:
    text = out(tidings("extract", PAGE, "--with", "everything - everything"))
    assert text.strip() == ""


class TestBadInput:
    def test_an_unknown_extractor(self, tidings: Tidings) -> None:
        run = tidings("extract", PAGE, "--with", "danagg")
        assert run.code == 2
        assert "did you mean danag" in run.errors

    def test_a_broken_combination_shows_the_place(self, tidings: Tidings) -> None:
        run = tidings("extract", PAGE, "--with", "vote(danag, foo; 1)")
        assert run.code == 2
        lines = run.errors.splitlines()
        assert lines[-2].index("foo") == lines[-1].index("^")

    def test_an_unknown_format(self, tidings: Tidings) -> None:
        run = tidings("extract", PAGE, "--format", "markdwon")
        assert run.code == 2
        assert "did you mean markdown" in run.errors

    def test_a_missing_file(self, tidings: Tidings) -> None:
        run = tidings("extract", "nowhere.html")
        assert run.code == 2
        assert "there is no file or folder called nowhere.html" in run.errors

    def test_a_folder_without_pages(self, tidings: Tidings, tmp_path: Path) -> None:
        run = tidings("extract", tmp_path)
        assert run.code == 2
        assert "has no pages" in run.errors

    def test_a_pattern_that_matches_nothing(self, tidings: Tidings, tmp_path: Path) -> None:
        assert tidings("extract", tmp_path / "*.html").code == 2

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"", "empty"),
            (b"\0" * 100, "empty"),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "PDF"),
            (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        ],
    )
    def test_one_page_that_is_none(self, tidings: Tidings, data: bytes, said: str, tmp_path: Path) -> None:
        file = tmp_path / "page.html"
        file.write_bytes(data)
        run = tidings("extract", file)
        assert run.code == 3
        assert said in run.errors
        assert "Traceback" not in run.errors

    def test_a_file_of_200_megabytes_is_refused_unread(self, tidings: Tidings, tmp_path: Path) -> None:
        file = tmp_path / "large.html"
        with file.open("wb") as stream:
            stream.truncate(200 * 1024 * 1024)
        run = tidings("extract", file)
        assert run.code == 3
        assert "209,715,200 bytes" in run.errors

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_in_a_batch_the_others_go_on(self, tidings: Tidings, jobs: str, tmp_path: Path) -> None:
        good = tmp_path / "good.html"
        good.write_text("<p>Seals are back.</p>", encoding="utf-8")
        tmp_path.joinpath("empty.html").write_bytes(b"")
        tmp_path.joinpath("paper.html").write_bytes(b"%PDF-1.7")
        run = tidings("extract", tmp_path, "--with", "everything", "-j", jobs)
        assert run.code == 1
        assert run.output == "Seals are back.\n"
        errors = run.errors
        assert "2 of 3 pages failed" in errors
        assert "empty.html" in errors
        assert "paper.html" in errors
        assert "good.html" not in errors

    def test_a_traceback_only_with_debug(self, tidings: Tidings) -> None:
        assert "Traceback" not in tidings("extract", "nowhere.html").errors
        with pytest.raises(InputError, match="nowhere"):
            tidings("--debug", "extract", "nowhere.html")


def test_extractors_are_listed_with_their_publication(tidings: Tidings) -> None:
    text = out(tidings("extractors"))
    assert "danag" in text
    assert "DANA thesis 4.5" in text


def test_draw_writes_one_safe_file(tidings: Tidings, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>Seals<script>alert(1)</script> are back in the <b>estuary</b>.</p>", encoding="utf-8")
    out(tidings("draw", page, "--with", "everything"))
    drawn = tmp_path.joinpath("drawn.html").read_text(encoding="utf-8")
    assert 'sandbox="allow-same-origin"' in drawn
    assert "<script" not in drawn  # only inside the frame's escaped source
    assert "&lt;mark class=&quot;tidings&quot;&gt;estuary&lt;/mark&gt;" in drawn


def test_plot_writes_png_and_svg(tidings: Tidings, tmp_path: Path) -> None:
    out(tidings("plot", PAGE, "--with", "danag"))
    assert tmp_path.joinpath("plot.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in tmp_path.joinpath("plot.svg").read_text(encoding="utf-8")


def test_plot_says_which_methods_have_one(tidings: Tidings) -> None:
    run = tidings("plot", PAGE, "--with", "everything")
    assert run.code == 2
    assert "use r2l, dana, danag or addanag" in run.errors


def test_compare_lists_every_extractor_and_writes_the_report(tidings: Tidings, tmp_path: Path) -> None:
    from tidings.extractors import entries

    table = out(tidings("compare", PAGE))
    report = tmp_path.joinpath("compared.html").read_text(encoding="utf-8")
    for entry in entries():
        assert entry.name in table
        assert entry.name in report
    assert "src=" not in report.partition('<script type="application/json"')[0]


def test_explain_says_why(tidings: Tidings) -> None:
    text = out(tidings("explain", PAGE, "--with", "vote(danag, addanag, everything)"))
    assert "3 of 3 select it" in text
    assert "dropped" in text


def test_demo_reads_the_newspaper(tidings: Tidings, tmp_path: Path) -> None:
    text = out(tidings("demo", "--output", tmp_path))
    articles = [page for page in newspaper.pages() if page.page_type != "front"]
    assert f"{len(articles)} articles" in text
    assert len(list(tmp_path.glob("*.html"))) == len(articles) + 1


def test_help_names_the_exit_codes(tidings: Tidings) -> None:
    assert "Exit codes" in out(tidings("extract", "--help"))


def test_the_module_runs_in_a_process_of_its_own() -> None:
    from tidings import __version__, core

    run = subprocess.run([sys.executable, "-m", "tidings", "--version"], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"tidings {__version__} (")
    assert ("compiled core" if core.state().is_compiled else core.state().reason) in run.stdout


def test_a_list_of_pages_by_language_and_with_metadata(tidings: Tidings, tmp_path: Path) -> None:
    turkish = newspaper.path() / "html" / "kiyi" / "kupa-roversin.html"
    (tmp_path / "pages.txt").write_text(f"# a remark\n\n{PAGE}\n  {turkish}  \n", "utf-8")
    found = tidings("extract", "--from", "pages.txt", "-f", "jsonl")
    assert [json.loads(line)["input"] for line in found.output.splitlines()] == [str(PAGE), str(turkish)]
    found = tidings("extract", "--from", "pages.txt", "--languages", "tr, de", "-f", "jsonl")
    assert [json.loads(line)["language"] for line in found.output.splitlines()] == ["tr"]
    assert "1 of 2 left out: in another language" in found.errors
    assert tidings("extract", "--from", "-", "-f", "jsonl", stdin=str(PAGE).encode()).code == 0
    assert tidings("extract", PAGE, "--with-metadata-only", "-f", "jsonl").output  # its canonical URL counts
    (tmp_path / "bare.html").write_text("<title>Seals</title><p>Seals are back in the estuary.</p>")
    assert tidings("extract", "bare.html", "--with-metadata-only", "-f", "jsonl").output == ""
    for wrong in (("extract",), ("extract", "--from", "none.txt")):
        assert tidings(*wrong).code == 2
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert "names no page" in tidings("extract", "--from", "empty.txt").errors


def test_methods_that_compare_pages(tidings: Tidings, tmp_path: Path) -> None:
    """Beside pages that are named, beside those that are read with it, and alone."""
    for place, word in enumerate(("Grey", "Common", "Ringed")):
        story = f"<p>{word} seals rest on the sandbanks of the estuary at low tide. </p>" * 20
        source = f"<body><ul><li>Home<li>Sport</ul><main>{story}</main><p>{'All rights are reserved. ' * 60}</p></body>"
        Path(f"{place}.html").write_text(source)
    Path("others").mkdir()
    Path("1.html").rename("others/1.html")
    beside = tidings("extract", "0.html", "--beside", "others", "--with", "rtdm").output
    assert "Grey seals" in beside
    assert "reserved" not in beside
    together = tidings("extract", "0.html", "2.html", "--with", "union(rtdm, title-position)").output
    assert "Grey" in together
    assert "Ringed" in together
    assert "reserved" not in together
    alone = tidings("extract", "others/1.html", "0.html", "--with", "rtdm")  # another folder is another site
    assert alone.code == 3
    assert "this page came alone" in alone.errors


def test_elements_are_left_out(tidings: Tidings, tmp_path: Path) -> None:
    words = "<p>Grey seals are back in the estuary, wardens said on Monday, and more of them are coming.</p>"
    inner = "<p class=promo>Buy the paper.</p><aside>Beside it.</aside><p id=x>Named.</p>"
    page = tmp_path / "page.html"
    page.write_text(f"<html lang=en><body><article>{words * 3}{inner}{words * 3}</article></body></html>")
    everything = ("extract", page, "--with", "everything")
    assert "Buy the paper." in tidings(*everything).output
    found = tidings(*everything, "--leave-out", "p.promo, aside", "--leave-out", "#x").output
    assert "Grey seals" in found
    assert not any(one in found for one in ("Buy the paper", "Beside it", "Named"))
    assert "Named" not in tidings(*everything, "--leave-out", "article > #x").output
    for wrong in ("p..promo", "p{}", "</style>", "p::before"):
        assert tidings(*everything, "--leave-out", wrong).code == 2


def test_completion_can_be_had(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")  # tests need not be run by a shell
    assert "complete" in tidings("--show-completion", "bash").output
    assert "--install-completion" in tidings("--help").output


@pytest.mark.parametrize("jobs", ["-1", "two", "1.5", "", "99999999999999999999"])
def test_a_number_of_jobs_that_is_none_is_told(tidings: Tidings, jobs: str) -> None:
    run = tidings("extract", PAGE, "--jobs", jobs)
    assert run.code == (0 if jobs.isdigit() else 2)  # one page needs no processes, however many may be started
    assert jobs.isdigit() or "--jobs" in run.errors


@pytest.mark.parametrize("jobs", ["0", "1", "01", " 2"])
def test_a_number_of_jobs_may_be_written_in_any_way(tidings: Tidings, jobs: str) -> None:
    assert "seals" in out(tidings("extract", PAGE, "--jobs", jobs)).lower()
