"""Our layout, its bad inputs, and parts of a corpus that no site is in twice."""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from tidings import newspaper
from tidings.cli.app import app
from tidings.errors import InputError, PageTooLarge
from tidings.page.decode import MAX_BYTES
from tidings_lab.annotate.pages import find_pages
from tidings_lab.corpora import (
    CorpusProblem,
    CorpusTrouble,
    Sample,
    digest,
    folds,
    load,
    opens_with_headline,
    read,
    split,
)
from tidings_lab.corpora.headline_in_text import opens_with

HTML = b"<html><title>A headline of five words - The Paper</title><h1>A headline of five words</h1><p>Some text."


def row(name: str, **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "html_file": f"html/{name}.html.gz",
        "site": "a.example",
        "lang": "en",
        "page_type": "article",
        "gold": {"title": "A headline of five words", "text": "Some text."},
    } | more


def make(folder: Path, *rows: dict[str, Any] | bytes, pages: tuple[str, ...] = ("one", "two")) -> Path:
    (folder / "html").mkdir(parents=True)
    for page in pages:
        (folder / f"html/{page}.html.gz").write_bytes(gzip.compress(HTML))
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in rows]
    (folder / "pages.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    return folder


def ids_and_problems(folder: Path, *, check: bool = False) -> tuple[list[str], list[tuple[CorpusTrouble, str]]]:
    corpus = read(folder, check=check)
    return [sample.id for sample in corpus.samples], [(problem.trouble, problem.where) for problem in corpus.problems]


def test_what_a_sample_knows(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "the-corpus",
        row("one", url="https://a.example/1", gold_kind="annotators", licence="free"),
        row("two", corpus="other", headline_in_text=True, gold={"text": "Some text."}),
    )
    one, two = load(folder)
    assert (one.url, one.corpus, one.gold_kind) == ("https://a.example/1", "the-corpus", "annotators")
    assert one.headline_in_text is False
    assert one.more == {"licence": "free"}
    assert one.html == HTML
    assert (two.corpus, two.headline_in_text) == ("other", True)
    assert one.half == two.half


def test_load_takes_what_is_needed(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "c",
        row("one"),
        row("two", gold={"title": "Only a title"}, page_type="list"),
        row("three", gold={}),
        pages=("one", "two", "three"),
    )
    assert [sample.id for sample in load(folder)] == ["one"]
    assert [sample.id for sample in load(folder, needs="title")] == ["one", "two"]
    assert [sample.id for sample in load(folder, needs=None)] == ["one", "two", "three"]
    assert [sample.id for sample in load(folder, "list", needs=None)] == ["two"]


def test_the_newspaper_is_a_corpus() -> None:
    samples = load(newspaper.path())
    assert {sample.site for sample in samples} == set(newspaper.outlets())
    assert not any(sample.headline_in_text for sample in samples)
    corpus = read(newspaper.path(), check=True)
    assert corpus.problems == []


def test_gold_without_page_and_page_without_gold(tmp_path: Path) -> None:
    folder = make(tmp_path / "c", row("one"), row("lost"), row("two", gold={}), pages=("one", "two", "stray"))
    ids, problems = ids_and_problems(folder)
    assert ids == ["one", "two"]
    assert problems == [
        (CorpusTrouble.NO_PAGE, "lost"),
        (CorpusTrouble.NO_GOLD, "two"),
        (CorpusTrouble.NO_GOLD, "html/stray.html.gz"),
    ]


def test_an_id_given_twice_counts_once(tmp_path: Path) -> None:
    folder = make(tmp_path / "c", row("one"), row("one", html_file="html/two.html.gz"))
    ids, problems = ids_and_problems(folder)
    assert ids == ["one"]
    assert problems[0] == (CorpusTrouble.TWICE, "one")


@pytest.mark.parametrize(
    "line",
    [
        b'{"id": "tw',
        b"[1, 2]",
        b'"text"',
        b"\xff\xfe{}",
        b'{"id": 7, "html_file": "html/two.html.gz", "gold": {}}',
        b'{"id": "two", "gold": {}}',
        b'{"id": "two", "html_file": "html/two.html.gz", "gold": ["text"]}',
        b'{"id": "two", "html_file": "html/tw\\u0000o.html.gz", "gold": {}}',
        b'{"id": "two", "html_file": ["html"], "gold": {}}',
        b'{"id": "two", "html_file": "html/\\ud800.html.gz", "gold": {}}',
        b'{"id": "\\ud800", "html_file": "html/two.html.gz", "gold": {}}',
        b"[" * 100_000,
    ],
)
def test_a_broken_line_is_listed_and_the_rest_loads(tmp_path: Path, line: bytes) -> None:
    ids, problems = ids_and_problems(
        make(tmp_path / "c", row("one"), line, row("three"), pages=("one", "two", "three"))
    )
    assert ids == ["one", "three"]
    assert problems[0] == (CorpusTrouble.BROKEN_LINE, "pages.jsonl, line 2")


def test_a_name_no_file_can_have(tmp_path: Path) -> None:
    ids, problems = ids_and_problems(make(tmp_path / "c", row("one"), row("long", html_file="html/" + "x" * 5000)))
    assert ids == ["one"]
    assert problems[0] == (CorpusTrouble.BROKEN_LINE, "long")


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    text = "One\u2028two\u0085three"
    line = json.dumps(row("one", gold={"text": text}), ensure_ascii=False).encode()
    (sample,) = load(make(tmp_path / "c", b"\xef\xbb\xbf" + line))
    assert sample.gold["text"] == text


@pytest.mark.parametrize("escape", ["../secret.html", "/etc/passwd", "html/../../secret.html"])
def test_a_page_outside_the_folder_is_refused(tmp_path: Path, escape: str) -> None:
    (tmp_path / "secret.html").write_text("<p>secret")
    ids, problems = ids_and_problems(make(tmp_path / "c", row("one"), row("evil", html_file=escape)))
    assert ids == ["one"]
    assert problems[0] == (CorpusTrouble.OUTSIDE, "evil")


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<p>secret")
    folder = make(tmp_path / "c", row("evil", html_file="html/evil.html"))
    (folder / "html/evil.html").symlink_to(tmp_path / "secret.html")
    assert ids_and_problems(folder)[0] == []


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(HTML)[:30], gzip.compress(HTML)[:-6] + b"123456"],
    ids=["no gzip", "cut off", "wrong sum"],
)
def test_a_damaged_page_is_an_error_of_ours(tmp_path: Path, content: bytes) -> None:
    folder = make(tmp_path / "c", row("one"), row("two"))
    (folder / "html/two.html.gz").write_bytes(content)
    assert ids_and_problems(folder, check=True) == (["one"], [(CorpusTrouble.BROKEN_PAGE, "two")])
    with pytest.raises(InputError, match="the page two cannot be read"):
        _ = load(folder)[1].html
    assert digest(load(folder)) != digest(load(folder)[:1])


