"""Whether exporting takes no more memory for more articles: the peak of a process that writes each form.

A store of so many made-up articles and one of a quarter of them are exported, each in a process of its own.
Run: python -m benchmarks.export_memory [articles, 20000]
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import machine
from benchmarks.made_up_news import fill
from tidings_portal import store

FORMS = ("news.jsonl", "news.parquet", "news.sqlite")
_EXPORT = "import sys; from benchmarks.export_memory import export_to; export_to(*sys.argv[1:])"


def export_to(where: str, to: str) -> None:
    """Export a store; print the seconds and the megabytes at the most."""
    from tidings_portal.exports import export

    begin = time.perf_counter()
    with store.open(where, readonly=True) as kept:
        export(kept, Path(to))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{time.perf_counter() - begin:.1f} {peak:.0f}")


def main() -> None:
    articles = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    print(machine.describe("tidings", "pyarrow"))
    sizes = (articles // 4, articles)
    with tempfile.TemporaryDirectory() as folder:
        for number in sizes:
            with store.open(Path(folder) / f"{number}.tidings") as kept:
                fill(kept, number, datetime.now(UTC))
        print(f"{'':14}" + "".join(f"{number:>10,} articles" for number in sizes))
        for form in FORMS:
            cells = []
            for number in sizes:
                where, to = Path(folder) / f"{number}.tidings", Path(folder) / f"{number}-{form}"
                told = subprocess.run(
                    [sys.executable, "-c", _EXPORT, where, to], check=True, capture_output=True, text=True
                ).stdout.split()
                cells.append(f"{told[1]:>8} MB {told[0]:>5} s")
            print(f"{form:14}" + "  ".join(cells))


if __name__ == "__main__":
    main()
