"""Several processes are one house: what is counted once for all of them, and where there can be one only."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.news.housed import Web
from tidings.cli.serve import serve
from tidings.errors import InputError
from tidings.news import store
from tidings.news.accounts.attempts import Attempts
from tidings.news.accounts.counting import Counting
from tidings.news.accounts.reception import reception
from tidings.news.web.house import House
from tidings.news.web.keeping import MOST_BYTES
from tidings.news.workers.shared import shared


def test_a_reading_counts_once_and_attempts_together(tmp_path: Path) -> None:
    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    with shared(2) as made, store.open(tmp_path / "news.tidings") as kept:
        common = [made.common(place) for place in range(2)]
        counting = [Counting(kept, lambda: now, one.readings) for one in common]
        assert [one.read(7, "a browser") for one in (*counting, *counting)] == [True, False, False, False]
        attempts = [Attempts(lambda: 1000.0, one.attempts) for one in common]
        waits = [attempts[number % 2].begin("ann", "192.0.2.1") for number in range(6)]
        assert waits == [0, 0, 0, 0, 0, 1]
        attempts[0].succeeded("ann", "192.0.2.1")
        assert attempts[1].begin("ann", "192.0.2.1") == 0


def test_what_is_made_for_them_is_whole_and_gone_afterwards() -> None:
    with shared(2) as made:
        common = [made.common(place) for place in range(2)]
        assert made.places.serving == 0
        for ledger in ("turns", "attempts", "readings"):
            with getattr(common[0], ledger) as entries:
                entries.put(f"a key of {ledger}", (1.0, 2.0))
            with getattr(common[1], ledger) as entries:
                assert entries.get(f"a key of {ledger}") == (1.0, 2.0)
                assert all(entries.get(f"a key of {one}") is None for one in {"turns", "attempts"} - {ledger})
        assert made.folder.exists()
        assert made.secret.hex() not in repr(made)
    assert not made.folder.exists()


def test_they_share_the_memory_that_one_may_use(tmp_path: Path) -> None:
    with shared(4) as made, store.open(tmp_path / "news.tidings") as kept:
        houses = [House(kept, Web(), Web(), common=made.common(place)) for place in range(4)]
        assert sum(one.shown.most + one.seen_pictures.most for one in houses) == 2 * MOST_BYTES
        assert len({one.secret for one in houses}) == 1
        assert reception(houses[0]).passwords.at_once == 1  # of 64 MB each
        assert reception(House(kept, Web(), Web())).passwords.at_once == 2


def test_without_a_folder_for_measures_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="TMPDIR"), shared(2):
        pass


def test_windows_serves_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(InputError, match="--workers"):
        serve(workers=2)
