"""The memory-based extractor: every text and tail gets a class; body text and headings are selected."""

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
    """Read a model file of one or two levels.

    Raises:
        BadModel: the file is damaged, of another version, or of another learner.
    """
    return load_combined(path) if is_combined(path) else load_one(path)


@cache
def shipped() -> MemoryModel:
    """Return the built-in model of the memory-based extractor."""
    with resources.as_file(resources.files("tidings.extractors.published.memory_based") / "shipped.npz") as path:
        return load_one(path)


_load: Final = lru_cache(maxsize=8)(load)


@checked
@dataclass(frozen=True, slots=True)
class MemoryBased:
    """Texts and tails that resemble stored body text, by the tags, lengths, capitals and final marks around them."""

    headings: bool = True  # select headings inside the story
    title: bool = False  # select the headline
    model: str = ""  # a model file (`tidings lab train memory-based`); empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the visible runs of text of class "body", and of the other selected classes."""
        marks = self.learned.mark(page)
        selected = "b" + "h" * self.headings + "t" * self.title
        texts = text_and_tail(page)
        letter = np.where(texts.in_tail, marks.tail[texts.element], marks.text[texts.element])
        return page.shown(Spans.of_runs(page, np.isin(letter, list(selected)))) & page.scope

    @property
    def learned(self) -> MemoryModel | CombinedModel:
        """Return the trained model, loaded on first use."""
        return _load(Path(self.model)) if self.model else shipped()
