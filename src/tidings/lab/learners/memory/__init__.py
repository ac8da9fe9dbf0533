"""Memory-based learning: labels from gold, instances, weights, the learner, and files for TiMBL."""

from tidings.lab.learners.memory.labels import classes_of
from tidings.lab.learners.memory.learner import (
    Algorithm,
    ElementExample,
    ElementInstances,
    FeatureWeighting,
    MemoryLearner,
    Statistics,
    statistics,
)

__all__ = [
    "Algorithm",
    "ElementExample",
    "ElementInstances",
    "FeatureWeighting",
    "MemoryLearner",
    "Statistics",
    "classes_of",
    "statistics",
]
