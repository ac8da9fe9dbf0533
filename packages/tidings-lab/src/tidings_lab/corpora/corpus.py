"""A corpus: the usable pages of a folder, and the problems with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tidings_lab.corpora.sample import Sample


class CorpusLayout(StrEnum):
    """The layout of pages and ground truth on disk."""

    TIDINGS = "tidings"  # pages.jsonl with a line per page, and the gzipped HTML
    BESIDE = "beside"  # page.html with its gold text in page.txt
    CLEANEVAL = "cleaneval"  # 1.html with a header, 1-cleaned.txt with marked lines
    GROUND_TRUTH = "ground-truth"  # ground-truth.json and html/ID.html.gz
    HRA = "hra"  # page.html with page.hra


class CorpusTrouble(StrEnum):
    """A kind of problem with a page of a corpus."""

    NO_PAGE = "gold without page"
    NO_GOLD = "page without gold"
    TWICE = "id given twice"
    BROKEN_LINE = "record that cannot be read"
    BROKEN_PAGE = "page that cannot be read"
    OUTSIDE = "page outside the folder"
    CHANGED = "page that changed"


@dataclass(frozen=True, slots=True)
class CorpusProblem:
    """A problem and its location."""

    trouble: CorpusTrouble
    where: str  # an id, or a file and a line
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.trouble}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages of a folder; `problems` lists pages that were skipped or look wrong."""

    folder: Path
    layout: CorpusLayout
    samples: Sequence[Sample]
    problems: Sequence[CorpusProblem]

    def count(self) -> Counter[CorpusTrouble]:
        """Return the number of problems of each kind."""
        return Counter(problem.trouble for problem in self.problems)
