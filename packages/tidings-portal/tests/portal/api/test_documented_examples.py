"""Every example of docs/how-to/api.md is run: its curl commands, as curl would send them, against the application."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, Namespace
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from typer.testing import CliRunner

from tests.portal.api.conftest import PAGE, Visitor
from tests.support import ROOT
from tidings.cli.app import app as command_line
from tidings_portal.store import Store

TEXT = (ROOT / "docs/how-to/api.md").read_text(encoding="utf-8")
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    for line in block.splitlines()
    if line.startswith("curl ")
]
HERE = "http://127.0.0.1:8080"
FILES = {
    "page.html": PAGE,
    "feeds.opml": '<opml version="2.0"><body><outline text="Tides" xmlUrl="https://tides.example/rss"/></body></opml>',
}


def curl(client: TestClient, command: str, secret: str) -> Any:
    """What curl would send."""
    told = _options(shlex.split(command.replace("$HERE", HERE).replace("$TOKEN", secret))[1:])
    data = told.data
    if data is not None and data.startswith("@"):
        data = FILES[data[1:]]
    address = told.address
    if told.get:
        name, _, value = told.data_urlencode.partition("=")
        address += "?" + urlencode({name: value})
    headers = dict(header.split(": ", 1) for header in told.header)
    return client.request(told.method or ("POST" if data else "GET"), address, content=data, headers=headers)


def _options(words: list[str]) -> Namespace:
    parser = ArgumentParser()
    parser.add_argument("-H", dest="header", action="append", default=[])
    parser.add_argument("-X", dest="method")
    parser.add_argument("-d", "--data-binary", dest="data")
    parser.add_argument("-G", dest="get", action="store_true")
    parser.add_argument("--data-urlencode", dest="data_urlencode")
    parser.add_argument("address")
    return parser.parse_args(words)


def test_the_examples_of_a_day(asgi: Starlette, store: Store) -> None:
    assert len(COMMANDS) > 25
    made = re.search(r"TOKEN=\$\((tidings token new .*)\)", TEXT)
    assert made
    told = CliRunner().invoke(command_line, [*shlex.split(made[1])[1:], "--store", store.where])
    assert told.exit_code == 0
    secret = told.stdout.strip()
    client = TestClient(asgi, HERE, client=("127.0.0.1", 50_000))
    for command in COMMANDS:
        answer = curl(client, command, secret)
        assert answer.status_code < 300, f"{command}\n{answer.text}"


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_the_python_example_reads_all_pages(stranger: Visitor, limit: int) -> None:
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert code
    named: dict[str, Any] = {}
    exec(code[1], named)  # noqa: S102  # our own documentation

    def ask(path: str, **told: Any) -> Any:
        return stranger.client.get(path, params=told).json()

    assert [one["id"] for one in named["articles"](ask, limit=limit)] == [1, 2, 3, 4, 5, 6, 7]
