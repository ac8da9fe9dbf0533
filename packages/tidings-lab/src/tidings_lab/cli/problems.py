"""Output of the problems of a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from tidings_lab.corpora import CorpusProblem


_MOST_OF_A_KIND = 10


def list_problems(problems: Sequence[CorpusProblem], console: Console) -> None:
    """Print the problems of a corpus: how many of each kind, and the first few."""
    for trouble, count in Counter(problem.trouble for problem in problems).most_common():
        console.print(f"[yellow]{count}[/] × {trouble}", highlight=False)
        of_this = [problem for problem in problems if problem.trouble is trouble]
        for problem in of_this[:_MOST_OF_A_KIND]:
            reason = f": {problem.reason}" if problem.reason else ""
            console.print(f"  {escape(problem.where + reason)}", highlight=False, soft_wrap=True)
        if len(of_this) > _MOST_OF_A_KIND:
            console.print(f"  … and {len(of_this) - _MOST_OF_A_KIND} more", highlight=False)
