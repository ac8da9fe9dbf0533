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
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from html import escape
from typing import Final, NamedTuple

import numpy as np

from tidings.article.model.blocks import Image
from tidings.article.pictures.credits import credit_beside, credit_in, declared_pictures, with_credit
from tidings.article.units.article_tables import (
    ADDRESS_SETS,
    AROUND,
    GALLERY_WORDS,
    LATE,
    LATE_NAMES,
    LONGEST_CAPTION,
    NAMES,
    NEAREST,
    SET_NAMES,
    article_tables,
)
from tidings.article.units.lists import integer
from tidings.article.units.places import (
    BESIDE,
    BETWEEN,
    BOXED,
    CAPTIONED,
    LEADING,
    PAGE_ITSELF,
    PicturePlace,
    StoryPlaces,
)
from tidings.article.units.units import attributes_of, tag_of
from tidings.core import story_places
from tidings.fields.elements.by_class import names_of
from tidings.fields.lead_image import FURNITURE_WORDS, is_furniture
from tidings.fields.memo import memoized
from tidings.fields.urls.sanitise import picture_address, usual_origin
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, any_set
from tidings.page.hidden import GONE, VISIBILITY
from tidings.page.page import NOT_SHOWN
from tidings.page.references import unescape_attribute
from tidings.page.tag_sets import among
from tidings.text.patterns import LateWords, late_pattern

_IMAGE, _FIGURE = tags.NUMBERS["img"], tags.NUMBERS["figure"]
#: Words in the file names of share icons.
_SIGNS: Final = tuple("facebook twitter linkedin reddit pinterest whatsapp telegram mail print share".split())
_ASKED_WORDS: Final = "\n".join((*NAMES, "", *FURNITURE_WORDS, "", *_SIGNS)).encode()
#: The core's codes for "not a picture" and "URL already selected" (`core/src/picture_tags.rs`).
_NOTHING, _CHOSEN = -2, -3
_SOURCE, _PICTURE = tags.NUMBERS["source"], tags.NUMBERS["picture"]
_FADED: Final = late_pattern(r"(?<![\w-])opacity\s*:\s*[0.]+%?", re.IGNORECASE)
_ADDRESS: Final = late_pattern(r"[\s,]*+(\S++)")
_SIZE: Final = late_pattern(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]\Z")
#: A `srcset` in which every URL has a size, the usual form.
_OFFER_OF_SET: Final = r"[\s,]*+(\S++(?<!,))[ \n\t]{1,40}([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx] *+(?=,|\Z)"
_OFFER, _USUAL_SET = late_pattern(_OFFER_OF_SET), late_pattern(rf"(?:{_OFFER_OF_SET})++[\s,]*+")
#: The maximum length of a size descriptor.
_DESCRIBED: Final = 64
#: A picture of at most this width or height is a tracking pixel; one of at most this width and height is an icon.
_DOT: Final = 2
_ICON: Final = 48
_KNOWN: Final = array("q", (*sorted(NOT_SHOWN), _SOURCE, _PICTURE, _DOT, _ICON, 0))
_KNOWN_WITH_ORIGIN: Final = array("q", (*_KNOWN[:-1], 1))
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
            caption = _text(page, captions.pop(place.figure, None)) or _caption_beside(page, place.element)
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


class _PictureTag(NamedTuple):
    """The relevant attributes of an `img` start tag, and whether the picture is hidden."""

    attributes: dict[str, str]
    is_unseen: bool


def _visible_sources(page: Page, elements: list[int], base: str) -> list[tuple[str, str] | None]:
    """Return URL and `alt` of each `img` element, None for hidden pictures and for icons and the like."""
    images: list[tuple[str, str] | None] = []
    boxes_to_check: dict[int, int] = {}  # places of pictures, and the elements that decide their visibility
    for place, (element, tag) in enumerate(zip(elements, _read_tags(page, elements, base), strict=True)):
        if isinstance(tag, _PictureTag):
            image, box = _source_of(page, element, tag, base)
        else:
            image, box = tag, 0
        if box:
            boxes_to_check[place] = box
        images.append(image)
    if boxes_to_check:
        for place, is_hidden in zip(boxes_to_check, page.unseen(list(boxes_to_check.values())), strict=True):
            if is_hidden:
                images[place] = None
    return images


