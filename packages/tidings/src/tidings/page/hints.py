"""Facts about a page that the caller knows in advance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.page.layout import Layout
    from tidings.page.page import Page


@dataclass(frozen=True, slots=True)
class Hints:
    """Facts from the link to the page, or from the HTTP response."""

    title: str | None = None  # title in the feed
    description: str | None = None  # description in the feed
    anchor: str | None = None  # text of the link to the page
    teaser: str | None = None  # text next to that link
    content_type: str | None = None  # the HTTP header, for its charset
    layout: Layout | None = None  # positions of its elements in a browser
    is_cut: bool = False  # the page was truncated before
    siblings: tuple[Page, ...] = ()  # other pages of the site, for methods that compare pages
