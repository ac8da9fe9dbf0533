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
#: The weight of a page by how its ground truth was checked (`tier` of news-rules and news-publisher).
_OF_TIER: Final = {"mark and tool agree": 0.5, "both marks agree": 0.7, "rule and tool agree": 0.8}
#: Kinds of ground truth that omit the standfirst on some pages and contain it on others.
_WITHOUT_LEAD: Final = frozenset({"site-rule", "publisher"})
#: Texts beside the story that annotators mark apart.
_APART: Final = ("captions", "notes", "comments")


def lessons(samples: Sequence[Sample]) -> list[GoldPage]:
    """Return samples as training pages."""
    return [_lesson(sample) for sample in samples]


def _lesson(sample: Sample) -> GoldPage:
    gold = sample.gold
    weight = _OF_PARTIAL if sample.is_partial else 1.0
    return GoldPage(
        sample.html,
        sample.url,
        sample.site,
        gold.get("text") or "",
        sample.page_type,
        weight * _OF_TIER.get(str(sample.more.get("tier", "")), 1.0),
        gold.get("lead") or "",
        (gold.get("title") or "") if sample.gold_kind in _WITHOUT_LEAD else "",
        tuple("\n\n".join(gold[name]) for name in _APART if gold.get(name)),
    )


def samples_of(corpora: Sequence[str], *, needs_text: bool = True) -> list[Sample]:
    """Return pages with ground-truth text of corpora named `DIR`, or `DIR#NAME` for one part of a mixed corpus.

    Pages for measuring only are skipped, and pages that an earlier corpus also contains.

    Args:
        corpora: the names of the corpora.
        needs_text: skip pages whose kind is known but not their text.

    Raises:
        InputError: a folder is no corpus, has no such part, or contains no page for training.
    """
    samples: dict[tuple[str, str], Sample] = {}
    for corpus in corpora:
        folder, _, part = corpus.partition("#")
        pages = [page for page in load(Path(folder), needs=None) if part in ("", page.corpus)]
        pages = [page for page in pages if page.gold.get("text") or (not needs_text and page.page_type)]
        if not pages:
            raise InputError(f"{corpus} has no pages with gold text")
        allowed = [page for page in pages if page.may_teach]
        if not allowed:
            raise InputError(f"{corpus} is for measuring only: none of its {len(pages)} pages may be learned from")
        for page in allowed:
            samples.setdefault((page.corpus, page.id), page)
    return list(samples.values())
