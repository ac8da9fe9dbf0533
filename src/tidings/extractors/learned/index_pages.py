"""Front pages of sites and of their sections: many headlines of stories, and none of them is what was asked for.

What is chosen there may be right, as a list; it is not the article that an address promises. Two things tell: the
address names no story (`/`, `/politics`), and the page has many links that read like headlines, with little running
text beside them. Links of shops and directories are names, shorter than headlines; those pages are what they list.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import numpy as np

from tidings.extractors.learned.seen_blocks import VisibleBlocks
from tidings.fields.declared import declared
from tidings.page import Page
from tidings.text.patterns import late_pattern

#: Why the confidence is low.
DOUBT: Final = "front page of a site or a section"
#: A story's address has words with hyphens between them, or a number or a year; the longest name of a section.
_HYPHENS: Final = 3
_NUMBER: Final = late_pattern(r"\d{4}")
_LONGEST: Final = 25
#: Steps of a path that name no section: a language, the page that is shown where none is named.
_NO_STEPS: Final = late_pattern(r"[a-z]{2}(?:-[a-z]{2})?|(?:index|home|default)(?:\.\w{3,5})?", re.IGNORECASE)
#: A linked headline has so many words, nearly all of them in the link; a page of so many, with so many words in the
#: mean, is an index, unless it has so many words in paragraphs for each of them.
_WORDS, _LINKED = 4, 0.7
_HEADLINES, _MEAN = 15, 6.5
_PARAGRAPH, _PLAIN, _BESIDE = 25, 0.3, 20


def is_index(page: Page, found: VisibleBlocks) -> bool:
    """Whether a page is the front page of a site or of one of its sections."""
    if not page.url or not names_no_story(page.url) or page.hints.title or declared(page).story:
        return False
    words, linked = found.words, page.blocks.link_words[found.blocks]
    headlines = (words >= _WORDS) & (linked >= _LINKED * words)
    count = int(np.count_nonzero(headlines))
    if count < _HEADLINES or int(words[headlines].sum()) < _MEAN * count:
        return False
    running = (words >= _PARAGRAPH) & (linked < _PLAIN * words)
    return int(words[running].sum()) < _BESIDE * count


def names_no_story(address: str) -> bool:
    """Whether an address is that of a site or of a section: at most one step, and that a name."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    if _NUMBER.search(parts.query):
        return False
    steps = [step for step in parts.path.split("/") if step and not _NO_STEPS.fullmatch(step)]
    if len(steps) > 1:
        return False
    return not steps or not (
        len(steps[0]) > _LONGEST or steps[0].count("-") + steps[0].count("_") >= _HYPHENS or _NUMBER.search(steps[0])
    )
