"""What the caller knows of a page beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tidings.page.layout import Layout
    from tidings.page.page import Page


@dataclass(frozen=True, slots=True)
class Hints:
    """Facts that came with the link that led to the page, or with the answer that brought it."""

    title: str | None = None  # the feed's title for it
    description: str | None = None  # the feed's description
    anchor: str | None = None  # text of the link that led here
    teaser: str | None = None  # text beside that link
    content_type: str | None = None  # the HTTP header, for its charset
    layout: Layout | None = None  # where a browser drew its elements
    is_cut: bool = False  # there was more of it than was taken
    siblings: tuple[Page, ...] = ()  # other pages of its site, for methods that compare pages
