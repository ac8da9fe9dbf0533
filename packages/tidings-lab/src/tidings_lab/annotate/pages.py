"""The pages to annotate, from named files, folders of pages and corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tidings.errors import InputError, PageError
from tidings.page import Page
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import PAGE_ENDINGS, ending_of, page_files
from tidings_lab.corpora.files import corpus_folder
from tidings_lab.corpora.files import read as read_corpus
from tidings_lab.corpora.sample import Sample


def find_pages(names: Sequence[Path]) -> tuple[list[Sample], list[CorpusProblem]]:
    """Return every page of the named files and folders with distinct ids, and the problems.

    A named file is read at once; pages of a folder are read when they are opened.

    Raises:
        InputError: a name does not exist, or there is no page to show.
    """
    samples: dict[str, Sample] = {}
    problems: list[CorpusProblem] = []
    for name in names:
        pages, errors = _expand(name)
        problems += errors
        for sample in pages:
            number, unique_id = 1, sample.id
            while unique_id in samples:
                number += 1
                unique_id = f"{sample.id}~{number}"
            samples[unique_id] = replace(sample, id=unique_id)
    if not samples:
        reason = f"; {problems[0]}" if problems else ""
        raise InputError(f"there is no page to annotate in {', '.join(map(str, names))}{reason}")
    return list(samples.values()), problems


def _expand(name: Path) -> tuple[Sequence[Sample], Sequence[CorpusProblem]]:
    name = corpus_folder(name)
    if name.is_file():
        sample = _bare(name.name.removesuffix(ending_of(name, PAGE_ENDINGS)) or name.name, name)
        problem = _unreadable(sample)
        return ([], [problem]) if problem else ([sample], [])
    if not name.is_dir():
        raise InputError(f"there is no file or folder called {name}")
    try:
        corpus = read_corpus(name)
    except InputError:
        pages = page_files(name)
        if not pages:
            endings = ", ".join(PAGE_ENDINGS)
            raise InputError(f"the folder {name} has no pages in it: no file that ends in {endings}") from None
        return [_bare(stem, file) for stem, file in pages.items()], []
    return corpus.samples, [problem for problem in corpus.problems if problem.trouble is not CorpusTrouble.NO_GOLD]


def _bare(name: str, file: Path) -> Sample:
    return Sample(id=name, site="", lang="", page_type="article", file=file, gold={})


def _unreadable(sample: Sample) -> CorpusProblem | None:
    try:
        Page(sample.html)
    except (PageError, InputError) as error:
        return CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error))
    return None
