"""Splits of a corpus by site, and a digest that shows whether a corpus has changed.

Pages of one site share a template. With a site on both sides, the score shows mostly how well the template was
memorised (memory-based thesis 6.3: body F 0.981 with and 0.892 without pages of the same site).
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tidings.errors import InputError
from tidings_lab.corpora.sample import Sample


class Fold(NamedTuple):
    """What to learn from, and what to measure on; no site is in both."""

    train: list[Sample]
    test: list[Sample]


def folds(samples: Sequence[Sample], k: int) -> list[Fold]:
    """`k` folds of about equal size, each page tested once. The same sites give the same folds in any order of pages.

    Raises:
        InputError: there are fewer sites than folds, or fewer than two folds.
    """
    sites = _by_site(samples)
    if not 2 <= k <= len(sites):
        raise InputError(f"{len(sites)} sites cannot be put into {k} folds; choose a number from 2 to {len(sites)}")
    sizes, place = [0] * k, {}
    # The largest site first, each into the smallest part so far: no part gets far from the mean.
    for site in sorted(sites, key=lambda site: (-len(sites[site]), _order(site))):
        smallest = sizes.index(min(sizes))
        place[site] = smallest
        sizes[smallest] += len(sites[site])
    return [_fold(samples, {site for site in sites if place[site] != part}) for part in range(k)]


def split(samples: Sequence[Sample], share: float = 0.5, seed: int = 0) -> Fold:
    """Two parts by site: `share` of the pages to learn from, as nearly as whole sites allow, the rest to measure on.

    Another seed draws other sites.

    Raises:
        InputError: there is only one site, or the share is not between 0 and 1.
    """
    sites = _by_site(samples)
    if len(sites) < 2 or not 0 < share < 1:
        raise InputError(f"{len(sites)} sites cannot be split at {share}: two sites and a share between 0 and 1 needed")
    chosen: set[str] = set()
    size, wanted = 0, share * len(samples)
    for site in sorted(sites, key=lambda site: _order(f"{seed} {site}")):
        if abs(size + len(sites[site]) - wanted) < abs(size - wanted) and len(chosen) < len(sites) - 1:
            chosen.add(site)
            size += len(sites[site])
    chosen = chosen or {min(sites, key=lambda site: (len(sites[site]), _order(site)))}
    return _fold(samples, chosen)


def digest(samples: Iterable[Sample]) -> str:
    """A digest of all pages and their gold. The order does not count."""
    whole = hashlib.sha256()
    for one in sorted(sample.digest for sample in samples):
        whole.update(one.encode())
    return whole.hexdigest()


def _by_site(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    sites = defaultdict(list)
    for sample in samples:
        sites[sample.site].append(sample)
    return dict(sites)


def _fold(samples: Sequence[Sample], learned: set[str]) -> Fold:
    return Fold(
        [sample for sample in samples if sample.site in learned],
        [sample for sample in samples if sample.site not in learned],
    )


def _order(name: str) -> bytes:
    """An order of names that has nothing to do with the alphabet."""
    return hashlib.sha256(name.encode(errors="surrogatepass")).digest()
