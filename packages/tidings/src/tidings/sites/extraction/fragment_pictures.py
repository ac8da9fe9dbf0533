"""The pictures of an HTML fragment, from what the core reports while cutting.

All visible content of a fragment belongs to the article, so most decisions depend on the position of a picture alone.
For the rest a page is built.
"""

from __future__ import annotations

from typing import Final

from tidings.article import Image
from tidings.article.pictures.credits import credit_in
from tidings.article.pictures.select import Picture, source_of
from tidings.article.units.article_tables import LONGEST_CAPTION
from tidings.core.story_places import picture_tag

#: Numbers per picture before those of its tag (`core/src/pictures/fragment.rs`).
_HEAD: Final = 4


def read_pictures(numbers: list[int], source: str, count: int, base: str) -> list[Picture]:
    """Return the pictures with distinct URLs. The numbers contain the ends of texts in `source`."""
    by_url: dict[str, Picture] = {}
    captioned: set[int] = set()
    start = at = 0
    for _ in range(count):
        run, figure, *ends = numbers[at : at + _HEAD]
        captions = []
        for end in ends:
            captions.append(source[start : max(start, end)])
            start = max(start, end)
        at += _HEAD
        tag = picture_tag(numbers, source, at, start)
        at += 2 + numbers[at]
        start = numbers[at - 1]
        visible = source_of(tag, base)
        if visible is None or visible[0] in by_url:
            continue
        caption, neighbour = captions
        if figure in captioned:  # the caption belongs to the first picture of a figure
            caption = ""
        captioned.add(figure)
        caption = caption or (neighbour if len(neighbour) <= LONGEST_CAPTION else "")
        by_url[visible[0]] = Picture(Image(*visible, caption, None, credit_in(caption)), run, figure, 0)
    return list(by_url.values())
