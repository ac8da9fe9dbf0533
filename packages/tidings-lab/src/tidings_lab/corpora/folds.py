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
    """Pages for training and pages for testing, without a common site."""

    train: list[Sample]
    test: list[Sample]


def folds(samples: Sequence[Sample], k: int) -> list[Fold]:
    """Return `k` folds of similar size; each page is in the test set of one fold.

    Pages of a site are in the same test set. The folds do not depend on the order of pages.

    Raises:
        InputError: there are fewer sites than folds, or fewer than two folds.
    """
    sites = _by_site(samples)
    if not 2 <= k <= len(sites):
        raise InputError(f"{len(sites)} sites cannot be put into {k} folds; choose a number from 2 to {len(sites)}")
    sizes, place = [0] * k, {}
    # The largest site first, each into the smallest part so far, which gives parts of similar size.
    for site in sorted(sites, key=lambda site: (-len(sites[site]), _order(site))):
        smallest = sizes.index(min(sizes))
        place[site] = smallest
        sizes[smallest] += len(sites[site])
    return [_fold(samples, {site for site in sites if place[site] != part}) for part in range(k)]


def split(samples: Sequence[Sample], share: float = 0.5, seed: int = 0) -> Fold:
    """Return two parts by site: `share` of the pages for training, as closely as whole sites allow, the rest for
    testing.

    Another seed selects other sites.

    Raises:
        InputError: there is only one site, or the share is not between 0 and 1.
    """
    sites = _by_site(samples)
    if len(sites) < 2 or not 0 < share < 1:
        raise InputError(f"{len(sites)} sites cannot be split at {share}: two sites and a share between 0 and 1 needed")
    chosen: set[str] = set()
    size, target = 0, share * len(samples)
    for site in sorted(sites, key=lambda site: _order(f"{seed} {site}")):
        if abs(size + len(sites[site]) - target) < abs(size - target) and len(chosen) < len(sites) - 1:
            chosen.add(site)
            size += len(sites[site])
    chosen = chosen or {min(sites, key=lambda site: (len(sites[site]), _order(site)))}
    return _fold(samples, chosen)


def digest(samples: Iterable[Sample]) -> str:
    """Return a digest of all pages and their ground truth, independent of their order."""
    whole = hashlib.sha256()
    for sample_digest in sorted(sample.digest for sample in samples):
        whole.update(sample_digest.encode())
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
    """Return the SHA-256 of a name: a sort key that shuffles sites reproducibly."""
    return hashlib.sha256(name.encode(errors="surrogatepass")).digest()
