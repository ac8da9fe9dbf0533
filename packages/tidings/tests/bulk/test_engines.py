"""The other engines give the files that `plain` gives, hostile pages and all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bulk.made import HANGS, KILLS, archive, page, response
from tests.bulk.test_run import HOSTILE, files, rows
from tests.support import PYTHONPATH, missing, needs
from tidings.bulk import BulkSettings, engines, plan, run

pytestmark = [pytest.mark.gate, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("inputs")
    path = archive(folder / "a.warc.gz", 30)
    path.write_bytes(path.read_bytes() + response(HANGS, page(1000)) + response(KILLS, page(1001)))
    return [str(path), str(archive(folder / "b.warc.gz", 20, 500))]


@pytest.fixture(scope="module")
def expected(inputs: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What `plain` makes of them. On a busy machine another page may be late, so it is run up to three times."""
    for _ in range(3):
        to = tmp_path_factory.mktemp("plain") / "out"
        list(run(plan(inputs), str(to), HOSTILE, workers=2))
        if {row["url"]: row["status"] for row in rows(to) if row["status"] != "ok"} == {HANGS: "late", KILLS: "died"}:
            return files(to)
    pytest.fail("pages of the plain run are late, three times")


@pytest.mark.parametrize("engine", ["ray", "spark"])
def test_the_same_files_from_every_engine(
    engine: str, inputs: list[str], expected: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs({"ray": "ray", "spark": "pyspark"}[engine])
    if engine == "spark" and not shutil.which("java"):
        missing("needs Java: run scripts/system-packages as root")
    # Their workers are processes that import what they are sent.
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    done = list(run(plan(inputs), str(tmp_path / engine), HOSTILE, engine=engine, workers=2))
    assert [one.failure for one in done] == ["", ""]
    assert sorted(one.pages for one in done) == [20, 32]
    found = {row["url"]: row["status"] for row in rows(tmp_path / engine) if row["status"] != "ok"}
    assert found == {HANGS: "late", KILLS: "died"}
    assert files(tmp_path / engine) == expected


def test_an_engine_that_does_not_start_is_started_again_and_then_given_up() -> None:
    attempts: list[str] = []

    def start() -> str:
        attempts.append("start")
        if len(attempts) < 4:
            raise OSError("its processes took too long")
        return "begun"

    assert engines.started(start, lambda: attempts.append("stop")) == "begun"
    assert attempts == ["start", "stop", "start", "stop", "start"]
    attempts.clear()

    def never() -> None:
        attempts.append("start")
        raise OSError("its processes took too long")

    with pytest.raises(OSError, match="too long"):
        engines.started(never, lambda: None)
    assert len(attempts) == 3


def test_a_bucket_on_a_server_of_this_machine(
    inputs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3fs = needs("s3fs")
    server = needs("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
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
