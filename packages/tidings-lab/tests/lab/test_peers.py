"""Peers: each reads a page of the bundled newspaper, quietly, without the network, and only if it is installed."""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import warnings
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from typing import Any, NoReturn

import pytest

from tests.support import missing
from tidings import newspaper
from tidings.errors import MissingExtra
from tidings_lab.experiment import peers
from tidings_lab.experiment.peers import PEERS
from tidings_lab.experiment.systems import Document, Reading
from tidings_lab.metrics.texts import word_score

PAGE = next(newspaper.pages("gazette", page_type="article"))
FLOOR = {"html2text", "inscriptis"}
#: What each tells besides the text of this page.
TITLES = set(PEERS) - FLOOR - {"justext"}
EXACT_TITLES = TITLES - {"resiliparse", "boilerpy3"}  # the title element, with the paper's name in it
DATES = {name for name in PEERS if name.startswith("trafilatura")} | {"newspaper4k", "news-please", "goose3"}
AUTHORS = DATES | {"readability-lxml"}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record every attempt to reach the network, and refuse it."""
    attempts: list[Any] = []

    def refuse(*arguments: Any, **_: Any) -> NoReturn:
        attempts.append(arguments)
        raise OSError("no network here")

    for place, name in ((socket.socket, "connect"), (socket.socket, "connect_ex"), (socket, "getaddrinfo")):
        monkeypatch.setattr(place, name, refuse)
    return attempts


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A peer that is installed (`make dev`); in CI all are."""
    name = str(request.param)
    try:
        assert PEERS[name].identity
    except MissingExtra as error:
        missing(str(error))
    return name


every_peer = pytest.mark.parametrize("name", PEERS, indirect=True)


@every_peer
def test_a_peer_reads_a_page(
    name: str, no_network: list[Any], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    reading = PEERS[name](Document(PAGE.html, PAGE.url))
    score = word_score(reading.text, PAGE.gold["text"])
    assert score.recall > (0.98 if name in FLOOR else 0.8)
    assert score.f1 > (0.3 if name in FLOOR else 0.5)
    assert bool(reading.title) == (name in TITLES)
    if name in EXACT_TITLES:
        assert reading.title == PAGE.gold["title"]
    assert (reading.authors == tuple(PAGE.gold["authors"])) == (name in AUTHORS)
    assert (reading.date[:10] == PAGE.gold["date"][:10]) == (name in DATES)
    assert no_network == []
    assert caplog.records == []
    assert "".join(capfd.readouterr()) == ""


@every_peer
def test_the_version_is_part_of_the_identity(name: str) -> None:
    from importlib.metadata import version

    one = PEERS[name]
    assert f"=={version(one.distribution)} " in one.identity
    assert len({other.identity for other in PEERS.values()}) == len(PEERS)
    assert not one.shares_page


def test_a_peer_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> NoReturn:
        raise PackageNotFoundError(name)

    def read(data: bytes, url: str | None) -> NoReturn:
        raise ModuleNotFoundError("No module named 'seals'")

    one = peers.Peer("seals", "seals", read)
    monkeypatch.setattr(peers, "version", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'tidings\[peers\]'"):
        _ = one.identity
    with pytest.raises(MissingExtra, match="measuring seals"):
        one(Document(b"<p>Seals"))
    # A peer that is there and lacks something itself has failed on the page, no more.
    monkeypatch.setattr(peers, "version", lambda _: "1")
    with pytest.raises(ModuleNotFoundError, match="seals"):
        one(Document(b"<p>Seals"))


def test_no_peer_is_imported_before_it_is_used() -> None:
    libraries = "trafilatura newspaper readability resiliparse justext boilerpy3 goose3 newsplease html2text inscriptis"
    code = (
        "import sys; from tidings_lab.experiment.system_names import find; find(['peers'])\n"
        f"print([name for name in {libraries.split()!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_quiet_leaves_everything_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    with peers.quiet():
        logging.getLogger("seals").error("not heard")
        warnings.warn("nor this", stacklevel=1)
    logging.getLogger("seals").error("heard")
    assert [record.message for record in caplog.records] == ["heard"]
    with pytest.warns(UserWarning, match="heard too"):
        warnings.warn("heard too", stacklevel=1)


@pytest.mark.parametrize("data", [b"", b"\0\0", b"no markup at all", b"<p>" * 3000])
@every_peer
def test_a_bad_page_gives_a_reading_or_an_error_that_can_be_named(
    name: str, data: bytes, no_network: list[Any]
) -> None:
    reading = Reading("")
    with suppress(Exception):  # whatever the peer raises is a line in the table
        reading = PEERS[name](Document(data, PAGE.url))
    assert {type(part) for part in (reading.text, reading.title, reading.date, *reading.authors)} == {str}
    assert no_network == []
