"""Agreement with Debian's `timbl`, instance by instance.

    timbl -f train -t test -F Columns -mO:N12-27 -w WEIGHTS -k K -a ALGORITHM -o out

`-F Columns`: values between spaces. `-mO:N12-27`: overlap for tags and marks, numeric for lengths and capitals. `-w`:
nw, gr, ig, x2, sv. `-a 0` is IB1, `-a 1` IGTREE. Nothing else is set: bins 20, ties not at random, all votes equal.
Ties are decided as TiMBL does, so nothing is left to explain; the bar is 99.9 %, and there is no difference here.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.support import GATE, missing
from tidings.errors import InputError
from tidings.extractors.published.memory_based.extractor import encode
from tidings.extractors.published.memory_based.features import NUMERIC, ElementRows, rows
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import grow
from tidings_lab.corpora import load
from tidings_lab.learners.element_classes import PAIRS, ElementClasses
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import ElementExample, ElementInstances
from tidings_lab.learners.timbl_files import METRICS, lines, read
from tidings_lab.memory_pages import example

from .pages import made_page, newspaper_examples

pytestmark = pytest.mark.gate  # TiMBL, a program of its own

KS = (1, 3, 5, 7)
ENOUGH = 0.999
#: Instances to learn from; a quarter as many are asked about.
MOST = 3000 if GATE else 1200


@pytest.fixture(scope="session")
def timbl() -> str:
    """Where the program is; `scripts/system-packages` installs it."""
    return shutil.which("timbl") or missing("needs TiMBL: run scripts/system-packages as root")


def made_examples() -> list[ElementExample]:
    """Pages made up of numbers, with classes that their lengths and tags half explain."""
    generator = np.random.default_rng(7)
    found = []
    for number in range(12):
        page = made_page(tuple(generator.integers(0, 10_000, 40).tolist()))
        table = rows(page)
        long = table.values[:, 14] > 60
        text = np.where(generator.random(len(table)) < 0.1, 2, np.where(long, 3, 0)).astype(np.int8)
        tail = np.where(table.values[:, 21] > 90, 3, 0).astype(np.int8)
        found.append(ElementExample(f"made {number}", f"made {number % 3}", table, ElementClasses(text, tail)))
    return found


def written(path: Path, examples: Sequence[ElementExample]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for one in examples:
            file.writelines(lines(one.rows, [PAIRS[pair] for pair in one.classes.pairs.tolist()]))
    return path


def timbl_says(timbl: str, folder: Path, *switches: str) -> list[str]:
    out = folder / "out"
    command = [timbl, "-f", str(folder / "train"), "-t", str(folder / "test"), "-F", "Columns", METRICS, *switches]
    subprocess.run([*command, "-o", str(out)], check=True, capture_output=True)
    return [line.split()[-1] for line in out.read_text(encoding="utf-8").splitlines()]


def thinned(examples: Sequence[ElementExample], most: int) -> list[ElementExample]:
    """Return about `most` elements, some of each page, as TiMBL is slow."""
    step = -(-sum(len(one.rows) for one in examples) // most)
    return [
        ElementExample(
            one.id,
            one.site,
            ElementRows(one.rows.values[::step], one.rows.tags),
            ElementClasses(one.classes.text[::step].copy(), one.classes.tail[::step].copy()),
        )
        for one in examples
    ]


def agree(
    timbl: str, folder: Path, train: Sequence[ElementExample], test: Sequence[ElementExample], ks: Sequence[int]
) -> None:
    train, test = thinned(train, MOST), thinned(test, MOST // 4)
    written(folder / "train", train)
    written(folder / "test", test)
    instances = ElementInstances.of(train)
    found = instances.statistics()
    asked = np.concatenate([encode(one.rows, instances.tags) for one in test])
    names = np.array(instances.names)
    for weighting in FeatureWeighting:
        memory = instances.memory(weighting, found)
        neighbours = Nearest(memory, max(ks)).look(asked)
        for k in ks:
            mine = names[neighbours.verdicts(k).classes]
            theirs = np.array(timbl_says(timbl, folder, "-w", weighting.value, "-k", str(k), "-a", "0"))
            assert np.mean(mine == theirs) >= ENOUGH, (weighting, k, np.flatnonzero(mine != theirs)[:10])
        mine = names[grow(memory, found.tree_order(weighting)).classify(asked)[0]]
        theirs = np.array(timbl_says(timbl, folder, "-w", weighting.value, "-a", "1"))
        assert np.mean(mine == theirs) >= ENOUGH, (weighting, "IGTREE", np.flatnonzero(mine != theirs)[:10])


def test_metrics_name_the_numeric_features() -> None:
    assert METRICS == "-mO:N12-27"
    assert [place for place, numeric in enumerate(NUMERIC, 1) if numeric] == list(range(12, 28))


def test_an_instance_file_has_a_column_a_feature_and_the_class() -> None:
    page = newspaper_examples()[0]
    first = next(iter(lines(page.rows, [PAIRS[pair] for pair in page.classes.pairs.tolist()]))).split()
    assert len(first) == 42
    assert first[5] == "document"
    assert first[-1] == "g+g"


def test_weights_are_timbls(timbl: str, tmp_path: Path) -> None:
    train = newspaper_examples()
    written(tmp_path / "train", train)
    subprocess.run(
        [timbl, "-f", "train", "-F", "Columns", METRICS, "-w", "sv", "-W", "weights"],
        check=False, capture_output=True, cwd=tmp_path,
    )  # fmt: skip
    found, now = ElementInstances.of(train).statistics(), ""
    read: dict[str, list[float]] = {}
    for line in (tmp_path / "weights").read_text().splitlines():
        words = line.split()
        if words[0] == "#" and len(words) == 2 and words[1] in {one.value for one in FeatureWeighting}:
            now = words[1]
            read[now] = []
        elif words[0] != "#":
            read[now].append(float(words[1]))
    for weighting in FeatureWeighting:
        assert found.weights(weighting) == pytest.approx(read[weighting.value], rel=1e-12, abs=1e-15), weighting


def test_the_newspaper(timbl: str, tmp_path: Path) -> None:
    pages = newspaper_examples()
    agree(timbl, tmp_path, pages[::2], pages[1::2], KS)


def test_made_pages_with_noisy_classes(timbl: str, tmp_path: Path) -> None:
    pages = made_examples()
    agree(timbl, tmp_path, pages[:9], pages[9:], (1, 2, 5, 10))


@pytest.mark.shared
def test_real_pages(timbl: str, tmp_path: Path, shared_data: Path, gate: bool) -> None:
    """Pages of other sites: nothing is remembered exactly, and near ties are many."""
    samples = [sample for sample in load(shared_data / "fundus-dev") if sample.corpus == "fundus"]
    pages = [example(sample) for sample in samples[: 40 if gate else 12]]
    agree(timbl, tmp_path, pages[: -len(pages) // 4], pages[-len(pages) // 4 :], KS if gate else (1, 7))


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    pages = newspaper_examples()[:4]
    instances = ElementInstances.of(pages[:2])
    train = read(written(tmp_path / "train", pages[:2]))
    assert (train.classes == instances.classes).all()
    assert train.names == instances.names
    assert train.statistics().gain_ratio == pytest.approx(instances.statistics().gain_ratio)
    test = read(written(tmp_path / "test", pages[2:]), train)
    assert test.tags == train.tags
    assert test.values.min() >= -1  # tags that were never seen
    for text, said in (("a b c\n", "42 columns"), (" ".join(["p"] * 42) + "\n", "no file of instances")):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(InputError, match=said):
            read(tmp_path / "bad")
