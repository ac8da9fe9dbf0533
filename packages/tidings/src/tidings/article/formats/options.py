"""Options of the output formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a rendering. Links, images and formatting never change the words of the text.

    JSON and JSONL always contain everything, so that an article can be read back.
    """

    links: bool = True
    images: bool = False
    tables: bool = True  # without them the text of tables is left out
    comments: bool = False
    formatting: bool = True  # strong, emphasis, code, superscript and subscript inside a block
    headline: bool = False  # the title on top: text, Markdown, HTML
    readings: bool = False  # readings after Han characters, in brackets
    guard_formulas: bool = True  # CSV: a cell that a spreadsheet would run gets an apostrophe in front


DEFAULT: Final = Options()
