"""Many files with two jobs on the command line, against trafilatura's own: eight times its files a second is the bar.

Both write the text of each file into a folder. Wall-clock and processor time of the whole command, start included, in
turn, the best of some rounds, with the modules compiled as they are after an installation.

Run: python -m benchmarks.command_line [files, 500] [rounds, 3]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks import machine, pages

JOBS = 2
CORPUS = "wcxb-dev"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    data = (pages.load(CORPUS) or pages.newspaper())[:count]
    best: dict[str, tuple[float, float]] = {}
    with TemporaryDirectory() as folder:
        setting = os.environ | {"PYTHONPYCACHEPREFIX": str(Path(folder, "modules"))}
        setting.pop("PYTHONDONTWRITEBYTECODE", None)
        few, saved = Path(folder, "few"), Path(folder, "pages")
        for named, some in ((few, data[:3]), (saved, data)):
            named.mkdir()
            for place, page in enumerate(some):
                named.joinpath(f"{place:05}.html").write_bytes(page)
        for command in commands(few).values():  # compiles the modules
            seconds([*command, folder], setting)
        for turn in range(rounds):
            for name, command in commands(saved).items():
                out = Path(folder, f"{name}-{turn}")
                out.mkdir()
                taken = seconds([*command, str(out)], setting)
                written = sum(1 for file in out.rglob("*") if file.is_file())
                print(f"  {name}: {taken[0]:.1f} s, {taken[1]:.1f} s of the processor, {written} files", flush=True)
                best[name] = min(best.get(name, taken), taken)
    print(machine.describe("tidings", "numpy", "trafilatura"))
    print(f"{len(data)} files of {CORPUS}, {JOBS} jobs; load {os.getloadavg()[0]:.1f}")
    ours, theirs = best["tidings"], best["trafilatura"]
    print(f"files a second: {theirs[0] / ours[0]:.1f} times its (bar: 8); processor time {theirs[1] / ours[1]:.1f}")


def commands(saved: Path) -> dict[str, list[str]]:
    """What is run, the folder to write to still to come."""
    start = [sys.executable, "-c"]
    return {
        "tidings": [
            *start, "from tidings.cli import main; main()", "extract", str(saved), "--jobs", str(JOBS), "--output",
        ],
        "trafilatura": [
            *start, "from trafilatura.cli import main; main()",
            "--input-dir", str(saved), "--parallel", str(JOBS), "--output-dir",
        ],
    }  # fmt: skip


def seconds(command: list[str], setting: dict[str, str]) -> tuple[float, float]:
    """Wall-clock and processor time of a command and all its processes."""
    before, begin = os.times(), perf_counter()
    subprocess.run(command, check=True, env=setting, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    taken, after = perf_counter() - begin, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return taken, used


if __name__ == "__main__":
    main()
