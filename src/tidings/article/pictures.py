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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Final

import numpy as np

from tidings.article.blocks import Image
from tidings.article.credits import credit_beside, credit_in
from tidings.article.lists import integer
from tidings.fields.addresses import absolute, safe_picture
from tidings.fields.elements_by_class import names_of
from tidings.fields.lead_image import is_furniture
from tidings.page import Page, Spans, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Bools, Ints, sums
from tidings.page.flow import among, tag_set
from tidings.page.styles import GONE, VISIBILITY

_IMAGE, _FIGURE, _CAPTION = (tags.NUMBERS[name] for name in ("img", "figure", "figcaption"))
_FIGURES: Final = tag_set(frozenset((_FIGURE,)))
_PAGE_ITSELF: Final = tag_set(tags.numbers("html body") | {0})
#: Where pages put the address of a picture that is loaded late; what `src` then holds is a placeholder.
_LATE: Final = tuple(
    "data-src data-original data-lazy-src data-full-src data-lazy data-hi-res-src data-large-file data-orig-file "
    "data-src-large data-image data-image-src data-url data-echo data-defer-src data-flickity-lazyload".split()
)
_LATE_NAMES: Final = frozenset(_LATE)
_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_SOURCE, _PICTURE = tags.NUMBERS["source"], tags.NUMBERS["picture"]
_FADED: Final = re.compile(r"(?<![\w-])opacity\s*:\s*[0.]+%?", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"[\s,]*+(\S++)")
_SIZE: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)[wx]\Z")
#: Characters that say how large a picture is; what is longer says nothing.
_DESCRIBED: Final = 64
#: A picture of this width or height counts visits, and one of this width and height is an icon.
_DOT: Final = 2
_ICON: Final = 48
#: How far from a picture without a figure its caption stands, in elements, and how long it is.
AROUND: Final = 3
BESIDE: Final = 24
LONGEST_CAPTION: Final = 600
#: What stands alone with a picture in a box is its caption, if it is no longer, and so many chosen runs stand above it.
_SHORT_CAPTION, _RUNS_ABOVE = 300, 4
_WRITER: Final = re.compile(r"author|byline|avatar|profile|teaser|related|promo|recirc|newsletter", re.IGNORECASE)
#: Signs with which a story is sent on.
_SHARED: Final = re.compile(
    r"/(?:\w+[-_])?(?:facebook|twitter|linkedin|reddit|pinterest|whatsapp|telegram|e?mail|print|share)(?:[-_]\w+)?\.(?:svg|png)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture on the page: the run it stands before, and its figure (0 if it has none)."""

    image: Image
    run: int
    figure: int


def pictures(page: Page, base: str, shown: Spans) -> list[Picture]:
    """The pictures of the story whose text is chosen, each address once."""
    elements = page.elements
    found = np.flatnonzero(elements.tag == _IMAGE)
    if not len(found) or not shown:
        return []
    chosen = shown.runs(page)
    if not chosen.any():
        return []
    figures = page.nearest(_FIGURES)
    captions = _captions(page, figures)
    found = found[_in_story(page, found, figures, chosen, captions)]
    if not len(found):
        return []
    figure = figures[found].tolist()
    shown_pictures = _seen(page, found, base)
    kept: dict[str, Picture] = {}
    for place, element in enumerate(found.tolist()):
        image = shown_pictures[place]
        if image is not None and image.src not in kept:
            # The first picture of a figure has its caption.
            caption = _text(page, captions.pop(figure[place], None)) or _caption_beside(page, element)
            credit = (credit_beside(page, figure[place]) if figure[place] else "") or credit_in(caption)
            image = Image(image.src, image.alt, caption, credit=credit)
            kept[image.src] = Picture(image, elements.first.item(element), figure[place])
    return list(kept.values())


def pictures_at(page: Page, elements: Ints, base: str, shown: Spans) -> list[Image]:
    """The pictures of some `img` elements, those that are none of a story left out; placed among the chosen blocks."""
    if not len(elements):
        return []
    starts = np.unique(page.runs.block[np.flatnonzero(shown.runs(page))])
    blocks = np.searchsorted(starts, page.runs.block[np.minimum(page.elements.first[elements], len(page.runs) - 1)])
    return [
        Image(image.src, image.alt, image.caption, place)
        for image, place in zip(_seen(page, elements, base), blocks.tolist(), strict=True)
        if image is not None
    ]


def _seen(page: Page, found: Ints, base: str) -> list[Image | None]:
    """The pictures that `img` elements show, None where that is none of a story, or one that nobody sees."""
    parent = page.elements.parent
    told = [attributes(tag) for tag in page.cut.tags(page.opened[found])]
    images: list[Image | None] = []
    asked: list[int] = []
    for element, attribute in zip(found.tolist(), told, strict=True):
        box = element
        image = picture_of(attribute, base, partial(_offered, page, element))
        if image is not None and "style" in attribute and not _LATE_NAMES.isdisjoint(attribute):
            # One that is faded in when it was loaded is seen.
            faded = attribute | {"style": _FADED.sub("", attribute["style"])}
            shown = " ".join(f'{name}="{escape(value)}"' for name, value in faded.items())
            if page.ways_of([f"<img {shown}>"])[0][0] & (GONE | VISIBILITY):
                image = None
            box = parent.item(element)
        images.append(image)
        if image is not None:
            asked.append(box)
    unseen = iter(page.unseen(asked))
    return [None if image is None or next(unseen) else image for image in images]


def _in_story(page: Page, found: Ints, figures: Ints, chosen: Bools, captions: dict[int, tuple[int, int]]) -> Bools:
    elements = page.elements
    runs = np.flatnonzero(chosen)
    first, last = int(runs[0]), int(runs[-1])
    before = sums(chosen)
    figure = figures[found]
    in_figure = figures[page.runs.element] > 0
    holder = _nearest_with_text(page, sums(~in_figure))[elements.parent[np.where(figure > 0, figure, found)]]
    beside_chosen = before[elements.last[holder]] > before[elements.first[holder]]
    # Where the text goes on behind the picture: behind its figure, if it is in one.
    behind = np.where(figure > 0, elements.last[figure], elements.first[found])
    between = (elements.first[found] > first) & (elements.first[found] <= last)
    for place in np.flatnonzero(between & ~beside_chosen & (figure == 0)).tolist():
        # A box that holds a picture and its caption is as good as a figure.
        box = holder.item(place)
        if box > 0 and _is_captioned_box(page, found.item(place), box, before):
            around = elements.parent.item(box)
            while (
                around > 0
                and elements.first.item(around) == elements.first.item(box)
                and elements.last.item(around) == elements.last.item(box)
            ):
                around = elements.parent.item(around)
            beside_chosen[place] = before[elements.last.item(around)] > before[elements.first.item(around)]
    seen = sums(~(in_figure | page.runs.hidden))
    leading = (behind <= first) & (seen[behind] == seen[first]) & ~among(elements.tag[holder], _PAGE_ITSELF)
    captioned = np.zeros(len(found), np.bool_)
    for place in np.flatnonzero(figure > 0).tolist():
        begin, end = captions.get(int(figure[place]), (0, 0))
        captioned[place] = before[end] > before[begin]
    return np.asarray(((between | leading) & beside_chosen) | captioned)


def _is_captioned_box(page: Page, picture: int, box: int, chosen_before: Ints) -> bool:
    """Whether all that a box says is the caption of a picture in it: named so, or short, no link, and in the story."""
    first, last = page.elements.first.item(box), page.elements.last.item(box)
    size = page.runs.text_end.item(last - 1) - page.runs.text_start.item(first)
    if size > LONGEST_CAPTION:
        return False
    said = _text(page, (first, last))
    if not said:
        return False
    caption = _caption_beside(page, picture)
    if caption:
        return caption == said
    is_short = len(said) <= _SHORT_CAPTION and not page.runs.in_link[first:last].any()
    # Above the story stand those who wrote it.
    return is_short and chosen_before.item(first) >= _RUNS_ABOVE and not _WRITER.search(page.cut.tag(page.opened[box]))


def _nearest_with_text(page: Page, text_before: Ints) -> Ints:
    """For each element itself or the nearest element around it that holds text, told by counts before each run."""
    elements = page.elements
    return page.nearest_of(text_before[elements.last] > text_before[elements.first])


def _captions(page: Page, figures: Ints) -> dict[int, tuple[int, int]]:
    """For each figure the runs of its first caption."""
    elements = page.elements
    found = np.flatnonzero(elements.tag == _CAPTION)
    captions: dict[int, tuple[int, int]] = {}
    for caption, figure in zip(found.tolist(), figures[found].tolist(), strict=True):
        if figure:
            captions.setdefault(figure, (int(elements.first[caption]), int(elements.last[caption])))
    return captions


def picture_of(found: dict[str, str], base: str, offered: Callable[[], list[dict[str, str]]]) -> Image | None:
    """The picture that an `img` with these attributes shows, None for a dot, an icon or a stand-in.

    `offered` gives the attributes of the `source` elements that a `picture` around it has.
    """
    sizes = [size for side in ("width", "height") if (size := integer(found.get(side))) is not None]
    if any(size <= _DOT for size in sizes) or (len(sizes) > 1 and max(sizes) <= _ICON):
        return None
    for candidate in _candidates(found, offered):
        if (
            candidate
            and "{" not in candidate  # what a script would fill in
            and (src := safe_picture(absolute(candidate, base)))
            and not is_furniture(src)
            and not _SHARED.search(src)
        ):
            return Image(src, " ".join(found.get("alt", "").split()))
    return None


def _candidates(found: dict[str, str], offered: Callable[[], list[dict[str, str]]]) -> Iterator[str | None]:
    """The addresses that a picture may have, the best first."""
    if not _LATE_NAMES.isdisjoint(found):
        yield from (found[name] for name in _LATE if name in found)
    yield from (largest(found[name]) for name in _SETS if name in found)
    yield found.get("src")
    yield from (largest(one[name]) for one in offered() for name in _SETS if name in one)


def _offered(page: Page, element: int) -> list[dict[str, str]]:
    """What the `picture` element around a picture offers instead of it."""
    elements = page.elements
    around = int(elements.parent[element])
    if elements.tag[around] != _PICTURE:
        return []
    return [page.attributes(inner) for inner in range(around + 1, element) if elements.tag[inner] == _SOURCE]


def _caption_beside(page: Page, element: int) -> str:
    """The text of the element named after captions that stands beside a picture without a figure."""
    elements = page.elements
    around, inner = element, element + 1
    behind = min(element + BESIDE, len(elements))
    following = page.cut.tags(page.opened[inner:behind])
    if "caption" not in "".join(following).lower():  # most pictures have none
        return ""
    for _ in range(AROUND):
        around = int(elements.parent[around])
        if around <= 0 or bool(among(elements.tag[around], _PAGE_ITSELF)):
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


def _text(page: Page, runs: tuple[int, int] | None) -> str:
    if runs is None or runs[0] == runs[1]:
        return ""
    columns = page.runs
    if columns.hidden[runs[0] : runs[1]].any():
        shown = page.shown(Spans.of_runs(page, np.arange(*runs)))
        return " ".join(" ".join(page.text[start:end] for start, end in shown).split())
    return " ".join(page.text[columns.text_start[runs[0]] : columns.text_end[runs[1] - 1]].split())


def largest(srcset: str) -> str | None:
    """The largest picture of a `srcset` (HTML standard 4.8.4.3.9: an address may hold commas, but not end with one)."""
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
