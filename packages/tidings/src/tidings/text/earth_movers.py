"""Similarity of two texts by the earth mover distance of their terms (Rubner et al. 2000; N-EXT thesis, chapter 8).

The thesis names the distance but not the distance of terms. Here that is one minus the similarity of their letter pairs
(LBNEST III.A), so that inflections and compounds are near each other. Terms with different first letters have distance
1, so the linear program splits into one for each letter, and each is solved exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tidings.text.letter_pairs import letter_pair_similarity

#: Smaller gains are rounding errors.
_NO_GAIN: Final = 1e-12


def earth_movers_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return one minus the earth mover's distance of two texts given as terms."""
    if not first or not second:
        return 0.0
    # Integer masses that are equal in both texts.
    supplies = {term: count * len(second) for term, count in Counter(first).items()}
    demands = {term: count * len(first) for term, count in Counter(second).items()}
    letters = {term[:1] for term in supplies} & {term[:1] for term in demands}
    parts = (({t: n for t, n in side.items() if t[:1] == letter} for side in (supplies, demands)) for letter in letters)
    return math.fsum(_largest_likeness(supply, demand) for supply, demand in parts) / (len(first) * len(second))


def _largest_likeness(supply: dict[str, int], demand: dict[str, int]) -> float:
    """Return the largest sum of mass times similarity for moving a supply to a demand.

    Solved by successive longest paths (a transportation problem): mass moves along the path with the largest gain,
    which may undo earlier moves, until no path has a gain.
    """
    gains = {
        (one, other): likeness for one in supply for other in demand if (likeness := _term_likeness(one, other)) > 0
    }
    moved: dict[tuple[str, str], int] = dict.fromkeys(gains, 0)
    supply, demand, total = dict(supply), dict(demand), 0.0
    while True:
        best, came_from = _longest_paths(gains, moved, supply)
        ends = [other for other in demand if demand[other] and best.get((1, other), 0.0) > _NO_GAIN]
        if not ends:
            return total
        at = (1, max(ends, key=lambda other: best[1, other]))
        path, end = [], at
        while at in came_from:
            path.append((came_from[at], at))
            at = came_from[at]
        amount = min(supply[at[1]], demand[end[1]])
        amount = min([amount, *(moved[there[1], here[1]] for here, there in path if here[0])])
        for here, there in path:
            pair = (here[1], there[1]) if not here[0] else (there[1], here[1])
            moved[pair] += amount if not here[0] else -amount
        supply[at[1]] -= amount
        demand[end[1]] -= amount
        total += amount * best[end]


def _longest_paths(
    gains: dict[tuple[str, str], float], moved: dict[tuple[str, str], int], supply: dict[str, int]
) -> tuple[dict[tuple[int, str], float], dict[tuple[int, str], tuple[int, str]]]:
    """Return the largest gain of a path from terms with supply to each term, and the previous term on that path."""
    best = {(0, one): 0.0 for one, mass in supply.items() if mass}
    came_from: dict[tuple[int, str], tuple[int, str]] = {}
    is_changed = True
    while is_changed:
        is_changed = False
        for (one, other), gain in gains.items():
            here, there = (0, one), (1, other)
            if here in best and best[here] + gain > best.get(there, -math.inf) + _NO_GAIN:
                best[there], came_from[there], is_changed = best[here] + gain, here, True
            if moved[one, other] and there in best and best[there] - gain > best.get(here, -math.inf) + _NO_GAIN:
                best[here], came_from[here], is_changed = best[there] - gain, there, True
    return best, came_from


@lru_cache(maxsize=1 << 16)
def _term_likeness(first: str, second: str) -> float:
    """Return the letter-pair similarity of two words, or 0 if their first letters differ."""
    return letter_pair_similarity(first, second) if first[:1] == second[:1] else 0.0
