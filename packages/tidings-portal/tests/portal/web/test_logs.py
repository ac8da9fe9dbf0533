"""The log: a line a request and a poll, as text or JSON, and nothing in it that is somebody's secret."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

from tidings_portal.log_lines import LogFormat, LogLevel, LogOptions
from tidings_portal.logs import log_event
from tidings_portal.store.records_of_articles import Fate
from tidings_portal.store.records_of_work import NewSource, Poll, Source
from tidings_portal.watch.events import ArticleStored, Polled, SetAside

NOW = datetime(2026, 3, 20, 7, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def quiet_after() -> Iterator[None]:
    logger = logging.getLogger("tidings")
    before, level = list(logger.handlers), logger.level
    yield
    logger.handlers[:] = before
    logger.setLevel(level)


def polled(problem: str = "") -> Polled:
    source = Source(7, NewSource("https://me:secret@harbour.example/feed"), NOW, NOW)
    poll = Poll(7, NOW, NOW, timedelta(hours=1), "ok", problem, failed=bool(problem))
    return Polled(source, poll, 3)


def test_a_line_for_each_request_without_its_query(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    LogOptions(LogLevel.INFO).begin()
    client.get("/latest?language=en&token=tidings_secret")
    client.get("/no%0asuch%1bpage", headers={"authorization": "Bearer tidings_secret"})
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "info requests GET /latest 200" in lines[0]
    assert "GET /no such page 404" in lines[1]
    assert "secret" not in "".join(lines)


def test_a_traceback_has_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    LogOptions().begin()

    def fail() -> None:
        raise ValueError("\x9b2J \x1b[2J \u202e evil \x85 forged")

    try:
        fail()
    except ValueError:
        logging.getLogger("tidings").exception("it raised \u202e \x9b")
    written = capsys.readouterr().err
    assert "evil" in written
    assert not set(written) & set("\x9b\x1b\u202e\x85")


def test_lines_for_programs(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    LogOptions(LogLevel.DEBUG, LogFormat.JSON).begin()
    client.get("/about")
    log_event(polled())
    log_event(polled("it answered 500"))
    log_event(ArticleStored("https://harbour.example/1", Fate.NEW, "Seals\nare back"))
    log_event(SetAside("https://harbour.example/2", "too large"))
    told = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [one["level"] for one in told] == ["info", "info", "warning", "debug", "warning"]
    assert told[0]["path"] == "/about"
    assert told[0]["status"] == 200
    assert told[1]["source"] == 7
    assert told[1]["message"] == "polled https://harbour.example/feed: ok, 3 new"
    assert told[2]["message"].endswith("it answered 500")
    assert "\n" not in told[3]["message"]
    datetime.fromisoformat(told[0]["time"])


def test_nothing_but_trouble_unless_somebody_asks(client: TestClient, capsys: pytest.CaptureFixture[str]) -> None:
    LogOptions().begin()
    client.get("/about")
    log_event(polled())
    assert capsys.readouterr().err == ""
    log_event(polled("it answered 500"))
    assert "warning watch polled" in capsys.readouterr().err
