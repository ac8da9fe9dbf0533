"""An article that is told on several pages, put together: its blocks in the order of its pages, each text once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tidings.addresses import site_of
from tidings.article import Article
from tidings.sources import canonical, key


def joined(parts: Sequence[Article]) -> Article:
    """The article of all parts. Fields are those of the first page; what a page repeats of those before is left out."""
    first = parts[0]
    if len(parts) == 1:
        return first
    seen = {block.text for block in first.blocks if block.text}
    blocks = list(first.blocks)
    images = list(first.images)
    comments = list(first.comments)
    for part in parts[1:]:
        for block in part.blocks:
            if not block.text or block.text not in seen:
                blocks.append(block)
            if block.text:
                seen.add(block.text)
        images += [image for image in part.images if image not in images]
        comments += [comment for comment in part.comments if comment not in comments]
    return replace(
        first,
        blocks=tuple(blocks),
        images=tuple(images),
        comments=tuple(comments),
        next_page="",
        provenance={**first.provenance, "pages": str(len(parts))},
    )


def further_page(parts: Sequence[Article], seen: Sequence[str], most: int) -> str:
    """Where the article goes on; empty where it ends, where it may go no further, or where it would leave its site."""
    address = canonical(parts[-1].next_page)
    if address is None or len(parts) >= most or site_of(address) != site_of(seen[0]):
        return ""
    return "" if key(address) in {key(canonical(one) or one) for one in seen} else address


def whole_page(article: Article, seen: Sequence[str]) -> str:
    """Where all of the article stands on one page, if that is another page of its site."""
    address = canonical(article.single_page)
    if address is None or not article.next_page or site_of(address) != site_of(seen[0]):
        return ""
    return "" if key(address) in {key(canonical(one) or one) for one in seen} else address
