"""The annotation server answers only this machine and its own page."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tidings_lab.annotate.pages import find_pages
from tidings_lab.annotate.project import Project
from tidings_lab.annotate.server import AnnotationServer

SOURCE = """<html><base href="https://evil.example/"><title>T</title><h1 onclick="x()">Head</h1>
<p>Some onload=text of it.</p><xmp>raw <b></xmp></html>"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AnnotationServer]:
    (tmp_path / "page.html").write_text(SOURCE)
    project = Project(find_pages([tmp_path / "page.html"])[0], tmp_path / "out")
    with AnnotationServer(project) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()
    project.close()


class Answer:
    """What the server said."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.content = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.content)


def ask(
    server: AnnotationServer, path: str, body: bytes | None = None, *, token: str | None = None, **headers: str
) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        sent.setdefault("Content-Type", "application/json")
    connection.request(
        "GET" if body is None else "POST", f"/{server.token if token is None else token}/{path}", body, sent
    )
    answer = Answer(connection.getresponse())
    connection.close()
    return answer


def test_it_listens_on_this_machine_only(server: AnnotationServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.url.startswith(f"http://127.0.0.1:{server.port}/")
    assert len(server.token) >= 32


@pytest.mark.parametrize("path", ["", "app.js", "frame.js", "list.js", "app.css", "frame", "pages", "page/0"])
def test_everything_is_there_and_nothing_without_a_token(server: AnnotationServer, path: str) -> None:
    answer = ask(server, path)
    assert answer.status == 200
    assert answer.content
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "script-src 'self'" in policy or "script-src" not in policy
    for wrong in ("", "x", server.token[:-1], server.token + "x", "%C3%A9"):
        assert ask(server, path, token=wrong).status == 403


def test_policies_of_the_frame(server: AnnotationServer) -> None:
    policy = ask(server, "frame").headers["content-security-policy"]
    assert "sandbox allow-same-origin" in policy
    assert "script-src" not in policy
    assert "allow-scripts" not in policy
    assert "frame-ancestors 'none'" in ask(server, "").headers["content-security-policy"]
    assert ask(server, "frame").content.startswith(b"<!DOCTYPE html>")
    assert not ask(server, "frame-quirks").content.startswith(b"<!DOCTYPE")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:{port}", "127.0.0.1:1", ""])
def test_another_host_name_is_refused(server: AnnotationServer, host: str) -> None:
    assert ask(server, "page/0", Host=host.format(port=server.port)).status == 421
    assert ask(server, "page/0/undo", b"{}", Host=host.format(port=server.port)).status == 421


def test_localhost_is_this_machine(server: AnnotationServer) -> None:
    assert ask(server, "pages", Host=f"LOCALHOST:{server.port}").status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_another_origin_is_refused(server: AnnotationServer, origin: str) -> None:
    assert ask(server, "page/0/undo", b"{}", Origin=origin.format(port=server.port)).status == 403


def test_describing_a_page(server: AnnotationServer) -> None:
    assert "listing" in ask(server, "pages").json["types"]
    assert ask(server, "page/0").json["record"] is None
    answer = ask(server, "page/0/describe", b'{"page_type": "listing", "lang": "th", "is_sure": false}')
    assert answer.json["record"] == {"page_type": "listing", "lang": "th", "is_sure": False}
    assert ask(server, "page/0/describe", b'{"page_type": "poem", "lang": "th"}').status == 422
    assert ask(server, "page/0/describe", b'{"page_type": "listing"}').status == 400


def test_marking_undoing_and_saving(server: AnnotationServer) -> None:
    before = ask(server, "page/0").json
    said = ask(
        server, "page/0/mark", b'{"units": [0], "mark": "caption"}', Origin=f"http://127.0.0.1:{server.port}"
    ).json
    assert said["marks"][0] == 6
    assert (said["undo"], said["redo"], said["state"], said["decided"]) == (1, 0, "begun", [0])
    assert ask(server, "page/0/undo", b"{}").json["marks"] == before["marks"]
    assert ask(server, "page/0/redo", b"{}").json["marks"] == said["marks"]
    assert ask(server, "page/0/save", b"{}").json["state"] == "saved"
    assert ask(server, "pages").json["pages"] == [{"id": "page", "state": "saved"}]
    assert server.project.folder.joinpath("hra/page.hra").is_file()


def test_reading_changes_nothing(server: AnnotationServer) -> None:
    for act in ("mark", "undo", "redo", "save"):
        assert ask(server, f"page/0/{act}").status == 404
    assert ask(server, "page/0").json["undo"] == 0


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"[" * 200_000, 400),
        (b'{"units": [0], "mark": "teaser"}', 422),
        (b'{"units": [0], "mark": ["body"]}', 422),
        (b'{"units": [99], "mark": "body"}', 422),
        (b'{"units": [-1], "mark": "body"}', 422),
        (b'{"units": ["0"], "mark": "body"}', 400),
        (b'{"units": [true], "mark": "body"}', 400),
        (b'{"units": 0, "mark": "body"}', 400),
        (b'{"mark": "body"}', 400),
        (b" " * (1 << 20) + b"{}", 413),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(server: AnnotationServer, body: bytes, status: int) -> None:
    answer = ask(server, "page/0/mark", body)
    assert answer.status == status
    assert answer.json["error"]
    assert ask(server, "page/0").json["undo"] == 0


def test_other_types_and_lengths_are_refused(server: AnnotationServer) -> None:
    body = b'{"units": [0], "mark": "body"}'
    assert ask(server, "page/0/mark", body, Content_Type="text/plain").status == 415
    assert ask(server, "page/0/mark", body, Content_Length="many").status == 411
    assert ask(server, "page/0/mark", body, Content_Length="-1").status == 411


@pytest.mark.parametrize(
    "path",
    ["nothing", "page/7", "page/x", "page/0/delete", "../app.js", "assets/app.js", "page/99999999999", "%2e%2e/x"],
)
def test_there_is_nothing_else(server: AnnotationServer, path: str) -> None:
    assert ask(server, path).status == 404
    assert ask(server, path, b"{}").status == 404


def test_what_is_shown(server: AnnotationServer) -> None:
    said = ask(server, "page/0").json
    assert '<tidings-run data-tidings="0">Head</tidings-run>' in said["html"]
    assert "Some onload=text of it." in said["html"]
    assert "onclick" not in said["html"].replace("data-onclick", "")
    assert "<base" not in said["html"]
    assert "<xmp>raw <b></xmp>" in said["html"]
    assert [unit["text"] for unit in said["units"]] == ["Head", "Some onload=text of it.", "raw <b>"]
    assert [unit["tag"] for unit in said["units"]] == ["h1", "p", "xmp"]
    assert said["opinions"] is None
