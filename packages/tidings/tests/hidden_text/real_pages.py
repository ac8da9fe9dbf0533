"""Visible words of real pages that Tidings marks as hidden, and the other way round, by what Chromium paints.

Each page is rendered without scripts and without the network. A text node is painted if the picture of the page
changes in its boxes when all text becomes transparent. What Chromium painted is cached, for it does not depend on
Tidings.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession, Error, Page, Route

from benchmarks.pages import SHARED
from tests.hidden_text.chromium import LEAST_DIFFERENCE, browser_page
from tidings.page import Page as TidingsPage

CORPORA: Final = (
    "wcxb-dev news-modern news-rules news-publisher rtl sites fundus-dev news-multilingual trafilatura-eval "
    "fields-modern frontpages"
).split()
CACHE: Final = Path(gettempdir()) / "tidings-hidden-text"
_URL: Final = "http://page.example/"
_WIDTH, _MOST_HEIGHT = 1000, 12_000
#: Scripts do not run, and `noscript` is hidden as for a reader with scripts.
_HEADERS: Final = {"Content-Security-Policy": "script-src 'none'", "Content-Type": "text/html; charset=utf-8"}
_NO_TEXT: Final = """:root:root:root *:not(#a#b#c) { color: transparent !important; text-shadow: none !important;
-webkit-text-fill-color: transparent !important; transition: none !important; text-decoration: none !important; }"""
#: Text nodes with their boxes on the page, whether their styles allow them to be painted, and their ancestors.
_NODES: Final = """() => {
  for (const animation of document.getAnimations())
    try { animation.finish(); } catch { animation.cancel(); }
  for (const element of document.querySelectorAll("*"))  // painted as soon as a reader scrolls there
    if (getComputedStyle(element).contentVisibility === "auto") element.style.contentVisibility = "visible";
  const skipped = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TEXTAREA", "TITLE", "OPTION", "IFRAME"]);
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange(), nodes = [];
  for (let node = walker.nextNode(); node && nodes.length < 20000; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent || skipped.has(parent.tagName) || parent.closest("noscript")) continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].slice(0, 40)
      .map(box => [box.x + scrollX, box.y + scrollY, box.width, box.height].map(Math.round));
    const style = getComputedStyle(parent);
    const clear = /^rgba\\(.*, 0\\)$/.test(style.webkitTextFillColor) && style.webkitBackgroundClip !== "text";
    const allowed = parent.checkVisibility({opacityProperty: true, visibilityProperty: true})
      && !clear && parseFloat(style.fontSize) >= 2;
    const chain = [];
    for (let at = parent; at && chain.length < 12 && at.tagName !== "BODY"; at = at.parentElement) {
      let said = at.tagName.toLowerCase();
      for (const name of ["id", "class", "style", "hidden", "aria-hidden", "popover", "inert"])
        if (at.hasAttribute(name)) said += ` ${name}="${at.getAttribute(name).slice(0, 90)}"`;
      chain.push(said);
    }
    nodes.push([node.data, boxes, allowed, style.webkitBackgroundClip === "text", chain]);
  }
  return nodes;
}"""


class TextNode(NamedTuple):
    """A text node of a rendered page."""

    text: str
    is_painted: bool
    ancestors: list[str]


@dataclass
class Comparison:
    """Words by who sees them."""

    painted: int = 0
    lost: int = 0
    lost_by_cause: Counter[str] = field(default_factory=Counter)
    lost_by_page: Counter[str] = field(default_factory=Counter)
    leaked: int = 0
    leaked_by_cause: Counter[str] = field(default_factory=Counter)
    leaked_by_page: Counter[str] = field(default_factory=Counter)
    samples: dict[str, str] = field(default_factory=dict)


def sample(count: int) -> Iterator[tuple[str, str]]:
    """Yield about so many pages, spread evenly over the corpora, as names and sources."""
    share = count // len(CORPORA)
    for corpus in CORPORA:
        rows = [json.loads(line) for line in (SHARED / corpus / "pages.jsonl").read_text("utf-8").splitlines()]
        rows.sort(key=lambda row: sha256(row["id"].encode()).digest())
        wanted = share * 2 if corpus in ("wcxb-dev", "news-modern", "news-rules") else share
        for row in rows[:wanted]:
            data = gzip.decompress((SHARED / corpus / row["html_file"]).read_bytes())
            yield f"{corpus}/{row['id']}", TidingsPage(data).source


def nodes_of(session: CDPSession, page: Page, source: str) -> list[TextNode]:
    """Render a page and return its text nodes."""

    def answer(route: Route) -> None:
        if route.request.url == _URL:
            route.fulfill(body=source, headers=_HEADERS)
        else:
            route.abort()

    page.route("**/*", answer)
    try:
        page.goto(_URL, wait_until="load", timeout=20_000)
        rows: list[Any] = page.evaluate(_NODES)
        height = int(page.evaluate("Math.max(document.documentElement.scrollHeight, 100)"))
        height = min(height, _MOST_HEIGHT)
        before = _picture(session, height)
        page.evaluate("css => { const s = document.createElement('style'); s.textContent = css; "
                      "document.documentElement.append(s); }", _NO_TEXT)  # fmt: skip
        after = _picture(session, height)
    finally:
        page.unroute("**/*")
    height = min(len(before), len(after))
    differs = np.abs(before[:height] - after[:height]).max(axis=2) > LEAST_DIFFERENCE
    sums = np.zeros((height + 1, differs.shape[1] + 1), np.int32)
    sums[1:, 1:] = differs.cumsum(0, dtype=np.int32).cumsum(1, dtype=np.int32)
    nodes = []
    for text, boxes, is_allowed, is_clipped, ancestors in rows:
        if boxes and all(y >= height for _, y, _, _ in boxes):
            continue  # below what was pictured
        changed = sum(_inside(sums, *box) for box in boxes)
        nodes.append(TextNode(_folded(text), bool(is_allowed) and (is_clipped or changed >= 3), ancestors))
    return nodes


def _inside(sums: NDArray[np.int32], x: int, y: int, width: int, height: int) -> int:
    rows, columns = sums.shape
    left, right = (min(max(at, 0), columns - 1) for at in (x, x + width))
    top, bottom = (min(max(at, 0), rows - 1) for at in (y, y + height))
    return int(sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left])


def _picture(session: CDPSession, height: int) -> NDArray[np.int16]:
    clip = {"x": 0, "y": 0, "width": _WIDTH, "height": height, "scale": 1}
    options = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": True, "clip": clip}
    data = session.send("Page.captureScreenshot", options)["data"]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"), np.int16)


def _folded(text: str) -> str:
    return " ".join(text.split())


def rendered(count: int) -> Iterator[tuple[str, str, list[TextNode]]]:
    """Yield pages with their text nodes, from the cache where they are in it."""
    CACHE.mkdir(exist_ok=True)
    missing = []
    for name, source in sample(count):
        cached = CACHE / (sha256(source.encode("utf-8", "replace")).hexdigest()[:24] + ".json")
        if cached.exists():
            yield name, source, [TextNode(*row) for row in json.loads(cached.read_text())]
        else:
            missing.append((name, source, cached))
    if not missing:
        return
    with browser_page(width=_WIDTH) as page:
        session = page.context.new_cdp_session(page)
        for number, (name, source, cached) in enumerate(missing):
            try:
                nodes = nodes_of(session, page, source)
            except Error as error:
                sys.stderr.write(f"{name}: {error.message.splitlines()[0]}\n")
                nodes = []
            cached.write_text(json.dumps(nodes))
            if number % 20 == 0:
                sys.stderr.write(f"{number} of {len(missing)} pages rendered\n")
            yield name, source, nodes


#: Why Tidings hides what Chromium paints, by the first ancestor that gives a reason.
_CAUSES: Final = (
    (
        "class name",
        re.compile(
            r'class="[^"]*(?:sr-?only|hidden|invisible|d-none|screen-?reader|no-display|-none|-sr\b)', re.IGNORECASE
        ),
    ),
    ("aria-hidden", re.compile(r'aria-hidden="true"')),
    ("hidden attribute", re.compile(r' hidden="')),
    ("popover", re.compile(r' popover="')),
    (
        "style attribute",
        re.compile(r' style="[^"]*(?:display|visib|opacity|height|width|overflow|left|top|color|clip|indent|font)'),
    ),
)


def _cause(ancestors: list[str]) -> str:
    for ancestor in ancestors:
        for name, pattern in _CAUSES:
            if pattern.search(ancestor):
                return name
    return "style sheet or element"


def _start_tags(page: TidingsPage, element: int) -> list[str]:
    tags = []
    while element > 0:
        tags.append(re.sub(r"""=(['"]?)([^'"\s>]*)\1(?=[\s>])""", r'="\2"', page.cut.tag(int(page.opened[element]))))
        element = int(page.elements.parent[element])
    return tags


