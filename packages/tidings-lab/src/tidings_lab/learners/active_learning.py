"""Active learning: which pages are most worth annotating (memory-based thesis 6.8 and 7.1).

A page that the learner already reads well teaches it little. Pages whose predicted classes do not have the structure of
an article (`structure_check`) come first, those with most faults before the others. Then follow pages by doubt over all
elements with text: the share of votes for other classes, or the distance of the nearest neighbour (`MemoryModel.doubt`;
for a tree the share of comparisons that did not match).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail
from tidings_lab.learners.element_classes import LETTERS, ElementClasses
from tidings_lab.learners.structure_check import FaultKind, check, in_order


@dataclass(frozen=True, slots=True)
class Worth:
    """A page's priority for annotation: faults in its predicted structure, and the model's doubt about its classes."""

    name: str
    faults: tuple[FaultKind, ...]
    doubt: float  # 0 to 1


def worth(name: str, page: Page, model: MemoryModel | CombinedModel) -> Worth:
    """Predict the classes of a page's elements with a memory-based model; return the page's priority for annotation."""
    marks = model.mark(page)
    text, tail = (np.array([LETTERS.index(letter) for letter in part], np.int8) for part in (marks.text, marks.tail))
    parts = in_order(page, ElementClasses(text, tail))
    with_text = np.unique(text_and_tail(page).element)
    doubt = float(np.mean(model.doubt(page)[with_text])) if len(with_text) else 0.0
    return Worth(name, tuple(fault.kind for fault in check(parts.classes)), doubt)


def ordered(pages: Iterable[Worth]) -> list[Worth]:
    """Sort pages by priority for annotation, the most useful first; pages of equal priority are sorted by name."""
    return sorted(pages, key=lambda page: (-len(page.faults), -page.doubt, page.name))
