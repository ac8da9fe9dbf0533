"""newspaper4k, with the page given to it, so that it fetches neither page nor pictures."""

from __future__ import annotations

from importlib import import_module

from tidings.lab.experiment.systems import Reading, iso
from tidings.page.decode import decode


def read(data: bytes, url: str | None) -> Reading:
    """Text and fields of its `Article`."""
    newspaper = import_module("newspaper")  # by name: the newspaper of our own tests is called the same

    article = newspaper.Article(url or "", fetch_images=False)
    article.download(input_html=decode(data, None).text, ignore_read_more=True)
    article.parse()
    return Reading(article.text, article.title or "", tuple(article.authors), iso(article.publish_date))
