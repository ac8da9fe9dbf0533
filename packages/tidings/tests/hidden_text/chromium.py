"""What Chromium paints of each way. `python -m tests.hidden_text.chromium [NAME …]` writes it to `painted.json`.

A sentence is visible if the page looks different with other letters in its place: the same words, each spelled
backwards, in a font whose letters have one width, so that nothing else moves. Animations are run to their end.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession, Page, Route, sync_playwright

from tests.hidden_text.painted import PAINTED, Painted, stored
from tests.hidden_text.way import SECRET, SECRET_SENTENCE, Way, story_page
from tests.hidden_text.ways import WAYS
from tidings.fetch.rendering.chromium import ALONE, find, has_sandbox

_URL: Final = "http://quay.example/story"
#: The window holds the whole page. What lies outside it counts as invisible.
_HEIGHT: Final = 1000
#: Text whose colour differs by less from what is behind it is not legible, nor is smaller text.
LEAST_DIFFERENCE, _LEAST_WIDTH, _LEAST_HEIGHT = 8, 40, 4
_MONOSPACE: Final = "DejaVu Sans Mono"
#: Visibility and size of the innermost element that holds the word.
_MEASURE: Final = """(word) => {
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) { const inner = walk(element.shadowRoot); if (inner) return inner; }
      for (const child of element.childNodes)
        if (child.nodeType === 3 && child.data.includes(word)) return element;
    }
    return null;
  };
  const element = walk(document);
  if (!element) return null;
  const box = element.getBoundingClientRect();
  return {
    visible: element.checkVisibility({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true}),
    width: Math.round(box.width), height: Math.round(box.height),
  };
}"""

_END_ANIMATIONS: Final = """() => {
  for (const animation of document.getAnimations())
    try { animation.finish(); } catch { animation.cancel(); }
}"""


@contextmanager
def browser_page(executable: str | None = None, width: int = 800) -> Iterator[Page]:
    """Open a page of a Chromium that reaches no network and has fonts whose letters have one width."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=executable or find(), args=list(ALONE), chromium_sandbox=has_sandbox()
        )
        page = browser.new_page(viewport={"width": width, "height": _HEIGHT}, service_workers="block")
        fonts = dict.fromkeys(("standard", "serif", "sansSerif", "fixed", "cursive", "fantasy"), _MONOSPACE)
        page.context.new_cdp_session(page).send("Page.setFontFamilies", {"fontFamilies": fonts})
        yield page
        browser.close()


def painted(page: Page, ways: Iterable[Way]) -> Iterator[tuple[Way, Painted]]:
    """Render each way twice and compare the pictures."""
    document = ""
    session = page.context.new_cdp_session(page)

    def answer(route: Route) -> None:
        if route.request.url == _URL:
            route.fulfill(body=document, content_type="text/html; charset=utf-8")
        else:
            route.abort()

    page.route("**/*", answer)
    for way in ways:
        document = story_page(way)
        page.goto(_URL, wait_until="load")
        measured = page.evaluate(_MEASURE, SECRET) or {"visible": None, "width": 0, "height": 0}
        picture = _picture(page, session)
        document = story_page(way, sentence=backwards(SECRET_SENTENCE))
        page.goto(_URL, wait_until="load")
        is_painted = is_legible(picture, _picture(page, session))
        yield way, Painted(is_painted, measured["visible"], measured["width"], measured["height"])
    page.unroute("**/*")


def backwards(sentence: str) -> str:
    """Return a sentence of the same length with each word spelled backwards."""
    return " ".join(word[::-1] for word in sentence.split(" "))


def is_legible(picture: NDArray[np.int16], other: NDArray[np.int16]) -> bool:
    """Whether two pictures of a page differ enough for a person to read the difference."""
    if picture.shape != other.shape:
        return True
    differs = np.abs(picture - other).max(axis=2) > LEAST_DIFFERENCE
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return False
    sides = sorted((int(rows[-1] - rows[0] + 1), int(columns[-1] - columns[0] + 1)))
    return sides[0] >= _LEAST_HEIGHT and sides[1] >= _LEAST_WIDTH


def _picture(page: Page, session: CDPSession) -> NDArray[np.int16]:
    page.evaluate(_END_ANIMATIONS)
    shot = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB"), np.int16)


def write(names: Container[str] | None = None) -> None:
    """Render the ways that are not in the table yet, and those of the given names, and write it."""
    table = stored() if PAINTED.exists() else {}
    ways = [way for way in WAYS if way.name not in table or (names is not None and way.name in names)]
    with browser_page() as page:
        for number, (way, result) in enumerate(painted(page, ways)):
            table[way.name] = result
            if number % 100 == 0:
                sys.stderr.write(f"{number} of {len(ways)}\n")
    known = [(way.name, table[way.name]) for way in WAYS]
    rows = (f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(values)}" for name, values in known)
    PAINTED.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    write(sys.argv[1:])
