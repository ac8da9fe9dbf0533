"""Pages cut out by learned rules against the default extractor, resiliparse and trafilatura, page by page in turn.

The pages are those of ../shared/data/sites that rules learned from five other pages of the same site serve (without
them: the bundled newspaper's). Fields are included. Then the worst case: rules that never fit. Processor time of one
thread, the best of two a page. Run: python -m benchmarks.sites_speed
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
from tidings.sites.rule import Expected

SHARED = Path(__file__).parents[2] / "shared" / "data" / "sites"
ROUNDS = 2
FAILING = 24


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        begin = thread_time()
        work()
        best = min(best, thread_time() - begin)
    return best


def resiliparse(data: bytes) -> str:
    return str(extract_plain_text(bytes_to_str(data, detect_encoding(data)), main_content=True))


def sites() -> list[list[tuple[bytes, str]]]:
    from tidings.lab.corpora import load
    from tidings.lab.studies.learned_sites import address, groups

    return [[(sample.html, address(sample)) for sample in several] for several in groups(load(SHARED)).values()]


def main() -> None:
    print(machine.describe("tidings", "numpy", "resiliparse", "trafilatura"))
    if not SHARED.exists():
        print("no ../shared/data/sites: nothing to measure")
        return
    total = dict.fromkeys(("rules", "tidings.extract", "resiliparse", "trafilatura.extract"), 0.0)
    failing = dict.fromkeys(("every rule fails", "tidings.extract"), 0.0)
    pages = served = learned = 0
    learning = 0.0
    for several in sites():
        reader = Reader(learn_from=5, audit_every=0)
        for data, url in several[:4]:
            reader.extract(data, url)
        begin = thread_time()
        reader.extract(*several[4])
        learning += thread_time() - begin
        learned += 1
        if not reader.memory.names():  # one of the five is less surely an article
            reader.learn(site_of(several[0][1]))
        for data, url in several[5:]:
            pages += 1
            if reader.cut(data, url) is None:
                continue
            served += 1
            total["rules"] += seconds(partial(reader.extract, data, url))
            total["tidings.extract"] += seconds(partial(tidings.extract, data, url))
            total["resiliparse"] += seconds(partial(resiliparse, data))
            total["trafilatura.extract"] += seconds(partial(trafilatura.extract, data))
        _fail(reader, several[5:], failing)
    print(f"{served} of {pages} pages served by rules")
    for name, taken in total.items():
        print(f"  {name:22} {taken / served * 1000:8.3f} ms a page  {taken / total['rules']:7.1f} times rules")
    ratio = failing["every rule fails"] / failing["tidings.extract"]
    print(f"every rule fails, late: {ratio:.2f} times tidings.extract")
    print(
        f"learning a site takes as long as reading {learning / learned / (total['tidings.extract'] / served):.1f} pages"
    )


def _fail(reader: Reader, pages: list[tuple[bytes, str]], failing: dict[str, float]) -> None:
    """The same pages with rules that expect another text: each is doubted late, when all was cut."""
    for name in reader.memory.names():
        site = reader.memory.site(name)
        impossible = tuple(
            replace(known, template=replace(known.template, expected=Expected(words=(10**6, 10**7))))
            for known in site.templates
        )
        reader.memory.write(replace(site, templates=impossible), "a benchmark")
    reader.learn_from = 10**9  # what learning costs is told apart
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
