"""kill -9 at random moments: nothing is lost, nothing is twice, the store is whole (HOSTILE 27)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from tests.portal.watch.press import QUICK, Press
from tests.support import PYTHONPATH, ROOT
from tidings import newspaper
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.store.records_of_work import NewSource

pytestmark = pytest.mark.gate

STORIES = sum(page.page_type != "front" for page in newspaper.pages())

#: Watches once and says a word for everything that happens.
WATCHER = """
import asyncio, sys
from dataclasses import replace
from tests.fetch.server import AT_ONCE
from tests.portal.watch.press import QUICK, everybody_is_here
from tidings import newspaper
from tidings_portal import watch as pipeline
from tidings.fetch import Guard, Live
from urllib.parse import urlsplit

async def main(where, jobs):
    hosts = {urlsplit(one.url).hostname for one in newspaper.sources() if one.url}
    live = Live(guard=Guard.allowing(hosts), pace=AT_ONCE, robots=False, resolver=everybody_is_here)
    async with live:
        print("ready", flush=True)
        plan = replace(QUICK, jobs=jobs, batch=3, pages_at_once=6, polls_at_once=2)
        await pipeline.watch(where, fetcher=live, plan=plan, tell=lambda event: print(type(event).__name__, flush=True))
    print("done", flush=True)

if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


def _killed(script: Path, where: str, jobs: int, chance: Random) -> bool:
    """Run a watcher and kill it somewhere on the way; False if it came to its end before."""
    command = [sys.executable, str(script), where, str(jobs)]
    env = os.environ | {"PYTHONPATH": PYTHONPATH}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=env) as watcher:
        assert watcher.stdout is not None
        for _ in range(chance.randint(1, 25)):
            if watcher.stdout.readline() in ("done\n", ""):
                watcher.communicate()
                assert watcher.returncode == 0
                return False
        time.sleep(chance.random() * 0.05)  # somewhere between two words
        watcher.send_signal(signal.SIGKILL)
        watcher.communicate()
    return True


def _kill_and_count(tmp_path: Path, wanted: int, seed: int) -> int:
    """Kill watchers so many times, over as many stores as it takes, and look at each store in the end."""
    chance = Random(seed)
    script = tmp_path / "watcher.py"
    script.write_text(WATCHER)
    killed = life = 0
    while killed < wanted:
        life += 1
        where = str(tmp_path / f"news-{life}.tidings")
        with Press() as press:
            feeds = [one for one in newspaper.sources() if one.kind not in ("opml", "sitemap")]
            with store.open(where) as kept:
                early = datetime.now(UTC) - timedelta(seconds=1)
                kept.add_sources([NewSource(press.url(one.url)) for one in feeds], early)
            while killed < wanted and _killed(script, where, jobs=chance.choice((0, 1)), chance=chance):
                killed += 1

            async def rest(press: Press = press, where: str = where) -> None:
                async with press.live() as live:
                    await pipeline.watch(where, fetcher=live, plan=QUICK)

            asyncio.run(rest())
        with store.open(where) as kept:
            assert kept.check() == []
            found = list(kept.each_article(all_versions=True))
            assert set(Counter(one.headline.address for one in found).values()) == {1}
            assert len(found) == STORIES
            state = kept.queue(datetime.now(UTC))
            assert (state.waiting, state.leased, state.later, state.failed) == (0, 0, 0, 0)
            assert {source.state for source in kept.sources()} == {"ok"}
    return killed


def test_killed_at_some_moments(tmp_path: Path) -> None:
    assert _kill_and_count(tmp_path, 4, seed=3) == 4


@pytest.mark.soak
def test_killed_at_fifty_moments(tmp_path: Path) -> None:
    assert _kill_and_count(tmp_path, 50, seed=50) == 50
