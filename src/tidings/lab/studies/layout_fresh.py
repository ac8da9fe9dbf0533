"""The layout study once more, on pages that nobody had looked at when the methods were decided.

The next 60 pages of half 1, by the rule of `layout` and of other sites than its pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tidings.lab.corpora import Sample
from tidings.lab.studies.layout import Seen, further, measure
from tidings.lab.studies.study import Each, Study, in_turn


def run(samples: Sequence[Sample], each: Each = in_turn) -> Seen:
    """Every method on the further pages."""
    return measure(further(samples), each)


STUDY: Final = Study("layout-fresh", "Layout methods on pages kept apart", "LBNEST II, IV and VI.C; VIPS", run)
