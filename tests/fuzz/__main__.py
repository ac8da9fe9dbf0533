"""The command line of the fuzzer: see the package."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path


def main(words: list[str]) -> int:
    """Run what was asked for; 1 if anything failed."""
    if words[:1] == ["guided"]:  # which has to be there before any of Tidings is
        from tests.fuzz import guided

        return guided.main(words[1:])
    if words[:1] == ["pages"]:
        return _read_pages()
    if words[:1] == ["repeat"]:
        return max((_repeat(Path(name)) for name in words[1:]), default=2)
    from tests.fuzz.campaign import Campaign, all_targets

    asked = argparse.ArgumentParser(prog="python -m tests.fuzz")
    asked.add_argument("--cases", type=int, default=20_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--seconds", type=float, help="begin no further cases after that")
    asked.add_argument("--only", default="", help="targets, with commas between them; page:3 for a share")
    asked.add_argument("--folder", type=Path, default=Path("out/fuzz"), help="for inputs that fail")
    given = asked.parse_args(words)
    named = (one.partition(":") for one in given.only.split(",") if one)
    only = {name: int(share) if share else None for name, _, share in named}
    if unknown := set(only) - set(all_targets()):
        asked.error(f"there is no target {', '.join(sorted(unknown))}; there are {', '.join(all_targets())}")
    campaign = Campaign(given.seed, given.cases, given.jobs, given.folder, only, given.seconds)
    began = time.monotonic()
    campaign.run()
    done = sum(tally.fates.total() for tally in campaign.tallies.values())
    print(campaign.told())  # noqa: T201
    print(f"\n{done:,} cases of seed {given.seed} in {time.monotonic() - began:.0f} s, {len(campaign.causes)} causes")  # noqa: T201
    return 1 if campaign.causes else 0


def _read_pages() -> int:
    """Read the real pages of ../shared/data, or the bundled newspaper, as they are; print which core has read them."""
    from benchmarks import pages
    from tests.fuzz.campaign import all_targets, prepare
    from tests.fuzz.cases import FAILURES, tried
    from tidings import core

    prepare()
    corpora = sorted(path.parent.name for path in pages.SHARED.glob("*/pages.jsonl"))
    real = (page for corpus in corpora for page in pages.each(corpus))
    outcomes = [tried(all_targets()["page"], page) for page in (real if corpora else pages.newspaper())]
    failures = [outcome for outcome in outcomes if outcome.fate in FAILURES]
    print(f"{len(outcomes):,} pages, {len(failures)} failures, by {core.state().reason}")  # noqa: T201
    for outcome in failures:
        print(f"{outcome.fate} {outcome.where}\n{outcome.details}")  # noqa: T201
    return 1 if failures else 0


def _repeat(path: Path) -> int:
    """One input again, whose target its name begins with."""
    from tests.fuzz.campaign import all_targets, prepare
    from tests.fuzz.cases import FAILURES, tried

    prepare()
    target = all_targets()[path.name.partition("-")[0]]
    outcome = tried(target, path.read_bytes())
    print(f"{path}: {outcome.fate} {outcome.where}\n{outcome.details}")  # noqa: T201
    print(f"{outcome.seconds:.2f} s, {outcome.memory / 1e6:.0f} MB")  # noqa: T201
    return 1 if outcome.fate in FAILURES else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
