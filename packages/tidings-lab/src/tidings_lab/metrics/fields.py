"""Headline, authors and date of a page against gold: one verdict a page, and what they add up to.

A field that gold does not annotate is not scored. A field that gold says the page does not have is apart from those it
has: it lowers precision if something was invented, and never counts as right. The headline's precision, recall and F1
are those of the DANA thesis (eq. 5.4, 5.5): A right, B something else taken for the headline, C a headline not found.

When two headlines are the same.

Strictly: the same characters after Unicode NFC and folding of white space. Commonly: also with curly, low and angle
quotes as straight ones, every dash and hyphen as `-`, `…` as three points, and characters nobody sees (soft hyphen,
zero-width space, direction marks) left out. Case counts in both.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any, Final

from tidings.text import fold_space
from tidings_lab.metrics.score import Counts, ratio

_UNSEEN: Final = "\u00ad\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_SEEN_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛‹›′ʼʹ`´＇", "'"),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－", "-"),
        "…": "...",
        # Not the zero-width joiners: Persian and Hindi words differ by them.
        **dict.fromkeys(
            "\u00ad\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff", ""
        ),
    }
)


#: Longer texts are no headlines and stay uncomposed: putting combining marks in order takes quadratic time.
_LONGEST: Final = 2000


def fold_strict(text: str) -> str:
    """NFC and white space."""
    return " ".join(_composed(text).split())


def fold_typography(text: str) -> str:
    """NFC, white space, quotes, dashes, the ellipsis and what nobody sees."""
    return fold_space(_composed(text).translate(_SEEN_ALIKE))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text) if len(text) <= _LONGEST else text


def same_headline(result: str, gold: str, *, strict: bool = False) -> bool:
    """Whether two headlines are the same, by the common or the strict rule of this module."""
    fold = fold_strict if strict else fold_typography
    return fold(result) == fold(gold)


class FieldVerdict(Enum):
    """What became of a field."""

    RIGHT = "right"
    WRONG = "wrong"  # gold has it, something else was given
    MISSED = "missed"  # gold has it, nothing was given
    INVENTED = "invented"  # gold says there is none, something was given
    NONE = "none"  # gold says there is none, nothing was given
    UNSCORED = "unscored"  # gold does not say

    @property
    def right(self) -> bool | None:
        """Whether the field is right, None where gold has no value for it."""
        return self is FieldVerdict.RIGHT if self in _GOLD_HAS_IT else None


_GOLD_HAS_IT: Final = frozenset({FieldVerdict.RIGHT, FieldVerdict.WRONG, FieldVerdict.MISSED})


def headline_verdict(result: str, gold: Mapping[str, Any], *, strict: bool = False) -> FieldVerdict:
    """The headline, exactly right or not, by the rules of `same_headline`."""
    wanted = gold.get("title")
    if wanted is None:
        return FieldVerdict.UNSCORED
    return _verdict(bool(result.strip()), bool(wanted.strip()), same_headline(result, wanted, strict=strict))


def authors_verdict(result: Iterable[str], gold: Mapping[str, Any]) -> FieldVerdict:
    """The authors, exactly right as a set or not; order, case, white space and typography make no difference."""
    wanted = _wanted_names(gold)
    if wanted is None:
        return FieldVerdict.UNSCORED
    found = _names(result)
    return _verdict(bool(found), bool(wanted), found == wanted)


def author_counts(result: Iterable[str], gold: Mapping[str, Any]) -> Counts:
    """Author by author: found, found wrongly, missed. All zero where gold does not say."""
    wanted = _wanted_names(gold)
    if wanted is None:
        return Counts()
    found = _names(result)
    return Counts(len(found & wanted), len(found - wanted), len(wanted - found))


def date_verdict(result: date | datetime | str | None, gold: Mapping[str, Any]) -> FieldVerdict:
    """The date, right to the day or not.

    The day as written counts; where both sides name their time zone, the day in UTC will do as well. A gold date
    without a day is not scored; a result that is no ISO 8601 date is wrong.
    """
    wanted = gold.get("date")
    if wanted is None:
        return FieldVerdict.UNSCORED
    if wanted == "":
        return FieldVerdict.NONE if not result else FieldVerdict.INVENTED
    day = _moment(wanted)
    if day is None:
        return FieldVerdict.UNSCORED
    if not result:
        return FieldVerdict.MISSED
    found = _moment(result)
    return FieldVerdict.RIGHT if found is not None and _same_day(found, day) else FieldVerdict.WRONG


@dataclass(frozen=True, slots=True)
class FieldScore:
    """One field over many pages."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    invented: int = 0
    none: int = 0
    unscored: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[FieldVerdict]) -> FieldScore:
        """Count verdicts."""
        counts = Counter(verdicts)
        return cls(**{verdict.value: counts[verdict] for verdict in FieldVerdict})

    @property
    def pages(self) -> int:
        """Pages on which gold has the field."""
        return self.right + self.wrong + self.missed

    @property
    def accuracy(self) -> float:
        """Share of the pages whose gold has the field on which it is exactly right."""
        return ratio(self.right, self.pages)

    @property
    def counts(self) -> Counts:
        """A, B and C of the DANA thesis (table 5.3), and the pages that rightly have none."""
        return Counts(self.right, self.wrong + self.invented, self.wrong + self.missed, self.none)


def _verdict(given: bool, wanted: bool, same: bool) -> FieldVerdict:
    if not wanted:
        return FieldVerdict.INVENTED if given else FieldVerdict.NONE
    if not given:
        return FieldVerdict.MISSED
    return FieldVerdict.RIGHT if same else FieldVerdict.WRONG


def _wanted_names(gold: Mapping[str, Any]) -> frozenset[str] | None:
    wanted = gold.get("authors")
    if wanted is None:
        return None
    names: Sequence[str] = [wanted] if isinstance(wanted, str) else wanted
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


def _same_day(one: date | datetime, other: date | datetime) -> bool:
    if _day(one) == _day(other):
        return True
    if not (isinstance(one, datetime) and isinstance(other, datetime) and one.tzinfo and other.tzinfo):
        return False
    try:
        return one.astimezone(UTC).date() == other.astimezone(UTC).date()
    except OverflowError:  # the first or last day there is
        return False


def _day(value: date | datetime) -> date:
    return value.date() if isinstance(value, datetime) else value
