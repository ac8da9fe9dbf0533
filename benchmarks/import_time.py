"""How long it takes to start: one file on the command line, `import tidings` with a first extraction, the import alone.

Processor time of a fresh process, best of some rounds, interleaved with trafilatura and with what cannot be avoided
(Python itself, NumPy), with the modules compiled as they are after an installation. The page is one that trafilatura
reads at its first attempt: where it has to fall back it takes two thirds more.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import machine
from tidings import newspaper

ROUNDS = 7
#: Bars: ratio to trafilatura's command line, seconds, milliseconds.
COMMAND, FIRST, IMPORT = 1.2, 0.35, 60

_CODE = {
    "tidings extract FILE": "from tidings.cli import main; main()",
    "trafilatura < FILE": "from trafilatura.cli import main; main()",
    "import and first extract": "import sys, tidings; tidings.extract(open(sys.argv[2], 'rb').read())",
    "import tidings and its Page": "import tidings; tidings.Page",
    "import numpy": "import numpy",
    "python": "",
}


def main() -> None:
    best = dict.fromkeys(_CODE, float("inf"))
    with TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_bytes(next(newspaper.pages("gazette")).html)
        setting = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        setting.pop("PYTHONDONTWRITEBYTECODE", None)
        for turn in range(ROUNDS + 1):
            for name, code in _CODE.items():
                said = ["extract", str(page)] if "trafilatura" not in name else []
                spent = _processor_time([sys.executable, "-c", code, *said], page, setting)
                if turn:  # the first compiles the modules
                    best[name] = min(best[name], spent)
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(machine.describe("tidings", "numpy", "trafilatura"))
    print(f"processor time, best of {ROUNDS}; load of the machine {load}")
    for name, spent in best.items():
        print(f"  {name:<28}{spent * 1000:6.0f} ms")
    rival = best["trafilatura < FILE"]
    first = best["import and first extract"]
    print(f"one file on the command line / trafilatura's: {best['tidings extract FILE'] / rival:.2f} (bar: {COMMAND})")
    print(f"import and first extract: {first:.2f} s (bar: {FIRST}), {first / rival:.2f} of trafilatura's command line")
    after = (best["import tidings and its Page"] - best["import numpy"]) * 1000
    print(f"import tidings and its Page after numpy: {after:.0f} ms (bar: {IMPORT})")


def _processor_time(command: list[str], page: Path, setting: dict[str, str]) -> float:
    """Seconds that a process and the system for it worked.

    Raises:
        CalledProcessError: it failed.
    """
    with page.open("rb") as stream:
        started = subprocess.Popen(command, stdin=stream, stdout=subprocess.DEVNULL, env=setting)
        _, state, used = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(state)
    if started.returncode:
        raise subprocess.CalledProcessError(started.returncode, command)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
