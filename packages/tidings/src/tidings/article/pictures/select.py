"""Select the pictures of a story.

A picture belongs to the story if it is between the first and the last selected run or just before the first, and if its
nearest ancestor with text has selected text. So the thumbnails of a teaser box in the middle of an article are left
out, because the text of the box is not selected. Captions do not count as text here. A figure with a selected caption
always belongs to the story. (LBNEST walks down from each picture to the nearest text, captions included: see
`tidings.extractors.published.lbnest_images`.) Icons, tracking pixels, logos and placeholders are never pictures of a
story.
"""

from __future__ import annotations

import re
from array import array
from typing import Final, NamedTuple

import numpy as np

from tidings.article.model.blocks import Image
from tidings.article.pictures.credits import credit_beside, credit_in, declared_pictures, with_credit
from tidings.article.units.article_tables import (
    GALLERY_WORDS,
    LONGEST_CAPTION,
    article_tables,
)
from tidings.article.units.places import (
    BESIDE,
    BETWEEN,
    BOXED,
    CAPTIONED,
    LEADING,
    PicturePlace,
    StoryPlaces,
)
from tidings.article.units.units import attributes_of, tag_of
from tidings.core import story_places
from tidings.core.story_places import PictureTag
from tidings.fields.lead_image import is_furniture
from tidings.fields.memo import memoized
from tidings.fields.urls.sanitise import picture_address
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, any_set
from tidings.text.patterns import LateWords, late_pattern

_FIGURE = tags.NUMBERS["figure"]
#: The maximum length of text that is a caption because it is alone with a picture in a box.
_SHORT_CAPTION: Final = 300
_WRITER: Final = LateWords(*"author byline avatar profile teaser related promo recirc newsletter".split())
_GALLERY: Final = late_pattern(
    r"galler|galerie|galleria|slide-?show|slider|carr?ousel|swiper|splide|slick-|glide__|flickity|fotorama|photo-?set|"
    r"photo-?grid|image-?grid|picture-?grid|diaporama|bilderstrecke|lightbox-group|image-?(?:row|pair)|mosaic|photo-?story",
    re.IGNORECASE,
)
#: Elements that hold whole stories and are never galleries.
_WHOLE: Final = tags.numbers("html body main article")
#: The maximum distance between a picture and its gallery, in ancestors.
_HIGHEST: Final = 10
#: File types and names of share icons.
_SIGN_ENDINGS: Final = (".svg", ".png")
_SHARED: Final = late_pattern(
    r"/(?:\w+[-_])?(?:facebook|twitter|linkedin|reddit|pinterest|whatsapp|telegram|e?mail|print|share)(?:[-_]\w+)?\.(?:svg|png)\Z",
    re.IGNORECASE,
)


class Picture(NamedTuple):
    """A picture on the page: the run that follows it, its figure (0 if none), and its element."""

    image: Image
    run: int
    figure: int
    element: int


def pictures(page: Page, base: str, places: StoryPlaces) -> list[Picture]:
    """Return the pictures that belong to the article, with distinct URLs, in document order. `places` are their
    positions relative to the article's text.
    """
    candidates = _in_story(page, places)
    if not candidates:  # as on many pages
        return []
    elements = page.elements
    captions = {candidate.figure: (candidate.begin, candidate.end) for candidate in candidates if candidate.begin >= 0}
    by_url: dict[str, Picture] = {}
    declared = declared_pictures(page)
    for place, source in zip(
        candidates, _visible_sources(page, [place.element for place in candidates], base), strict=True
    ):
        if source is not None and source[0] not in by_url:
            # The first picture of a figure has its caption.
            caption = _text(page, captions.pop(place.figure, None)) or _neighbour_caption(page, place)
            credit = (credit_beside(page, place.figure) if place.figure else "") or credit_in(caption)
            whole = with_credit(Image(*source, caption, None, credit), declared)
            by_url[whole.src] = Picture(whole, elements.first.item(place.element), place.figure, place.element)
    return list(by_url.values())


def placed_image(image: Image, place: int) -> Image:
    """Return a picture with its block position, several times faster than `dataclasses.replace`."""
    return Image(image.src, image.alt, image.caption, place, image.credit)


def pictures_at(page: Page, elements: Ints, base: str, visible: Spans) -> list[Image]:
    """Return the pictures of some `img` elements, positioned among the selected blocks, without icons and the like."""
    if not len(elements):
        return []
    starts = np.unique(page.runs.block[np.flatnonzero(visible.runs(page))])
    blocks = np.searchsorted(starts, page.runs.block[np.minimum(page.elements.first[elements], len(page.runs) - 1)])
    return [
        Image(*source, place=place)
        for source, place in zip(_visible_sources(page, elements.tolist(), base), blocks.tolist(), strict=True)
        if source is not None
    ]


