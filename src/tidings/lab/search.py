"""Finding a good combination automatically: CombinE's votes, chosen on some sites and reported on others.

Gottron 2008; DANA thesis 3.4.2. Starting from the best single extractors, members are added one at a time, keeping the
few best ensembles at each size, every quorum from one to all tried.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidings.lab.ballots import Ballot


@dataclass(frozen=True, slots=True)
class Found:
    """An ensemble and how it does on the sites it was chosen on and on the others."""

    members: tuple[str, ...]
    quorum: int
    chosen_on: float
    elsewhere: float

    @property
    def expression(self) -> str:
        """The ensemble as `tidings extract --with` takes it."""
        return self.members[0] if len(self.members) == 1 else f"vote({', '.join(self.members)}; {self.quorum})"


def search(
    ballots: list[Ballot],
    names: tuple[str, ...],
    most: int = 6,
    beam: int = 3,
) -> list[Found]:
    """The best vote of each size, chosen on the sites of half 0 and measured on those of half 1."""
    ours = [ballot for ballot in ballots if ballot.half == 0]
    others = [ballot for ballot in ballots if ballot.half == 1]
    best: list[tuple[float, tuple[int, ...], int]] = []
    front: list[tuple[int, ...]] = [()]
    found: list[Found] = []
    for size in range(1, most + 1):
        wider = {tuple(sorted((*members, new))) for members in front for new in range(len(names)) if new not in members}
        best = sorted(
            ((mean(ours, members, quorum), members, quorum) for members in wider for quorum in range(1, size + 1)),
            reverse=True,
        )[:beam]
        front = [members for _, members, _ in best]
        score, members, quorum = best[0]
        found.append(Found(tuple(names[one] for one in members), quorum, score, mean(others, members, quorum)))
    return found


def mean(ballots: list[Ballot], members: tuple[int, ...], quorum: int) -> float:
    """Mean word F1 of a vote over pages."""
    rows = list(members)
    return (
        float(np.mean([ballot.f1(ballot.kept[rows].sum(axis=0) >= quorum) for ballot in ballots])) if ballots else 0.0
    )
