"""A house for tests: over a copy of a store that holds the bundled newspaper, with a web that has no way out."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from starlette.testclient import TestClient

from tidings.errors import NotRecorded
from tidings.fetch import Outcome, Request, Response
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.app import application
from tidings_portal.portal import sample
from tidings_portal.watch.plan import Plan
from tidings_portal.watch.sample_web import SampleWeb
from tidings_portal.web.app_state import App
from tidings_portal.web.settings import PortalSettings

#: The day after the newspaper's last story.
NOW = datetime(2026, 3, 20, 12, tzinfo=UTC)
HERE = "http://localhost"


@dataclass
class Web:
    """A web of the pages that a test puts there."""

    pages: dict[str, tuple[str, bytes]] = field(default_factory=dict)  # media type and body by address
    asked: list[str] = field(default_factory=list)

    async def fetch(self, request: Request) -> Outcome:
        """The page at an address."""
        self.asked.append(request.url)
        if request.url not in self.pages:
            return NotRecorded(request.url, "no such page in this test")
        kind, body = self.pages[request.url]
        return Response(request.url, 200, (("content-type", kind),), body, request.kind)


def fill(path: Path) -> Path:
    """A store with the newspaper in it."""
    with store.open(path) as kept:
        assert sample.add(kept, NOW)
    asyncio.run(pipeline.watch(path, fetcher=SampleWeb(Web()), plan=Plan(once=True, jobs=0)))
    with store.open(path) as kept:
        kept.tidy()
    return path


@contextmanager
def app(path: Path, settings: PortalSettings | None = None, web: Web | None = None) -> Iterator[App]:
    """A house over a store."""
    web = web or Web()
    with store.open(path) as kept:
        yield App(kept, SampleWeb(web), SampleWeb(web), settings or PortalSettings(), now=lambda: NOW)


def client(of: App) -> TestClient:
    """A browser before a house; what goes wrong inside is an answer, as it is for anybody."""
    return TestClient(application(of), HERE, raise_server_exceptions=False, follow_redirects=False)


def copy_of(filled: Path, to: Path) -> Path:
    """A copy that a test may change."""
    return Path(shutil.copy(filled, to / "news.tidings"))


def token_in(page: str) -> str:
    """The token of the forms on a page."""
    found = re.search(r'name="token" value="([0-9a-f]+)"', page)
    assert found, page
    return found[1]
