"""Experiments: systems × pages × parameters → one table, kept by content, on several cores, whatever fails on the way.

samples = corpora.load(Path("wcxb-dev"), "article")
with Cache(default_folder()) as cache:
rows = list(run(find(["default", "trafilatura", "n-ext(beta=0.4)"]), samples, cache=cache, jobs=2))
"""

from tidings.lab.experiment.cache import Cache, default_folder
from tidings.lab.experiment.comparison import Comparison, Difference, Group, Line, compare
from tidings.lab.experiment.crew import Crew, Done, Task
from tidings.lab.experiment.names import find, split
from tidings.lab.experiment.ours import Default, Extraction
from tidings.lab.experiment.outcome import Outcome
from tidings.lab.experiment.rows import Measured, Row
from tidings.lab.experiment.run import MEASURES, TIMEOUT, run
from tidings.lab.experiment.speed import Pace, Timing, spread, time_in_turn
from tidings.lab.experiment.systems import Document, Function, Reading, System
from tidings.lab.experiment.throughput import Shift, by_workers

__all__ = [
    "MEASURES",
    "TIMEOUT",
    "Cache",
    "Comparison",
    "Crew",
    "Default",
    "Difference",
    "Document",
    "Done",
    "Extraction",
    "Function",
    "Group",
    "Line",
    "Measured",
    "Outcome",
    "Pace",
    "Reading",
    "Row",
    "Shift",
    "System",
    "Task",
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
