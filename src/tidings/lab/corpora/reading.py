"""Reading a corpus, whatever its layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from tidings.errors import InputError
from tidings.lab.corpora.corpus import Corpus, CorpusLayout, CorpusProblem, Sample
from tidings.lab.corpora.layouts import (
    GROUND_TRUTH,
    INDEX,
    check_page,
    gold_by_stem,
    is_cleaneval,
    read_cleaneval,
    read_ground_truth,
    read_lines,
)
from tidings.lab.corpora.sidecar_corpus import (
    HRA_ENDINGS,
    PAGE_ENDINGS,
    TEXT_ENDINGS,
    ending_of,
    gold_files,
    page_files,
    read_beside,
    read_hra,
)

_READERS: Final[dict[CorpusLayout, Callable[[Path], Iterable[Sample | CorpusProblem]]]] = {
    CorpusLayout.TIDINGS: read_lines,
    CorpusLayout.GROUND_TRUTH: read_ground_truth,
    CorpusLayout.CLEANEVAL: read_cleaneval,
    CorpusLayout.HRA: read_hra,
    CorpusLayout.BESIDE: read_beside,
}


def recognise(folder: Path) -> CorpusLayout:
    """The layout of a folder.

    Raises:
        InputError: the folder is no corpus.
    """
    if folder.joinpath(INDEX).is_file():
        return CorpusLayout.TIDINGS
    if folder.joinpath(GROUND_TRUTH).is_file():
        return CorpusLayout.GROUND_TRUTH
    pages = page_files(folder)
    if pages.keys() & gold_files(folder, HRA_ENDINGS).keys():
        return CorpusLayout.HRA
    golds = gold_by_stem(folder)
    for page in pages.values():
        if texts := golds.get(page.name[: -len(ending_of(page, PAGE_ENDINGS))]):
            if is_cleaneval(page, texts[0]):
                return CorpusLayout.CLEANEVAL
            break
    if pages.keys() & gold_files(folder, TEXT_ENDINGS).keys():
        return CorpusLayout.BESIDE
    raise InputError(
        f"{folder} is no corpus: there is no {INDEX} in it, no {GROUND_TRUTH}, no page with its gold beside it"
    )


def read(folder: Path, layout: CorpusLayout | None = None, *, check: bool = False) -> Corpus:
    """Every page of a corpus that can be used, and what is wrong with the others.

    Args:
        folder: where it lies.
        layout: how it lies; found out if None.
        check: read every page too, and leave out those that cannot be read or that changed.

    Raises:
        InputError: the folder is no corpus.
    """
    layout = layout or recognise(folder)
    found = list(_READERS[layout](folder))
    problems = [one for one in found if isinstance(one, CorpusProblem)]
    samples = [one for one in found if isinstance(one, Sample)]
    if check:
        samples = [sample for sample in samples if _sound(sample, problems)]
    return Corpus(folder, layout, samples, problems)


def _sound(sample: Sample, problems: list[CorpusProblem]) -> bool:
    if problem := check_page(sample):
        problems.append(problem)
    return problem is None


def load(folder: Path, page_type: str | None = None, *, needs: str | None = "text") -> list[Sample]:
    """The pages of a corpus that have some gold, all of them or those of one type. `read` also says what is wrong.

    Args:
        folder: the corpus.
        page_type: only pages of this type, as in "article".
        needs: the gold field that must be there and not be empty; None for every page, gold or not.

    Raises:
        InputError: the folder is no corpus.
    """
    return [
        sample
        for sample in read(folder).samples
        if page_type in (None, sample.page_type) and (needs is None or sample.gold.get(needs))
    ]
