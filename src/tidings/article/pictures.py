"""The pictures of a story.

A picture belongs to the story when it stands between the first and the last chosen text, or just before the first, and
the nearest element around it that holds text holds chosen text. So the small pictures of a box with other stories in
the middle of an article are left out, for the text of their box is. Text in figures does not count here: a
caption is not what a picture stands beside. A figure whose caption is chosen belongs to the story anyway. (LBNEST walks
down from each picture to the nearest text, captions included: `tidings.extractors.published.lbnest`.)
Icons, dots that count visits, logos and stand-ins are no pictures of a story.
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

from tidings.article.article_tables import (
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
from tidings.article.blocks import Image
from tidings.article.credits import credit_beside, credit_in, declared_pictures, with_credit
from tidings.article.lists import integer
from tidings.article.places import (
    BESIDE,
    BETWEEN,
    BOXED,
    CAPTIONED,
    LEADING,
    PAGE_ITSELF,
    PicturePlace,
    StoryPlaces,
)
from tidings.article.units import attributes_of, tag_of
from tidings.core import story_places
from tidings.fields.addresses import picture_address, usual_origin
from tidings.fields.elements_by_class import names_of
from tidings.fields.lead_image import FURNITURE_WORDS, is_furniture
from tidings.fields.memo import memoized
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, any_set
from tidings.page.hidden import GONE, VISIBILITY
from tidings.page.page import NOT_SHOWN
from tidings.page.references import unescape_attribute
from tidings.page.tag_sets import among
from tidings.text.patterns import LateWords, late_pattern

_IMAGE, _FIGURE = tags.NUMBERS["img"], tags.NUMBERS["figure"]
#: What the addresses of signs hold with which a story is sent on.
_SIGNS: Final = tuple("facebook twitter linkedin reddit pinterest whatsapp telegram mail print share".split())
_ASKED_WORDS: Final = "\n".join((*NAMES, "", *FURNITURE_WORDS, "", *_SIGNS)).encode()
#: How the core says that a picture is none, or that it has chosen its address (`core/src/picture_tags.rs`).
_NOTHING, _CHOSEN = -2, -3
_SOURCE, _PICTURE = tags.NUMBERS["source"], tags.NUMBERS["picture"]
_FADED: Final = late_pattern(r"(?<![\w-])opacity\s*:\s*[0.]+%?", re.IGNORECASE)
_ADDRESS: Final = late_pattern(r"[\s,]*+(\S++)")
_SIZE: Final = late_pattern(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]\Z")
#: Addresses of which each tells its size, as nearly all are written.
_OFFER_OF_SET: Final = r"[\s,]*+(\S++(?<!,))[ \n\t]{1,40}([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx] *+(?=,|\Z)"
_OFFER, _USUAL_SET = late_pattern(_OFFER_OF_SET), late_pattern(rf"(?:{_OFFER_OF_SET})++[\s,]*+")
#: Characters that say how large a picture is; what is longer says nothing.
_DESCRIBED: Final = 64
#: A picture of this width or height counts visits, and one of this width and height is an icon.
_DOT: Final = 2
_ICON: Final = 48
_KNOWN: Final = array("q", (*sorted(NOT_SHOWN), _SOURCE, _PICTURE, _DOT, _ICON, 0))
_KNOWN_WITH_ORIGIN: Final = array("q", (*_KNOWN[:-1], 1))
#: What stands alone with a picture in a box is its caption, if it is no longer.
_SHORT_CAPTION: Final = 300
_WRITER: Final = LateWords(*"author byline avatar profile teaser related promo recirc newsletter".split())
_GALLERY: Final = late_pattern(
    r"galler|galerie|galleria|slide-?show|slider|carr?ousel|swiper|splide|slick-|glide__|flickity|fotorama|photo-?set|"
    r"photo-?grid|image-?grid|picture-?grid|diaporama|bilderstrecke|lightbox-group|image-?(?:row|pair)|mosaic|photo-?story",
    re.IGNORECASE,
)
#: What holds whole stories, and is no gallery whatever its name.
_WHOLE: Final = tags.numbers("html body main article")
#: How far above a picture its gallery is, in elements.
_HIGHEST: Final = 10
#: Signs with which a story is sent on, and how their files are called.
_SIGN_ENDINGS: Final = (".svg", ".png")
_SHARED: Final = late_pattern(
    r"/(?:\w+[-_])?(?:facebook|twitter|linkedin|reddit|pinterest|whatsapp|telegram|e?mail|print|share)(?:[-_]\w+)?\.(?:svg|png)\Z",
    re.IGNORECASE,
)


class Picture(NamedTuple):
    """A picture on the page: the run it stands before, its figure (0 if it has none), and its own element."""

    image: Image
    run: int
    figure: int
    element: int


def pictures(page: Page, base: str, places: StoryPlaces) -> list[Picture]:
    """Return the pictures of the story whose text is chosen, each address once."""
    found = _in_story(page, places)
    if not found:  # as on many pages
        return []
    elements = page.elements
    captions = {one.figure: (one.begin, one.end) for one in found if one.begin >= 0}
    kept: dict[str, Picture] = {}
    told = declared_pictures(page)
    for place, seen in zip(found, _seen(page, [place.element for place in found], base), strict=True):
        if seen is not None and seen[0] not in kept:
            # The first picture of a figure has its caption.
            caption = _text(page, captions.pop(place.figure, None)) or _caption_beside(page, place.element)
            credit = (credit_beside(page, place.figure) if place.figure else "") or credit_in(caption)
            whole = with_credit(Image(*seen, caption, None, credit), told)
            kept[whole.src] = Picture(whole, elements.first.item(place.element), place.figure, place.element)
    return list(kept.values())


def placed_image(image: Image, place: int) -> Image:
    """Return a picture before a block. (`replace` takes several times as long.)"""
    return Image(image.src, image.alt, image.caption, place, image.credit)


def pictures_at(page: Page, elements: Ints, base: str, shown: Spans) -> list[Image]:
    """Return the pictures of some `img` elements, those that are none of a story left out; placed among the chosen
    blocks.
    """
    if not len(elements):
        return []
    starts = np.unique(page.runs.block[np.flatnonzero(shown.runs(page))])
    blocks = np.searchsorted(starts, page.runs.block[np.minimum(page.elements.first[elements], len(page.runs) - 1)])
    return [
        Image(*seen, place=place)
        for seen, place in zip(_seen(page, elements.tolist(), base), blocks.tolist(), strict=True)
        if seen is not None
    ]


class _PictureTag(NamedTuple):
    """What the start tag of a picture says, as far as it is asked for, and whether it is out of a reader's sight."""

    attributes: dict[str, str]
    is_unseen: bool | None  # None if that is not known