def _source_of(page: Page, element: int, tag: _PictureTag, base: str) -> tuple[tuple[str, str] | None, int]:
    """Return URL and `alt` of a picture, and the box whose visibility has to be checked (0 if none)."""
    values, is_unseen = tag
    image = None if is_unseen and "style" not in values else picture_of(values, base, partial(_offered, page, element))
    if image is None:
        return None, 0
    if "style" in values and not LATE_NAMES.isdisjoint(values):
        # A picture that fades in when it is loaded is visible.
        return None if _stays_hidden(page, element) else image, page.elements.parent.item(element)
    return None if is_unseen else image, 0


def _stays_hidden(page: Page, element: int) -> bool:
    """Return whether a lazily loaded picture is still hidden after loading."""
    values = page.attributes(element)
    loaded = values | {"style": _FADED.sub("", values["style"])}
    markup = " ".join(f'{name}="{escape(value)}"' for name, value in loaded.items())
    return bool(page.ways_of([f"<img {markup}>"])[0][0] & (GONE | VISIBILITY))


def _read_tags(page: Page, elements: list[int], base: str) -> list[_PictureTag | tuple[str, str] | None]:
    """Return the attributes or the chosen sources of `img` elements."""
    origin = usual_origin(base)
    scanned = page.compiled
    limits = _KNOWN_WITH_ORIGIN if origin and not is_furniture(origin + "/") else _KNOWN
    arguments = scanned.memory, article_tables().handle, scanned.sheet, array("q", elements)
    numbers = story_places.read_pictures(*arguments, _ASKED_WORDS, limits)
    source = page.cut.source
    at = 0
    tags_read: list[_PictureTag | tuple[str, str] | None] = []
    for element in elements:
        count = numbers[at + 1]
        if count == _NOTHING:
            tags_read.append(None)
            at += 2
            continue
        if count == _CHOSEN:
            _, _, is_path, start, end, first, last = numbers[at : at + 7]
            src = source[start:end].replace("&amp;", "&")
            alt = source[first:last] if first >= 0 else ""
            alt_text = " ".join((unescape_attribute(alt) if "&" in alt else alt).split())
            tags_read.append((origin + src if is_path else src, alt_text))
            at += 7
            continue
        is_unseen = numbers[at] > 0
        at += 2
        if count < 0:
            tags_read.append(_PictureTag(page.attributes(element), is_unseen))
            continue
        values: dict[str, str] = {}
        for place in range(at, at + 3 * count, 3):
            value = source[numbers[place + 1] : numbers[place + 2]]
            values[NAMES[numbers[place]]] = unescape_attribute(value) if "&" in value else value
        at += 3 * count
        tags_read.append(_PictureTag(values, is_unseen))
    return tags_read


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
    caption = _caption_beside(page, place.element)
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


def picture_of(
    values: dict[str, str], base: str, offered: Callable[[], list[dict[str, str]]]
) -> tuple[str, str] | None:
    """Return URL and `alt` for the attributes of an `img`, None for a tracking pixel, icon or placeholder.

    Args:
        values: the attributes.
        base: the base URL of the page.
        offered: returns the `source` elements of the `picture` element; called only if needed.
    """
    width, height = integer(values.get("width")), integer(values.get("height"))
    if (width is not None and width <= _DOT) or (height is not None and height <= _DOT):
        return None
    if width is not None and height is not None and width <= _ICON and height <= _ICON:
        return None
    for candidate in _candidates(values, offered):
        if (
            candidate
            and "{" not in candidate  # a placeholder for a script
            and (src := picture_address(candidate, base))
            and not is_furniture(src)
            and not (src[-4:].casefold() in _SIGN_ENDINGS and _SHARED.search(src))
        ):
            return src, " ".join(values.get("alt", "").split())
    return None


