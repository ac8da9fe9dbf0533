"""Named combinations of extractors."""

from __future__ import annotations

from tidings.extractors.combine import Vote
from tidings.extractors.published.bte import BTE
from tidings.extractors.published.ccb import ACCB
from tidings.extractors.published.cetd import DensitySum
from tidings.extractors.published.content_seeker import ContentSeeker
from tidings.extractors.published.dsc import DSC
from tidings.extractors.published.gswce import GSWCE
from tidings.extractors.published.lqf import LQF50, LQF75


def combine() -> Vote:
    """Return CombinE: text that three of DSC, BTE, ACCB and LQF-50 select."""
    return Vote((DSC(), BTE(), ACCB(), LQF50()), quorum=3)


def best_vote() -> Vote:
    """Return the best untrained vote: text that three of density sum, Content-Seeker, GSWCE and LQF-75 select."""
    return Vote((DensitySum(), ContentSeeker(), GSWCE(), LQF75()), quorum=3)
