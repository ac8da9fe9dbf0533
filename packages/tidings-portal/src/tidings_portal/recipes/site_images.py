"""Lead images that a site declares on several pages: its default image, not a picture of the story."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from tidings.urls import site_of

_MOST_IMAGES: Final = 10_000


class SiteImages:
    """The declared lead images of recent pages, with the page that declared each first."""

    def __init__(self) -> None:
        self._pages: OrderedDict[tuple[str, str], str] = OrderedDict()

    def is_default(self, src: str, url: str | None) -> bool:
        """Return whether another page of the site has declared the same lead image; remember it."""
        name = site_of(url)
        if not name or not url:
            return False
        first = self._pages.setdefault((name, src), url)
        self._pages.move_to_end((name, src))
        if len(self._pages) > _MOST_IMAGES:
            self._pages.popitem(last=False)
        return first != url