def _candidates(values: dict[str, str], offered: Callable[[], list[dict[str, str]]]) -> Iterator[str | None]:
    """Yield the possible URLs of a picture, the best first. `values` are the attributes of the `img` element, and
    `offered` returns those of the `source` elements.
    """
    if not LATE_NAMES.isdisjoint(values):
        yield from (values[name] for name in LATE if name in values)
    if not SET_NAMES.isdisjoint(values):
        yield from (largest(values[name]) for name in ADDRESS_SETS if name in values)
    sources = offered()
    if not sources:  # as around most pictures
        yield values.get("src")
        return
    sets = [(source, source[name]) for source in sources for name in ADDRESS_SETS if name in source]
    yield from (largest(addresses) for source, addresses in sets if _is_the_same(source, addresses))
    yield values.get("src")
    yield from (largest(addresses) for _, addresses in sets)


def _is_the_same(source: dict[str, str], addresses: str) -> bool:
    """Return whether a `source` offers the same picture in other sizes: not cropped for a screen, nor in a newer
    format.
    """
    tells_sizes = " " in addresses.strip()
    return tells_sizes and "media" not in source and source.get("type", "image/jpeg") in ("image/jpeg", "image/png")


def _offered(page: Page, element: int) -> list[dict[str, str]]:
    """Return the `source` elements of the `picture` element around a picture."""
    elements = page.elements
    around = elements.parent.item(element)
    if elements.tag.item(around) != _PICTURE:
        return []
    return [page.attributes(inner) for inner in range(around + 1, element) if elements.tag[inner] == _SOURCE]


def _caption_beside(page: Page, element: int) -> str:
    """Return the text of the caption-like element next to a picture without a figure."""
    candidates = _named_after_captions(page)
    if not candidates:
        return ""
    elements = page.elements
    ancestor, inner = element, element + 1
    behind = min(element + NEAREST, len(elements))
    following = bisect_left(candidates, inner)
    if following == len(candidates) or candidates[following] >= behind:  # most pictures have none
        return ""
    for _ in range(AROUND):
        ancestor = int(elements.parent[ancestor])
        if ancestor <= 0 or bool(among(elements.tag[ancestor], PAGE_ITSELF)):
            return ""
        end = int(elements.end[ancestor])
        while inner < behind and elements.start[inner] < end:
            if elements.tag[inner] == _IMAGE:
                return ""
            if elements.first[inner] < elements.last[inner] and any(
                "caption" in name.lower() for name in names_of(page.cut.tag(page.opened[inner]))
            ):
                words = _text(page, (int(elements.first[inner]), int(elements.last[inner])))
                return words if len(words) <= LONGEST_CAPTION else ""
            inner += 1
    return ""


@memoized
def _named_after_captions(page: Page) -> list[int]:
    """Return the elements with "caption" in their start tags."""
    elements: list[int] = page.holding(("caption",)).tolist()
    return elements


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


def largest(srcset: str) -> str | None:
    """Return the largest picture of a `srcset` (HTML standard 4.8.4.3.9: a URL may contain commas but not end with
    one).
    """
    if _USUAL_SET.fullmatch(srcset):
        offers: list[tuple[str, str]] = _OFFER.findall(srcset)
        return max(offers, key=_size_of)[0]
    best, most, place = None, -1.0, 0
    while match := _ADDRESS.match(srcset, place):
        address, place = match[1], match.end()
        size = 1.0
        if address.endswith(","):
            address = address.rstrip(",")
        else:
            described, _, _ = srcset[place : place + _DESCRIBED].partition(",")
            place += len(described)
            if size_match := _SIZE.search(described.rstrip()):
                size = float(size_match[1])
        if address and size > most:
            best, most = address, size
    return best


def _size_of(offer: tuple[str, str]) -> float:
    return float(offer[1])
