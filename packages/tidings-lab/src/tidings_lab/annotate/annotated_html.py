"""The HTML of a page for the annotation interface: its source with each run of text wrapped in an element with its
unit.

The browser's parser removes everything else before the page is shown (`assets/frame.js`), and the frame runs no script
and loads nothing (`server.FRAME_POLICY`).
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from tidings.page import Page, tags
from tidings_lab.annotation.units import Units

_XMP: Final = tags.NUMBERS["xmp"]
#: Event handlers and <base> are removed, because the browser would report in its console that it ignores them. Only
#: markup between runs is changed, not text.
_HANDLER: Final = re.compile(r"""(?<=[\s"'/])on(?=[a-z]{2,40}\s{0,20}=)""", re.IGNORECASE | re.ASCII)
_BASE: Final = re.compile(r"<base(?=[\s/>])", re.IGNORECASE)


def wrapped_source(page: Page, page_units: Units) -> str:
    """Return a page's source with `<tidings-run data-tidings=UNIT>` around every visible run of text."""
    runs = page.runs
    # Inside <xmp> a browser shows tags as text.
    wrapped = np.flatnonzero(~runs.hidden & (page.elements.tag[runs.element] != _XMP))
    parts: list[str] = []
    position = 0
    columns = (runs.start[wrapped].tolist(), runs.end[wrapped].tolist(), page_units.of_run[wrapped].tolist())
    for start, end, unit in zip(*columns, strict=True):
        parts += [_quiet(page.source[position:start]), f'<tidings-run data-tidings="{unit}">', page.source[start:end]]
        parts.append("</tidings-run>")
        position = end
    parts.append(_quiet(page.source[position:]))
    return "".join(parts)


def _quiet(markup: str) -> str:
    return _BASE.sub("<meta", _HANDLER.sub("data-on", markup))


def shown_units(page: Page, page_units: Units) -> list[dict[str, Any]]:
    """Return text, tag and visibility of each unit, for the list that the annotation page shows next to the article
    page.
    """
    tag, hidden = page.elements.tag[page_units.element].tolist(), page_units.hidden.tolist()
    return [
        {"text": page_units.text(page, unit)[:400], "tag": page.tag_names[tag[unit]], "hidden": hidden[unit]}
        for unit in range(len(page_units))
    ]
