"""A corpus: the usable pages of a folder, and the problems with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tidings_lab.corpora.sample import Sample


class CorpusLayout(StrEnum):
    """How pages and gold lie on disk."""

    TIDINGS = "tidings"  # pages.jsonl with a page a line, and the gzipped HTML
    BESIDE = "beside"  # page.html with its gold text in page.txt
    CLEANEVAL = "cleaneval"  # 1.html with a header, 1-cleaned.txt with marked lines
    GROUND_TRUTH = "ground-truth"  # ground-truth.json and html/ID.html.gz
    HRA = "hra"  # page.html with page.hra


class CorpusTrouble(StrEnum):
    """What can be wrong with one page of a corpus."""

    NO_PAGE = "gold without page"
    NO_GOLD = "page without gold"
    TWICE = "id given twice"
    BROKEN_LINE = "record that cannot be read"
    BROKEN_PAGE = "page that cannot be read"
    OUTSIDE = "page outside the folder"
    CHANGED = "page that changed"


@dataclass(frozen=True, slots=True)
class CorpusProblem:
    """One thing that is wrong, and where."""

    trouble: CorpusTrouble
    where: str  # an id, or a file and a line of it
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.trouble}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages of a folder. `problems` lists what was left out or looks wrong."""

    folder: Path
    layout: CorpusLayout
    samples: Sequence[Sample]
    problems: Sequence[CorpusProblem]

    def count(self) -> Counter[CorpusTrouble]:
        """How often each thing is wrong."""
        return Counter(problem.trouble for problem in self.problems)
