"""Every documented extra, installed into an empty environment and started."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bulk.made import archive, page
from tests.support import ROOT

pytestmark = pytest.mark.gate


def run(*words: str | Path, cwd: Path, code: int = 0, text: str = "", seconds: float = 300) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TIDINGS_", "PYTHON"))}
    environment |= {"XDG_DATA_HOME": str(cwd), "XDG_CONFIG_HOME": str(cwd)}
    done = subprocess.run(
        list(map(str, words)), cwd=cwd, capture_output=True, text=True, input=text, env=environment, timeout=seconds,
        check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert done.returncode == code, f"{words} ended with {done.returncode}:\n{output[-4000:]}"
    return output


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheels of the three packages."""
    folder = tmp_path_factory.mktemp("wheels")
    packages = [ROOT / "packages" / name for name in ("tidings", "tidings-portal", "tidings-lab")]
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, *packages, cwd=ROOT)
    return folder


def start_library(tidings: Path, folder: Path) -> None:
    assert "Twelve grey seals" in run(tidings, "extract", folder / "page.html", cwd=folder)
    for command, package in (("serve", "tidings-portal"), ("lab", "tidings-lab")):
        assert f"pip install {package}" in " ".join(run(tidings, command, cwd=folder, code=2).split())
    assert "serve" not in run(tidings, "--help", cwd=folder)
    for name in ("tidings_portal", "tidings_lab"):
        run(tidings.with_name("python"), "-c", f"import {name}", cwd=folder, code=1)


def start_news(tidings: Path, folder: Path) -> None:
    port = free_port()
    server = subprocess.Popen(
        [tidings, "serve", "--port", str(port), "--store", folder / "news.tidings"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        for _ in range(240):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as response:
                    assert response.status == 200
                    return
            except OSError:
                time.sleep(0.25)
        pytest.fail("no answer from /healthz after a minute")
    finally:
        server.terminate()
        server.wait(30)


def start_mcp(tidings: Path, folder: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    assert '"serverInfo"' in run(tidings, "mcp", cwd=folder, text=json.dumps(hello) + "\n")


def start_bulk(tidings: Path, folder: Path, *options: str) -> None:
    run(tidings, "bulk", "run", folder / "a.warc.gz", "--to", folder / "out", *options, cwd=folder)
    assert "5" in run(tidings, "bulk", "status", folder / "out", cwd=folder)


def start_ray(tidings: Path, folder: Path) -> None:
    start_bulk(tidings, folder, "--engine", "ray")


def start_spark(tidings: Path, folder: Path) -> None:
    start_bulk(tidings, folder, "--engine", "spark")


def start_lab(tidings: Path, folder: Path) -> None:
    assert "default" in run(tidings, "lab", "run", "--corpus", "newspaper", "--limit", "2", cwd=folder)


def start_peers(tidings: Path, folder: Path) -> None:
    run(tidings.with_name("python"), "-c", "import trafilatura, readability, newspaper", cwd=folder)


def start_browser(tidings: Path, folder: Path) -> None:
    assert "Twelve grey seals" in run(tidings, "layout", folder / "page.html", cwd=folder)


def start_math(tidings: Path, folder: Path) -> None:
    (folder / "math.html").write_text(
        r"<article><p>The formula of the seals is short, and the warden wrote it on the board at the door: "
        r'<script type="math/tex">\frac{a}{b}</script> is all there is to it, he said.</article>'
    )
    assert "<mfrac>" in run(tidings, "extract", folder / "math.html", "-f", "html", cwd=folder)


def start_postgres(tidings: Path, folder: Path) -> None:
    said = run(tidings, "list", "--store", f"postgresql://nobody@127.0.0.1:{free_port()}/x", cwd=folder, code=2)
    assert "extra" not in said
    assert re.search("refused|reach", said)


EXTRAS: dict[str, Callable[[Path, Path], None]] = {
    "": start_library,
    "news": start_news,
    "mcp": start_mcp,
    "bulk": start_bulk,
    "ray": start_ray,
    "spark": start_spark,
    "lab": start_lab,
    "peers": start_peers,
    "browser": start_browser,
    "math": start_math,
    "news,postgres": start_postgres,
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_works_in_an_empty_environment(extra: str, wheels: Path, tmp_path: Path) -> None:
    if extra == "spark" and not shutil.which("java"):
        pytest.skip("no Java")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    if extra == "peers":
        run(python, "-m", "pip", "install", "--quiet", "--upgrade", "pip", cwd=tmp_path)  # old ones cannot resolve it
    name = f"tidings[{extra}]" if extra else "tidings"
    run(python, "-m", "pip", "install", "--quiet", "--find-links", wheels, name, cwd=tmp_path, seconds=900)
    (tmp_path / "page.html").write_bytes(page(1))
    archive(tmp_path / "a.warc.gz")
    EXTRAS[extra](python.with_name("tidings"), tmp_path)
    shutil.rmtree(tmp_path / "venv")


def test_every_documented_extra_is_started() -> None:
    documented = set(re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/how-to/install.md").read_text(), re.MULTILINE))
    assert documented - {"all"} <= {name for extra in EXTRAS for name in extra.split(",")}
