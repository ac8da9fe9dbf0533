"""The memory-based learner against TiMBL on the same files in one run, and IGTREE with 1,000 pages learned.

Bars: IB1 takes no longer than `timbl`; IGTREE reads at least 20 pages a second. IB1 is timed from reading the two
instance files to the last class, as TiMBL is; both take turns, and the ratio is of processor time, which others on the
machine do not change. Run: python -m benchmarks.memory_learner [pages to learn from, 20 by default]
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from benchmarks import machine, pages
from tidings.errors import PageError
from tidings.extractors.published.memory_based.extractor import encode
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.newspaper import path
from tidings.page import Page
from tidings_lab.corpora import Sample, load
from tidings_lab.learners.element_classes import PAIRS
from tidings_lab.learners.feature_weights import FeatureWeighting
from tidings_lab.learners.memory import Algorithm, ElementExample, MemoryLearner
from tidings_lab.learners.timbl_files import METRICS, lines, read
from tidings_lab.memory_pages import example

SETTINGS = (
    (FeatureWeighting.GAIN_RATIO, 1),
    (FeatureWeighting.SHARED_VARIANCE, 1),
    (FeatureWeighting.CHI_SQUARE, 7),
    (FeatureWeighting.NONE, 3),
)
LEARNED = 1000


def samples() -> list[Sample]:
    """Real articles where they are, the bundled newspaper otherwise."""
    folder = pages.SHARED / "wcxb-dev"
    return load(folder) if folder.exists() else load(path())


def examples(chosen: list[Sample]) -> list[ElementExample]:
    found = []
    for sample in chosen:
        try:
            found.append(example(sample))
        except PageError as error:
            print(f"{sample.id} is left out: {error}")
    return found


def write(file: Path, chosen: list[ElementExample]) -> None:
    with file.open("w", encoding="utf-8") as out:
        for one in chosen:
            out.writelines(lines(one.rows, [PAIRS[pair] for pair in one.classes.pairs.tolist()]))


def ours(folder: Path, weighting: FeatureWeighting, k: int) -> tuple[float, list[str]]:
    """Processor seconds and the classes."""
    begin = process_time()
    train = read(folder / "train")
    asked = read(folder / "test", train)
    classes = Nearest(train.memory(weighting), k).classify(asked.values).classes
    return process_time() - begin, [train.names[one] for one in classes.tolist()]


def theirs(folder: Path, weighting: FeatureWeighting, k: int) -> tuple[float, list[str]]:
    """The same of TiMBL."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["timbl", "-f", "train", "-t", "test", "-F", "Columns", METRICS, "-w", weighting.value, "-k", str(k)]
    subprocess.run([*command, "-o", "out"], cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, [line.split()[-1] for line in (folder / "out").read_text(encoding="utf-8").splitlines()]


def against_timbl(size: int, chosen: list[Sample]) -> None:
    if shutil.which("timbl") is None:
        print("TiMBL is not installed: no comparison")
        return
    known = examples(chosen[: size + max(size // 5, 1)])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "train", known[:size])
        write(folder / "test", known[size:])
        counts = [sum(len(one.rows) for one in part) for part in (known[:size], known[size:])]
        print(f"IB1, {counts[0]:,} instances learned, {counts[1]:,} asked; processor seconds")
        print("weights  k   tidings     timbl     ratio   same classes")
        for weighting, k in SETTINGS:
            mine, said = ours(folder, weighting, k)
            other, told = theirs(folder, weighting, k)
            same = float(np.mean(np.array(said) == np.array(told)))
            print(f"{weighting.value:8}{k:2}{mine:10.2f}{other:10.2f}{other / mine:10.1f}{same:15.5f}")


def pages_a_second(chosen: list[Sample]) -> None:
    known = examples(chosen[:LEARNED])
    begin = perf_counter()
    model = MemoryLearner(Algorithm.IGTREE, FeatureWeighting.CHI_SQUARE).fit(known)
    print(f"IGTREE learned {len(known)} pages in {perf_counter() - begin:.1f} s: {model.card['elements']:,} elements")
    data = [sample.html for sample in (chosen[LEARNED:] or chosen)[:100]]
    begin = perf_counter()
    for one in data:
        model.mark(Page(one))
    whole = perf_counter() - begin
    ready = [encode(one.rows, model.tags) for one in examples((chosen[LEARNED:] or chosen)[:100])]
    begin = perf_counter()
    for values in ready:
        model.answer(values)
    print(f"{len(data) / whole:.0f} pages a second from bytes to classes, {len(ready) / (perf_counter() - begin):.0f} "
          "a second from features to classes")  # fmt: skip


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(machine.describe("tidings", "numpy"))
    chosen = samples()
    articles = [sample for sample in chosen if sample.page_type == "article"]
    against_timbl(size, articles)
    pages_a_second(chosen)


if __name__ == "__main__":
    main()