class _ShownPicture(NamedTuple):
    """Address and `alt` of what the start tag of a picture shows."""

    address: tuple[str, str]
    is_seen: bool  # or not known to be


def _seen(page: Page, found: list[int], base: str) -> list[tuple[str, str] | None]:
    """Return address and `alt` of what `img` elements show, None where that is none of a story, or one that nobody
    sees.
    """
    images: list[tuple[str, str] | None] = []
    asked: dict[int, int] = {}  # places of pictures, and the boxes that tell whether they are seen
    for place, (element, tag) in enumerate(zip(found, _read(page, found, base), strict=True)):
        if isinstance(tag, _PictureTag):
            image, box = _told(page, element, tag, base)
        else:
            image, box = (tag.address, 0 if tag.is_seen else element) if tag is not None else (None, 0)
        if box:
            asked[place] = box
        images.append(image)
    if asked:
        for place, is_hidden in zip(asked, page.unseen(list(asked.values())), strict=True):
            if is_hidden:
                images[place] = None
    return images


def _told(page: Page, element: int, tag: _PictureTag, base: str) -> tuple[tuple[str, str] | None, int]:
    """What a start tag shows, and the box that tells whether it is seen, where that has to be asked."""
    told, is_unseen = tag
    image = None if is_unseen and "style" not in told else picture_of(told, base, partial(_offered, page, element))
    if image is None:
        return None, 0
    if "style" in told and not LATE_NAMES.isdisjoint(told):
        # One that is faded in when it was loaded is seen.
        return None if _stays_hidden(page, element) else image, page.elements.parent.item(element)
    return None if is_unseen else image, element if is_unseen is None else 0


def _stays_hidden(page: Page, element: int) -> bool:
    """Return whether a picture that is loaded late is hidden when it was."""
    told = page.attributes(element)
    faded = told | {"style": _FADED.sub("", told["style"])}
    shown = " ".join(f'{name}="{escape(value)}"' for name, value in faded.items())
    return bool(page.ways_of([f"<img {shown}>"])[0][0] & (GONE | VISIBILITY))


