"""Pages cut out by learned rules against the default extractor, resiliparse and trafilatura, site by site in turn.

The pages are those of ../shared/data/sites that rules learned from five other pages of the same site serve. The first
line is what the others give and more: the text and every field, asked for on every page. The second is the whole
article: blocks, links and pictures are made too, the lead picture among them. Then the worst case: rules that never
fit. Processor time of one thread, the better of two rounds a page; in each the reader is new, has learned the site
anew and has never seen the page. What making rules ready takes, once a site, is counted with learning.
Run: python -m benchmarks.sites_speed
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from time import thread_time

import trafilatura
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

import tidings
from benchmarks import machine
from tidings import Article, Reader
from tidings.sites import site_of, values
from tidings.sites.rule import Expected

SHARED = Path(__file__).parents[2] / "shared" / "data" / "sites"
ROUNDS = 2
FAILING = 12
RULES, WHOLE = "rules: text, fields", "rules: blocks too"
#: Made with the blocks.
LATE = ("blocks", "images", "image", "provenance")
TOLD = [one.name for one in fields(Article) if one.name not in LATE]
ASK = attrgetter(*TOLD)


def seconds(work: Callable[[], object]) -> float:
    begin = thread_time()
    work()
    return thread_time() - begin


def told(article: Article) -> list[object]:
    return [article.text, *ASK(article)]


def resiliparse(data: bytes) -> str:
    return str(extract_plain_text(bytes_to_str(data, detect_encoding(data)), main_content=True))


OTHERS: dict[str, Callable[[bytes, str], object]] = {
    "tidings.extract": tidings.extract,
    "resiliparse": lambda data, _: resiliparse(data),
    "trafilatura.extract": lambda data, _: trafilatura.extract(data),
}


def sites() -> list[list[tuple[bytes, str]]]:
    from tidings.lab.corpora import load
    from tidings.lab.studies.learned_sites import address, groups

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
    cut: dict[int, Article] = {}
    found: dict[int, dict[str, float]] = {}
    for place, (data, url) in enumerate(pages):
        begin = thread_time()
        article = reader.cut(data, url)
        if article is not None:
            told(article)
            found[place] = {RULES: thread_time() - begin}
            cut[place] = article
    for place, article in cut.items():
        found[place][WHOLE] = found[place][RULES] + seconds(partial(getattr, article, "blocks"))
    for name, work in OTHERS.items():
        for place, taken in found.items():
            taken[name] = seconds(partial(work, *pages[place]))
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
    total = {way: sum(one[way] for one in best.values()) for way in next(iter(best.values()))}
    print(f"{served} of {pages} pages served by rules")
    for name, taken in total.items():
        times = f"{taken / total[RULES]:7.1f} times {RULES}  {taken / total[WHOLE]:7.1f} times {WHOLE}"
        print(f"  {name:22} {taken / served * 1000:8.3f} ms a page  {times}")
    ratio = failing["every rule fails"] / failing["tidings.extract"]
    print(f"every rule fails, late: {ratio:.2f} times tidings.extract")
    share = sum(learning) / len(learning) / (total["tidings.extract"] / served)
    print(f"learning a site takes as long as reading {share:.1f} pages")


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
