"""Which pages are most worth a person's time (memory-based thesis 6.8 and 7.1: active learning).

A page that the learner reads well teaches it little. Pages whose answers are not shaped like an article come first
(`learn.structure`), those with most faults before the others; then pages by doubt: how much of the vote, over all
elements that hold text, went to other classes than the ones chosen (with a tree: how much of what it asks did not fit).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tidings.extractors.published.memory_based.extractor import MemoryModel
from tidings.lab.learners.element_classes import LETTERS, ElementClasses
from tidings.lab.learners.structure import Ill, check, in_order
from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail


@dataclass(frozen=True, slots=True)
class Worth:
    """What speaks for labelling a page."""

    name: str
    faults: tuple[Ill, ...]
    doubt: float  # 0 to 1


def worth(name: str, page: Page, model: MemoryModel) -> Worth:
    """Read a page and judge the reading."""
    marks = model.mark(page)
    text, tail = (np.array([LETTERS.index(one) for one in part], np.int8) for part in (marks.text, marks.tail))
    parts = in_order(page, ElementClasses(text, tail))
    holding = np.unique(text_and_tail(page).element)
    doubt = float(np.mean(1 - marks.certainty[holding])) if len(holding) else 0.0
    return Worth(name, tuple(fault.kind for fault in check(parts.classes)), doubt)


def ordered(pages: Iterable[Worth]) -> list[Worth]:
    """The most worthwhile first; equals by name."""
    return sorted(pages, key=lambda page: (-len(page.faults), -page.doubt, page.name))
