"""A page for the annotator: its own source, with each run of text wrapped so that the browser can tell its unit.

Whatever else is in the source is taken away by the browser's own parser before it is shown (`assets/frame.js`), and the
frame it is shown in runs no script and loads nothing (`server.FRAME_POLICY`).
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from tidings.lab.units import Units
from tidings.page import Page, tags

_XMP: Final = tags.NUMBERS["xmp"]
#: A browser says in its console that it will not run a handler and not take another base; so it gets neither. Between
#: runs there is only markup, so no text is changed.
_HANDLER: Final = re.compile(r"""(?<=[\s"'/])on(?=[a-z]{2,40}\s{0,20}=)""", re.IGNORECASE | re.ASCII)
_BASE: Final = re.compile(r"<base(?=[\s/>])", re.IGNORECASE)


def wrapped_source(page: Page, cut: Units) -> str:
    """The source with `<tidings-run data-tidings=UNIT>` around every run that a reader sees."""
    runs = page.runs
    # Inside <xmp> a browser shows tags as they are written.
    chosen = np.flatnonzero(~runs.hidden & (page.elements.tag[runs.element] != _XMP))
    parts: list[str] = []
    done = 0
    columns = (runs.start[chosen].tolist(), runs.end[chosen].tolist(), cut.of_run[chosen].tolist())
    for start, end, unit in zip(*columns, strict=True):
        parts += [_quiet(page.source[done:start]), f'<tidings-run data-tidings="{unit}">', page.source[start:end]]
        parts.append("</tidings-run>")
        done = end
    parts.append(_quiet(page.source[done:]))
    return "".join(parts)


def _quiet(markup: str) -> str:
    return _BASE.sub("<meta", _HANDLER.sub("data-on", markup))


def shown_units(page: Page, cut: Units) -> list[dict[str, Any]]:
    """What the list beside the page says of each unit."""
    tag, hidden = page.elements.tag[cut.element].tolist(), cut.hidden.tolist()
    return [
        {"text": cut.text(page, unit)[:400], "tag": page.tag_names[tag[unit]], "hidden": hidden[unit]}
        for unit in range(len(cut))
    ]
