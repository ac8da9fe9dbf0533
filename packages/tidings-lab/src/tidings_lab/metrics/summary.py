"""Summaries of page scores: mean, median, confidence interval, and separate counts of empty pages (SPEC 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from tidings_lab.statistics.bootstrap import interval


@dataclass(frozen=True, slots=True)
class PageScore:
    """The contribution of a page to a mean."""

    value: float | None  # None if gold is empty or does not annotate this
    site: str = ""
    returned_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of a corpus. Pages with empty gold count in no mean."""

    mean: float
    median: float
    low: float  # of the 95 % interval of the mean, whole sites resampled
    high: float
    pages: int  # in the mean
    empty_gold: int = 0  # pages that are not in the mean
    empty_gold_right: int = 0  # of these, pages with an empty result, which is right
    returned_nothing: int = 0  # pages in the mean with an empty result

    @classmethod
    def of(cls, pages: Iterable[PageScore], *, seed: int = 0) -> Summary:
        """Summarise pages; all values are 0 if none has gold."""
        rows = list(pages)
        scored = [(row.value, row) for row in rows if row.value is not None]
        empty = [row for row in rows if row.value is None]
        silent = sum(row.returned_nothing for row in empty)
        if not scored:
            return cls(0.0, 0.0, 0.0, 0.0, 0, len(empty), silent, 0)
        values = [value for value, _ in scored]
        # Pages without a site are their own group.
        sites = [row.site or f"page {number}" for number, (_, row) in enumerate(scored)]
        between = interval(values, sites, seed=seed)
        return cls(
            fmean(values),
            median(values),
            between.low,
            between.high,
            len(scored),
            len(empty),
            silent,
            sum(row.returned_nothing for _, row in scored),
        )


def summarise(
    values: Sequence[float | None],
    sites: Sequence[str] = (),
    returned_nothing: Sequence[bool] = (),
    *,
    seed: int = 0,
) -> Summary:
    """Summarise columns instead of page scores; sites and empty results are optional."""
    return Summary.of(
        (
            PageScore(value, sites[row] if sites else "", bool(returned_nothing and returned_nothing[row]))
            for row, value in enumerate(values)
        ),
        seed=seed,
    )