def _read(page: Page, found: list[int], base: str) -> list[_PictureTag | _ShownPicture | None]:
    """What the start tags of pictures say or, where the core has told it, what they show."""
    origin = usual_origin(base)
    scanned = page.compiled
    known = _KNOWN_WITH_ORIGIN if origin and not is_furniture(origin + "/") else _KNOWN
    told = scanned.memory, article_tables().handle, scanned.sheet, array("q", found)
    numbers = story_places.read_pictures(*told, _ASKED_WORDS, known)
    source = page.cut.source
    at = 0
    tags_read: list[_PictureTag | _ShownPicture | None] = []
    for element in found:
        count = numbers[at + 1]
        if count == _NOTHING:
            tags_read.append(None)
            at += 2
            continue
        if count == _CHOSEN:
            unseen, _, is_path, start, end, first, last = numbers[at : at + 7]
            src = source[start:end].replace("&amp;", "&")
            alt = source[first:last] if first >= 0 else ""
            said = " ".join((unescape_attribute(alt) if "&" in alt else alt).split())
            tags_read.append(_ShownPicture((origin + src if is_path else src, said), unseen >= 0))
            at += 7
            continue
        is_unseen = None if numbers[at] < 0 else numbers[at] > 0
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
    """Return the pictures that belong to the story of which some runs are chosen."""
    elements = page.elements
    found = []
    for place in places.pictures:
        bits = place.place
        is_beside = bits & BESIDE > 0
        if bits & BETWEEN and not is_beside and not place.figure and place.holder > 0:
            # A box that holds a picture and its caption is as good as a figure.
            around = place.holder
            if _is_captioned_box(page, place):
                gallery = next(iter(gallery_boxes(page, place.element)), 0)
                if gallery and not page.runs.in_link[elements.first.item(gallery) : elements.last.item(gallery)].any():
                    around = gallery
                runs = elements.first.item(around), elements.last.item(around)
                while around > 0 and (elements.first.item(around), elements.last.item(around)) == runs:
                    around = elements.parent.item(around)
                is_beside = any_set(places.chosen[elements.first.item(around) : elements.last.item(around)])
        if (bits & (BETWEEN | LEADING) and is_beside) or bits & CAPTIONED:
            found.append(place)
    return found


def _is_captioned_box(page: Page, place: PicturePlace) -> bool:
    """Return whether all that a box says is the caption of a picture in it: named so, or short, no link, and in the
    story.
    """
    box = page.elements.first.item(place.holder), page.elements.last.item(place.holder)
    caption = _caption_beside(page, place.element)
    if caption:
        return caption == _text(page, box)
    # Above the story stand those who wrote it.
    if not place.place & BOXED or _WRITER(page.cut.tag(page.opened.item(place.holder))):
        return False
    return 0 < len(_text(page, box)) <= _SHORT_CAPTION


def gallery_boxes(page: Page, element: int) -> list[int]:
    """What may be the gallery of a picture, the outermost first."""
    may_be, is_nested = _gallery_words(page)
    if not (may_be or is_nested):
        return []
    found = []
    tag, parent = page.elements.tag, page.elements.parent
    at = parent.item(element)
    is_in_figure = False
    for _ in range(_HIGHEST):
        if at <= 0 or (number := tag.item(at)) in _WHOLE:
            break
        is_figure = number == _FIGURE
        if (is_figure and is_in_figure) or (at in may_be and _is_named_gallery(page, at, may_be)):
            found.append(at)
        is_in_figure |= is_figure
        at = parent.item(at)
    return found[::-1]


def _is_named_gallery(page: Page, element: int, known: dict[int, bool | None]) -> bool:
    named = known[element]
    if named is None:
        told = attributes_of(page, element)
        called = f"{tag_of(page, element)} {told.get('class', '')} {told.get('id', '')}"
        named = known[element] = _GALLERY.search(called) is not None
    return named


