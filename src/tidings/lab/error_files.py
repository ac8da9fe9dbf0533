"""Error files, `.error`: every text and tail of a page whose class was told wrongly (memory-based thesis 6.1).

    Delicious

    #301 <a> text g, taken for b

The records are those of annotation files (`lab.hra`) with what was said instead, between the same rules. They were made
to find mistakes of people as well as of the learner.
"""

from __future__ import annotations

from tidings.lab.hra import records
from tidings.lab.learners.element_classes import ElementClasses
from tidings.page import Page


def error_file(page: Page, gold: ElementClasses, found: ElementClasses) -> str:
    """The errors of a page; empty where there is none."""
    wrong = [
        f"{right.text}\n\n#{right.element} <{right.tag}> {'tail' if right.in_tail else 'text'} {right.mark.letter}, "
        f"taken for {said.mark.letter}\n"
        for right, said in zip(records(page, gold), records(page, found), strict=True)
        if right.mark is not said.mark
    ]
    return f"\n{'-' * 80}\n\n".join(wrong)
