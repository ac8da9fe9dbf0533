"""Relations of headlines, pictures and teasers on a front page by proximity on the screen (LBNEST I, II.A).

"Closer segments are considered to be more related than the ones that are relatively distant." On a rendered front page
each picture and each teaser belongs to the nearest headline on the screen, whatever their order in the source; of
several, a headline has the nearest picture and the nearest teaser.

Decided here: a headline is a link of at least four words (II.C.2.ii), one for each URL, with the longest text; a teaser
is a block of at least six words, most of them outside links; a picture is at least 40 pixels wide and high; the
distance is that of the edges of two boxes, and if these touch, that of their centres decides; segments farther than 200
pixels from all headlines are ignored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.published.layout.boxes import Boxes, boxes_of
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints
from tidings.text import FloatArray, count_words

_LINK: Final = tags.NUMBERS["a"]
_IMAGE: Final = tags.NUMBERS["img"]
_WORDS, _TEASER_WORDS, _SMALLEST = 4, 6, 40.0
_MOST: Final = 1000  # of each kind on one page
_SOURCES: Final = ("src", "data-src", "data-original", "data-lazy-src")


@dataclass(frozen=True, slots=True)
class SegmentRelation:
    """A headline of a front page with the teaser and the picture next to it."""

    headline: str
    address: str  # its URL as written in the page
    teaser: str = ""
    picture: str = ""  # the picture's URL as written in the page
    teaser_distance: float = 0.0  # pixels
    picture_distance: float = 0.0


def relations(page: Page, farthest: float = 200.0) -> tuple[SegmentRelation, ...]:
    """Return the headlines of a rendered page in source order, each with its teaser and its picture.

    Raises:
        NoLayout: no browser has rendered the page.
        BadParameter: the distance is negative.
    """
    if not farthest >= 0:
        raise BadParameter(f"farthest is {farthest}; it is a distance in pixels, 0 or more")
    boxes = boxes_of(page)
    headlines = _headlines(page, boxes)
    if not headlines:
        return ()
    headline_elements = np.array([element for element, _, _ in headlines], np.int64)
    pictures, picture_urls = _pictures(page, boxes)
    blocks = _teasers(page, boxes)
    by_picture = _nearest(boxes, headline_elements, pictures, farthest)
    by_teaser = _nearest(boxes, headline_elements, page.blocks.element[blocks], farthest)
    result = []
    for place, (_, text, address) in enumerate(headlines):
        teaser, picture = by_teaser.get(place), by_picture.get(place)
        result.append(
            SegmentRelation(
                text,
                address,
                _text(page, int(blocks[teaser[0]])) if teaser else "",
                picture_urls[picture[0]] if picture else "",
                teaser[1] if teaser else 0.0,
                picture[1] if picture else 0.0,
            )
        )
    return tuple(result)


def box_distances(boxes: Boxes, first: Ints, second: Ints) -> tuple[FloatArray, FloatArray]:
    """Return two matrices of pixels: distances between the edges of boxes (0 if they touch), and between their
    centres.
    """

    def edge_gaps(low: FloatArray, high: FloatArray) -> FloatArray:
        gap = np.maximum(low[first][:, None] - high[second][None, :], low[second][None, :] - high[first][:, None])
        return np.asarray(gap.clip(0))

    def middles(low: FloatArray, high: FloatArray) -> FloatArray:
        middle = (low + high) / 2
        return np.asarray(middle[first][:, None] - middle[second][None, :])

    edges = np.hypot(edge_gaps(boxes.left, boxes.right), edge_gaps(boxes.top, boxes.bottom))
    return edges, np.hypot(middles(boxes.left, boxes.right), middles(boxes.top, boxes.bottom))


def _nearest(boxes: Boxes, headlines: Ints, segments: Ints, farthest: float) -> dict[int, tuple[int, float]]:
    """Return for each headline the nearest segment (teaser or picture) and their distance in pixels.

    Each segment belongs only to the headline that is nearest to it.

    Args:
        boxes: the boxes of the page.
        headlines: the elements of the headlines.
        segments: the elements of the segments.
        farthest: the largest distance.
    """
    if not len(segments):
        return {}
    edges, middles = box_distances(boxes, headlines, segments)
    order = np.lexsort((middles.T, edges.T), axis=1)[:, 0]  # the headline of each segment
    nearest: dict[int, tuple[int, float, float]] = {}
    for segment, headline in enumerate(order.tolist()):
        edge, centre = float(edges[headline, segment]), float(middles[headline, segment])
        if edge <= farthest and (headline not in nearest or (edge, centre) < nearest[headline][1:]):
            nearest[headline] = segment, edge, centre
    return {headline: (segment, edge) for headline, (segment, edge, _) in nearest.items()}


def _headlines(page: Page, boxes: Boxes) -> list[tuple[int, str, str]]:
    """Return rendered links of several words: element, text, URL; one for each URL."""
    longest: dict[str, tuple[int, str, str]] = {}
    for element in np.flatnonzero((page.elements.tag == _LINK) & boxes.drawn).tolist():
        url = page.attributes(element).get("href", "").strip()
        text = " ".join(page.shown(Spans.of_elements(page, [element])).text(page).split())
        if not url or url.startswith("#") or count_words(text) < _WORDS:
            continue
        if url not in longest or len(text) > len(longest[url][1]):
            longest[url] = element, text, url
        if len(longest) == _MOST:
            break
    return sorted(longest.values())


def _pictures(page: Page, boxes: Boxes) -> tuple[Ints, list[str]]:
    wide, tall = boxes.right - boxes.left, boxes.bottom - boxes.top
    drawn = (page.elements.tag == _IMAGE) & boxes.drawn & (wide >= _SMALLEST) & (tall >= _SMALLEST)
    elements, urls = [], []
    for element in np.flatnonzero(drawn)[:_MOST].tolist():
        attributes = page.attributes(element)
        source = next(
            (
                attributes[name]
                for name in _SOURCES
                if attributes.get(name) and not attributes[name].startswith("data:")
            ),
            "",
        )
        if source:
            elements.append(element)
            urls.append(source)
    return np.array(elements, np.int64), urls


def _teasers(page: Page, boxes: Boxes) -> Ints:
    blocks = page.blocks
    is_teaser = (blocks.words >= _TEASER_WORDS) & (2 * blocks.link_words <= blocks.words) & ~blocks.hidden
    return np.flatnonzero(is_teaser & boxes.drawn[blocks.element])[:_MOST]


def _text(page: Page, block: int) -> str:
    return " ".join(page.text[page.blocks.text_start[block] : page.blocks.text_end[block]].split())
