"""Texts that must and texts that must not come out, as trafilatura's evaluation counts them.

A page's gold names a few segments of its text (`with`) and of what surrounds it (`without`). A wanted segment found is
a true positive, one missing a false negative; an unwanted one found is a false positive, one absent a true negative.
White space is folded on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tidings.lab.metrics.score import Counts
from tidings.text import fold_space


def segment_counts(result: str, wanted: Sequence[str], unwanted: Sequence[str]) -> Counts:
    """Segments found and missed. Empty ones are not counted: any text contains them."""
    text = fold_space(result)
    found, intruding = _hits(text, wanted), _hits(text, unwanted)
    return Counts(tp=sum(found), fp=sum(intruding), fn=len(found) - sum(found), tn=len(intruding) - sum(intruding))


def gold_segments(result: str, gold: Mapping[str, Any]) -> Counts | None:
    """The segments that gold names; None where it names none."""
    counts = segment_counts(result, gold.get("with") or (), gold.get("without") or ())
    return counts if counts.total else None


def kept_share(counts: Counts) -> float | None:
    """Share of the wanted segments that came out; None where there are none."""
    return counts.recall if counts.tp + counts.fn else None


def left_out_share(counts: Counts) -> float | None:
    """Share of the unwanted segments that did not; None where there are none."""
    unwanted = counts.fp + counts.tn
    return counts.tn / unwanted if unwanted else None


def _hits(text: str, segments: Sequence[str]) -> list[bool]:
    return [segment in text for segment in map(fold_space, segments) if segment]
