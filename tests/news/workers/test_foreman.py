"""The parent of serving processes: what becomes of those that cannot begin, or hang."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from tests.news.workers import bad_days
from tidings.news.opening import Opening
from tidings.news.workers import foreman


def test_one_that_cannot_begin_or_hangs_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(foreman, "work", bad_days.work)
    monkeypatch.setattr(foreman, "_SILENT", 0.2)
    monkeypatch.setattr(foreman, "_LOOK", 0.05)
    opening = Opening(str(tmp_path / "news.tidings"), port=0, watch=False, with_sample=False)
    told: list[str] = []

    async def run() -> None:
        stop = asyncio.Event()
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            group.create_task(foreman.serve(opening, told.append, stop))
            while len(caplog.messages) < 2:
                await asyncio.sleep(0.01)
            stop.set()

    asyncio.run(run())
    assert len(told) == 1
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", told[0])
    could_not, hung = caplog.messages
    assert could_not == "serving process 1 could not begin: the store has gone for a walk; it is started again now"
    assert re.fullmatch(
        r"serving process 1 \(\d+\) gave no sign of life for 0\.2 s and was ended; it is started again in 0\.5 s", hung
    )