def test_a_page_too_large_is_never_held(tmp_path: Path) -> None:
    folder = make(tmp_path / "c", row("one"))
    (folder / "html/one.html.gz").write_bytes(gzip.compress(b"x" * (MAX_BYTES + 1), 1))
    with pytest.raises(PageTooLarge):
        _ = load(folder)[0].html
    assert ids_and_problems(folder, check=True)[1][1:] == [(CorpusTrouble.BROKEN_PAGE, "one")]


def test_a_page_that_changed_is_named(tmp_path: Path) -> None:
    sha1 = hashlib.sha1(HTML, usedforsecurity=False).hexdigest()
    folder = make(tmp_path / "c", row("one", html_sha1=sha1), row("two", html_sha1="0" * 40))
    assert ids_and_problems(folder)[0] == ["one", "two"]
    assert ids_and_problems(folder, check=True) == (["one"], [(CorpusTrouble.CHANGED, "two")])


def test_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no corpus"):
        load(tmp_path)
    with pytest.raises(InputError, match="is no corpus"):
        load(tmp_path / "nowhere")


def test_problems_read_well() -> None:
    assert (
        str(CorpusProblem(CorpusTrouble.NO_PAGE, "one", "there is no html/one"))
        == "one: gold without page (there is no html/one)"
    )


def test_the_digest_tells_pages_and_gold_and_no_order(tmp_path: Path) -> None:
    folder = make(tmp_path / "c", row("one"), row("two"))
    before = digest(load(folder))
    assert digest(reversed(load(folder))) == before
    make(tmp_path / "d", row("two"), row("one"))
    assert digest(load(tmp_path / "d")) == before
    (folder / "html/two.html.gz").write_bytes(gzip.compress(HTML + b" "))
    assert digest(load(folder)) != before
    assert digest(load(make(tmp_path / "e", row("one"), row("two", gold={"text": "Other text."})))) != before


def sample(number: int, site: str) -> Sample:
    return Sample(str(number), site, "en", "article", Path("none"), {"text": "x"})


