"""The other engines give the files that `plain` gives, hostile pages and all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.bulk.made import HANGS, KILLS, archive, page, response
from tests.bulk.test_run import HOSTILE, files, rows
from tests.conftest import ROOT, missing
from tidings.bulk import BulkSettings, plan, run

pytestmark = [pytest.mark.gate, pytest.mark.filterwarnings("ignore")]


def _needed(module: str) -> Any:
    """A module that `make dev` does not install: Ray and Spark have 730 MB. Without it the test is skipped."""
    return pytest.importorskip(module, reason=f"{module} is not installed", exc_type=ImportError)


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    path = archive(tmp_path / "a.warc.gz", 30)
    path.write_bytes(path.read_bytes() + response(HANGS, page(1000)) + response(KILLS, page(1001)))
    return [str(path), str(archive(tmp_path / "b.warc.gz", 20, 500))]


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_the_same_files_from_every_engine(
    engine: str, inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _needed({"ray": "ray", "spark": "pyspark"}[engine])
    # Their workers are processes that import what they are sent.
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT)]))
    list(run(plan(inputs), str(tmp_path / "plain"), HOSTILE, workers=2))
    done = list(run(plan(inputs), str(tmp_path / engine), HOSTILE, engine=engine, workers=2))
    assert sorted(one.pages for one in done) == [20, 32]
    found = {row["url"]: row["status"] for row in rows(tmp_path / engine) if row["status"] != "ok"}
    assert found == {HANGS: "late", KILLS: "died"}
    assert files(tmp_path / engine) == files(tmp_path / "plain")


def test_a_bucket_on_a_server_of_this_machine(
    inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3fs = _needed("s3fs")
    server = _needed("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        if not port:
            missing("the server names no port")
        address = f"http://{host}:{port}"
        for name, value in {
            "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            monkeypatch.setenv(name, value)
        system = s3fs.S3FileSystem()
        system.mkdir("crawl")
        system.put(inputs[1], "crawl/b.warc.gz")
        (done,) = run(plan(["s3://crawl/*.warc.gz"]), "s3://crawl/articles", BulkSettings())
        assert done.statuses == {"ok": 20}
        (again,) = run(plan(["s3://crawl/b.warc.gz"]), "s3://crawl/articles", BulkSettings())
        assert again == done
        assert len(system.ls("crawl/articles/articles")) == 1
    finally:
        server.stop()
