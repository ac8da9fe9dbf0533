"""Samples of a corpus as lessons for the learners, which know nothing of corpora."""

from __future__ import annotations

from collections.abc import Sequence

from tidings.lab.corpora import Sample
from tidings.lab.learners.lesson import Lesson


def lessons(samples: Sequence[Sample]) -> list[Lesson]:
    """Samples as lessons."""
    return [Lesson(one.html, one.url, one.site, one.gold["text"], one.page_type) for one in samples]