def _visible_sources(page: Page, elements: list[int], base: str) -> list[tuple[str, str] | None]:
    """Return URL and `alt` of each `img` element, None for hidden pictures and for icons and the like."""
    scanned = page.compiled
    arguments = scanned.memory, article_tables().handle, scanned.sheet, array("q", elements)
    return [source_of(tag, base) if tag is not None else None for tag in story_places.read_pictures(*arguments)]


def source_of(tag: PictureTag, base: str) -> tuple[str, str] | None:
    """Return the best URL and the `alt` of a picture, None for a logo, placeholder or share icon.

    Args:
        tag: the possible URLs and the `alt`.
        base: the base URL of the page.
    """
    for url in tag.urls:
        src = picture_address(url, base)
        if src and not is_furniture(src) and not (src[-4:].casefold() in _SIGN_ENDINGS and _SHARED.search(src)):
            return src, " ".join(tag.alt.split())
    return None


def _in_story(page: Page, places: StoryPlaces) -> list[PicturePlace]:
    """Return which pictures belong to the story, by their position among the selected runs of text."""
    elements = page.elements
    located = []
    for place in places.pictures:
        bits = place.place
        is_beside = bits & BESIDE > 0
        if bits & BETWEEN and not is_beside and not place.figure and place.holder > 0:
            # A box with a picture and its caption is treated as a figure.
            box = place.holder
            if _is_captioned_box(page, place):
                gallery = next(iter(gallery_boxes(page, place.element)), 0)
                if gallery and not page.runs.in_link[elements.first.item(gallery) : elements.last.item(gallery)].any():
                    box = gallery
                runs = elements.first.item(box), elements.last.item(box)
                while box > 0 and (elements.first.item(box), elements.last.item(box)) == runs:
                    box = elements.parent.item(box)
                is_beside = any_set(places.chosen[elements.first.item(box) : elements.last.item(box)])
        if (bits & (BETWEEN | LEADING) and is_beside) or bits & CAPTIONED:
            located.append(place)
    return located


def _is_captioned_box(page: Page, place: PicturePlace) -> bool:
    """Return whether the text of a box is the caption of its picture: named as one, or short, without links, in the
    story.
    """
    box = page.elements.first.item(place.holder), page.elements.last.item(place.holder)
    caption = _neighbour_caption(page, place)
    if caption:
        return caption == _text(page, box)
    # A picture above the story with a short text is often the author's.
    if not place.place & BOXED or _WRITER(page.cut.tag(page.opened.item(place.holder))):
        return False
    return 0 < len(_text(page, box)) <= _SHORT_CAPTION


def gallery_boxes(page: Page, element: int) -> list[int]:
    """Return the elements around a picture that may be a gallery, by their class names or nested figures, outermost
    first.
    """
    may_be, is_nested = _gallery_words(page)
    if not (may_be or is_nested):
        return []
    boxes = []
    tag, parent = page.elements.tag, page.elements.parent
    element_at = parent.item(element)
    is_in_figure = False
    for _ in range(_HIGHEST):
        if element_at <= 0 or (number := tag.item(element_at)) in _WHOLE:
            break
        is_figure = number == _FIGURE
        if (is_figure and is_in_figure) or (element_at in may_be and _is_named_gallery(page, element_at, may_be)):
            boxes.append(element_at)
        is_in_figure |= is_figure
        element_at = parent.item(element_at)
    return boxes[::-1]


def _is_named_gallery(page: Page, element: int, cache: dict[int, bool | None]) -> bool:
    is_gallery = cache[element]
    if is_gallery is None:
        values = attributes_of(page, element)
        description = f"{tag_of(page, element)} {values.get('class', '')} {values.get('id', '')}"
        is_gallery = cache[element] = _GALLERY.search(description) is not None
    return is_gallery


@memoized
def _gallery_words(page: Page) -> tuple[dict[int, bool | None], bool]:
    """Return the elements with gallery words in their start tags, and whether a figure is nested in another."""
    elements = page.elements
    may_be: dict[int, bool | None] = dict.fromkeys(page.holding(GALLERY_WORDS).tolist())
    figures = (elements.tag == _FIGURE).nonzero()[0]
    is_nested = len(figures) > 1 and bool((elements.start[figures[1:]] < elements.end[figures[:-1]]).any())
    return may_be, is_nested


def _neighbour_caption(page: Page, place: PicturePlace) -> str:
    """Return the text of the caption-like element next to a picture without a figure."""
    if place.neighbour_begin < 0:  # the common case
        return ""
    words = _text(page, (place.neighbour_begin, place.neighbour_end))
    return words if len(words) <= LONGEST_CAPTION else ""


def _text(page: Page, runs: tuple[int, int] | None) -> str:
    if runs is None or runs[0] == runs[1]:
        return ""
    columns = page.runs
    hidden = columns.hidden[runs[0] : runs[1]]
    if any_set(hidden):
        if hidden.all():
            return ""
        visible = page.shown(Spans.of_runs(page, np.arange(*runs)))
        return " ".join(" ".join(page.text[start:end] for start, end in visible).split())
    return " ".join(page.text[columns.text_start[runs[0]] : columns.text_end[runs[1] - 1]].split())
