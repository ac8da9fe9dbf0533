"""Similarity of structural units with ground truth: edit distance, tree edit distance of tables, n-grams.

As in the structure benchmarks: edit similarity is 1 minus the edit distance divided by the longer length
(OmniDocBench); TEDS is 1 minus the edit distance of two tables as trees divided by the larger number of nodes (Zhong et
al. 2020); ROUGE-N is the share of common n-grams (Lin 2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tidings.errors import needs
from tidings.text import words
from tidings_lab.metrics.score import Score, ratio
from tidings_lab.metrics.texts import Units

#: The maximal number of rows and characters to compare; larger units are cut.
_MOST_ROWS: Final = 300
_LONGEST: Final = 20_000


def edit_similarity(result: str, gold: str) -> float:
    """Return 1 minus the edit distance divided by the longer length.

    Raises:
        MissingExtra: RapidFuzz is not installed.
    """
    with needs("the edit distance", "lab"):
        from rapidfuzz.distance import Levenshtein
    return float(Levenshtein.normalized_similarity(result[:_LONGEST], gold[:_LONGEST]))


def table_similarity(result: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> float:
    """Return the TEDS of two tables as trees of three levels: the table, its rows, their cells.

    Rows keep their order, and so do the cells of a row; replacing a cell costs the dissimilarity of the texts. For such
    trees the edit distance is one of sequences of sequences.
    """
    rows, gold_rows = list(result)[:_MOST_ROWS], list(gold)[:_MOST_ROWS]
    size = max(_nodes(rows), _nodes(gold_rows))
    previous = [0.0]
    for row in gold_rows:
        previous.append(previous[-1] + 1 + len(row))
    for row in rows:
        current = [previous[0] + 1 + len(row)]
        for place, other in enumerate(gold_rows, 1):
            current.append(
                min(
                    previous[place] + 1 + len(row),
                    current[place - 1] + 1 + len(other),
                    previous[place - 1] + _row_distance(row, other),
                )
            )
        previous = current
    return 1 - previous[-1] / size


def _nodes(rows: Sequence[Sequence[str]]) -> int:
    return 1 + sum(1 + len(row) for row in rows)


def _row_distance(row: Sequence[str], other: Sequence[str]) -> float:
    if list(row) == list(other):
        return 0.0
    previous = list(map(float, range(len(other) + 1)))
    for cell in row:
        current = [previous[0] + 1]
        for place, gold_cell in enumerate(other, 1):
            cost = 0.0 if cell == gold_cell else 1 - edit_similarity(cell, gold_cell)
            current.append(min(previous[place] + 1, current[place - 1] + 1, previous[place - 1] + cost))
        previous = current
    return previous[-1]


def rouge_score(result: str, gold: str, size: int = 2, units: Units = words) -> Score:
    """Return ROUGE-N: precision and recall of runs of `size` words, with repetitions."""
    result_runs, gold_runs = _runs(units(result), size), _runs(units(gold), size)
    common = (result_runs & gold_runs).total()
    return Score(ratio(common, result_runs.total()), ratio(common, gold_runs.total()))


def _runs(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1))
