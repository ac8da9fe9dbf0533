"""Pages cut out by learned rules against the default extractor, resiliparse and trafilatura, site by site in turn.

The pages are those of ../shared/data/sites that rules learned from five other pages of the same site serve. The first
line is what the others give and more: the text and every field (`Reader.text`). The second is the whole
article: blocks, links and pictures too (`Reader.cut`). Then the same for pages under 60 KB, and the worst case: rules
that never fit. Processor time of one thread, page by page in turn, the best of three rounds a page; in each the reader
is new, has learned the site anew and has never seen the page. What making rules ready takes, once a site, is counted
with learning.
Run: python -m benchmarks.sites_speed
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import thread_time

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

import tidings
from benchmarks import machine
from tidings import Reader
from tidings.sites import site_of
from tidings.sites.extraction import values
from tidings.sites.templates.rule import Expected

SHARED = Path(__file__).parents[2] / "shared" / "data" / "sites"
ROUNDS = 3
SMALL = 60 * 1024
FAILING = 12
RULES, WHOLE = "rules: text, fields", "rules: blocks too"


def seconds(work: Callable[[], object]) -> float:
    begin = thread_time()
    work()
    return thread_time() - begin


def resiliparse(data: bytes) -> str:
    return str(extract_plain_text(bytes_to_str(data, detect_encoding(data) or "utf-8"), main_content=True))


OTHERS: dict[str, Callable[[bytes, str], object]] = {
    "tidings.extract": tidings.extract,
    "resiliparse": lambda data, _: resiliparse(data),
    "trafilatura.extract": lambda data, _: trafilatura.extract(data),
}


def sites() -> list[list[tuple[bytes, str]]]:
    from tidings_lab.corpora import load
    from tidings_lab.studies.learned_sites import address, groups

    return [[(sample.html, address(sample)) for sample in several] for several in groups(load(SHARED)).values()]


def taught(several: list[tuple[bytes, str]]) -> tuple[Reader, float]:
    """A reader that has learned a site, and how long the page took with which it did."""
    reader = Reader(learn_from=5, audit_every=0)
    for data, url in several[:4]:
        reader.extract(data, url)
    learning = seconds(partial(reader.extract, *several[4]))
    if not reader.memory.names():  # one of the five is less surely an article
        reader.learn(site_of(several[0][1]))
    return reader, learning + seconds(lambda: [reader.cut(data, url) for data, url in several[:5]])


def timed(reader: Reader, pages: list[tuple[bytes, str]]) -> dict[int, dict[str, float]]:
    """Seconds of all ways to read the pages that rules serve, by their places."""
    found: dict[int, dict[str, float]] = {}
    reader.learn_from = 10**9  # what learning costs is told apart
    for place, (data, url) in enumerate(pages):
        begin = thread_time()
        text = reader.text(data, url)
        taken = thread_time() - begin
        if not text.by.startswith("rule"):
            continue
        ways: dict[str, Callable[[bytes, str], object]] = {WHOLE: reader.cut, **OTHERS}
        found[place] = {RULES: taken} | {name: seconds(partial(work, data, url)) for name, work in ways.items()}
    return found


def main() -> None:
    print(machine.describe("tidings", "numpy", "resiliparse", "trafilatura"))
    if not SHARED.exists():
        print("no ../shared/data/sites: nothing to measure")
        return
    best: dict[tuple[int, int], dict[str, float]] = {}
    failing = dict.fromkeys(("every rule fails", "tidings.extract"), 0.0)
    learning: list[float] = []
    everything = sites()
    pages = sum(len(several) - 5 for several in everything)
    for round_ in range(ROUNDS):
        values.forget()
        for number, several in enumerate(everything):
            reader, learned = taught(several)
            learning.append(learned)
            for place, found in timed(reader, several[5:]).items():
                before = best.setdefault((number, place), found)
                best[number, place] = {way: min(before[way], found[way]) for way in found}
            if round_ == ROUNDS - 1:
                _fail(reader, several[5:], failing)
    served = len(best)
    print(f"{served} of {pages} pages served by rules")
    total = _show(list(best.values()))
    small = [found for (number, place), found in best.items() if len(everything[number][place + 5][0]) < SMALL]
    print(f"{len(small)} of them under 60 KB")
    _show(small)
    ratio = failing["every rule fails"] / failing["tidings.extract"]
    print(f"every rule fails, late: {ratio:.2f} times tidings.extract")
    share = sum(learning) / len(learning) / (total["tidings.extract"] / served)
    print(f"learning a site takes as long as reading {share:.1f} pages")


def _show(pages: list[dict[str, float]]) -> dict[str, float]:
    """Print what pages take, and return the sums."""
    total = {way: sum(one[way] for one in pages) for way in pages[0]}
    for name, taken in total.items():
        times = f"{taken / total[RULES]:7.1f} times {RULES}  {taken / total[WHOLE]:7.1f} times {WHOLE}"
        print(f"  {name:22} {taken / len(pages) * 1000:8.3f} ms a page  {times}")
    return total


def _fail(reader: Reader, pages: list[tuple[bytes, str]], failing: dict[str, float]) -> None:
    """The same pages with rules that expect another text: each is doubted late, when all was cut."""
    for name in reader.memory.names():
        site = reader.memory.site(name)
        impossible = tuple(
            replace(known, template=replace(known.template, expected=Expected(words=(10**6, 10**7))))
            for known in site.templates
        )
        reader.memory.write(replace(site, templates=impossible), "a benchmark")
    for number in range(FAILING):
        data, url = pages[number % len(pages)]
        begin = thread_time()
        reader.extract(data, url)
        failing["every rule fails"] += thread_time() - begin
        begin = thread_time()
        tidings.extract(data, url)
        failing["tidings.extract"] += thread_time() - begin


if __name__ == "__main__":
    main()
