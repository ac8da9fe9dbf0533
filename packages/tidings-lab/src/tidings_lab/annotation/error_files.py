"""Error files, `.error`: every text and tail of a page that was classified wrongly (memory-based thesis 6.1).

    Delicious

    #301 <a> text g, taken for b

The records are those of annotation files, with the wrong class added. Error files help to find mistakes of people and
of the learner.
"""

from __future__ import annotations

from tidings.page import Page
from tidings_lab.annotation.hra_files import records
from tidings_lab.learners.element_classes import ElementClasses


def error_file(page: Page, gold: ElementClasses, predicted: ElementClasses) -> str:
    """Return the errors of a page in the `.error` format; an empty string if there are none."""
    errors = [
        f"{expected.text}\n\n#{expected.element} <{expected.tag}> {'tail' if expected.in_tail else 'text'} "
        f"{expected.mark.letter}, taken for {result.mark.letter}\n"
        for expected, result in zip(records(page, gold), records(page, predicted), strict=True)
        if expected.mark is not result.mark
    ]
    return f"\n{'-' * 80}\n\n".join(errors)
