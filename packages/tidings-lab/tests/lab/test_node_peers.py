"""Peers that run in Node: the protocol against a made-up `node`, and the real ones where they are installed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import missing
from tidings.errors import InputError
from tidings_lab.experiment import node_peers
from tidings_lab.experiment.node_peers import NODE_PEERS, VARIABLE
from tidings_lab.experiment.system_names import find
from tidings_lab.experiment.systems import Document

SEALS = "Wardens counted thirty pups on the sandbank at dawn, more than in any year on record."
PAGE = f"<title>Seals</title><article><h1>Seals return</h1>{f'<p>{SEALS}</p>' * 8}</article>".encode()
#: Answers every page with its own text, and ends where it is told to.
FAKE = """#!{python}
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "the end" in asked["html"]:
        sys.exit()
    made = {{"html": asked["html"], "title": asked["url"], "author": " Ida Stone ", "date": None}}
    print(json.dumps(made), flush=True)
"""


@pytest.fixture
def node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for peer in NODE_PEERS.values():
        folder = tmp_path / "node_modules" / peer.package
        folder.mkdir(parents=True)
        (folder / "package.json").write_text(json.dumps({"version": "7.8.9"}))
    program = tmp_path / "node"
    program.write_text(FAKE.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    node_peers._process.cache_clear()
    yield tmp_path
    node_peers._process.cache_clear()


def test_they_are_peers_where_they_are_installed(node: Path) -> None:
    assert node.is_dir()
    assert {"readability-js", "defuddle"} <= {system.name for system in find(["peers"])}
    assert "defuddle@7.8.9" in NODE_PEERS["defuddle"].identity


def test_without_node_they_say_how_to_install_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert "defuddle" not in {system.name for system in find(["peers"])}
    (peer,) = find(["defuddle"])
    with pytest.raises(InputError, match="npm install"):
        _ = peer.identity
    with pytest.raises(InputError, match="npm install"):
        peer(Document(PAGE))


@pytest.mark.parametrize("name", NODE_PEERS)
def test_what_they_answer_is_read(node: Path, name: str) -> None:
    peer = NODE_PEERS[name]
    for address in ("https://gazette.example/1", "https://gazette.example/2"):  # one process, two pages
        reading = peer(Document(PAGE, address))
        assert SEALS in reading.text
        assert (reading.title, reading.authors, reading.date) == (address, ("Ida Stone",), "")
    assert node.is_dir()


def test_a_node_that_ends_is_started_again(node: Path) -> None:
    peer = NODE_PEERS["defuddle"]
    with pytest.raises(InputError, match="Node ended"):
        peer(Document(b"<p>This is the end"))
    assert SEALS in peer(Document(PAGE)).text
    assert node.is_dir()


@pytest.mark.gate
@pytest.mark.parametrize("name", NODE_PEERS)
def test_the_real_ones(name: str) -> None:
    peer = NODE_PEERS[name]
    if not peer.is_installed:
        missing(f"{VARIABLE} names no directory with {peer.package}")
    node_peers._process.cache_clear()
    reading = peer(Document(PAGE, "https://gazette.example/1"))
    assert SEALS in reading.text
    assert reading.title
