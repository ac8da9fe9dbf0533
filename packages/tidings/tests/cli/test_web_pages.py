"""Addresses where commands take pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import Tidings, out, tidings  # noqa: F401  # the fixture
from tests.fetch.server import Server, moved, reply
from tidings import newspaper

PAGE = (newspaper.path() / "html" / "gazette" / "grey-seals-return.html").read_bytes()
ALLOW = ("--allow-host", "localhost", "--ignore-robots")


def test_an_address(tidings: Tidings) -> None:  # noqa: F811
    with Server({"/old": moved("/story"), "/story": reply(PAGE)}) as server:
        article = json.loads(out(tidings("extract", server.url("/old"), *ALLOW, "-f", "json")))
    assert "Grey seals are back" in json.dumps(article)
    assert article["url"] == server.url("/story")


def test_robots_txt_is_asked_unless_told_not_to(tidings: Tidings) -> None:  # noqa: F811
    with Server({"/robots.txt": reply(b"User-agent: *\nDisallow: /"), "*": reply(PAGE)}) as server:
        run = tidings("extract", server.url("/story"), "--allow-host", "localhost")
        assert run.code == 3
        assert "robots.txt asks Tidings not to read this" in run.errors
        assert "Grey seals" in out(tidings("extract", server.url("/story"), *ALLOW))


def test_several_addresses_and_files(tidings: Tidings, tmp_path: Path) -> None:  # noqa: F811
    file = tmp_path / "page.html"
    file.write_bytes(PAGE)
    folder = tmp_path / "out"
    folder.mkdir()
    with Server({"/a": reply(PAGE), "/no": reply(b"", 404)}) as server, Server({"/b?x=1": reply(PAGE)}) as second:
        run = tidings("extract", file, server.url("/a"), server.url("/no"), second.url("/b?x=1"), *ALLOW, "-o", folder)
    assert run.code == 1
    assert "1 of 4 pages failed" in run.errors
    assert "404 Not Found" in run.errors
    written = {path.name for path in folder.iterdir()}
    assert written == {"page.txt", f"localhost-{server.port}-a.txt", f"localhost-{second.port}-b-x-1.txt"}


@pytest.mark.parametrize("command", ["compare", "explain", "draw"])
def test_commands_for_one_page(tidings: Tidings, command: str) -> None:  # noqa: F811
    options = () if command == "draw" else ("--with", "everything")
    with Server({"/story": reply(PAGE)}) as server:
        assert out(tidings(command, server.url("/story"), *ALLOW, *options))
        run = tidings(command, server.url("/story"))
    assert run.code == 2
    assert "allow the host localhost by name" in " ".join(run.errors.split())


def test_addresses_that_are_none(tidings: Tidings) -> None:  # noqa: F811
    for url, said in {
        "http://127.1/[/bold]": "127.0.0.1 is for this machine",
        "http://nowhere.invalid/": "cannot be found",
    }.items():
        run = tidings("extract", url)
        assert run.code == 3
        assert said in " ".join(run.errors.split())
        assert "Traceback" not in run.errors


@pytest.mark.parametrize("command", ["extract", "draw", "explain", "links", "layout"])
@pytest.mark.parametrize("url", ["http://[::1", "https://[:::1]/", "https://", "http://a.example:x/"])
def test_an_invalid_url_is_refused_with_a_sentence(
    tidings: Tidings,  # noqa: F811
    command: str,
    url: str,
) -> None:
    run = tidings(command, url)
    assert run.code == 2
    assert url in "".join(run.errors.split())
    assert "Traceback" not in run.errors


@pytest.mark.parametrize("command", ["extract", "draw", "explain", "links", "layout"])
@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "data:text/html,<p>x", "ftp://a.example/", "gopher://a.example/", "javascript:alert(1)"],
)
def test_addresses_that_are_not_of_the_web(
    tidings: Tidings,  # noqa: F811
    command: str,
    address: str,
) -> None:
    """HOSTILE 4, as input: refused with a sentence, by every command that takes a page."""
    run = tidings(command, address)
    assert run.code == 2
    assert "only http and https URLs are fetched" in " ".join(run.errors.split())
    assert "root:" not in run.output


def test_an_allowed_host_that_is_none(tidings: Tidings) -> None:  # noqa: F811
    run = tidings("extract", "http://nowhere.invalid/", "--allow-host", "a b")
    assert run.code == 2
    assert "has no valid host" in run.errors


def test_a_proxy(tidings: Tidings) -> None:  # noqa: F811
    with Server({"http://localhost/story": reply(PAGE)}) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        assert "Grey seals" in out(tidings("extract", "http://localhost/story", *ALLOW, "--proxy", url))


def test_a_page_after_its_scripts(tidings: Tidings, chromium: str) -> None:  # noqa: F811
    html = b"<html><body><div id=a></div><script>a.innerHTML = '<p>Seals are back.</p>'</script></body></html>"
    with Server({"/": reply(html, headers={"Content-Type": "text/html"})}) as server:
        assert out(tidings("extract", server.url(), *ALLOW, "--browser", "--with", "everything")) == "Seals are back.\n"
