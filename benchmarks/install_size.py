"""What the core weighs when it is installed: Tidings and all that it needs, NumPy included. The bar is 160 MB.

The files of the installed distributions are added up, following the requirements that have no extra. What pip makes
besides (bytecode) counts, as far as it is there. Run: python -m benchmarks.install_size
"""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import tidings
from benchmarks import machine

BAR = 160  # MB
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRAS = re.compile(r"\[([^\]]*)\]")
_ASKED = re.compile(r"extra\s*==\s*[\"']([^\"']+)[\"']")

_ELSEWHERE = re.compile(r"==\s*[\"'](?:win32|Windows|emscripten)[\"']")


def needed(name: str, extras: frozenset[str] = frozenset()) -> dict[str, Distribution]:
    """A distribution and all that it needs, by name, as far as it is installed here."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    while waiting:
        asked, wanted = waiting.pop()
        key = asked.lower().replace("_", "-")
        try:
            found[key] = distribution(asked)
        except PackageNotFoundError:  # for another Python or another system
            continue
        for requirement in found[key].requires or ():
            match = _NAME.match(requirement)
            extra = _ASKED.search(requirement)
            if match is None or (extra and extra[1] not in wanted) or _ELSEWHERE.search(requirement):
                continue
            if match[0].lower().replace("_", "-") not in found:
                told = _EXTRAS.search(requirement.partition(";")[0])
                waiting.append((match[0], frozenset(told[1].replace(" ", "").split(",")) if told else frozenset()))
    return found


def megabytes(files: list[Path]) -> float:
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def main() -> None:
    print(machine.describe("tidings", "numpy"))
    sizes = {
        name: megabytes([Path(str(file.locate())) for file in one.files or ()])
        for name, one in needed("tidings").items()
    }
    # An editable install lists a pointer and not the files.
    sizes["tidings"] = megabytes(list(Path(tidings.__file__).parent.rglob("*")))
    for name, size in sorted(sizes.items(), key=lambda pair: -pair[1]):
        print(f"  {name:22} {size:7.1f} MB")
    total = sum(sizes.values())
    print(f"{len(sizes)} distributions, {total:.1f} MB ({'within' if total < BAR else 'over'} the bar of {BAR} MB)")


if __name__ == "__main__":
    main()
