"""The pictures of a fragment as the compiled core tells of them with a cut: those that its page has.

Of a fragment all that is seen is the story, so most is told by where a picture stands; for the rest a page is asked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tidings.article import Image
from tidings.article.article_tables import LATE_NAMES, LONGEST_CAPTION, NAMES
from tidings.article.credits import credit_in
from tidings.article.pictures import Picture, picture_of
from tidings.fields.elements_by_class import names_of
from tidings.page.references import unescape_attribute

#: Numbers of a picture before those of its attributes (`core/src/fragment_pictures.rs`).
_HEAD: Final = 7


class PictureRow(NamedTuple):
    """Where a picture stands, and what its start tag says."""

    run: int
    figure: int
    is_unseen: int
    tag: str  # the start tag of an element beside it that may be its caption
    beside: str  # what that says
    attributes: dict[str, str]


def told_pictures(numbers: list[int], said: str, start: int, count: int, base: str) -> list[Picture] | None:
    """Return the pictures, each address once; None if a page has to be asked for them.

    What the numbers tell the ends of is in `said` from `start` on.
    """
    rows, captions = _rows(numbers, said, start, count)
    kept: dict[str, Picture] = {}
    for row in rows:
        told = row.attributes
        if "style" in told and not LATE_NAMES.isdisjoint(told):  # it may be faded in
            return None
        shown = None if row.is_unseen else picture_of(told, base, list)
        if shown is not None and shown[0] not in kept:
            caption = captions.pop(row.figure, "")  # the first picture of a figure has it
            if not caption and row.tag:
                if not any("caption" in name.lower() for name in names_of(row.tag)):
                    return None  # one behind it may be named so
                caption = row.beside if len(row.beside) <= LONGEST_CAPTION else ""
            image = Image(*shown, caption, None, credit_in(caption))
            kept[image.src] = Picture(image, row.run, row.figure, 0)
    return list(kept.values())


def _rows(numbers: list[int], said: str, start: int, count: int) -> tuple[list[PictureRow], dict[int, str]]:
    """Return the rows of the core, and the captions of figures."""
    place, at = start, 0
    captions: dict[int, str] = {}
    rows = []
    for _ in range(count):
        run, figure, is_unseen, caption, tag, beside, attributes = numbers[at : at + _HEAD]
        at += _HEAD
        if caption >= 0:
            captions[figure] = said[place : start + caption]
            place = start + caption
        named = text = ""
        if tag >= 0:
            named, text = said[place : start + tag], said[start + tag : start + beside]
            place = start + beside
        told: dict[str, str] = {}
        for one in range(at, at + 2 * attributes, 2):
            value = said[place : start + numbers[one + 1]]
            told[NAMES[numbers[one]]] = unescape_attribute(value) if "&" in value else value
            place = start + numbers[one + 1]
        at += 2 * attributes
        rows.append(PictureRow(run, figure, is_unseen, named, text, told))
    return rows, captions
