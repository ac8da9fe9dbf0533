"""How time grows with size: a KB of a page of 10 MB takes as long as one of 0.1 MB. And pages made to hurt.

Pages of many tags are read up to `tidings.page.cut.MAX_TAGS`, so that of 10 MB only a part is: what is counted are the
KB that were read. Of pages of long texts all is read.

Processor time, the best of five: long work on a busy machine waits more often than short work does.
"""

from __future__ import annotations

from time import process_time

from benchmarks import machine
from tidings import Page, extractor

_STORY = (
    "<div class='c'><h2>Heading</h2><p>Some words of a story with <a href='/x'>a link</a> &amp; more words.</p></div>\n"
)

_LONG = f"<p>{'Some words of a story, and more of them &amp; more. ' * 40}</p>\n"

HOSTILE = {
    "50,000 nested divs": "<div>" * 50_000 + "words at the bottom" + "</div>" * 50_000,
    "50,000 tiny paragraphs": "<p>word</p>" * 50_000,
    "a 5 MB attribute": f"<p title='{'x' * 5_000_000}'>kept words</p>",
    "one million <": "<" * 1_000_000 + " kept words",
    "unclosed everything": "<div><p><b><i><a href=x><ul><li><table><tr><td>words " * 20_000,
    "100,000 unclosed quotes": '<a href="x>words ' * 100_000,
    "100,000 comments opened": "<p>kept words</p>" + "<!-- " * 100_000,
}


def timed(source: str) -> tuple[float, float, int]:
    times, given = [], []
    for _ in range(5):
        begin = process_time()
        page = Page(source)
        middle = process_time()
        extractor("addanag")(page)
        times.append(middle - begin)
        given.append(process_time() - middle)
    return min(times), min(given), len(page.text.split())


def grow(title: str, part: str) -> None:
    """Pages of one part again and again, of three sizes: µs for each KB that was read."""
    first = None
    for size in (100_000, 1_000_000, 10_000_000):
        source = "<html><body>" + part * (size // len(part)) + "</body></html>"
        scan, extract, _ = timed(source)
        read = kilobytes_read(source)
        costs = scan / read * 1e6, extract / read * 1e6
        first = first or costs
        ratio = max(costs[0] / first[0], first[0] / costs[0])
        print(
            f"{title}, {size / 1e6:4.1f} MB, {read:7,.0f} KB read: Page {costs[0]:5.2f} µs a KB, "
            f"addanag {costs[1]:5.2f}   x {ratio:.2f} of the smallest (bar: 1.3)"
        )


def kilobytes_read(source: str) -> float:
    """How much of a page is read: all of it, or what stands before the tag behind the last that may be."""
    page = Page(source)
    return (int(page.cut.tag_start[-1]) if page.cut.is_short else len(source)) / 1000


def main() -> None:
    print(machine.describe("tidings", "numpy"))
    grow("many tags", _STORY)
    grow("long text", _LONG)
    for title, source in HOSTILE.items():
        scan, extract, words = timed(source)
        megabytes = len(source) / 1e6
        print(f"{title:26} {megabytes:5.1f} MB: Page {scan:6.2f} s, addanag {extract:6.2f} s, {words:,} words kept")


if __name__ == "__main__":
    main()
