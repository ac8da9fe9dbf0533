"""Signing in by a provider that is a process of its own, at a portal that is one too (HOSTILE 41)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from httpx2 import Client, Response

from tests.portal.serving import served
from tests.support import PYTHONPATH
from tidings_portal import store
from tidings_portal.store.records_of_people import NewPerson

pytestmark = pytest.mark.gate


@pytest.fixture
def provider() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.portal.accounts.openid_provider"]
    environment = os.environ | {"PYTHONPATH": PYTHONPATH}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def enter(browser: Client, portal: str) -> Response:
    """Somebody goes to the provider and comes back; what the portal says then."""
    begun = browser.get(f"{portal}/sign-in/openid?next=/saved")
    if begun.status_code != 303:
        return begun
    there = browser.get(begun.headers["location"])
    assert there.status_code == 303, there.text
    return browser.get(there.headers["location"])


def test_the_code_flow_between_processes_and_every_lie(provider: str, tmp_path: Path) -> None:
    options = ("--no-sample", "--no-watch", "--accounts", "--allow-host", "127.0.0.1", "--openid", provider)
    secrets = ("--openid-client", "portal", "--openid-secret", "s3cret")
    with store.open(tmp_path / "news.tidings") as kept:  # the first account is not the provider's to open
        assert kept.add_person(NewPerson("Owner", "x", admin=True), datetime.now(UTC)) is not None
    with served(tmp_path / "news.tidings", *options, *secrets) as portal, Client(timeout=120) as web:
        statuses = {}
        for how in ("state", "nonce", "audience", "none", "issuer", "late", "key", "discovery"):
            assert web.post(f"{provider}/lie", params={"how": how}).status_code == 200
            with Client(timeout=120) as browser:
                statuses[how] = enter(browser, portal.address).status_code
                assert browser.get(f"{portal.address}/saved").status_code == 303, how  # nobody was let in
        assert statuses == dict.fromkeys(statuses, 403) | {"discovery": 502}
        web.post(f"{provider}/lie", params={"how": ""})
        with Client(timeout=120) as browser:
            answer = enter(browser, portal.address)
            assert (answer.status_code, answer.headers["location"]) == (303, "/saved")
            assert browser.get(f"{portal.address}/saved").status_code == 200
            again = browser.get(f"{portal.address}/sign-in/openid/callback", params={"code": "x", "state": "y"})
            assert again.status_code == 403
