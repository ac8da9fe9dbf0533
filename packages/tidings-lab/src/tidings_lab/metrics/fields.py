"""Headline, authors and date of a page against ground truth: a verdict per page, and scores over many pages.

A field that the ground truth does not annotate is not scored. A field that the page does not have, according to the
ground truth, is counted separately: inventing a value lowers precision, and returning none never counts as right.
Precision, recall and F1 of the headline are those of the DANA thesis (eq. 5.4, 5.5): A right, B something else returned
as headline, C a missed headline.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Final

from tidings_lab.metrics.headline_equality import fold_typography, same_headline
from tidings_lab.metrics.score import Counts, ratio


class FieldVerdict(Enum):
    """The comparison of a field with the ground truth."""

    RIGHT = "right"
    WRONG = "wrong"  # gold has another value
    MISSED = "missed"  # gold has a value, the result has none
    INVENTED = "invented"  # gold says there is no value, the result has one
    NONE = "none"  # gold says there is no value, and the result has none
    UNSCORED = "unscored"  # gold does not annotate the field

    @property
    def right(self) -> bool | None:
        """Return whether the field is right; None if gold has no value for it."""
        return self is FieldVerdict.RIGHT if self in _HAS_GOLD else None


_HAS_GOLD: Final = frozenset({FieldVerdict.RIGHT, FieldVerdict.WRONG, FieldVerdict.MISSED})


def headline_verdict(result: str, gold: Mapping[str, Any], *, strict: bool = False) -> FieldVerdict:
    """Compare the headline with the ground truth by the rules of `same_headline`."""
    title = gold.get("title")
    if title is None:
        return FieldVerdict.UNSCORED
    return _verdict(bool(result.strip()), bool(title.strip()), same_headline(result, title, strict=strict))


def authors_verdict(result: Iterable[str], gold: Mapping[str, Any]) -> FieldVerdict:
    """Compare the authors with the ground truth as sets, ignoring order, case, white space and typography."""
    gold_names = _gold_names(gold)
    if gold_names is None:
        return FieldVerdict.UNSCORED
    names = _names(result)
    return _verdict(bool(names), bool(gold_names), names == gold_names)


def author_counts(result: Iterable[str], gold: Mapping[str, Any]) -> Counts:
    """Count authors that are found, wrong, and missed; all zero if gold does not annotate authors."""
    gold_names = _gold_names(gold)
    if gold_names is None:
        return Counts()
    names = _names(result)
    return Counts(len(names & gold_names), len(names - gold_names), len(gold_names - names))


def date_verdict(result: date | datetime | str | None, gold: Mapping[str, Any]) -> FieldVerdict:
    """Compare the date with the ground truth by day.

    The day as written counts; if both dates have a time zone, the day in UTC may match instead. A gold date without a
    day is not scored; a result that is no ISO 8601 date is wrong.
    """
    gold_date = gold.get("date")
    if gold_date is None:
        return FieldVerdict.UNSCORED
    if gold_date == "":
        return FieldVerdict.NONE if not result else FieldVerdict.INVENTED
    day = _moment(gold_date)
    if day is None:
        return FieldVerdict.UNSCORED
    if not result:
        return FieldVerdict.MISSED
    moment = _moment(result)
    return FieldVerdict.RIGHT if moment is not None and _same_day(moment, day) else FieldVerdict.WRONG


@dataclass(frozen=True, slots=True)
class FieldScore:
    """The score of a field over many pages."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    none: int = 0
    unscored: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[FieldVerdict]) -> FieldScore:
        """Count the verdicts of a field on many pages."""
        counts = Counter(verdicts)
        return cls(**{verdict.value: counts[verdict] for verdict in FieldVerdict})

    @property
    def pages(self) -> int:
        """Return the number of pages with a gold value."""
        return self.right + self.wrong + self.missed

    @property
    def accuracy(self) -> float:
        """Return the share of the pages with a gold value on which the field is right."""
        return ratio(self.right, self.pages)

    @property
    def counts(self) -> Counts:
        """Return A, B and C of the DANA thesis (table 5.3), and the number of pages that correctly have none."""
        return Counts(self.right, self.wrong + self.invented, self.wrong + self.missed, self.none)


def _verdict(has_result: bool, has_gold: bool, is_equal: bool) -> FieldVerdict:
    if not has_gold:
        return FieldVerdict.INVENTED if has_result else FieldVerdict.NONE
    if not has_result:
        return FieldVerdict.MISSED
    return FieldVerdict.RIGHT if is_equal else FieldVerdict.WRONG


def _gold_names(gold: Mapping[str, Any]) -> frozenset[str] | None:
    authors = gold.get("authors")
    if authors is None:
        return None
    names: Sequence[str] = [authors] if isinstance(authors, str) else authors
    return _names(names)


def _names(names: Iterable[str]) -> frozenset[str]:
    folded = (fold_typography(name).casefold() for name in names)
    return frozenset(name for name in folded if name)


_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


def _moment(value: date | datetime | str) -> date | datetime | None:
    if isinstance(value, date):  # a datetime is a date
        return value
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        day = _DAY.match(value.strip())
    try:
        return date.fromisoformat(day[0]) if day else None
    except ValueError:
        return None


def _same_day(first: date | datetime, second: date | datetime) -> bool:
    if _day(first) == _day(second):
        return True
    if not (isinstance(first, datetime) and isinstance(second, datetime) and first.tzinfo and second.tzinfo):
        return False
    try:
        return first.astimezone(UTC).date() == second.astimezone(UTC).date()
    except OverflowError:  # the first or last representable day
        return False


def _day(value: date | datetime) -> date:
    return value.date() if isinstance(value, datetime) else value
