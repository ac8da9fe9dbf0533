"""Problems of a source, as values: a feed is never rejected by an exception, because the next poll may succeed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class ProblemKind(Enum):
    """The kind of a problem. Its value is the text for people."""

    EMPTY = "empty"
    BINARY = "not text"
    TOO_LARGE = "too large"
    CUT_SHORT = "cut short"
    NOT_WELL_FORMED = "not well-formed"
    DECLARES_ENTITIES = "declares entities"  # none are expanded
    WEB_PAGE = "a web page, not a feed"
    UNKNOWN_FORMAT = "unknown format"
    TOO_MANY = "too many entries"
    NO_ADDRESS = "entries without an address"
    SHARED_ADDRESS = "entries with one address"
    BAD_DATE = "dates that say nothing"
    BAD_ENTRY = "damaged in some entries"  # these raised errors; the others were read


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """A problem of a source, with details."""

    trouble: ProblemKind
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.trouble.value}: {self.detail}" if self.detail else self.trouble.value