@memoized
def _gallery_words(page: Page) -> tuple[dict[int, bool | None], bool]:
    """Return elements whose start tags have a word of galleries, and whether a figure stands in another."""
    elements = page.elements
    may_be: dict[int, bool | None] = dict.fromkeys(page.holding(GALLERY_WORDS).tolist())
    figures = (elements.tag == _FIGURE).nonzero()[0]
    is_nested = len(figures) > 1 and bool((elements.start[figures[1:]] < elements.end[figures[:-1]]).any())
    return may_be, is_nested


def picture_of(found: dict[str, str], base: str, others: Callable[[], list[dict[str, str]]]) -> tuple[str, str] | None:
    """Return address and `alt` of what an `img` with these attributes shows, None for a dot, an icon or a stand-in.

    What the `picture` element around it offers instead is asked for when it is needed.
    """
    width, height = integer(found.get("width")), integer(found.get("height"))
    if (width is not None and width <= _DOT) or (height is not None and height <= _DOT):
        return None
    if width is not None and height is not None and width <= _ICON and height <= _ICON:
        return None
    for candidate in _candidates(found, others):
        if (
            candidate
            and "{" not in candidate  # what a script would fill in
            and (src := picture_address(candidate, base))
            and not is_furniture(src)
            and not (src[-4:].casefold() in _SIGN_ENDINGS and _SHARED.search(src))
        ):
            return src, " ".join(found.get("alt", "").split())
    return None


def _candidates(found: dict[str, str], offered: Callable[[], list[dict[str, str]]]) -> Iterator[str | None]:
    """Yield the addresses that a picture may have, the best first."""
    if not LATE_NAMES.isdisjoint(found):
        yield from (found[name] for name in LATE if name in found)
    if not SET_NAMES.isdisjoint(found):
        yield from (largest(found[name]) for name in ADDRESS_SETS if name in found)
    others = offered()
    if not others:  # as around most pictures
        yield found.get("src")
        return
    sets = [(one, one[name]) for one in others for name in ADDRESS_SETS if name in one]
    yield from (largest(addresses) for one, addresses in sets if _is_the_same(one, addresses))
    yield found.get("src")
    yield from (largest(addresses) for _, addresses in sets)


def _is_the_same(source: dict[str, str], addresses: str) -> bool:
    """Return whether what a `picture` offers is its picture in other sizes: not cut for a screen, nor in a newer
    format.
    """
    tells_sizes = " " in addresses.strip()
    return tells_sizes and "media" not in source and source.get("type", "image/jpeg") in ("image/jpeg", "image/png")


def _offered(page: Page, element: int) -> list[dict[str, str]]:
    """What the `picture` element around a picture offers instead of it."""
    elements = page.elements
    around = elements.parent.item(element)
    if elements.tag.item(around) != _PICTURE:
        return []
    return [page.attributes(inner) for inner in range(around + 1, element) if elements.tag[inner] == _SOURCE]


def _caption_beside(page: Page, element: int) -> str:
    """Return the text of the element named after captions that stands beside a picture without a figure."""
    named = _named_after_captions(page)
    if not named:
        return ""
    elements = page.elements
    around, inner = element, element + 1
    behind = min(element + NEAREST, len(elements))
    following = bisect_left(named, inner)
    if following == len(named) or named[following] >= behind:  # most pictures have none
        return ""
    for _ in range(AROUND):
        around = int(elements.parent[around])
        if around <= 0 or bool(among(elements.tag[around], PAGE_ITSELF)):
            return ""
        end = int(elements.end[around])
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
    """Return the elements in whose start tags the word stands."""
    named: list[int] = page.holding(("caption",)).tolist()
    return named


def _text(page: Page, runs: tuple[int, int] | None) -> str:
    if runs is None or runs[0] == runs[1]:
        return ""
    columns = page.runs
    hidden = columns.hidden[runs[0] : runs[1]]
    if any_set(hidden):
        if hidden.all():
            return ""
        shown = page.shown(Spans.of_runs(page, np.arange(*runs)))
        return " ".join(" ".join(page.text[start:end] for start, end in shown).split())
    return " ".join(page.text[columns.text_start[runs[0]] : columns.text_end[runs[1] - 1]].split())


def largest(srcset: str) -> str | None:
    """Return the largest picture of a `srcset` (HTML standard 4.8.4.3.9: an address may hold commas, but not end with
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
            if told := _SIZE.search(described.rstrip()):
                size = float(told[1])
        if address and size > most:
            best, most = address, size
    return best


def _size_of(offer: tuple[str, str]) -> float:
    return float(offer[1])
