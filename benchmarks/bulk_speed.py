"""Many pages under `tidings bulk`: rows, memory, overhead, engines, killed runs; on real pages repeated.

The pages are those of ../shared/data, each time with another address and other bytes (a comment behind them), in
archives of up to 1 GB. Overhead is the processor time of all processes, their start included, beyond that of reading
pages, which the manifests tell. Run:

    python -m benchmarks.bulk_speed make DIR --pages 100000
    python -m benchmarks.bulk_speed run DIR --to OUT [--engine ray] [--kill 10]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from benchmarks import machine
from benchmarks.pages import SHARED

CORPORA = "sites news-modern news-multilingual rtl fundus-dev trafilatura-eval".split()
SPLIT = 1_000_000_000
WHEN = "2026-11-17T00:00:00Z"


def real_pages() -> Iterator[tuple[str, bytes]]:
    for corpus in CORPORA:
        index = SHARED / corpus / "pages.jsonl"
        for line in index.read_text(encoding="utf-8").splitlines() if index.exists() else ():
            row = json.loads(line)
            yield (
                row["url"] or f"http://{corpus}.test/{row['id']}",
                gzip.decompress((SHARED / corpus / row["html_file"]).read_bytes()),
            )


def make(folder: Path, count: int) -> None:
    """Archives of so many pages."""
    from isal import isal_zlib

    folder.mkdir(parents=True)
    known = list(real_pages())
    print(f"{len(known):,} real pages, {sum(len(data) for _, data in known) / len(known) / 1000:,.0f} KB on average")
    files = max(2, -(-count // 25_000))
    for number in range(files):
        with (folder / f"{number:02}.warc.gz").open("wb") as stream:
            for at, (url, data) in islice(enumerate(islice(cycle(known), count)), number, None, files):
                body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + data + b"<!-- %d -->" % at
                mark = "&" if "?" in url else "?"
                head = (
                    f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {url}{mark}copy={at}\r\nWARC-Date: {WHEN}\r\n"
                    f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
                )
                stream.write(isal_zlib.compress(head.encode() + body + b"\r\n\r\n", 1, 31))
        size = (folder / f"{number:02}.warc.gz").stat().st_size
        print(f"{number:02}.warc.gz: {size / 1e6:,.0f} MB", flush=True)
        if size > SPLIT:
            raise SystemExit("an archive is larger than a split")


def command(folder: Path, to: Path, engine: str, *more: str) -> list[str]:
    inputs = sorted(map(str, folder.glob("*.warc.gz"))) if folder.is_dir() else [str(folder)]
    return [sys.executable, "-m", "tidings", "bulk", "run", *inputs, "--to", str(to), "--engine", engine, *more]


def memory(pid: int) -> tuple[float, float]:
    """Megabytes of a process, and of the largest below it."""
    own, below = _resident(pid), 0.0
    for child in Path(f"/proc/{pid}/task").glob("*/children"):
        below = max([below, *(_resident(int(one)) for one in child.read_text().split())])
    return own, below


def _resident(pid: int) -> float:
    try:
        said = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in said.splitlines() if line.startswith("VmRSS")), 0.0)


def run(folder: Path, to: Path, engine: str, kills: int, more: list[str]) -> None:
    chance = random.Random(7)
    words = command(folder, to, engine, *more)
    for _ in range(kills):
        with subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            time.sleep(chance.uniform(2, 60))
            os.killpg(process.pid, signal.SIGKILL)
    before = os.times()
    sampled: list[tuple[float, float]] = []
    begun = time.monotonic()
    with subprocess.Popen(words) as process:
        while process.poll() is None:
            sampled.append(memory(process.pid))
            time.sleep(min(5.0, 0.5 + len(sampled) / 20))
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    show(to, used, time.monotonic() - begun, sampled)


def show(to: Path, used: float, wall: float, sampled: list[tuple[float, float]]) -> None:
    from pyarrow import parquet

    statuses: Counter[str] = Counter()
    ids: set[str] = set()
    rows = 0
    for one in sorted(to.glob("articles/*.parquet")):
        table = parquet.read_table(one, columns=["id", "status"])
        rows += table.num_rows
        ids.update(table.column("id").to_pylist())
        statuses.update(table.column("status").to_pylist())
    seconds = sum(json.loads(one.read_bytes())["reading"] for one in to.glob("manifest/*.json"))
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"{rows:,} rows, {len(ids):,} different: {dict(statuses)}; {wall:,.0f} s by the clock, load {load}")
    print(f"processor time {used:,.1f} s, {1000 * used / max(1, rows):.2f} ms a page")
    print(f"reading pages {seconds:,.1f} s, {1000 * seconds / rows:.2f} ms each; overhead {used / seconds - 1:.2%}")
    places = [int(part * (len(sampled) - 1)) for part in (0.1, 0.25, 0.5, 0.75, 0.9, 1)]
    print("MB of the main process and of the largest child: ", [tuple(map(round, sampled[at])) for at in places])


def main() -> None:
    said = argparse.ArgumentParser()
    said.add_argument("what", choices=["make", "run"])
    said.add_argument("folder", type=Path)
    said.add_argument("--pages", type=int, default=2000)
    said.add_argument("--to", type=Path)
    said.add_argument("--engine", default="plain")
    said.add_argument("--kill", type=int, default=0)
    told, more = said.parse_known_args()
    if told.what == "make":
        make(told.folder, told.pages)
    else:
        print(machine.describe("tidings", "pyarrow"))
        run(told.folder, told.to, told.engine, told.kill, more)


if __name__ == "__main__":
    main()
