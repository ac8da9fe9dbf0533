"""`tidings bulk`: copies, archives on the web, other systems, and errors of input files."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typer.testing import CliRunner, Result

from tests.bulk.made import address, archive, page, response
from tests.bulk.test_run import files, rows
from tests.support import needs
from tidings import extract
from tidings.bulk import OutputFolder, plan
from tidings.cli.app import app

pa = needs("pyarrow")
needs("zstandard")
from pyarrow import parquet  # noqa: E402


def bulk(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["bulk", *map(str, words)])


def test_copies_are_named_and_read_once(tmp_path: Path) -> None:
    first = archive(tmp_path / "x.warc.gz", 2)
    for name in "yz":
        (tmp_path / f"{name}.warc.gz").write_bytes(first.read_bytes())
    done = bulk("run", tmp_path, "--to", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert len(rows(tmp_path / "out")) == 2
    for name in "yz":
        assert f"not read: {tmp_path / name}.warc.gz has the same content as {first}" in done.output


# -- archives on the web ----------------------------------------------------------------------------------------------


class _Archives(BaseHTTPRequestHandler):
    data: ClassVar[bytes] = b""
    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.asked.append((self.path, wanted))
        if self.path == "/robots.txt":
            self.send_error(404)
            return
        body, code = self.data, 200
        if wanted and "whole" not in self.path:
            first, last = (int(part) for part in wanted.removeprefix("bytes=").split("-"))
            body, code = body[first : last + 1], 206
        self.send_response(code)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody asked."""


@pytest.fixture
def archives() -> Iterator[str]:
    _Archives.data = response(address(0), page(0)) + response(address(1), page(1))
    _Archives.asked.clear()
    with HTTPServer(("127.0.0.1", 0), _Archives) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_records_of_archives_on_the_web_are_fetched_by_their_bytes(archives: str, tmp_path: Path) -> None:
    first = len(response(address(0), page(0)))
    second = len(_Archives.data) - first
    said = {"url": address(1), "filename": "crawl/a.warc.gz", "offset": str(first), "length": str(second)}
    index = tmp_path / "a.cdxj"
    index.write_text("\n".join(json.dumps(said | {"filename": name}) for name in ("a.warc.gz", "whole.warc.gz")))
    words = ("run", index, "--to", tmp_path / "out", "--archives", archives)
    refused = bulk(*words)
    assert refused.exit_code == 0
    assert {row["status"] for row in rows(tmp_path / "out")} == {"error"}
    assert "is refused" in rows(tmp_path / "out")[0]["reason"], "the guard lets nobody into a private network"
    assert not _Archives.asked
    done = bulk(*words[:2], "--to", tmp_path / "let", *words[4:], "--allow-host", "127.0.0.1")
    assert done.exit_code == 0, done.output
    one, whole = rows(tmp_path / "let")
    assert (one["url"], one["status"], one["offset"]) == (address(1), "ok", first)
    assert one["digest"]
    assert one["text"] == extract(page(1), address(1)).text
    assert whole["status"] == "error"
    assert "sends whole files" in whole["reason"]
    assert ("/a.warc.gz", f"bytes={first}-{first + second - 1}") in _Archives.asked
    assert _Archives.asked[0][0] == "/robots.txt"


def test_a_run_from_memory_to_memory(tmp_path: Path) -> None:
    memory = needs("fsspec").filesystem("memory")
    memory.pipe("/command/a.warc.gz", archive(tmp_path / "a.warc.gz", 3).read_bytes())
    try:
        # Children have a memory of their own, so this one is read here.
        from tidings.bulk import BulkSettings, run

        (done,) = run(plan(["memory://command/*.warc.gz"]), "memory://command/out", BulkSettings(seconds=None))
        assert done.statuses == {"ok": 3}
        told = bulk("status", "memory://command/out")
        assert told.exit_code == 0
        assert "3" in told.output
        assert bulk("report", "memory://command/out").exit_code == 0
        assert b"3 pages, 1 file<" in memory.cat("/command/out/report.html")
    finally:
        memory.rm("/command", recursive=True)


# -- bad input --------------------------------------------------------------------------------------------------------


def _truncated(path: Path) -> None:
    first, bad, last = (response(address(number), page(number)) for number in range(3))
    path.write_bytes(first + bad[: len(bad) // 2] + last)


def _too_long(path: Path) -> None:
    path.write_bytes(response(address(0), b"<p>" + b"long " * 600_000) + response(address(1), page(1)))


def _no_archive(path: Path) -> None:
    path.write_bytes(b"<html>no archive</html>" * 50)


def _no_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress(b"no archive either " * 50))


def _other_schema(path: Path) -> None:
    parquet.write_table(pa.table({"name": ["a"]}), path)


def _other_type(path: Path) -> None:
    parquet.write_table(pa.table({"content": [1, 2]}), path)


def _no_table(path: Path) -> None:
    path.write_bytes(b"PAR1 none of it PAR1")


#: By the name of a file: how it is spoiled, what becomes of its rows (None: the file as a whole fails), what is said.
SPOILED: dict[str, tuple[Any, dict[str, int] | None, str]] = {
    "cut.warc.gz": (_truncated, {"ok": 2, "error": 1}, "damaged"),
    "long.warc.gz": (_too_long, {"ok": 1, "refused": 1}, "a page may have 1,048,576"),
    "none.warc": (_no_archive, {"error": 1}, "no WARC record"),
    "none.warc.gz": (_no_gzip, {"error": 1}, "no WARC record"),
    "type.parquet": (_other_type, {"error": 2}, "holds int"),
    "columns.parquet": (_other_schema, None, "no column of pages"),
    "none.parquet": (_no_table, None, "no Parquet file"),
}


@pytest.mark.parametrize("whole", [True, False], ids=["files that fail", "rows that fail"])
def test_what_is_wrong_is_named_and_the_others_go_on(tmp_path: Path, whole: bool) -> None:
    spoiled = {name: one for name, one in SPOILED.items() if (one[1] is None) == whole}
    for name, (spoil, _, _) in spoiled.items():
        spoil(tmp_path / name)
    archive(tmp_path / "good.warc.gz", 4)
    out = tmp_path / "out"
    names = [tmp_path / name for name in (*spoiled, "good.warc.gz")]
    done = bulk("run", *names, "--to", out, "--largest", "1", "-j", "1")
    assert done.exit_code == whole, done.output
    found = {Path(one.split.source).name: one for one in OutputFolder(str(out)).manifests()}
    assert found["good.warc.gz"].statuses == {"ok": 4}
    for name, (_, statuses, said) in spoiled.items():
        if statuses is None:
            assert said in found[name].failure, name
            assert said in done.output, name
        else:
            assert dict(found[name].statuses) == statuses, name
            reasons = [row["reason"] or "" for row in rows(out) if row["source"].endswith(f"/{name}")]
            assert any(said in reason for reason in reasons), (name, reasons)
    if whole:
        assert len(files(out)) == 1, "nothing half-written is left"
    assert not list(out.rglob("*.part"))


def test_a_folder_of_another_version_is_named_and_left_alone(tmp_path: Path) -> None:
    path = archive(tmp_path / "a.warc.gz", 2)
    assert bulk("run", path, "--to", tmp_path / "out").exit_code == 0
    run_file = tmp_path / "out" / "run.json"
    run_file.write_text(json.dumps(json.loads(run_file.read_text()) | {"version": "0.0.1"}))
    before = files(tmp_path / "out")
    done = bulk("run", path, "--to", tmp_path / "out")
    assert done.exit_code == 2 or "another run" in str(done.exception)
    assert files(tmp_path / "out") == before
