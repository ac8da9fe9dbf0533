"""A run: every page one row, the same bytes each time, whatever a page does, whenever it is stopped."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.bulk.made import HANGS, KILLS, address, archive, page, response
from tests.support import needs
from tidings import __version__, extract
from tidings.bulk import BulkGuard, BulkSettings, ComputedColumn, OutputFolder, plan, run, run_split
from tidings.bulk import batches as bulk_batches
from tidings.errors import BadParameter, InputError, TargetExists, UnknownExtractor

pa = needs("pyarrow")
from pyarrow import parquet  # noqa: E402

from tidings.bulk import article_schema, page_schema, read_batch  # noqa: E402
from tidings.bulk.output import SplitManifest, totals  # noqa: E402
from tidings.bulk.schema import COLUMNS, STATUSES  # noqa: E402

INLINE = BulkSettings(seconds=None)


def rows(folder: Path | str) -> list[dict[str, Any]]:
    tables = [parquet.read_table(one) for one in sorted(Path(folder, "articles").glob("*.parquet"))]
    return pa.concat_tables(tables).to_pylist() if tables else []


def files(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in Path(folder, "articles").iterdir()}


# -- the function -----------------------------------------------------------------------------------------------------


def test_a_batch_of_pages_is_a_batch_of_articles() -> None:
    batch = pa.RecordBatch.from_pylist(
        [
            {
                "url": address(1),
                "content": page(1),
                "headers": [("content-type", "text/html")],
                "source": "a",
                "offset": 7,
            },
            {"url": address(2), "content": b"%PDF-1.4 \x00\x01\x02", "source": "a", "offset": 8},
            {"url": address(3), "content": b"  ", "source": "a", "offset": 9},
        ],
        schema=page_schema(),
    )
    found = read_batch(batch)
    assert found.schema == article_schema(BulkSettings())
    assert found.schema.metadata[b"tidings"] == b"bulk 3"
    assert found.schema.names == [column.name for column in COLUMNS]
    first, pdf, empty = found.to_pylist()
    article = extract(page(1), address(1))
    assert (first["text"], first["title"], first["words"]) == (article.text, article.title, len(article.text.split()))
    assert first["status"] == "ok"
    assert first["site"] == "post.test"
    assert first["published_as_stated"] == "2024-05-03T08:00:00+00:00"
    assert first["precision"] == "second"
    assert first["version"] == __version__
    assert (pdf["status"], empty["status"]) == ("not-html", "nothing")
    assert read_batch(batch) == found
    assert {first["id"], pdf["id"], empty["id"]} == {one["id"] for one in read_batch(batch.slice(0, 3)).to_pylist()}


def test_only_the_content_has_to_be_there() -> None:
    assert read_batch(pa.RecordBatch.from_pydict({"content": [page(1)]})).to_pylist()[0]["status"] == "ok"
    with pytest.raises(BadParameter, match="content"):
        read_batch(pa.RecordBatch.from_pydict({"html": [page(1)]}))


def test_further_extractors_and_columns_from_one_scan() -> None:
    settings = BulkSettings(
        extractors=("default", "cetd"),
        markdown=True,
        timing=True,
        computed=(ComputedColumn("letters", "int64", "tests.bulk.test_run:letters"),),
    )
    (row,) = read_batch(pa.RecordBatch.from_pydict({"content": [page(1)]}), settings).to_pylist()
    assert "seals" in row["text_cetd"]
    assert "Twelve grey seals" in row["markdown"]
    assert row["letters"] == len(row["text"])
    assert row["cpu"] > 0


def letters(text: str, language: str) -> int:
    assert language == "en"
    return len(text)


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(UnknownExtractor):
        BulkSettings(extractors=("unheard",)).checked()
    with pytest.raises(BadParameter):
        BulkSettings(extractors=("cetd", "cetd")).checked()
    with pytest.raises(BadParameter, match="first"):
        BulkSettings(extractors=("cetd",), rules="rules.parquet").checked()
    with pytest.raises(BadParameter):
        BulkSettings(seconds=-1).checked()
    settings = BulkSettings(computed=(ComputedColumn("a", "string", "b:c"),))
    assert BulkSettings.from_dict(settings.as_dict()) == settings


def test_a_mistake_of_ours_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(*_: object) -> None:
        raise ZeroDivisionError("so it is")

    monkeypatch.setattr(bulk_batches, "read", mistaken)
    (row,) = read_batch(pa.RecordBatch.from_pydict({"content": [page(1)]})).to_pylist()
    assert (row["status"], row["reason"]) == ("error", "it raised ZeroDivisionError: so it is")


# -- runs -------------------------------------------------------------------------------------------------------------


def test_spellings_of_one_path_and_a_moved_folder_give_the_same_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive(tmp_path / "in" / "x.warc.gz", 6)
    saved = tmp_path / "in" / "saved"
    saved.mkdir()
    for number in range(4):
        (saved / f"{number}.html").write_bytes(page(100 + number))
    out = str(tmp_path / "out")

    def ids_after(folder: Path, *inputs: str) -> list[str]:
        monkeypatch.chdir(folder)
        list(run(plan(inputs), out, workers=1))
        tables = [parquet.read_table(table, columns=["id"]) for table in OutputFolder(out).tables()]
        return sorted(row["id"] for table in tables for row in table.to_pylist())

    ids = ids_after(tmp_path, "in/x.warc.gz", "in/saved")
    assert len(set(ids)) == 10
    assert ids_after(tmp_path, "./in/x.warc.gz", "in/../in/x.warc.gz", "./in/saved/") == ids
    assert ids_after(tmp_path / "in", "x.warc.gz", "saved") == ids
    assert ids_after(saved, str(tmp_path / "in" / "x.warc.gz"), ".") == ids
    (tmp_path / "in").rename(tmp_path / "moved")
    assert ids_after(tmp_path, "moved/x.warc.gz", "moved/saved") == ids


def test_renamed_copies_give_the_same_rows(tmp_path: Path) -> None:
    first, second = archive(tmp_path / "x.warc.gz", 6), tmp_path / "y.warc.gz"
    second.write_bytes(first.read_bytes())
    for folder, names in (("saved", "abcd"), ("renamed", "zyxw")):
        (tmp_path / folder).mkdir()
        for number, name in enumerate(names):
            (tmp_path / folder / f"{name}.html").write_bytes(page(100 + number))
    out = tmp_path / "out"
    list(run(plan([str(first), str(tmp_path / "saved")]), str(out), INLINE))
    before = files(out)
    assert len(rows(out)) == 10
    list(run(plan([str(second), str(tmp_path / "renamed")]), str(out), INLINE))
    assert files(out) == before


def test_pages_are_split_by_content_whatever_their_names_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.bulk.splits._FILES", 2)
    for folder, names in (("saved", "abcdef"), ("renamed", "cfbeda")):
        (tmp_path / folder).mkdir()
        for number, name in enumerate(names):
            (tmp_path / folder / f"{name}.html").write_bytes(page(number))
    saved, renamed = (plan([str(tmp_path / folder)]) for folder in ("saved", "renamed"))
    assert len(saved) == 3
    assert [one.name for one in saved] == [one.name for one in renamed]


def test_copies_in_one_run_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = archive(tmp_path / "x.warc.gz", 6), tmp_path / "y.warc.gz"
    second.write_bytes(first.read_bytes())
    (split,) = plan([str(first), str(second)])
    assert (split.source, split.copies) == (str(first), (str(second),))
    monkeypatch.chdir(tmp_path)
    (split,) = plan([str(first), "x.warc.gz", "./x.warc.gz"])
    assert split.copies == ()  # one file in three spellings
    parts = plan([str(first), str(second)], split_size=first.stat().st_size // 2)
    assert [one.copies for one in parts] == [(str(second),)] * len(parts)
    assert len(parts) > 1


def test_files_that_differ_only_in_the_middle_are_all_read(tmp_path: Path) -> None:
    ends = bytes(70_000)
    paths = [tmp_path / name for name in ("a.warc", "b.warc", "c.warc")]
    for path, middle in zip(paths, (b"one", b"two", b"one"), strict=True):
        path.write_bytes(ends + middle + ends)
    splits = plan(map(str, paths))
    assert [(one.source, one.copies) for one in splits] == [(str(paths[0]), (str(paths[2]),)), (str(paths[1]), ())]
    assert {one.name for one in plan(map(str, reversed(paths)))} == {one.name for one in splits}


def test_files_of_the_same_names_with_other_content_are_other_splits(tmp_path: Path) -> None:
    for number, folder in enumerate(("monday", "tuesday")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.html").write_bytes(page(number))
    assert len(plan([str(tmp_path / "monday"), str(tmp_path / "tuesday")])) == 2


def test_every_page_is_a_row_and_a_second_run_has_nothing_to_do(tmp_path: Path) -> None:
    inputs = [archive(tmp_path / f"{name}.warc.gz", 70, 100 * name) for name in range(3)]
    told: Counter[str] = Counter()
    splits = plan(map(str, inputs))
    done = list(run(splits, str(tmp_path / "out"), workers=2, tell=lambda _, statuses: told.update(statuses)))
    assert [one.failure for one in done] == [""] * 3
    assert told == {"ok": 210}
    assert [one.statuses for one in done] == [{"ok": 70}] * 3
    found = rows(tmp_path / "out")
    assert len({row["id"] for row in found}) == len({row["url"] for row in found}) == 210
    before = files(tmp_path / "out")
    again = list(run(splits, str(tmp_path / "out"), tell=lambda *_: pytest.fail("it was done")))
    assert sorted(one.digest for one in again) == sorted(one.digest for one in done)
    assert files(tmp_path / "out") == before
    (tmp_path / "out" / "articles" / f"{splits[1].name}.parquet").unlink()
    (tmp_path / "out" / "articles" / ".left.1234.part").write_bytes(b"half")
    list(run(splits, str(tmp_path / "out"), INLINE))
    assert files(tmp_path / "out") == before


def test_groups_of_rows_do_not_depend_on_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (split,) = plan([str(archive(tmp_path / "a.warc.gz", 40))])
    monkeypatch.setattr("tidings.bulk.task._ROWS", 16)
    made = []
    for number in (3, 64):
        monkeypatch.setattr("tidings.bulk.guard._PAGES", number)
        (done,) = run([split], str(tmp_path / f"out-{number}"), INLINE)
        made.append(done.digest)
        path = Path(OutputFolder(str(tmp_path / f"out-{number}")).articles(split))
        assert parquet.ParquetFile(path).metadata.num_row_groups == 3
    assert made[0] == made[1]


@pytest.fixture
def hostile(tmp_path: Path) -> list[str]:
    """An archive with a page that hangs and one that kills its reader."""
    path = tmp_path / "a.warc.gz"
    archive(path, 30)
    path.write_bytes(
        path.read_bytes()
        + response(HANGS, page(1000))
        + response(address(2000), page(2000))
        + response(KILLS, page(1001))
        + response(address(2001), page(2001))
    )
    return [str(path), str(archive(tmp_path / "b.warc.gz", 10, 500))]


def hostile_text(text: str, language: str) -> str:
    """What a page may do to its reader."""
    if "number 1000" in text:
        while True:
            pass
    if "number 1001" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    return language


HOSTILE = BulkSettings(computed=(ComputedColumn("own", "string", "tests.bulk.test_run:hostile_text"),), seconds=1.5)


@pytest.mark.gate
def test_a_page_that_hangs_and_one_that_kills_cost_their_rows(hostile: list[str], tmp_path: Path) -> None:
    done = list(run(plan(hostile), str(tmp_path / "out"), HOSTILE, workers=2))
    assert sorted(one.pages for one in done) == [10, 34]
    found = rows(tmp_path / "out")
    assert len(found) == 44
    assert {row["url"]: row["status"] for row in found if row["status"] != "ok"} == {HANGS: "late", KILLS: "died"}
    reasons = {row["url"]: row["reason"] for row in found}
    assert "1.5 seconds" in reasons[HANGS]
    assert "SIGKILL" in reasons[KILLS]
    assert all(row["digest"] and row["length"] for row in found)


def test_a_split_that_cannot_be_read_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    good = archive(tmp_path / "a.warc.gz", 3)
    bad = tmp_path / "b.parquet"
    parquet.write_table(pa.table({"name": ["a"]}), bad)
    splits = plan([str(bad), str(good)])
    for settings in (BulkSettings(), INLINE):  # a failed one is tried again
        done = {one.split.source: one for one in run(splits, str(tmp_path / "out"), settings)}
        assert done[str(good)].statuses == {"ok": 3}
        assert "no column of pages" in done[str(bad)].failure
        assert len(files(tmp_path / "out")) == 1
    summed, whole, failed = totals(OutputFolder(str(tmp_path / "out")).manifests())
    assert (summed.pages, whole, len(failed)) == (3, 1, 1)


def test_a_folder_of_another_run_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    splits = plan([str(archive(tmp_path / "a.warc.gz", 2))])
    out = str(tmp_path / "out")
    list(run(splits, out, INLINE))
    with pytest.raises(TargetExists, match="settings"):
        run(splits, out, BulkSettings(seconds=None, markdown=True))
    monkeypatch.setattr("tidings.bulk.output.__version__", "9.9")
    with pytest.raises(TargetExists, match=r"version is .*not '9\.9'"):
        run(splits, out, INLINE)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(TargetExists, match="no run wrote"):
        run(splits, str(tmp_path / "mine"), INLINE)
    with pytest.raises(InputError, match="no folder of a run"):
        OutputFolder(str(tmp_path)).run()
    with pytest.raises(BadParameter, match="no engine"):
        run(splits, out, INLINE, engine="steam")


def test_a_full_disk_leaves_nothing_that_could_be_taken_for_whole(tmp_path: Path) -> None:
    (split,) = plan([str(archive(tmp_path / "a.warc.gz", 60))])
    out = tmp_path / "out"
    OutputFolder(str(out)).begin(INLINE, "")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
    try:
        done = run_split(split, str(out), INLINE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "no room" in done.failure
    assert files(out) == {}
    assert OutputFolder(str(out)).done(split) is None
    assert run_split(split, str(out), INLINE).statuses == {"ok": 60}


def test_results_go_to_other_systems(tmp_path: Path) -> None:
    memory = needs("fsspec").filesystem("memory")
    splits = plan([str(archive(tmp_path / "a.warc.gz", 4))])
    try:
        (done,) = run(splits, "memory://bulk-out", INLINE)
        assert done.statuses == {"ok": 4}
        (again,) = run(splits, "memory://bulk-out", INLINE)
        assert again == done
        (name,) = OutputFolder("memory://bulk-out").tables()
        with memory.open(name) as stream:
            assert parquet.read_table(stream).num_rows == 4
    finally:
        memory.rm("/bulk-out", recursive=True)


def test_manifests_that_are_damaged_count_as_not_done(tmp_path: Path) -> None:
    (split,) = plan([str(archive(tmp_path / "a.warc.gz", 2))])
    out = OutputFolder(str(tmp_path / "out"))
    (done,) = run([split], out.address, INLINE)
    assert SplitManifest.from_json(done.as_json()) == done
    for content in (b"{", b"{}", b"[]"):
        Path(out.manifest(split)).write_bytes(content)
        assert out.done(split) is None
        assert list(out.manifests()) == []
    (tmp_path / "out" / "run.json").write_bytes(b"nothing")
    with pytest.raises(Exception, match="damaged"):
        out.run()


def test_a_guard_reads_one_split_after_the_other(tmp_path: Path) -> None:
    splits = plan(str(archive(tmp_path / f"{number}.warc.gz", 3, 10 * number)) for number in range(2))
    with BulkGuard(BulkSettings()) as guard:
        found = [
            guard_url
            for split in splits
            for batch in guard.batches(split)
            for guard_url in batch.column("url").to_pylist()
        ]
    assert found == [address(number) for number in (0, 1, 2, 10, 11, 12)]


@pytest.mark.gate
def test_killed_at_any_moment_and_run_again_it_gives_the_same_bytes(tmp_path: Path) -> None:
    import random
    import subprocess
    import sys

    inputs = [str(archive(tmp_path / f"{number}.warc.gz", 300, 1000 * number)) for number in range(4)]
    list(run(plan(inputs), str(tmp_path / "whole"), workers=2))
    expected = files(tmp_path / "whole")
    command = [sys.executable, "-m", "tidings", "bulk", "run", *inputs, "--to", str(tmp_path / "out"), "--workers", "2"]
    chance = random.Random(7)
    for _ in range(10):
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            time.sleep(chance.uniform(0.5, 6.0))
            process.kill()
    subprocess.run(command, check=True)
    assert files(tmp_path / "out") == expected
    assert set(STATUSES) >= {row["status"] for row in rows(tmp_path / "out")}
