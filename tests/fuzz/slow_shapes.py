"""A search for pages that take long for their size: a grammar of elements, nested and adjacent, at growing sizes.

A shape is an element with attributes, an element inside it, a depth and a text. Each is built at a small size first;
the slowest of these are built at larger ones, where a cost that grows faster than the page shows.

    python -m tests.fuzz.slow_shapes --seconds 120
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from time import monotonic, process_time
from typing import Final

import tidings
from tidings.article import FORMATS, render
from tidings.errors import PageError

#: Start tags; `#` is a number of its own in each copy.
STARTS: Final = (
    "div", "p", "span", "b", "i", "a href=#", "a href=/#", "a name=n#", "li", "ul", "ol", "dl", "dt", "dd", "table",
    "tr", "td", "th", "tbody", "caption", "details", "summary", "blockquote", "blockquote class=quote", "pre",
    "code", "h1", "h2", "h6", "article", "section", "aside", "nav", "main", "header", "footer", "figure",
    "figcaption", "img src=#.jpg", "picture", "source srcset=#.jpg", "video src=#.mp4",
    "iframe src=//youtube.com/embed/#", "sup", "sub", "ruby", "rt", "math", "mi", "mrow", "svg", "form", "input",
    "select", "option", "button", "label", "textarea", "template", "center", "font", "ins", "del", "q", "cite",
    "abbr title=t", "time datetime=2026-01-01", "address", "dialog", "menu", "hr", "br", "plaintext", "xmp",
    "listing", "noscript", "object", "marquee", "frameset", "body", "html", "x-y", "div class=comment",
    "div class=comment-#", "div class=post", "div id=post-#", "li id=fn:#", "a href=#fn:#", "div class=callout",
    "div class='admonition note'", "div class=highlight", "div class=line", "span class=lineno",
    "div class=code-block", "div class=gallery", "div class=author", "span class=date", "p class=byline",
    "div itemprop=articleBody", "div itemscope itemtype=//schema.org/Article", "span style=display:none",
    "div style=color:red", "p lang=de", "p dir=rtl", "meta name=a content=b", "link rel=next href=/#",
    "script type=application/ld+json", "style", "title",
)  # fmt: skip
SENTENCE: Final = "Seven seals came back to the bay, wardens said on 3 March 2026. "
TEXTS: Final = ("ab cd", "", SENTENCE, "文字文字", '{"a": "b"}', "&amp;&lt;")
DEPTHS: Final = (1, 2, 40, 600)
#: Sizes in bytes: of all shapes, of the slowest of these, and of the slowest of those.
SIZES: Final = (20_000, 150_000, 600_000)
FAR_TOO_SLOW: Final = 50.0  # seconds per megabyte at which the search has found enough


@dataclass(frozen=True)
class Shape:
    """A page of copies of an element inside others."""

    outer: str
    inner: str
    depth: int
    text: str
    is_closed: bool

    def build(self, size: int) -> str:
        """Return a page of about this size."""
        pieces: list[str] = []
        length = number = 0
        while length < size:
            piece = self._piece(number, size - length)
            pieces.append(piece)
            length += len(piece)
            number += 1
        return "<title>Seals are back</title>" + "".join(pieces)

    def _piece(self, number: int, most: int) -> str:
        outer, inner = (f"<{start.replace('#', str(number))}>" for start in (self.outer, self.inner))
        opened = (outer + inner) * min(self.depth, most // len(outer + inner) + 1)
        # Behind deep nesting much stands at that depth.
        text = (self.text + f"<p>{self.text}</p>") * (self.depth if self.depth > 2 else 1)
        closed = "".join(f"</{start.split()[0]}>" for start in (self.inner, self.outer)) * self.depth
        return opened + text + (closed if self.is_closed else "")


def shapes(seed: int) -> Iterator[Shape]:
    """Yield shapes without end, each start tag alone first."""
    for start, depth, is_closed in product(STARTS, DEPTHS, (True, False)):
        yield Shape(start, "p" if start != "p" else "b", depth, TEXTS[0], is_closed)
    drawn = random.Random(seed)
    while True:
        yield Shape(
            drawn.choice(STARTS), drawn.choice(STARTS), drawn.choice(DEPTHS), drawn.choice(TEXTS), drawn.random() < 0.5
        )


def seconds_per_megabyte(page: str, *, with_formats: bool = False) -> float:
    """Return the processor time of an extraction, and of all formats if asked, by the size of the page."""
    began = process_time()
    try:
        article = tidings.extract(page, url="https://gazette.example/a")
        for name in FORMATS if with_formats else ():
            render(article, name)
    except PageError:
        pass
    return (process_time() - began) / (len(page.encode()) / 1e6)


def search(seconds: float, seed: int, *, with_formats: bool = False) -> list[tuple[float, int, Shape]]:
    """Return the slowest shapes at the largest size: seconds per megabyte, size and shape."""
    seconds_per_megabyte("<p>Warm up the model and its tables.</p>" * 50)
    ends = monotonic() + seconds
    measured: list[tuple[float, int, Shape]] = []
    # Half of the time for the smallest size.
    for shape in shapes(seed):
        if monotonic() > ends - seconds / 2:
            break
        measured.append((seconds_per_megabyte(shape.build(SIZES[0]), with_formats=with_formats), SIZES[0], shape))
    for size, most in ((SIZES[1], 24), (SIZES[2], 8)):
        slowest = sorted(measured, key=lambda one: -one[0])[:most]
        measured = []
        for rate, _, shape in slowest:
            measured.append((seconds_per_megabyte(shape.build(size), with_formats=with_formats), size, shape))
            if monotonic() > ends or rate > FAR_TOO_SLOW:
                break
    return sorted(measured, key=lambda one: -one[0])


if __name__ == "__main__":
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz.slow_shapes")
    asked.add_argument("--seconds", type=float, default=120)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--formats", action="store_true")
    given = asked.parse_args()
    for rate, size, shape in search(given.seconds, given.seed, with_formats=given.formats):
        sys.stdout.write(f"{rate:8.2f} s/MB at {size:,} bytes: {shape}\n")
