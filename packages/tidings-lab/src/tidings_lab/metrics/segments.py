"""Segments of text that must, and segments that must not, be extracted, counted like in trafilatura's evaluation.

The ground truth of a page names a few segments of its text (`with`) and of its surroundings (`without`). A desired
segment that is found is a true positive, a missing one a false negative; an undesired one that is found is a false
positive, an absent one a true negative. White space is collapsed on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tidings.text import fold_space
from tidings_lab.metrics.score import Counts


def segment_counts(result: str, desired: Sequence[str], undesired: Sequence[str]) -> Counts:
    """Count segments that are found and missing. Empty segments are ignored, because any text contains them."""
    text = fold_space(result)
    hits, intruding = _hits(text, desired), _hits(text, undesired)
    return Counts(tp=sum(hits), fp=sum(intruding), fn=len(hits) - sum(hits), tn=len(intruding) - sum(intruding))


def gold_segments(result: str, gold: Mapping[str, Any]) -> Counts | None:
    """Count the segments of the ground truth; None if it has none."""
    counts = segment_counts(result, gold.get("with") or (), gold.get("without") or ())
    return counts if counts.total else None


def kept_share(counts: Counts) -> float | None:
    """Return the share of desired segments that were extracted; None if there are none."""
    return counts.recall if counts.tp + counts.fn else None


def left_out_share(counts: Counts) -> float | None:
    """Return the share of undesired segments that were not extracted; None if there are none."""
    undesired = counts.fp + counts.tn
    return counts.tn / undesired if undesired else None


def _hits(text: str, segments: Sequence[str]) -> list[bool]:
    return [segment in text for segment in map(fold_space, segments) if segment]
