"""The ground truth of a page: its text, and the fields that have separate blocks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tidings.fields.date_parsing.parsing import read


@dataclass(frozen=True, slots=True)
class PageGold:
    """The known ground truth of a page."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    day: date | None = None
    summary: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    language: str = ""

    @classmethod
    def of(cls, gold: dict[str, Any], language: str = "") -> PageGold:
        """Create from the ground truth of a sample; values of another form count as unknown."""
        authors, summary, images = gold.get("authors"), gold.get("summary"), gold.get("images")
        summaries = summary if isinstance(summary, list) else [summary]
        day = read(str(gold.get("date") or ""))
        return cls(
            str(gold.get("text") or ""),
            str(gold.get("title") or ""),
            tuple(str(value) for value in authors) if isinstance(authors, list) else (),
            day.date() if isinstance(day, datetime) else day,
            tuple(str(value) for value in summaries if value),
            tuple(
                str(value["caption"])
                for value in (images if isinstance(images, list) else ())
                if isinstance(value, dict) and value.get("caption")
            ),
            language,
        )
