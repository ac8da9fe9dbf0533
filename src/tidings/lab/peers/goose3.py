"""Goose3: scores paragraphs by stop words. Pictures are not fetched."""

from __future__ import annotations

import re
from typing import Final

from tidings.lab.experiment.systems import Reading, iso
from tidings.page.decode import decode

_ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


def read(data: bytes, url: str | None) -> Reading:
    """Text and fields of its article."""
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        article = goose.extract(url=url, raw_html=decode(data, None).text)
    told = article.publish_date or ""  # as the page writes it, in any form; the other is in universal time
    day = told if _ISO_DAY.match(told) else iso(article.publish_datetime_utc)
    return Reading(article.cleaned_text or "", article.title or "", tuple(article.authors or ()), day)
