"""The pictures of an HTML fragment, from what the core reports while cutting.

All visible content of a fragment belongs to the article, so most decisions depend on the position of a picture alone.
For the rest a page is built.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tidings.article import Image
from tidings.article.pictures.credits import credit_in
from tidings.article.pictures.select import Picture, picture_of
from tidings.article.units.article_tables import LATE_NAMES, LONGEST_CAPTION, NAMES
from tidings.fields.elements.by_class import names_of
from tidings.page.references import unescape_attribute

#: Numbers per picture, before those of its attributes (`core/src/fragment_pictures.rs`).
_HEAD: Final = 7


class PictureRow(NamedTuple):
    """The position and attributes of a picture in a fragment."""

    run: int
    figure: int
    is_unseen: int
    tag: str  # start tag of a neighbouring element that may be its caption
    neighbour_text: str  # text of that element
    attributes: dict[str, str]


def read_pictures(numbers: list[int], source: str, start: int, count: int, base: str) -> list[Picture] | None:
    """Return the pictures with distinct URLs; None if they can only be read by parsing the fragment as a page.

    The numbers are offsets of ends in `source`, counted from `start`.
    """
    rows, captions = _rows(numbers, source, start, count)
    by_url: dict[str, Picture] = {}
    for row in rows:
        attributes = row.attributes
        if "style" in attributes and not LATE_NAMES.isdisjoint(attributes):  # it may fade in
            return None
        visible = None if row.is_unseen else picture_of(attributes, base, list)
        if visible is not None and visible[0] not in by_url:
            caption = captions.pop(row.figure, "")  # the caption belongs to the first picture of a figure
            if not caption and row.tag:
                if not any("caption" in name.lower() for name in names_of(row.tag)):
                    return None  # a later sibling may be the caption
                caption = row.neighbour_text if len(row.neighbour_text) <= LONGEST_CAPTION else ""
            image = Image(*visible, caption, None, credit_in(caption))
            by_url[image.src] = Picture(image, row.run, row.figure, 0)
    return list(by_url.values())


def _rows(numbers: list[int], source: str, start: int, count: int) -> tuple[list[PictureRow], dict[int, str]]:
    """Return the pictures that the core reported, and the captions of figures."""
    place, at = start, 0
    captions: dict[int, str] = {}
    rows = []
    for _ in range(count):
        run, figure, is_unseen, caption, tag, neighbour_end, attributes = numbers[at : at + _HEAD]
        at += _HEAD
        if caption >= 0:
            captions[figure] = source[place : start + caption]
            place = start + caption
        named = text = ""
        if tag >= 0:
            named, text = source[place : start + tag], source[start + tag : start + neighbour_end]
            place = start + neighbour_end
        attribute_values: dict[str, str] = {}
        for index in range(at, at + 2 * attributes, 2):
            value = source[place : start + numbers[index + 1]]
            attribute_values[NAMES[numbers[index]]] = unescape_attribute(value) if "&" in value else value
            place = start + numbers[index + 1]
        at += 2 * attributes
        rows.append(PictureRow(run, figure, is_unseen, named, text, attribute_values))
    return rows, captions
