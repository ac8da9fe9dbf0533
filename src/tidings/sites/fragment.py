"""From a cut piece of HTML to blocks and pictures.

What rules cut out is mostly plain: paragraphs, headings, lists, links, pictures, all closed in order. That is read in
one pass over its tags, with no page made of it (`plain`). Anything else goes the long way, through `Page` and
`assemble`. Both ways give the same blocks; tests hold them to that.
"""

from __future__ import annotations

from collections.abc import Iterator

from tidings.article import assemble
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.style_sheet import NO_STYLES, StyleSheet
from tidings.sites.plain import NotPlain, Pieces, plainly

__all__ = ["FragmentPage", "NotPlain", "Pieces", "plainly", "read", "thoroughly"]


class FragmentPage(Page):
    """A fragment as a page of its own, under the style sheets of the page that it was cut out of.

    What is hidden in it stays so, were it most of it: of the whole page it may be little.
    """

    def __init__(self, fragment: str, base: str | None, styles: StyleSheet) -> None:
        super().__init__(fragment, base)
        self.__dict__["style_sheet"] = styles

    def _main_part(self, hidden: Ints) -> Iterator[list[int]]:  # noqa: ARG002 (none of them is)
        return iter(())


def read(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Pieces:
    """The blocks and pictures of a fragment."""
    try:
        return plainly(fragment, base, styles)
    except NotPlain:
        return thoroughly(fragment, base, styles)


def thoroughly(fragment: str, base: str, styles: StyleSheet = NO_STYLES) -> Pieces:
    """The same by way of a page."""
    if not fragment.strip():
        return Pieces((), ())
    page = FragmentPage(fragment, base or None, styles)
    article = assemble(page, page.visible)
    return Pieces(article.blocks, article.images)
