"""The same targets guided by coverage: atheris (libFuzzer for Python) keeps inputs that reach new code.

It is no dependency: `pip install atheris`, where there is a build of it for the machine. Our own changes serve as its
mutator beside its own; what it has learned stays in a folder and is begun from the next time.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path
from random import Random

_SAMPLES = 200  # inputs that an empty folder is filled with


def main(words: list[str]) -> int:
    """Try one target for a while. Atheris ends the process itself, with another code than 0 if something failed."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz guided")
    asked.add_argument("target")
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--folder", type=Path, default=Path("out/fuzz"))
    given = asked.parse_args(words)
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        asked.error("atheris is not installed: pip install atheris")
    loaded = [name for name in sys.modules if name.partition(".")[0] == "tidings"]
    assert not loaded, f"{loaded[0]} is imported before its code can be counted"
    with atheris.instrument_imports(include=["tidings"]):
        from tests.fuzz import cases, mutations, targets
    from tests.fuzz.campaign import kept

    if given.target not in targets.TARGETS:
        asked.error(f"there is no target {given.target}; there are {', '.join(targets.TARGETS)}")
    target = targets.TARGETS[given.target]
    corpus = given.folder / "corpus" / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    if not any(corpus.iterdir()):
        for number in range(_SAMPLES):
            corpus.joinpath(f"{number}").write_bytes(cases.made(target, given.seed, number)[:100_000])

    def one(data: bytes) -> None:
        outcome = cases.tried(target, data)
        if outcome.fate in cases.FAILURES:
            path = kept(given.folder, target.name, data, outcome)
            raise AssertionError(f"python -m tests.fuzz repeat {path}\n{outcome.details}")

    def changed(data: bytes, most: int, seed: int) -> bytes:
        rng = Random(seed)
        ours = rng.random() < 0.5 and data
        return (mutations.mutated(rng, (data,)) if ours else bytes(atheris.Mutate(data, most)))[:most]

    options = [f"-max_total_time={given.seconds}", f"-seed={given.seed}", "-rss_limit_mb=4096", "-timeout=120"]
    options.append(f"-artifact_prefix={given.folder}/")
    atheris.Setup([sys.argv[0], *options, str(corpus)], one, custom_mutator=changed, enable_python_coverage=True)
    atheris.Fuzz()
    return 0
