"""What is wrong with a source, as a value: a feed is never refused by an exception, for the next poll may be well."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ProblemKind(Enum):
    """The kinds of trouble; the value is what a health table says."""

    EMPTY = "empty"
    BINARY = "not text"
    TOO_LARGE = "too large"
    CUT_SHORT = "cut short"
    NOT_WELL_FORMED = "not well-formed"
    DECLARES_ENTITIES = "declares entities"  # none is expanded
    WEB_PAGE = "a web page, not a feed"
    UNKNOWN_FORMAT = "unknown format"
    TOO_MANY = "too many entries"
    NO_ADDRESS = "entries without an address"
    SHARED_ADDRESS = "entries with one address"
    BAD_DATE = "dates that say nothing"
    BAD_ENTRY = "damaged in some entries"  # reading them raised; the others were read


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """One trouble with one source, and what there is to know of it."""

    trouble: ProblemKind
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.trouble.value}: {self.detail}" if self.detail else self.trouble.value
