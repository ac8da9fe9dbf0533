"""A cut piece of HTML as a page of its own: its blocks and pictures are made as those of any page."""

from __future__ import annotations

from collections.abc import Iterator

from tidings.article.body import Body, body_of
from tidings.article.places import story_places
from tidings.fields.addresses import base_of
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.decode import decode
from tidings.page.hints import Hints
from tidings.page.style_sheet import NO_STYLES, StyleSheet


class FragmentPage(Page):
    """A fragment as a page of its own, under the style sheets of the page that it was cut out of.

    What is hidden in it stays so, were it most of it: of the whole page it may be little.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        self.__dict__["style_sheet"] = styles
        self._hold(decode(fragment), base, Hints(), styles)

    def _main_part(self, hidden: Ints) -> Iterator[list[int]]:  # noqa: ARG002 (none of them is)
        return iter(())


def read(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Body:
    """The blocks and pictures of a fragment."""
    if not fragment.strip():
        return Body((), ())
    page = FragmentPage(fragment, base or None, styles)
    return body_of(page, base_of(page), page.visible, story_places(page, page.visible))
