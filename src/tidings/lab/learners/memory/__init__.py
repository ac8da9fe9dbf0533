"""Memory-based learning: labels from gold, instances, weights, the learner, and files for TiMBL."""

from tidings.lab.learners.memory.labels import classes_of
from tidings.lab.learners.memory.learner import (
    Algorithm,
    Example,
    Instances,
    MemoryLearner,
    Statistics,
    Weighting,
    statistics,
)

__all__ = [
    "Algorithm",
    "Example",
    "Instances",
    "MemoryLearner",
    "Statistics",
    "Weighting",
    "classes_of",
    "statistics",
]
