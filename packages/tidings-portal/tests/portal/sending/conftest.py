"""Houses with and without accounts, as those of accounts."""

from __future__ import annotations

from tests.portal.accounts.conftest import local, site

__all__ = ["local", "site"]
