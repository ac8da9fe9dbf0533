"""The fuzzer finds what it looks for: targets that are wrong in each way are told, written down, and repeated."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import __main__ as command_line
from tests.fuzz import campaign, cases, mutations
from tests.fuzz.campaign import Campaign, smaller
from tests.fuzz.cases import Fate, made, tried
from tests.fuzz.mutations import mutated
from tests.fuzz.targets import TARGETS, Target
from tests.support import ROOT
from tidings.errors import InputError

MB = 1_000_000


def _letters(rng: Random) -> bytes:
    return bytes(rng.choices(b"abcdefgh", k=40))


def _untyped(data: bytes) -> None:
    if b"ab" in data:
        raise ValueError("no")


def _refused(data: bytes) -> None:
    raise InputError("it is refused")


def _slow(data: bytes) -> None:
    while True:
        time.process_time()


def _hungry(data: bytes) -> None:
    assert bytearray(b"x") * (200 * MB)  # written, because zeros need no memory


def _deadly(data: bytes) -> None:
    if b"abcd" in data:
        os._exit(3)


def wrong_targets() -> dict[str, Target]:
    readers = {"untyped": _untyped, "refused": _refused, "deadly": _deadly}
    return {name: Target(name, 1, _letters, read) for name, read in readers.items()}


@pytest.mark.parametrize(("read", "fate"), [(_untyped, Fate.UNTYPED), (_refused, Fate.REFUSED), (_slow, Fate.SLOW)])
def test_what_became_of_a_case(read: object, fate: Fate, monkeypatch: pytest.MonkeyPatch) -> None:
    if fate is Fate.SLOW:  # memory is not given at once on a busy machine
        monkeypatch.setattr(cases, "SECONDS", 0.2)
    assert tried(Target("x", 1, _letters, read), b"xxabxx").fate is fate  # type: ignore[arg-type]


def test_a_case_that_takes_too_much_memory_is_large() -> None:
    """In a process of its own: one that has freed much memory may not need more."""
    code = """
from tests.fuzz.cases import tried
from tests.fuzz.targets import Target
from tests.fuzz.test_fuzzing import _hungry, _letters
print(tried(Target("x", 1, _letters, _hungry), b"xxabxx").fate.value)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.split() == ["large"]


def test_bounds_grow_with_the_size() -> None:
    assert cases.seconds_for(10) == cases.seconds_for(MB) == 5
    assert cases.seconds_for(3 * MB) == 15
    assert cases.memory_for(MB) == 100 * MB


def test_a_smaller_input_fails_for_the_same_cause() -> None:
    target = wrong_targets()["untyped"]
    data = b"x" * 500 + b"ab" + b"y" * 300
    assert smaller(target, data, tried(target, data)) == b"ab"


def test_a_campaign_goes_on_when_a_worker_dies(tmp_path: Path) -> None:
    run = Campaign(5, 150, 2, tmp_path / "failed", targets=wrong_targets)
    run.run()
    fates = {name: tally.fates for name, tally in run.tallies.items()}
    assert sum(counted.total() for counted in fates.values()) == 150
    assert set(fates["refused"]) == {Fate.REFUSED}
    expected = dict.fromkeys(fates, 0)
    plan = [*Campaign(5, 150, 1, tmp_path, targets=wrong_targets)._plan()]
    for name, number in plan:
        expected[name] += (b"ab", b"abcd")[name == "deadly"] in made(wrong_targets()[name], 5, number)
    assert fates["untyped"][Fate.UNTYPED] == expected["untyped"] > 0
    assert fates["deadly"][Fate.DIED] == expected["deadly"] > 0
    assert "python -m tests.fuzz repeat" in run.told()
    path = run.causes["untyped", Fate.UNTYPED, "ValueError elsewhere"][0]
    assert path.read_bytes() == b"ab"
    failure = json.loads(path.with_suffix(".json").read_text())
    assert "ValueError: no" in failure["details"]
    assert failure["case"] in {f"5/{number}" for _, number in plan}


def test_the_same_seed_gives_the_same_inputs() -> None:
    for target in TARGETS.values():
        assert made(target, 7, 3) == made(target, 7, 3)
        assert len({made(target, 7, number) for number in range(20)}) > 10, target.name


def test_inputs_have_bounds() -> None:
    sizes = [len(mutated(Random(number), [b"<p class='a'>words</p>" * 20])) for number in range(3000)]
    assert max(sizes) <= MB
    assert max(sizes) > 400_000
    assert sorted(sizes)[1500] < 24_000


@pytest.mark.parametrize(
    "sample", [b"a" * MB, b"a='" * 300_000, b"<a b=" * 200_000, b"1." * 500_000, b"charset = " * 99_999]
)
def test_mutation_itself_takes_no_time(sample: bytes) -> None:
    began = time.process_time()
    for change in set(mutations._CHANGES) - {mutations._recode}:  # some codecs of Python are slow
        change(Random(1), sample, [sample], [b"x"], MB)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("name", TARGETS)
def test_each_target_reads_something(name: str) -> None:
    """Else it would find nothing but refusals."""
    outcomes = (tried(TARGETS[name], made(TARGETS[name], 1, number)) for number in range(60))
    assert any(outcome.fate is Fate.READ for outcome in outcomes)


def test_an_input_is_repeated_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "prepare", lambda: None)  # it is for a process of its own
    path = tmp_path / "url-something.bin"
    path.write_bytes(b"http://a.example/")
    assert command_line._repeat(path) == 0
    assert "read" in capsys.readouterr().out


def test_a_share_is_more_cases_of_a_target(tmp_path: Path) -> None:
    names = [name for name, _ in Campaign(1, 400, 1, tmp_path, {"core": 2000, "scan": None})._plan()]
    assert set(names) <= {"core", "scan"}
    assert names.count("core") > 380


def test_the_target_core_calls_every_function_of_the_core() -> None:
    """In a process of its own: parts of Tidings keep the functions that they call."""
    code = """
from benchmarks.core_prices import Meter
meter = Meter()
from tests.fuzz.cases import made, tried
from tests.fuzz.targets import TARGETS
target = TARGETS["core"]
for number in range(100):
    tried(target, made(target, 1, number))
print(*(name for name in meter.names if not meter.usage.calls[name]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_an_unknown_target_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line.main(["--only", "pages"])
    assert "there is no target pages" in capsys.readouterr().err
