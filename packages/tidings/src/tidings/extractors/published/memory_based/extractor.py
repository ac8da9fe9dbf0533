"""The memory-based extractor: every text and tail gets a class, and body and headings are the content."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from tidings.extractors.parameters import checked
from tidings.extractors.published.memory_based.model import MemoryModel, encode, load_one
from tidings.extractors.published.memory_based.second_level import CombinedModel, is_combined, load_combined
from tidings.page import Page, Spans
from tidings.page.text_and_tail import text_and_tail

__all__ = ["CombinedModel", "MemoryBased", "MemoryModel", "encode", "load", "shipped"]


def load(path: Path) -> MemoryModel | CombinedModel:
    """Read a model file, of one level or of two.

    Raises:
        BadModel: it is damaged, of another version, or of another learner.
    """
    return load_combined(path) if is_combined(path) else load_one(path)


@cache
def shipped() -> MemoryModel:
    """Return the model that comes with Tidings."""
    with resources.as_file(resources.files("tidings.extractors.published.memory_based") / "shipped.npz") as path:
        return load_one(path)


_load: Final = lru_cache(maxsize=8)(load)


@checked
@dataclass(frozen=True, slots=True)
class MemoryBased:
    """Texts and tails that are most like remembered body text, by tag, length, capitals and marks around them."""

    headings: bool = True  # headings inside the story are content too
    title: bool = False  # the headline is content too
    model: str = ""  # a model file of one's own (`tidings lab train memory-based`); empty: the one that ships

    def __call__(self, page: Page, /) -> Spans:
        """Return the runs that are body, without what is hidden."""
        marks = self.learned.mark(page)
        wanted = "b" + "h" * self.headings + "t" * self.title
        found = text_and_tail(page)
        letter = np.where(found.in_tail, marks.tail[found.element], marks.text[found.element])
        return page.shown(Spans.of_runs(page, np.isin(letter, list(wanted)))) & page.scope

    @property
    def learned(self) -> MemoryModel | CombinedModel:
        """What it decides by."""
        return _load(Path(self.model)) if self.model else shipped()
