"""Folds of sites: the fold of a site depends only on its name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def folds_of(sites: Sequence[str], folds: int) -> list[int]:
    """Return the fold of each page by its site; if that puts all sites into one fold, distribute the pages evenly."""
    by_site = [fold_of(site, folds) for site in sites]
    return by_site if len(set(by_site)) > 1 else [number % folds for number in range(len(sites))]


def fold_of(site: str, folds: int) -> int:
    """Return the fold of a site, which is the same on every machine."""
    return int.from_bytes(hashlib.sha256(site.encode()).digest()[:8], "big") % folds