def compare(count: int) -> Comparison:
    """Compare what Tidings marks as hidden with what Chromium paints."""
    result = Comparison()
    for name, source, nodes in rendered(count):
        page = TidingsPage(source)
        runs, text = page.runs, page.text
        kept, removed = Counter[str](), Counter[str]()
        causes: dict[str, str] = {}
        for start, end, is_hidden, element in zip(
            runs.text_start.tolist(), runs.text_end.tolist(), runs.hidden.tolist(), runs.element.tolist(), strict=True
        ):
            said = _folded(text[start:end])
            (removed if is_hidden else kept)[said] += 1
            if is_hidden:
                causes[said] = _cause(_start_tags(page, element))
        painted, unpainted = Counter[str](), Counter[str]()
        ancestors: dict[tuple[str, bool], list[str]] = {}
        for node in nodes:
            (painted if node.is_painted else unpainted)[node.text] += 1
            ancestors[node.text, node.is_painted] = node.ancestors
        for said, times in painted.items():
            words = len(said.split())
            result.painted += times * words
            lost = min(max(times - kept[said], 0), removed[said]) * words
            if lost:
                cause = causes[said]
                result.lost += lost
                result.lost_by_cause[cause] += lost
                result.lost_by_page[name] += lost
                result.samples.setdefault(f"lost: {cause}: {name}", f"{said[:60]!r} in {ancestors[said, True][:6]}")
        for said, times in unpainted.items():
            leaked = min(max(kept[said] - painted[said], 0), times) * len(said.split())
            if leaked:
                cause = _cause(ancestors[said, False])
                result.leaked += leaked
                result.leaked_by_cause[cause] += leaked
                result.leaked_by_page[name] += leaked
                result.samples.setdefault(
                    f"not painted: {cause}: {name}", f"{said[:60]!r} in {ancestors[said, False][:6]}"
                )
    return result
