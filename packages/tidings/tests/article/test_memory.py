"""HOSTILE 18: whoever reads page after page, each of another site, comes to need no more memory.
HOSTILE 30: nor does one page need more than a small multiple of its size, whatever it is made of.

By default 5,000 pages; `TIDINGS_PAGES=100000 make soak` reads as many as HOSTILE names.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGES = int(os.environ.get("TIDINGS_PAGES", "5000"))

#: In a process of its own, so that nothing but the reading is measured. Every page has its own host, words and classes.
READING = """
import os, random, sys
from pathlib import Path
import tidings

def page(number):
    chance = random.Random(number)
    said = [f"w{chance.randrange(10**6)}" for _ in range(120)]
    title = " ".join(said[:3])
    return (
        f"<html><head><title>{title}</title></head><body class=c{chance.randrange(10**6)}>"
        f"<div class=m{number}><a href=/{number}>{said[3]}</a></div><h1>{title}</h1>"
        f"<p>{' '.join(said[4:60])}.</p><p>{' '.join(said[60:])}.</p></body></html>"
    ).encode()

pages = int(sys.argv[1])
for number in range(1, pages + 1):
    tidings.extract(page(number), url=f"https://s{number}.example/{number}")
    if number % (pages // 5) == 0:
        print(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE"))
"""


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of a process is read from /proc")
def test_memory_levels_off() -> None:
    done = subprocess.run([sys.executable, "-c", READING, str(PAGES)], check=True, capture_output=True, text=True)
    sizes = [int(line) for line in done.stdout.split()]
    assert len(sizes) == 5
    grown = sizes[-1] - sizes[0]
    assert grown < 2_000_000 + 200 * PAGES  # what settles late, and less than the address of a page


#: One page in a process of its own: how far its resident size rises above what it is after a small page.
PEAK = """
import sys
from pathlib import Path
import tidings

def kilobytes(name):
    return int(Path("/proc/self/status").read_text().partition(name + ":")[2].split()[0])

tidings.extract("<h1>Seals</h1>" + "<p>Seals are back in the estuary, said the warden on Monday, 3 May 2024.</p>" * 9)
around, unit, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
page = ("<title>Seals</title>" + around + unit * (size // len(unit))).encode()
before = kilobytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")
article = tidings.extract(page)
print((kilobytes("VmHWM") - before) * 1024, len(page), ",".join(article.marks))
"""
#: As many tags as are told apart, and more.
SHAPES = [
    ("<a href=x>a</a>", 2_000_000),
    pytest.param("<p>ab</p>", 2_000_000, marks=pytest.mark.gate),
    pytest.param("<li>a", 4_000_000, marks=pytest.mark.gate),
]
LARGE = ["<p>ab</p>", "<a href=x>a</a>", "<li>a", "<table><tr> <td>a", "<br>a", "<b>a</b>", "<div>a", "ab&amp;", "<"]


def _peak(unit: str, size: int) -> tuple[int, int, str]:
    around, _, unit = unit.rpartition(" ") if unit.startswith("<table") else ("", "", unit)
    command = [sys.executable, "-c", PEAK, around, unit, str(size)]
    grown, held, marks = (
        subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip("\n").split(" ")
    )
    return int(grown), int(held), marks


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize(("unit", "size"), SHAPES)
def test_one_page_takes_a_small_multiple_of_its_size(unit: str, size: int) -> None:
    grown, held, marks = _peak(unit, size)
    assert grown <= 60_000_000 + 40 * held
    assert marks == "truncated"


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the peak of a process is read from /proc")
@pytest.mark.parametrize("size", [5_000_000, 16_000_000])
@pytest.mark.parametrize("unit", LARGE)
def test_so_does_a_large_page(unit: str, size: int) -> None:
    grown, held, _ = _peak(unit, size)
    assert grown <= 60_000_000 + 40 * held
