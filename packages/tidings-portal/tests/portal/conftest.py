"""A store with articles in it, a house over it, and a browser to look at it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient

from tests.portal import housed
from tests.portal.store.made import NOON, new
from tidings.article import Image
from tidings_portal import store as stores
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import StoryDraft
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.web.app_state import App

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HOSTILE = "</script><script>alert(1)</script> ]]> & \x00\ud800 end"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Six articles of two sources."""
    with stores.open(tmp_path / "news.tidings") as kept:
        fill(kept)
        yield kept


def fill(kept: Store) -> None:
    """Six articles of two sources: English, Turkish, Persian, a hostile one, and one without an address."""
    harbour, gazete = kept.add_sources(
        [
            NewSource("https://reader:secret@harbour.example/feed", title="The Harbour Gazette", folder="Coast"),
            NewSource("https://gazete.example.tr/rss", title="Gazete", language="tr"),
        ],
        NOON,
    )
    kept.keep(
        [
            new(
                1,
                "Grey seals are back",
                "They breed.\nAgain.",
                sources=(harbour,),
                authors=("Ann Lee",),
                section="Nature",
            ),
            new(2, "Işıklar İzmir'de söndü", "Şehir karanlıkta.", language="tr", sources=(gazete,), category="Dünya"),
            new(
                3,
                "بازگشت خوک‌های دریایی",
                "آن‌ها می‌روند.",
                language="fa",
                direction="rtl",
                image=Image("https://www.harbour.example/fok.jpg"),
            ),
            new(4, HOSTILE, HOSTILE, authors=(HOSTILE,), tags=(HOSTILE,), summary=HOSTILE),
            new(5, "No address", "Found on a disk.", url=""),
            new(6, "Harbour wall falls", "It fell.", sources=(harbour,), section="Nature"),
        ]
    )
    later = NOON.replace(hour=15)
    kept.keep([new(6, "Harbour wall falls", "It fell. Nobody was hurt.", at=later, section="Nature")])
    kept.save_stories([StoryDraft((1, 6), "The coast this week", "Seals and walls.", "en")])


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the newspaper in it; those who change it take a copy."""
    return housed.fill(tmp_path_factory.mktemp("filled") / "news.tidings")


@pytest.fixture
def app(filled: Path, tmp_path: Path) -> Iterator[App]:
    """A house over a copy of it."""
    with housed.app(housed.copy_of(filled, tmp_path)) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> TestClient:
    """A browser before it."""
    return housed.client(app)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser that runs scripts."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()
