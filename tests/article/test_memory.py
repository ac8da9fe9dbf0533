"""HOSTILE 18: whoever reads page after page, each of another site, comes to need no more memory.

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
