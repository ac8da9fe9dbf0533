"""news-please: newspaper4k, readability and others, compared with each other. Pictures are not fetched."""

from __future__ import annotations

from tidings.lab.experiment.systems import Reading, iso
from tidings.page.decode import decode


def read(data: bytes, url: str | None) -> Reading:
    """Text and fields of its article."""
    from newsplease import NewsPlease

    article = NewsPlease.from_html(decode(data, None).text, url=url, fetch_images=False)
    return Reading(article.maintext or "", article.title or "", tuple(article.authors or ()), iso(article.date_publish))
