"""Scores of many pages in one line: mean, median, interval, and what is counted apart (SPEC 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from tidings.lab.statistics.bootstrap import interval


@dataclass(frozen=True, slots=True)
class PageScore:
    """What one page adds to a mean."""

    value: float | None  # None: gold is empty, or says nothing about this
    site: str = ""
    returned_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of a corpus. Pages whose gold is empty are in no mean."""

    mean: float
    median: float
    low: float  # of the 95 % interval of the mean, whole sites drawn
    high: float
    pages: int  # in the mean
    empty_gold: int = 0  # not in the mean
    empty_gold_right: int = 0  # of these, where nothing was returned, as should be
    returned_nothing: int = 0  # pages in the mean for which nothing was returned

    @classmethod
    def of(cls, pages: Iterable[PageScore], *, seed: int = 0) -> Summary:
        """Sum up pages; all zero when none has gold."""
        rows = list(pages)
        scored = [(row.value, row) for row in rows if row.value is not None]
        empty = [row for row in rows if row.value is None]
        silent = sum(row.returned_nothing for row in empty)
        if not scored:
            return cls(0.0, 0.0, 0.0, 0.0, 0, len(empty), silent, 0)
        values = [value for value, _ in scored]
        # Where no page tells its site, every page is one of its own.
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
    """The same from columns; those that are not known may be left out."""
    return Summary.of(
        (
            PageScore(value, sites[row] if sites else "", bool(returned_nothing and returned_nothing[row]))
            for row, value in enumerate(values)
        ),
        seed=seed,
    )
