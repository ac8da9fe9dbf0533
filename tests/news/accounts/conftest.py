"""Houses with and without accounts, over a copy of the bundled newspaper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.news import housed
from tests.news.accounts.browsing import Site, site_of
from tidings.news.web.terms import Terms


@pytest.fixture
def site(filled: Path, tmp_path: Path) -> Iterator[Site]:
    """A house with accounts, and nobody in it."""
    with housed.house(housed.copy_of(filled, tmp_path), Terms(accounts=True)) as house:
        yield site_of(house)


@pytest.fixture
def local(filled: Path, tmp_path: Path) -> Iterator[Site]:
    """A house without accounts."""
    with housed.house(housed.copy_of(filled, tmp_path)) as house:
        yield site_of(house)
