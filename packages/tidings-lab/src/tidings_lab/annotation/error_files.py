"""Error files, `.error`: every text and tail of a page that was classified wrongly (memory-based thesis 6.1).

    Delicious

    #301 <a> text g, taken for b

The records are those of annotation files, with the wrong class added. Error files help to find mistakes of people and
of the learner.
"""

from __future__ import annotations

from tidings.page import Page
from tidings_lab.annotation.hra_files import records
from tidings_lab.learners.structure import ElementClasses


def error_file(page: Page, gold: ElementClasses, found: ElementClasses) -> str:
    """The errors of a page; empty where there is none."""
    wrong = [
        f"{right.text}\n\n#{right.element} <{right.tag}> {'tail' if right.in_tail else 'text'} {right.mark.letter}, "
        f"taken for {said.mark.letter}\n"
        for right, said in zip(records(page, gold), records(page, found), strict=True)
        if right.mark is not said.mark
    ]
    return f"\n{'-' * 80}\n\n".join(wrong)
