"""Nobody sees a traceback who has not asked for one: places that cannot be written, full disks, mistakes of ours."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.test_commands import PAGE, Tidings, tidings  # noqa: F401  # the fixture
from tests.extractors.test_parameters import parameters
from tests.fetch.server import Server, reply
from tests.support import missing
from tidings import extract as tidings_extract
from tidings import newspaper
from tidings.extractors import entries
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle

NEWSPAPER = str(newspaper.path())
#: Commands that write where they are told.
WRITING = {
    "extract": ("extract", PAGE, "--output"),
    "draw": ("draw", PAGE, "--output"),
    "compare": ("compare", PAGE, "--with", "bte", "--output"),
    "lab study": ("lab", "study", "n-ext-beta", "--corpus", NEWSPAPER, "--limit", "2", "--jobs", "1", "--out"),
    "lab train": ("lab", "train", "correlation-clustering", "--corpus", NEWSPAPER, "--jobs", "1", "--out"),
    "lab run": ("lab", "run", "--corpus", NEWSPAPER, "--with", "bte", "--limit", "2", "--speed", "0", "--no-cache",
                "--format", "json", "--jobs", "1", "--out"),
}  # fmt: skip


@pytest.mark.parametrize("command", WRITING)
def test_a_place_that_cannot_be_written(tidings: Tidings, command: str, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "file"
    file.write_text("a file is no folder")
    run = tidings(*WRITING[command], file / "result")
    assert run.code == 2
    assert "Traceback" not in run.errors
    assert str(file) in "".join(run.errors.split("\n"))
    assert "cannot be" in run.errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("to_file", [True, False], ids=["a file", "standard output"])
def test_a_full_disk(to_file: bool) -> None:
    command = [sys.executable, "-m", "tidings", "extract", str(PAGE), *(("--output", "/dev/full") if to_file else ())]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


#: Ctrl-C is code 130 to a shell: so a program ends that says so, or that the signal itself ends (Python does both).
INTERRUPTED = (130, -signal.SIGINT)


def _children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text().split()


@pytest.mark.gate
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs a system that tells of children")
@pytest.mark.parametrize("moment", [0.0, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("command", ["watch", "extract"])
def test_ctrl_c_while_workers_start(command: str, moment: float, tmp_path: Path) -> None:
    """A terminal sends it to all processes; those that still import must not answer with a traceback."""
    saved = [page.read_bytes() for page in sorted(newspaper.path().rglob("*.html"))[:40]]
    pages = [str(tmp_path / f"{number}.html") for number in range(1000)]  # more than are read meanwhile
    for number, page in enumerate(pages):
        Path(page).write_bytes(saved[number % len(saved)])
    told = {
        "watch": ["watch", "--store", str(tmp_path / "news.tidings"), "-j", "2"],
        "extract": ["extract", "-j", "2", *pages],
    }
    started = subprocess.Popen(
        [sys.executable, "-m", "tidings", *told[command]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with started:
        for _ in range(3000):
            if len(_children(started.pid)) >= 2:  # Python's own that cleans up, and the first of the workers
                break
            time.sleep(0.01)
        time.sleep(moment)
        os.killpg(started.pid, signal.SIGINT)
        _, said = started.communicate(timeout=60)
    assert "Traceback" not in said
    assert "KeyboardInterrupt" not in said
    assert started.returncode in INTERRUPTED, said


@pytest.mark.parametrize("kept", [True, False], ids=["kept before", "fetched"])
def test_reading_from_a_store_that_cannot_be_written(kept: bool, tmp_path: Path) -> None:
    """What can be read is shown; what cannot be kept is shown too, and why it was not kept is a sentence."""
    become: list[str] = []
    if os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            missing("needs setpriv: root may write everywhere")
        become = [setpriv, "--bounding-set=-dac_override,-fowner", "--"]
    path = tmp_path / "news.tidings"
    page = next(page for page in newspaper.pages("gazette") if page.page_type != "front")
    with store.open(path) as opened:
        opened.keep([NewArticle(tidings_extract(page.html), datetime.now(UTC), "test")])
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Server({"/story": reply(page.html, headers={"Content-Type": "text/html"})}) as server:
            which = ["1"] if kept else [server.url("/story"), "--allow-host", "localhost", "--ignore-robots"]
            command = [*become, sys.executable, "-m", "tidings", "read", *which, "--store", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        tmp_path.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert "fourteen hours on 612 metres" in done.stdout
    assert "Traceback" not in done.stderr
    assert ("not saved" in done.stderr) is not kept
    assert ("can be read, not written" in done.stderr) is not kept


def test_a_mistake_of_ours(tidings: Tidings, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    def broken(*_: object) -> object:
        raise ZeroDivisionError("by [/] zero")

    monkeypatch.setattr("tidings.page.draw.draw", broken)
    run = tidings("draw", PAGE)
    assert run.code == 70
    assert "ZeroDivisionError: by [/] zero" in run.errors
    assert "--debug" in run.errors
    assert "Traceback" not in run.errors
    with pytest.raises(ZeroDivisionError):
        tidings("--debug", "draw", PAGE)


@pytest.mark.parametrize("value", ["1e999", *(pytest.param(one, marks=pytest.mark.gate) for one in ("1.5", "-1"))])
def test_parameters_that_no_extractor_can_have(tidings: Tidings, value: str) -> None:  # noqa: F811
    """A sentence on what is wrong, or an article: never a mistake of ours (exit code 70), never a traceback."""
    page = b"<h1>Seals</h1><p>Grey seals are back in the estuary, and the wardens have counted forty pups there.</p>"
    for entry in entries():
        for name in parameters(entry):
            run = tidings("extract", "-", "--with", f"{entry.name}({name}={value})", stdin=page)
            assert run.code in (0, 2, 3), run.errors  # read, not understood, or of no use for the page
            assert "Traceback" not in run.errors
            assert run.code == 0 or name in run.errors or name == "model", run.errors
