"""A rule for the headline: the part of the title element that differs between pages.

For sites without other headline markup, or where the full extraction returned the same text on every page. The common
beginning and end of all title elements is the name of the site, not of the headline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.selectors import common_beginning
from tidings.sites.templates.rule import LONGEST, Rule

_TITLE: Final = re.compile(r"<title\b[^>]*>[^<]*</title", re.IGNORECASE)


def in_title_element(lessons: Sequence[Lesson]) -> Rule | None:
    """Return a rule with the delimiters of the headline in the title element; None if a page has none."""
    matches = [_TITLE.search(lesson.page.source) for lesson in lessons]
    elements = [match[0] for match in matches if match is not None]
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
    """Return the common prefix of two texts (`shared`), shortened to a word boundary."""
    while shared and shared[-1].isalnum():
        shared = shared[:-1]
    return shared
