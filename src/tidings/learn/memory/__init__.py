"""Memory-based learning: labels from gold, instances, weights, the learner, and files for TiMBL."""

from tidings.learn.memory.instances import Example, Instances
from tidings.learn.memory.labels import classes_of
from tidings.learn.memory.learner import Algorithm, MemoryLearner
from tidings.learn.memory.weights import Statistics, Weighting, statistics

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
