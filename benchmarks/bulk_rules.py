"""Two passes of `tidings bulk` over ../shared/data/sites: share served by rules, accuracy, time against trafilatura.

Rules are learned from an archive of the pages; then every page is made a row by rules and by the default, and every
third by trafilatura with its fields too: processor time of one thread, page by page in turn. Rules and the default take
the better of two times, trafilatura its only one after a first page that loads it all. At last the archive is a split
of the engine `plain` for each of the three: its guard, its child, its Parquet file, and all their processor time.
Run: python -m benchmarks.bulk_rules
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trafilatura

from benchmarks import machine
from benchmarks.pages import SHARED
from tidings.bulk import BulkSettings, LearnReport, PageRecord, learn, plan
from tidings.bulk.batches import PageReader
from tidings.bulk.guard import BulkGuard
from tidings.bulk.output import OutputFolder
from tidings.bulk.task import run_split
from tidings.fetch.archives.warc import record
from tidings.urls import site_of
from tidings_lab.corpora import Sample, load
from tidings_lab.metrics.texts import units_for, word_score
from tidings_lab.studies.learned_sites import address

#: Seconds or scores, by whether rules serve the page and by who read it.
_Found = dict[tuple[str, str], list[float]]


class RivalReader(PageReader):
    """Rows as trafilatura reads pages, with its fields."""

    def _read(self, record: PageRecord, row: dict[str, Any]) -> None:
        said = trafilatura.bare_extraction(record.content, url=record.url, with_metadata=True)
        found: dict[str, Any] = {} if said is None else said if isinstance(said, dict) else said.as_dict()
        text = found.get("text") or ""
        row.update(status="ok" if text else "nothing", reason="", text=text, words=len(text.split()), by="trafilatura")
        row.update(title=found.get("title"), summary=found.get("description"), image=found.get("image"))
        row.update(published_as_stated=found.get("date"), site_name=found.get("sitename"))
        row["authors"] = (found.get("author") or "").split("; ")


def under_plain(folder: Path, rules: str) -> None:
    """One split by rules where they serve, by the default, and by trafilatura, each under the same guard."""
    (split,) = plan([str(folder / "sites.warc.gz")])
    ways: dict[str, tuple[BulkSettings, type[PageReader]]] = {
        "two passes": (BulkSettings(rules=rules), PageReader),
        "default": (BulkSettings(), PageReader),
        "trafilatura": (BulkSettings(), RivalReader),
    }
    for name, (settings, reader) in ways.items():
        to = str(folder / name.replace(" ", "-"))
        OutputFolder(to).begin(settings, "")
        with BulkGuard(settings, reader) as guard:
            done = run_split(split, to, settings, guard=guard)
        print(
            f"plain   {name:12} {done.pages / done.cpu:8.1f} pages a second of a core, {done.by_rules} by rules, "
            f"{1000 * done.cpu / done.pages:.2f} ms each, {done.cpu / done.reading - 1:.1%} beyond reading: "
            f"{dict(done.statuses)}"
        )


def learned(folder: Path, samples: Sequence[Sample]) -> LearnReport:
    with (folder / "sites.warc.gz").open("wb") as stream:
        for sample in samples:
            stream.write(record("resource", address(sample), sample.html, "text/html", 1.0e9))
    before = sum(os.times()[:4])
    report = learn(plan([str(folder / "sites.warc.gz")]), str(folder / "rules.parquet"), workers=1)
    print(f"{report.pages} pages of {report.hosts} hosts, {report.enough} with enough, {report.learned} with rules")
    print(f"learning: {sum(os.times()[:4]) - before:.1f} s of processor time")
    return report


def timed(work: Callable[[], object]) -> float:
    since = time.thread_time()
    work()
    return time.thread_time() - since


def measured(samples: Sequence[Sample], rules: str) -> tuple[_Found, _Found]:
    ways = {
        "rules": PageReader.open(BulkSettings(rules=rules, audit_every=0)),
        "default": PageReader.open(BulkSettings()),
    }
    times: _Found = defaultdict(list)
    scores: _Found = defaultdict(list)
    trafilatura.bare_extraction(samples[0].html, with_metadata=True)
    for number, sample in enumerate(samples):
        page = PageRecord(address(sample), sample.html, "sites", number)
        rows = {name: reader.row(page) for name, reader in ways.items()}
        group = "served" if (rows["rules"]["by"] or "").startswith("rule ") else "other"
        units = units_for(sample.gold["text"], sample.lang)
        for name, row in rows.items():
            scores[group, name].append(word_score(row["text"] or "", sample.gold["text"], units).f1)
        if number % 3 == 0:
            for name, reader in ways.items():
                work = partial(reader.row, page)
                times[group, name].append(min(timed(work), timed(work)))
            rival = partial(trafilatura.bare_extraction, sample.html, url=page.url, with_metadata=True)
            times[group, "trafilatura"].append(timed(rival))
    return times, scores


def main() -> None:
    if not (SHARED / "sites").exists():
        print("no ../shared/data/sites: nothing to measure")
        return
    print(machine.describe("tidings", "trafilatura"), "load", os.getloadavg())
    samples = load(SHARED / "sites")
    with TemporaryDirectory() as work:
        report = learned(Path(work), samples)
        times, scores = measured(samples, str(Path(work, "rules.parquet")))
        under_plain(Path(work), str(Path(work, "rules.parquet")))
    served = len(scores["served", "rules"])
    known = sum(site_of(address(sample)) in report.rules.texts for sample in samples)
    print(f"served: {served} of {len(samples)} pages, {served / known:.1%} of the {known} of hosts with rules")
    for name in ("rules", "default"):
        parts = {group: scores[group, name] for group in ("served", "other")}
        parts["all"] = parts["served"] + parts["other"]
        for group, found in parts.items():
            print(f"{group:7} {name:12} word F1 {sum(found) / len(found):.4f} ({len(found)} pages)")
    for (group, name), found in sorted(times.items()):
        share = sum(times[group, "trafilatura"]) / sum(found)
        print(f"{group:7} {name:12} {1000 * sum(found) / len(found):8.2f} ms; trafilatura {share:5.1f} times")
    print("load", os.getloadavg())


if __name__ == "__main__":
    main()
