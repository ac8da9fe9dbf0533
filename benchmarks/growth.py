"""How time grows with size: ten times the page, at most twelve times the time. And pages made to hurt.

Processor time, the best of five: long work on a busy machine waits more often than short work does.
"""

from __future__ import annotations

from time import process_time

from benchmarks import machine
from tidings import Page, extractor

_STORY = (
    "<div class='c'><h2>Heading</h2><p>Some words of a story with <a href='/x'>a link</a> &amp; more words.</p></div>\n"
)

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


def main() -> None:
    print(machine.describe("tidings", "numpy"))
    previous = None
    for size in (100_000, 1_000_000, 10_000_000):
        source = "<html><body>" + _STORY * (size // len(_STORY)) + "</body></html>"
        scan, extract, _ = timed(source)
        growth = (
            "" if previous is None else f"   x {scan / previous[0]:.1f} and x {extract / previous[1]:.1f} (bar: 12)"
        )
        print(f"{size / 1e6:5.1f} MB: Page {scan * 1000:8.1f} ms, addanag {extract * 1000:8.1f} ms{growth}")
        previous = scan, extract
    for title, source in HOSTILE.items():
        scan, extract, words = timed(source)
        megabytes = len(source) / 1e6
        print(f"{title:26} {megabytes:5.1f} MB: Page {scan:6.2f} s, addanag {extract:6.2f} s, {words:,} words kept")


if __name__ == "__main__":
    main()
