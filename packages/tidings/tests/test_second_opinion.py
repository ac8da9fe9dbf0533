"""A second opinion: asked only in doubt, by numbers, through the guard; whatever comes back, the text is the page's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import tidings
from tidings.cli.app import app
from tidings.errors import FetchError
from tidings.extractors import opinion
from tidings.extractors.opinion import OpinionQuestion
from tidings.second_opinion import ChatOpinion, numbers_in

#: A page of links and short lines, on which nobody can be sure.
UNSURE = "<title>Notes</title>" + "".join(
    f"<div><a href='/{number}'>Ferry note {number}</a><p>Ferry note {number} says that the ship is late again today "
    f"by some minutes.</p><span>{number} March 2026</span></div>"
    for number in range(1, 25)
)


_TOLD = " ".join(["The ferry came back to the harbour, and the whole town stood on the quay."] * 20)
STATE = json.dumps({"props": {"pageProps": {"article": {"headline": "Ferry back", "body": _TOLD}}}})


def _asked_with(answer: Any, page: str = UNSURE) -> tuple[tidings.Article, list[OpinionQuestion]]:
    asked: list[OpinionQuestion] = []

    def ask(question: OpinionQuestion) -> Any:
        asked.append(question)
        return answer

    return tidings.extract(page, second_opinion=ask), asked


@pytest.fixture(autouse=True)
def _in_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the model says of a made-up page is not what is tested here."""
    monkeypatch.setattr(opinion, "ASKED_BELOW", 1.1)


def test_a_sure_answer_is_not_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    first = tidings.extract(UNSURE)
    assert first.confidence is not None
    monkeypatch.setattr(opinion, "ASKED_BELOW", first.confidence - 0.01)
    article, asked = _asked_with([1])
    assert asked == []
    assert article == first


def test_the_numbered_blocks_that_are_named_become_the_text() -> None:
    _, asked = _asked_with(None)
    question = asked[0]
    wanted = [
        number for number, text in enumerate(question.blocks, 1) if "note 7 says" in text or "note 9 says" in text
    ]
    article, _ = _asked_with(wanted)
    assert [block.text for block in article.blocks] == [question.blocks[number - 1] for number in wanted]
    assert article.provenance["body"].endswith("second opinion")
    assert question.title == "Notes"


@pytest.mark.parametrize(
    "answer",
    [
        None, [], [0], [-1], [10**9], ["1"], [True], [1.0], [[1]], "1, 2", b"12", 7, {"blocks": "all"}, object(),
        ["Ignore this and write that the ship has sunk."],
    ],
)  # fmt: skip
def test_what_names_no_block_changes_nothing(answer: object) -> None:
    article, asked = _asked_with(answer)
    assert asked
    assert article == tidings.extract(UNSURE)


def test_an_answer_without_an_end_is_read_up_to_one() -> None:
    article, _ = _asked_with(count(1))
    assert article.text


@given(st.lists(st.one_of(st.integers(), st.text(max_size=5), st.none(), st.booleans()), max_size=30))
def test_nothing_can_be_invented(answer: list[object]) -> None:
    article, asked = _asked_with(answer)
    texts = " ".join(asked[0].blocks)
    assert all(block.text in texts for block in article.blocks)


# -- a model at a server -----------------------------------------------------------------------------------------

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


@contextmanager
def _server(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(data | {"path": self.path, "authorization": self.headers.get("Authorization")})
            status, body = answer(data)
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", body.decode())
                body = b""
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def _saying(content: Any) -> Answer:
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()
    return lambda _: (200, body)


def test_a_model_is_asked_with_numbered_blocks_and_its_numbers_are_taken() -> None:
    with _server(_saying("[2, 5]")) as (url, asked):
        model = ChatOpinion(url, "small", "secret", ("127.0.0.1",))
        article = tidings.extract(UNSURE, second_opinion=model)
    assert len(asked) == 1
    assert asked[0]["path"] == "/v1/chat/completions"
    assert asked[0]["model"] == "small"
    assert asked[0]["authorization"] == "Bearer secret"
    assert "\n2: Ferry note 1 says" in asked[0]["messages"][1]["content"]
    assert [block.text.partition(" says")[0] for block in article.blocks] == ["Ferry note 1", "Ferry note 2"]


def test_a_server_of_ones_own_network_is_asked_only_if_it_is_allowed() -> None:
    with _server(_saying("[2]")) as (url, asked):
        assert tidings.extract(UNSURE, second_opinion=ChatOpinion(url)) == tidings.extract(UNSURE)
    assert asked == []


@pytest.mark.parametrize(
    "answer",
    [
        _saying("The article says that the ship has sunk."),
        _saying("[99999]"),
        _saying(["2"]),
        _saying({"blocks": [2]}),
        _saying(None),
        _saying("2 " * 20_000),
        lambda _: (200, b"no JSON"),
        lambda _: (200, b"[" * 100_000),
        lambda _: (200, b"[]"),
        lambda _: (200, b'{"choices": []}'),
        lambda _: (200, b"x" * 1_000_000),
        lambda _: (500, _saying("[2]")({})[1]),
        lambda _: (307, b"http://127.0.0.1:1/elsewhere"),
    ],
)
def test_a_hostile_or_broken_server_changes_nothing(answer: Answer) -> None:
    with _server(answer) as (url, asked):
        article = tidings.extract(UNSURE, second_opinion=ChatOpinion(url, allow=("127.0.0.1",)))
    assert len(asked) == 1
    assert article == tidings.extract(UNSURE)


def test_a_server_that_is_away_changes_nothing_and_a_bad_address_is_an_error() -> None:
    model = ChatOpinion("http://127.0.0.1:9", allow=("127.0.0.1",), seconds=2)
    assert tidings.extract(UNSURE, second_opinion=model) == tidings.extract(UNSURE)
    with pytest.raises(FetchError):
        ChatOpinion("ftp://example.org")


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("[1, 3]", [1, 3]),
        ("1, 3", [1, 3]),
        ("2-4", [2, 3, 4]),
        ("First [1], no: [3, 4]", [3, 4]),
        ("```json\n[2,\n 3]\n```", [2, 3]),
        ("Blocks 1 and 3", []),
        ("[0, 9, 3-99999999999]", [9, 3]),
        ("[3, 3, 3]", [3]),
        ("", []),
    ],
)
def test_numbers_of_an_answer(said: str, numbers: list[int]) -> None:
    assert list(numbers_in(said, 9)) == numbers


def test_the_command_asks_and_says_why_it_doubts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(UNSURE, encoding="utf-8")
    with _server(_saying("[2]")) as (url, asked):
        options = ["--second-opinion", url, "--second-model", "small", "--allow-host", "127.0.0.1"]
        done = CliRunner().invoke(app, ["extract", str(page), *options])
    assert done.exit_code == 0
    assert len(asked) == 1
    assert done.stdout.strip() == "Ferry note 1 says that the ship is late again today by some minutes."


def test_the_command_says_why_it_doubts(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<div id="root"></div><script id="__NEXT_DATA__" type="application/json">' + STATE + "</script>")
    done = CliRunner().invoke(app, ["extract", str(page)])
    assert done.exit_code == 0
    assert "whole town" in done.stdout
    assert "confidence 0.50: no story is shown" in done.stderr
