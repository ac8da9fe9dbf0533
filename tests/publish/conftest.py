"""A store with articles in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.made import NOON, new
from tidings import store as stores
from tidings.article import Image
from tidings.store import DatabaseStore
from tidings.store.records_of_articles import StoryDraft
from tidings.store.records_of_work import NewSource

HOSTILE = "</script><script>alert(1)</script> ]]> & \x00\ud800 end"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DatabaseStore]:
    """Six articles of two sources: English, Turkish, Persian, a hostile one, and one without an address."""
    with stores.open(tmp_path / "news.tidings") as kept:
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
                new(
                    2, "Işıklar İzmir'de söndü", "Şehir karanlıkta.", language="tr", sources=(gazete,), category="Dünya"
                ),
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
        yield kept
