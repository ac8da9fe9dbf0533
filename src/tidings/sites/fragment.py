"""From a cut piece of HTML to blocks and pictures.

What rules cut out is mostly plain: paragraphs, headings, lists, links, pictures, all closed in order. That is read in
one pass over its tags, with no page made of it (`plain`). Anything else goes the long way, through `Page` and
`assemble`. Both ways give the same blocks; tests hold them to that.
"""

from __future__ import annotations

from tidings.article import assemble
from tidings.page import Page
from tidings.sites.plain import NotPlain, Pieces, plainly

__all__ = ["NotPlain", "Pieces", "plainly", "read", "thoroughly"]


def read(fragment: str, base: str) -> Pieces:
    """The blocks and pictures of a fragment."""
    try:
        return plainly(fragment, base)
    except NotPlain:
        return thoroughly(fragment, base)


def thoroughly(fragment: str, base: str) -> Pieces:
    """The same by way of a page."""
    if not fragment.strip():
        return Pieces((), ())
    page = Page(fragment, base or None)
    article = assemble(page, page.visible)
    return Pieces(article.blocks, article.images)
