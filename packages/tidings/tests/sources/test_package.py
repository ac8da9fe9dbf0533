"""What the package promises: its example runs, and reading a feed loads nothing that fetches."""

from __future__ import annotations

import doctest

import tidings.sources
from tests.test_import import modules_after


def test_the_example() -> None:
    failed, tried = doctest.testmod(tidings.sources)
    assert tried > 0
    assert failed == 0


def test_every_exported_name_is_there() -> None:
    assert sorted(tidings.sources.__all__, key=str.lower) == sorted(set(tidings.sources.__all__), key=str.lower)
    for name in tidings.sources.__all__:
        assert getattr(tidings.sources, name)


def test_a_well_formed_feed_needs_neither_feedparser_nor_a_network() -> None:
    loaded = modules_after("from tidings.sources import read_feed; read_feed('<rss><channel/></rss>')")
    assert not {name.partition(".")[0] for name in loaded} & {"feedparser", "httpx2", "requests", "typer", "rich"}
    assert not {"http.client", "ssl", "tidings.fetch"} & loaded
