"""Two checkouts of Tidings against each other, page by page in turn: did a change make reading slower?

Each is a process of its own, with its own core, that reads the page which the other has just read or is about to read.
Processor time of one thread, the best of some rounds a page, so that what else the machine does falls on both. The exit
code is 1 where the second needs more than `--at-most` times the time of the first.
Run: python -m benchmarks.checkouts BEFORE AFTER [--every 8] [--rounds 3] [--at-most 1.1] [--corpus wcxb-dev …]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks import machine, pages

CORPORA = ("wcxb-dev", "fundus-dev", "sites")
# What runs in each checkout, whatever its version: a length and a page in, the time of each call out.
READER = """
import json, sys
from time import thread_time
import tidings
calls = {"Page": tidings.Page, "extract": tidings.extract}
while line := sys.stdin.buffer.readline():
    data = sys.stdin.buffer.read(int(line))
    taken = {}
    for name, call in calls.items():
        begin = thread_time()
        call(data)
        taken[name] = thread_time() - begin
    print(json.dumps(taken), flush=True)
"""


@dataclass
class Checkout:
    """A process that reads pages with the Tidings of one folder."""

    folder: Path
    total: dict[str, float] = field(default_factory=dict)

    def __enter__(self) -> Self:
        before_packages = self.folder / "src"  # before 0.3
        source = before_packages if before_packages.is_dir() else self.folder / "packages/tidings/src"
        if not (source / "tidings").is_dir():
            raise SystemExit(f"{self.folder} is not a checkout of Tidings: it has no packages/tidings/src/tidings")
        environment = os.environ | {"PYTHONPATH": str(source), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def read(self, page: bytes) -> dict[str, float]:
        """The seconds that each call takes for a page."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(b"%d\n" % len(page) + page)
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"the process of {self.folder} ended")
        taken: dict[str, float] = json.loads(answer)
        return taken

    def add(self, best: dict[str, float]) -> None:
        """Add the times of one page."""
        for name, seconds in best.items():
            self.total[name] = self.total.get(name, 0.0) + seconds


def least(readings: list[dict[str, float]]) -> dict[str, float]:
    return {name: min(reading[name] for reading in readings) for name in readings[0]}


def measure(before: Path, after: Path, data: list[bytes], rounds: int) -> tuple[Checkout, Checkout]:
    """Both checkouts with the sums of the best times of each page."""
    with Checkout(before) as first, Checkout(after) as second:
        for page in data[:3]:  # what is loaded when it is first used
            first.read(page), second.read(page)
        for page in data:
            turns = [(first.read(page), second.read(page)) for _ in range(rounds)]
            first.add(least([turn[0] for turn in turns]))
            second.add(least([turn[1] for turn in turns]))
    return first, second


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.checkouts", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("before", type=Path, help="the folder of one checkout")
    parser.add_argument("after", type=Path, help="the folder of the other")
    parser.add_argument("--every", type=int, default=8, help="every n-th page [8]")
    parser.add_argument("--rounds", type=int, default=3, help="how often each page is read [3]")
    parser.add_argument("--at-most", type=float, default=1.1, help="more than so many times is too slow [1.1]")
    parser.add_argument("--corpus", nargs="+", default=CORPORA, help="corpora of ../shared/data")
    options = parser.parse_args()
    loaded = {name: pages.load(name, every=options.every) for name in options.corpus}
    loaded = {name: data for name, data in loaded.items() if data} or {"the newspaper": pages.newspaper()}
    print(machine.describe("numpy"))
    slower = False
    for name, data in loaded.items():
        before, after = measure(options.before, options.after, data, options.rounds)
        print(f"{name}: {len(data)} pages, load {os.getloadavg()[0]:.1f}")
        for call, seconds in after.total.items():
            ratio = seconds / before.total[call]
            slower |= ratio > options.at_most
            old, new = (taken / len(data) * 1000 for taken in (before.total[call], seconds))
            print(f"  {call:8} {old:7.2f} ms a page before  {new:7.2f} after  {ratio:5.2f} times")
    sys.exit(slower)


if __name__ == "__main__":
    main()
