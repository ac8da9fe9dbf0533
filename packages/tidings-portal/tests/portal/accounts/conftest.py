"""Houses with and without accounts, over a copy of the bundled newspaper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.portal import housed
from tests.portal.accounts.browsing import Site, site_of
from tidings_portal.web.settings import PortalSettings


@pytest.fixture
def site(filled: Path, tmp_path: Path) -> Iterator[Site]:
    """A house with accounts, and nobody in it."""
    with housed.app(housed.copy_of(filled, tmp_path), PortalSettings(accounts=True)) as app:
        yield site_of(app)


@pytest.fixture
def local(filled: Path, tmp_path: Path) -> Iterator[Site]:
    """A house without accounts."""
    with housed.app(housed.copy_of(filled, tmp_path)) as app:
        yield site_of(app)