corpora = st.lists(st.integers(0, 12), min_size=2, max_size=60).map(
    lambda sites: [sample(number, f"site{site}.example") for number, site in enumerate(sites)]
)


@given(corpora, st.integers(2, 6), st.randoms(use_true_random=False))
def test_folds_never_share_a_site(samples: list[Sample], k: int, probability: Any) -> None:
    sites = {sample.site for sample in samples}
    if k > len(sites):
        with pytest.raises(InputError, match="cannot be put into"):
            folds(samples, k)
        return
    parts = folds(samples, k)
    assert sorted(int(sample.id) for fold in parts for sample in fold.test) == list(range(len(samples)))
    for train, test in parts:
        assert not {sample.site for sample in train} & {sample.site for sample in test}
        assert len(train) + len(test) == len(samples)
        assert test
    largest = max(sum(sample.site == site for sample in samples) for site in sites)
    sizes = [len(fold.test) for fold in parts]
    assert max(sizes) - min(sizes) <= largest
    mixed = samples.copy()
    probability.shuffle(mixed)
    assert [{one.id for one in fold.test} for fold in folds(mixed, k)] == [
        {one.id for one in fold.test} for fold in parts
    ]


@given(corpora, st.floats(0.1, 0.9), st.integers(0, 3))
def test_a_split_never_shares_a_site(samples: list[Sample], share: float, seed: int) -> None:
    if len({sample.site for sample in samples}) < 2:
        with pytest.raises(InputError, match="cannot be split"):
            split(samples, share, seed)
        return
    train, test = split(samples, share, seed)
    assert train
    assert test
    assert not {sample.site for sample in train} & {sample.site for sample in test}
    assert len(train) + len(test) == len(samples)


def test_a_split_is_near_its_share_and_seeds_differ() -> None:
    samples = [sample(number, f"site{number // 4}") for number in range(200)]
    assert len(split(samples, 0.7).train) == 140
    assert split(samples, 0.7) == split(samples, 0.7)
    assert split(samples, 0.7, seed=1) != split(samples, 0.7)


@pytest.mark.parametrize(
    ("text", "headline", "answer"),
    [
        ("A headline of five words\n\nText.", "A headline of five words", True),
        ("A Headline, of five words!\n\nText.", "A headline of five words", True),
        ("A headline of five words\n\nText.", "A headline of five words | The Paper", True),
        ("Text.", "A headline of five words", False),
        ("News\n\nText", "News | The Paper", False),
        ("A headline of fourteen", "A headline of five words", False),
        ("Port Selene is the capital of Marenia.", "Port Selene", False),
        ("", "A headline", False),
        ("Text", "", False),
    ],
)
def test_texts_that_open_with_their_headline(text: str, headline: str, answer: bool) -> None:
    assert opens_with(text, headline) is answer


def test_the_page_tells_where_gold_has_no_title(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "c",
        row("one", gold={"text": "A headline of five words\n\nSome text."}),
        row("two", gold={"text": "Some text."}),
    )
    one, two = load(folder)
    assert one.headline_in_text is None
    assert opens_with_headline(one)
    assert not opens_with_headline(two)


@pytest.mark.shared
def test_the_real_corpora_are_sound(shared_data: Path, gate: bool) -> None:
    for index in sorted(shared_data.glob("*/pages.jsonl")):
        corpus = read(index.parent, check=gate)
        assert corpus.samples
        assert set(corpus.count()) <= {CorpusTrouble.NO_GOLD}


@pytest.mark.shared
def test_headlines_in_texts_of_real_corpora(shared_data: Path) -> None:
    def share(name: str, corpus: str) -> float:
        samples = [sample for sample in load(shared_data / name) if sample.corpus == corpus][::5]
        return sum(map(opens_with_headline, samples)) / len(samples)

    assert share("sites", "big5") > 0.9
    assert share("sites", "waddle") > 0.9
    assert share("fundus-dev", "fundus") < 0.05


@pytest.mark.parametrize(
    "words",
    [
        ["lab", "queue", "newspaper", "--names"],
        ["lab", "corpus", "show", "newspaper"],
        ["lab", "corpus", "instances", "newspaper"],
    ],
)
def test_newspaper_is_a_corpus_of_every_command(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where there is no folder of that name
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert result.output


def test_newspaper_can_be_annotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    samples, problems = find_pages([Path("newspaper")])
    assert len(samples) > 50
    assert problems == []
