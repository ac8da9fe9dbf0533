"""The floor: everything on the page as text, no choice made. Who is below it does harm."""

from __future__ import annotations

from tidings.lab.experiment.systems import Reading
from tidings.page.decode import decode


def html2text(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The page as Markdown, without links, pictures and emphasis."""
    from html2text import HTML2Text

    writer = HTML2Text(bodywidth=0)
    writer.ignore_links = writer.ignore_images = writer.ignore_emphasis = True
    return Reading(writer.handle(decode(data, None).text))


def inscriptis(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The page as a browser would lay out its text."""
    from inscriptis import get_text

    return Reading(get_text(decode(data, None).text))
