"""Pages with boxes for tests: written by hand, or as a browser without styles would draw them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tidings.page import Hints, Page
from tidings.page.layout import Layout, Style

_LETTER, _LINE, _WIDTH = 8.0, 20.0, 1000.0


def by_hand(source: str, width: float = 1000, height: float = 2000) -> Page:
    """A page whose elements say their boxes: `<p box="left top width height" type="size weight" back="colour">`.

    An element with text of its own is full of it; `display` is block unless it is said.
    """
    page = Page(source)
    rows, styles = [], []
    with_text = set(page.runs.element.tolist())
    for element in range(1, len(page.elements)):
        told = page.attributes(element)
        if "box" not in told:
            continue
        left, top, wide, tall = map(float, told["box"].split())
        size, weight = told.get("type", "16 400").split()
        styles.append(
            Style(
                float(size),
                int(weight),
                "serif",
                "black",
                told.get("back", ""),
                told.get("display", "block"),
                told.get("position", "static"),
            )
        )
        ink = wide * tall if element in with_text else 0.0
        rows.append((page.elements.start[element] + 1, left, top, wide, tall, ink, left, top, left + wide, top + tall))
    return _with(page, rows, styles, width, height)


def unstyled(data: str | bytes) -> Page:
    """A page as a browser without styles draws it: line below line, as wide as the window."""
    page = Page(data)
    runs, elements = page.runs, page.elements
    chars = runs.text_end - runs.text_start
    lines = np.ceil(chars * _LETTER / _WIDTH)
    below = np.append(0.0, np.cumsum(lines)) * _LINE
    ink = np.bincount(runs.element, chars * _LETTER * _LINE, minlength=len(elements))
    drawn = np.flatnonzero(elements.first < elements.last)
    drawn = drawn[drawn > 0]
    top, bottom = below[elements.first[drawn]], below[elements.last[drawn]]
    zero, wide = np.zeros(len(drawn)), np.full(len(drawn), _WIDTH)
    rows = np.stack(
        [elements.start[drawn] + 1, zero, top, wide, bottom - top, ink[drawn], zero, top, wide, bottom], axis=1
    ).tolist()
    return _with(page, rows, [Style()] * len(rows), _WIDTH, float(below[-1]))


def _with(page: Page, rows: Sequence[Sequence[float]], styles: Sequence[Style], width: float, height: float) -> Page:
    place, left, top, wide, tall, ink, *text = np.array(rows, np.float64).reshape(-1, 10).T
    layout = Layout(
        place=place.astype(np.int64),
        left=left,
        top=top,
        width=wide,
        height=tall,
        ink=ink,
        text_left=text[0],
        text_top=text[1],
        text_right=text[2],
        text_bottom=text[3],
        style=np.arange(len(styles)),
        styles=tuple(styles),
        page_width=width,
        page_height=height,
    )
    return Page(page.source, page.url, Hints(layout=layout))
