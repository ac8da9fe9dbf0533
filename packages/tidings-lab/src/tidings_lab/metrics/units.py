"""How near units of structure are to gold: code and formulas by edit distance, tables by their trees, texts by n-grams.

As the structure benchmarks count them: edit similarity is one less the edit distance over the longer length
(OmniDocBench); TEDS is one less the edit distance of two tables as trees over the larger number of nodes (Zhong et al.
2020); ROUGE-N is the share of n-grams (Lin 2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tidings.errors import needs
from tidings.text import words
from tidings_lab.metrics.score import Score, ratio
from tidings_lab.metrics.texts import Units

#: Rows and characters that are compared; what is larger is compared as far as this.
_MOST_ROWS: Final = 300
_LONGEST: Final = 20_000


def edit_similarity(result: str, gold: str) -> float:
    """1 less the edit distance over the longer length.

    Raises:
        MissingExtra: RapidFuzz is not installed.
    """
    with needs("the edit distance", "lab"):
        from rapidfuzz.distance import Levenshtein
    return float(Levenshtein.normalized_similarity(result[:_LONGEST], gold[:_LONGEST]))


def table_similarity(result: Sequence[Sequence[str]], gold: Sequence[Sequence[str]]) -> float:
    """TEDS of two tables of three levels: the table, its rows, their cells.

    Rows keep their order, and so do the cells of a row; a cell that becomes another costs how unlike their texts are.
    For such trees the edit distance is one of sequences of sequences.
    """
    rows, wanted = list(result)[:_MOST_ROWS], list(gold)[:_MOST_ROWS]
    size = max(_nodes(rows), _nodes(wanted))
    previous = [0.0]
    for row in wanted:
        previous.append(previous[-1] + 1 + len(row))
    for row in rows:
        current = [previous[0] + 1 + len(row)]
        for place, other in enumerate(wanted, 1):
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
        for place, wanted in enumerate(other, 1):
            unlike = 0.0 if cell == wanted else 1 - edit_similarity(cell, wanted)
            current.append(min(previous[place] + 1, current[place - 1] + 1, previous[place - 1] + unlike))
        previous = current
    return previous[-1]


def rouge_score(result: str, gold: str, size: int = 2, units: Units = words) -> Score:
    """ROUGE-N: precision and recall of runs of `size` words, with their repetitions."""
    found, wanted = _runs(units(result), size), _runs(units(gold), size)
    common = (found & wanted).total()
    return Score(ratio(common, found.total()), ratio(common, wanted.total()))


def _runs(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1))
