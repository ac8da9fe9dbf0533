"""Experiments: systems × pages × parameters → one table, kept by content, on several cores, whatever fails on the way.

samples = corpora.load(Path("wcxb-dev"), "article")
with Cache(default_folder()) as cache:
rows = list(run(find(["default", "trafilatura", "n-ext(beta=0.4)"]), samples, cache=cache, jobs=2))
"""

from tidings.lab.experiment.cache import Cache, default_folder
from tidings.lab.experiment.comparison import Comparison, PageGroup, ScoreDifference, SystemLine, compare
from tidings.lab.experiment.pool import StepDone, StepPool, StepTask
from tidings.lab.experiment.rows import ResultRow, RowMeasures, StepOutcome
from tidings.lab.experiment.run import MEASURES, TIMEOUT, run
from tidings.lab.experiment.speed import ReadingPace, Shift, Timing, by_workers, spread, time_in_turn
from tidings.lab.experiment.systems import Document, Function, Reading, System
from tidings.lab.experiment.tidings_systems import Default, Extraction, find, split

__all__ = [
    "MEASURES",
    "TIMEOUT",
    "Cache",
    "Comparison",
    "Default",
    "Document",
    "Extraction",
    "Function",
    "PageGroup",
    "Reading",
    "ReadingPace",
    "ResultRow",
    "RowMeasures",
    "ScoreDifference",
    "Shift",
    "StepDone",
    "StepOutcome",
    "StepPool",
    "StepTask",
    "System",
    "SystemLine",
    "Timing",
    "by_workers",
    "compare",
    "default_folder",
    "find",
    "run",
    "split",
    "spread",
    "time_in_turn",
]
