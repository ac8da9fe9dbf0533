"""The vote of the nearest neighbours: votes at each of the nearest distances, and the class that follows from them.

The rules are those of TiMBL. All instances at the k smallest distances vote. With k = 1 an instance that is equal in
every feature is the only voter. If classes have equal votes, the instances at the next distance vote too; if that does
not decide, the most frequent class wins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.memory import Floats, InstanceMemory
from tidings.page.columns import Ints

Votes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """The predicted class of each query instance, with the votes of all classes and the nearest distance."""

    classes: Ints
    votes: Votes
    distance: Floats

    @property
    def certainty(self) -> Floats:
        """Return the share of the votes for the winning class."""
        own_votes = self.votes[np.arange(len(self.votes)), self.classes]
        return np.asarray(own_votes / np.maximum(self.votes.sum(axis=1), 1))


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourVotes:
    """The class votes of the nearest neighbours of each query instance, at each of the k + 1 nearest distances."""

    memory: InstanceMemory
    votes: Votes  # instances, distances, classes
    same: Votes  # instances, classes: of the instance that is equal in every feature
    distance: Floats  # of the nearest neighbour

    def verdicts(self, k: int) -> Verdicts:
        """Return the class of each query instance by a vote over the k nearest distances.

        The next distance breaks ties.
        """
        votes = self.votes[:, :k].sum(axis=1)
        if k == 1:
            votes = np.where(self.same.sum(axis=1, keepdims=True) > 0, self.same, votes)
        classes, tied = self.memory.decide(votes)
        if tied.any():
            second, still = self.memory.decide(votes + self.votes[:, k])
            classes = np.where(tied & ~still, second, classes)
        return Verdicts(classes, votes, self.distance)

    def of(self, places: Ints) -> NeighbourVotes:
        """Return the votes of the query instances at some positions; a position may occur several times."""
        return NeighbourVotes(self.memory, self.votes[places], self.same[places], self.distance[places])
