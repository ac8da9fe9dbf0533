"""boilerpy3, the Python edition of boilerpipe (Kohlschütter et al. 2010): its ArticleExtractor."""

from __future__ import annotations

from tidings.lab.experiment.systems import Reading
from tidings.page.decode import decode


def read(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """Content and title of its document."""
    from boilerpy3.extractors import ArticleExtractor

    document = ArticleExtractor().get_doc(decode(data, None).text)
    return Reading(document.content, document.title or "")
