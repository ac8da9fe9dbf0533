"""What gold says of the blocks of a page: its text, and the fields that have blocks of their own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tidings.fields.moments import read


@dataclass(frozen=True, slots=True)
class PageGold:
    """What gold says of a page, as far as it is known."""

    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    day: date | None = None
    summary: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    language: str = ""

    @classmethod
    def of(cls, gold: dict[str, Any], language: str = "") -> PageGold:
        """From the gold of a sample; what is not of the expected form is taken as not told."""
        authors, summary, images = gold.get("authors"), gold.get("summary"), gold.get("images")
        several = summary if isinstance(summary, list) else [summary]
        day = read(str(gold.get("date") or ""))
        return cls(
            str(gold.get("text") or ""),
            str(gold.get("title") or ""),
            tuple(str(one) for one in authors) if isinstance(authors, list) else (),
            day.date() if isinstance(day, datetime) else day,
            tuple(str(one) for one in several if one),
            tuple(
                str(one["caption"])
                for one in (images if isinstance(images, list) else ())
                if isinstance(one, dict) and one.get("caption")
            ),
            language,
        )
