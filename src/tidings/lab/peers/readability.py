"""readability-lxml: it gives HTML, whose text is taken block by block."""

from __future__ import annotations

from tidings.lab.experiment.systems import Reading
from tidings.page import Page


def read(data: bytes, url: str | None) -> Reading:
    """The text of its summary, its short title, and the author where this version tells one."""
    from readability import Document

    document = Document(data, url=url)
    title = document.short_title() or ""
    author = document.author() if hasattr(document, "author") else ""
    summary = document.summary(html_partial=True)
    text = Page(summary).text if summary.strip() else ""
    return Reading(text, title, () if author in ("", "[no-author]") else (author,))
