"""The CPU budget of an extraction, and the search for pages that take long for their size."""

from __future__ import annotations

import threading
from pathlib import Path
from time import thread_time

import pytest
from typer.testing import CliRunner

import tidings
from tests.fuzz.slow_shapes import SENTENCE, Shape, search, seconds_per_megabyte
from tidings.cli.app import app
from tidings.errors import BadArgument, ExtractionTimeout, PageTooCostly

LONG = "<title>Seals</title>" + "<details><summary>a b</summary><p>ab cd</p>" * 20_000
SHORT = "<title>Seals</title><p>" + "Seven seals came back to the bay, wardens said. " * 20


def test_an_extraction_that_takes_longer_than_its_budget_is_ended() -> None:
    began = thread_time()
    with pytest.raises(ExtractionTimeout, match=r"more than the 0\.05 s of processor time") as caught:
        tidings.extract(LONG, timeout=0.05)
    assert isinstance(caught.value, PageTooCostly)
    assert thread_time() - began < 5


def test_the_budget_works_in_threads_and_counts_their_own_time_alone() -> None:
    outcomes: dict[str, str] = {}

    def run(name: str, page: str, timeout: float) -> None:
        try:
            outcomes[name] = tidings.extract(page, timeout=timeout).text[:5]
        except ExtractionTimeout:
            outcomes[name] = "timeout"

    cases = {"long": (LONG, 0.05), "short": (SHORT, 30.0), "without": (LONG, 300.0)}
    threads = [threading.Thread(target=run, args=(name, *case)) for name, case in cases.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {"long": "timeout", "short": "Seven", "without": outcomes["without"]}
    assert outcomes["without"] != "timeout"


def test_a_page_within_its_budget_is_the_same_and_leaves_no_budget_behind() -> None:
    assert tidings.extract(SHORT, timeout=30) == tidings.extract(SHORT)
    with pytest.raises(ExtractionTimeout):
        tidings.extract(LONG, timeout=0.01)
    assert tidings.extract(SHORT).text


def test_the_command_gives_up_a_page_that_takes_too_long_and_reads_the_others(tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text(LONG)
    (tmp_path / "short.html").write_text(SHORT)
    ran = CliRunner().invoke(app, ["extract", str(tmp_path), "--timeout", "0.2", "--jobs", "1"])
    assert ran.exit_code != 0
    assert "Seven seals" in ran.stdout
    assert "more than the 0.2 s of processor time" in ran.output


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "5", True])
def test_a_budget_is_a_number_of_seconds_above_zero(timeout: object) -> None:
    with pytest.raises(BadArgument, match="timeout must be a number of seconds above 0"):
        tidings.extract(SHORT, timeout=timeout)  # type: ignore[arg-type]


def test_no_shape_that_a_search_finds_takes_five_seconds_for_a_megabyte() -> None:
    """Twice that at the smallest sizes, where a constant cost weighs most, and on a busy machine."""
    slowest = search(12, seed=1)
    assert slowest
    assert [(rate, shape) for rate, size, shape in slowest if rate > (5 if size >= 600_000 else 10)] == []


@pytest.mark.parametrize(
    "shape",
    [
        Shape("details", "p", 600, "ab cd", is_closed=False),
        Shape("div itemscope itemtype=//schema.org/Article", "pre", 600, "ab cd", is_closed=False),
        Shape("del", "ins", 40, "文字文字", is_closed=True),
        Shape("abbr title=t", "xmp", 600, SENTENCE, is_closed=False),
        Shape("abbr title=t", "meta name=a content=b", 600, SENTENCE, is_closed=False),
    ],
)
def test_shapes_that_were_slow_take_less_than_five_seconds_for_a_megabyte(shape: Shape) -> None:
    assert seconds_per_megabyte(shape.build(600_000)) < 5
