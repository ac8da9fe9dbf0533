"""Invalid URLs as arguments of commands that fetch into the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_commands import Tidings, tidings

__all__ = ["tidings"]


@pytest.mark.parametrize("command", ["crawl", "add"])
@pytest.mark.parametrize("url", ["http://[::1", "https://[:::1]/", "https://", "http://a.example:x/"])
def test_an_invalid_url_is_refused_with_a_sentence(tidings: Tidings, command: str, url: str, tmp_path: Path) -> None:
    run = tidings(command, url, "--store", str(tmp_path / "news.tidings"))
    assert run.code == 2
    assert url in "".join(run.errors.split())
    assert "Traceback" not in run.errors


@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,<p>x", "ftp://a.example/"])
def test_crawl_takes_only_urls_of_the_web(tidings: Tidings, url: str, tmp_path: Path) -> None:
    run = tidings("crawl", url, "--store", str(tmp_path / "news.tidings"))
    assert run.code == 2
    assert "only http and https URLs are fetched" in " ".join(run.errors.split())
    assert "root:" not in run.output
