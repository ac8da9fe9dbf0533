"""Trafilatura: its own rules, with readability and jusText to fall back on."""

from __future__ import annotations

from typing import Any

from tidings.lab.experiment.systems import Reading, iso


def read(data: bytes, url: str | None, **options: Any) -> Reading:
    """What `trafilatura.extract` gives as text, comments included unless an option says otherwise, and its metadata."""
    from trafilatura import bare_extraction
    from trafilatura.settings import Document

    found = bare_extraction(data, url=url, with_metadata=True, **options)
    if not isinstance(found, Document):  # nothing found; a dict only when asked for
        return Reading("")
    text = "\n".join(part for part in (found.text, found.comments) if part)
    authors = tuple(name.strip() for name in (found.author or "").split(";") if name.strip())
    return Reading(text, found.title or "", authors, iso(found.date))
