"""Samples of corpora as training pages; learners know nothing of corpora."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tidings.errors import InputError
from tidings_lab.corpora import Sample, load
from tidings_lab.learners.labelled_pages import GoldPage

#: The weight of pages with incomplete ground truth.
_OF_PARTIAL: Final = 0.2


def lessons(samples: Sequence[Sample]) -> list[GoldPage]:
    """Return samples as training pages."""
    return [
        GoldPage(
            sample.html,
            sample.url,
            sample.site,
            sample.gold["text"],
            sample.page_type,
            _OF_PARTIAL if sample.is_partial else 1.0,
        )
        for sample in samples
    ]


def samples_of(corpora: Sequence[str]) -> list[Sample]:
    """Return pages with ground-truth text of corpora named `DIR`, or `DIR#NAME` for one part of a mixed corpus.

    Pages for measuring only are skipped.

    Raises:
        InputError: a folder is no corpus, has no such part, or contains no page for training.
    """
    samples: list[Sample] = []
    for corpus in corpora:
        folder, _, part = corpus.partition("#")
        pages = [page for page in load(Path(folder)) if part in ("", page.corpus)]
        if not pages:
            raise InputError(f"{corpus} has no pages with gold text")
        allowed = [page for page in pages if page.may_teach]
        if not allowed:
            raise InputError(f"{corpus} is for measuring only: none of its {len(pages)} pages may be learned from")
        samples += allowed
    return samples
