"""Layouts that people have: each is recognised, read and written."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tidings import newspaper
from tidings.errors import InputError
from tidings_lab.corpora import CorpusLayout, CorpusTrouble, digest, load, read, recognise, write
from tidings_lab.corpora.cleaneval import parse_gold
from tidings_lab.corpora.files import file_names
from tidings_lab.metrics.texts import word_score

PAGE = """<html lang="en-GB"><head><title>Seals return</title>
<link rel="canonical" href="https://www.gazette.example/seals"></head>
<body><h1>Seals return</h1><p>The seals are back in the estuary.</p><p>Nobody knows why they came.</p></body></html>"""


def lay(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


@pytest.mark.parametrize("gold", ["seals.txt", "seals.gold", "seals.gold.txt", "seals.html.txt", "gold/seals.txt"])
def test_gold_beside_the_page(tmp_path: Path, gold: str) -> None:
    folder = lay(tmp_path, {"seals.html": PAGE, gold: "The seals are back.", "README.txt": "Notes."})
    assert recognise(folder) is CorpusLayout.BESIDE
    corpus = read(folder)
    (sample,) = corpus.samples
    assert corpus.problems == []
    assert sample.gold == {"text": "The seals are back."}
    assert (sample.id, sample.site, sample.lang) == ("seals", "gazette.example", "en")
    assert sample.url == "https://www.gazette.example/seals"


def test_beside_what_is_missing_or_broken(tmp_path: Path) -> None:
    folder = lay(
        tmp_path,
        {
            "good.html": PAGE,
            "good.txt": "The seals".encode("utf-16"),
            "inner/good.htm": PAGE,
            "inner/good.txt": "",
            "alone.html": PAGE,
            "lost.txt": "Text",
            "bad.html.gz": b"nothing",
            "bad.txt": "Text",
            "picture.html": b"\x89PNG\r\n\x1a\n" + bytes(50),
            "picture.txt": "Text",
        },
    )
    corpus = read(folder)
    assert {sample.id: sample.gold["text"] for sample in corpus.samples} == {"good": "The seals", "inner/good": ""}
    assert {(problem.trouble, problem.where) for problem in corpus.problems} == {
        (CorpusTrouble.NO_GOLD, "alone"),
        (CorpusTrouble.NO_PAGE, "lost"),
        (CorpusTrouble.BROKEN_PAGE, "bad"),
        (CorpusTrouble.BROKEN_PAGE, "picture"),
    }


CLEANED = (
    "URL: http://www.gazette.example/seals\n\n<h>Seals return\n<p>The seals are back\nin the estuary.\n\n<l>One seal\n"
)
HEADED = f'<text id="1" title="Seals return" encoding="utf-8">\n{PAGE}\n</text>\n'


@pytest.mark.parametrize(
    ("page", "gold"),
    [("1.html", "1-cleaned.txt"), ("en_original/1.html", "en_cleaned/1-cleaned.txt"), ("en/in/1.html", "en/out/1.txt")],
)
def test_cleaneval(tmp_path: Path, page: str, gold: str) -> None:
    folder = lay(tmp_path, {page: HEADED, gold: CLEANED})
    assert recognise(folder) is CorpusLayout.CLEANEVAL
    corpus = read(folder)
    (sample,) = corpus.samples
    assert corpus.problems == []
    assert sample.gold == {
        "text": "Seals return\n\nThe seals are back in the estuary.\n\nOne seal",
        "paragraphs": ["Seals return", "The seals are back in the estuary.", "One seal"],
        "headings": ["Seals return"],
    }
    assert (sample.url, sample.site) == ("http://www.gazette.example/seals", "gazette.example")
    assert sample.lang == ("en" if "en" in page else "")


def test_cleaneval_in_two_languages_and_alone(tmp_path: Path) -> None:
    folder = lay(
        tmp_path,
        {
            "en/1.html": HEADED,
            "en/1-cleaned.txt": CLEANED,
            "zh/1.html": HEADED,
            "zh/1-cleaned.txt": CLEANED,
            "zh/2.html": HEADED,
            "zh/3-cleaned.txt": CLEANED,
        },
    )
    corpus = read(folder)
    assert [(sample.id, sample.lang) for sample in corpus.samples] == [("en/1", "en"), ("zh/1", "zh")]
    assert [(problem.trouble, problem.where) for problem in corpus.problems] == [
        (CorpusTrouble.NO_GOLD, "zh/2"),
        (CorpusTrouble.NO_PAGE, "3"),
    ]


def test_cleaneval_texts() -> None:
    assert parse_gold("<!-- URL: http://a.example/ -->\n<p>One\r\n<P>Two <b>three")[1]["paragraphs"] == [
        "One",
        "Two <b>three",
    ]
    assert parse_gold("No marks at all")[1]["text"] == "No marks at all"
    assert parse_gold("")[1] == {"text": "", "paragraphs": [], "headings": []}


def truth(**records: object) -> str:
    return json.dumps(records)


def test_ground_truth(tmp_path: Path) -> None:
    record = {"articleBody": "The seals are back.", "url": "https://gazette.example/seals", "headline": "Seals return"}
    folder = lay(
        tmp_path,
        {
            "ground-truth.json": truth(a=record, lost=record, odd={"articleBody": 7}, worse=[]),
            "html/a.html.gz": gzip.compress(PAGE.encode()),
            "html/stray.html.gz": gzip.compress(PAGE.encode()),
        },
    )
    assert recognise(folder) is CorpusLayout.GROUND_TRUTH
    corpus = read(folder, check=True)
    (sample,) = corpus.samples
    assert sample.gold == {"text": "The seals are back.", "title": "Seals return"}
    assert (sample.site, sample.headline_in_text) == ("gazette.example", False)
    assert [(problem.trouble, problem.where) for problem in corpus.problems] == [
        (CorpusTrouble.NO_PAGE, "lost"),
        (CorpusTrouble.BROKEN_LINE, "odd"),
        (CorpusTrouble.BROKEN_LINE, "worse"),
        (CorpusTrouble.NO_GOLD, "stray"),
    ]


def test_ground_truth_with_an_id_twice(tmp_path: Path) -> None:
    index = '{"a": {"articleBody": "One"}, "a": {"articleBody": "Two"}}'
    folder = lay(tmp_path, {"ground-truth.json": index, "html/a.html": PAGE})
    corpus = read(folder)
    assert [sample.gold["text"] for sample in corpus.samples] == ["One"]
    assert [problem.trouble for problem in corpus.problems] == [CorpusTrouble.TWICE]


@pytest.mark.parametrize("index", ["{", "[]", '{"a": ' * 50_000])
def test_a_broken_ground_truth_is_one_error(tmp_path: Path, index: str) -> None:
    with pytest.raises(InputError, match=r"ground-truth\.json"):
        read(lay(tmp_path, {"ground-truth.json": index}))


HRA = """Seals return

