"""The headline as the part of the title element that differs from page to page.

For sites that mark their headlines in no other way, or on which the long way found the same words on every page: what
all title elements begin or end with is the site's name, not the headline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tidings.sites.induce.names import common_beginning
from tidings.sites.lesson import Lesson
from tidings.sites.rule import LONGEST, Rule

_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*</title", re.IGNORECASE)


def in_title_element(lessons: Sequence[Lesson]) -> Rule | None:
    """Delimiters of the headline in the title element; None if a page has no title element."""
    found = [_TITLE.search(lesson.page.source) for lesson in lessons]
    elements = [match[0] for match in found if match is not None]
    if not elements or len(elements) < len(lessons):
        return None
    if len(set(elements)) == 1:
        left, right = elements[0][: elements[0].index(">") + 1], "</"
    else:
        left = _to_border(common_beginning(elements))
        right = _to_border(common_beginning([text[::-1] for text in elements]))[::-1]
    if not left or not right or max(len(left), len(right)) > LONGEST:
        return None
    return Rule("title", left=left, right=right)


def _to_border(shared: str) -> str:
    """A common beginning up to where a word may begin: two headlines may begin with the same letters."""
    while shared and shared[-1].isalnum():
        shared = shared[:-1]
    return shared
