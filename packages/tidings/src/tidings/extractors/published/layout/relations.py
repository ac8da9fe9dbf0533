"""Which headline, picture and teaser belong together: those that are drawn next to each other (LBNEST I, II.A).

"Closer segments are considered to be more related than the ones that are relatively distant." On a front page that a
browser has drawn, each picture and each teaser belongs to the headline that is nearest on the screen, whatever the
order of the source says; of several, a headline has the nearest picture and the nearest teaser.

Decided here: a headline is a link of four words or more (II.C.2.ii), each address once, by its longest text; a teaser
is a block of six words or more, most of them in no link; a picture is at least 40 pixels wide and high; the distance is
that of the edges of two boxes, and where these touch the one whose middle is nearer counts; what is farther than 200
pixels belongs to nobody.
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
    """A headline of a front page, and what stands next to it."""

    headline: str
    address: str  # as the page writes it
    teaser: str = ""
    picture: str = ""  # the address of it, as the page writes it
    teaser_distance: float = 0.0  # pixels
    picture_distance: float = 0.0


def relations(page: Page, farthest: float = 200.0) -> tuple[SegmentRelation, ...]:
    """Return the headlines of a drawn page in the order of the source, each with its teaser and its picture.

    Raises:
        NoLayout: no browser has drawn it.
        BadParameter: the distance is negative.
    """
    if not farthest >= 0:
        raise BadParameter(f"farthest is {farthest}; it is a distance in pixels, 0 or more")
    boxes = boxes_of(page)
    headlines = _headlines(page, boxes)
    if not headlines:
        return ()
    of = np.array([element for element, _, _ in headlines], np.int64)
    pictures, addresses = _pictures(page, boxes)
    blocks = _teasers(page, boxes)
    by_picture = _nearest(boxes, of, pictures, farthest)
    by_teaser = _nearest(boxes, of, page.blocks.element[blocks], farthest)
    found = []
    for place, (_, text, address) in enumerate(headlines):
        teaser, picture = by_teaser.get(place), by_picture.get(place)
        found.append(
            SegmentRelation(
                text,
                address,
                _text(page, int(blocks[teaser[0]])) if teaser else "",
                addresses[picture[0]] if picture else "",
                teaser[1] if teaser else 0.0,
                picture[1] if picture else 0.0,
            )
        )
    return tuple(found)


def box_distances(boxes: Boxes, some: Ints, others: Ints) -> tuple[FloatArray, FloatArray]:
    """Return pixels between the edges of each two boxes, 0 where they touch or overlap; and between their middles."""

    def apart(low: FloatArray, high: FloatArray) -> FloatArray:
        gap = np.maximum(low[some][:, None] - high[others][None, :], low[others][None, :] - high[some][:, None])
        return np.asarray(gap.clip(0))

    def middles(low: FloatArray, high: FloatArray) -> FloatArray:
        middle = (low + high) / 2
        return np.asarray(middle[some][:, None] - middle[others][None, :])

    edges = np.hypot(apart(boxes.left, boxes.right), apart(boxes.top, boxes.bottom))
    return edges, np.hypot(middles(boxes.left, boxes.right), middles(boxes.top, boxes.bottom))


def _nearest(boxes: Boxes, headlines: Ints, segments: Ints, farthest: float) -> dict[int, tuple[int, float]]:
    """For each headline its segment, and how far that is: a segment goes to the headline that is nearest to it."""
    if not len(segments):
        return {}
    edges, middles = box_distances(boxes, headlines, segments)
    order = np.lexsort((middles.T, edges.T), axis=1)[:, 0]  # of each segment its headline
    found: dict[int, tuple[int, float, float]] = {}
    for segment, headline in enumerate(order.tolist()):
        far, middle = float(edges[headline, segment]), float(middles[headline, segment])
        if far <= farthest and (headline not in found or (far, middle) < found[headline][1:]):
            found[headline] = segment, far, middle
    return {headline: (segment, far) for headline, (segment, far, _) in found.items()}


def _headlines(page: Page, boxes: Boxes) -> list[tuple[int, str, str]]:
    """Return links of several words that are drawn: element, text, address; each address once."""
    longest: dict[str, tuple[int, str, str]] = {}
    for element in np.flatnonzero((page.elements.tag == _LINK) & boxes.drawn).tolist():
        address = page.attributes(element).get("href", "").strip()
        text = " ".join(page.shown(Spans.of_elements(page, [element])).text(page).split())
        if not address or address.startswith("#") or count_words(text) < _WORDS:
            continue
        if address not in longest or len(text) > len(longest[address][1]):
            longest[address] = element, text, address
        if len(longest) == _MOST:
            break
    return sorted(longest.values())


def _pictures(page: Page, boxes: Boxes) -> tuple[Ints, list[str]]:
    wide, tall = boxes.right - boxes.left, boxes.bottom - boxes.top
    drawn = (page.elements.tag == _IMAGE) & boxes.drawn & (wide >= _SMALLEST) & (tall >= _SMALLEST)
    kept, addresses = [], []
    for element in np.flatnonzero(drawn)[:_MOST].tolist():
        told = page.attributes(element)
        source = next((told[name] for name in _SOURCES if told.get(name) and not told[name].startswith("data:")), "")
        if source:
            kept.append(element)
            addresses.append(source)
    return np.array(kept, np.int64), addresses


def _teasers(page: Page, boxes: Boxes) -> Ints:
    blocks = page.blocks
    able = (blocks.words >= _TEASER_WORDS) & (2 * blocks.link_words <= blocks.words) & ~blocks.hidden
    return np.flatnonzero(able & boxes.drawn[blocks.element])[:_MOST]


def _text(page: Page, block: int) -> str:
    return " ".join(page.text[page.blocks.text_start[block] : page.blocks.text_end[block]].split())