#5 <h1> text t

--------------------------------------------------------------------------------

The seals are back in the estuary.

#6 <p> text b
"""


def test_hra_beside_the_page(tmp_path: Path) -> None:
    folder = lay(tmp_path, {"seals.html": PAGE, "seals.hra": HRA})
    assert recognise(folder) is CorpusLayout.HRA
    (sample,) = read(folder).samples
    assert sample.gold["title"] == "Seals return"
    assert sample.gold["text"] == "The seals are back in the estuary."


def test_hra_that_fits_no_page(tmp_path: Path) -> None:
    other = HRA.replace("The seals are back in the estuary.", "Something else.")
    corpus = read(lay(tmp_path, {"a.html": PAGE, "a.hra": other, "b.html": PAGE, "b.hra": "nothing\n", "c.hra": HRA}))
    assert [sample.id for sample in corpus.samples] == ["a"]
    assert [(problem.trouble, problem.where) for problem in corpus.problems] == [
        (CorpusTrouble.BROKEN_LINE, "a.hra"),
        (CorpusTrouble.BROKEN_LINE, "b.hra"),
        (CorpusTrouble.NO_PAGE, "c"),
    ]


@pytest.mark.parametrize("layout", list(CorpusLayout))
def test_every_layout_keeps_the_newspaper(tmp_path: Path, layout: CorpusLayout) -> None:
    samples = load(newspaper.path())[::6]
    assert write(samples, tmp_path / "out", layout) == []
    corpus = read(tmp_path / "out", check=True)
    assert (corpus.layout, corpus.problems) == (layout, [])
    texts = {sample.id.replace("/", "_"): sample.gold["text"] for sample in samples}
    pages = {sample.id.replace("/", "_"): sample.html for sample in samples}
    assert {sample.id.replace("/", "_") for sample in corpus.samples} == set(texts)
    for sample in corpus.samples:
        name = sample.id.replace("/", "_")
        assert sample.html == pages[name]
        # The annotation has whole texts and tails of the page; gold may be other words, as bars between table cells.
        assert word_score(sample.gold["text"], texts[name]).f1 > (0.95 if layout is CorpusLayout.HRA else 0.999)
    if layout is CorpusLayout.TIDINGS:
        assert digest(corpus.samples) == digest(samples)


def test_a_folder_is_never_written_over(tmp_path: Path) -> None:
    lay(tmp_path / "out", {"precious.txt": "Mine"})
    with pytest.raises(InputError, match="there already"):
        write(load(newspaper.path())[:1], tmp_path / "out")


def test_names_of_files() -> None:
    names = file_names(["a/b", "a_b", "A_B", "../../etc/passwd", "", "..", "x" * 300, "нота"])
    assert len({name.casefold() for name in names.values()}) == 8
    assert names["../../etc/passwd"] == "etc_passwd"
    assert names["нота"] == "нота"
    assert all(0 < len(name) <= 110 and "/" not in name and not name.startswith(".") for name in names.values())


@pytest.fixture
def tidings(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str]]:
    def run(*words: str) -> tuple[str, str]:
        from tidings.cli.app import app

        monkeypatch.setenv("COLUMNS", "200")
        app(words, standalone_mode=False)
        out, errors = capfd.readouterr()
        return out, errors

    return run


def test_show_and_convert(tmp_path: Path, tidings: Callable[..., tuple[str, str]]) -> None:
    folder = lay(tmp_path / "c", {"seals.html": PAGE, "seals.txt": "The seals are back.", "alone.html": PAGE})
    out, _ = tidings("lab", "corpus", "show", str(folder))
    assert "1 pages, layout beside" in out
    assert "1: gazette.example 1" in out
    assert "1 × page without gold" in out
    assert digest(load(folder)) in out
    _, errors = tidings("lab", "corpus", "convert", str(folder), str(tmp_path / "d"), "--to", "tidings")
    assert "1 pages in" in errors
    assert load(tmp_path / "d")[0].gold["text"] == "The seals are back."
