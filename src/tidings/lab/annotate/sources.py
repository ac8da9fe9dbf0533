"""The pages that were named: files, folders of pages, corpora."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tidings.errors import InputError, PageError
from tidings.lab.corpora.beside import PAGE_ENDINGS, ending_of, page_files
from tidings.lab.corpora.corpus import Problem, Trouble
from tidings.lab.corpora.reading import read
from tidings.lab.corpora.sample import Sample
from tidings.page import Page


def find_pages(names: Sequence[Path]) -> tuple[list[Sample], list[Problem]]:
    """Every page that the names stand for, each id once, and what is wrong with the others.

    A file that is named is read at once; the pages of a folder may be many, and say what is wrong when they are opened.

    Raises:
        InputError: a name stands for nothing, or no page can be shown.
    """
    samples: dict[str, Sample] = {}
    problems: list[Problem] = []
    for name in names:
        found, wrong = _expand(name)
        problems += wrong
        for sample in found:
            number, once = 1, sample.id
            while once in samples:
                number += 1
                once = f"{sample.id}~{number}"
            samples[once] = replace(sample, id=once)
    if not samples:
        reason = f"; {problems[0]}" if problems else ""
        raise InputError(f"there is no page to annotate in {', '.join(map(str, names))}{reason}")
    return list(samples.values()), problems


def _expand(name: Path) -> tuple[Sequence[Sample], Sequence[Problem]]:
    if name.is_file():
        sample = _bare(name.name.removesuffix(ending_of(name, PAGE_ENDINGS)) or name.name, name)
        problem = _unreadable(sample)
        return ([], [problem]) if problem else ([sample], [])
    if not name.is_dir():
        raise InputError(f"there is no file or folder called {name}")
    try:
        corpus = read(name)
    except InputError:
        pages = page_files(name)
        if not pages:
            endings = ", ".join(PAGE_ENDINGS)
            raise InputError(f"the folder {name} has no pages in it: no file that ends in {endings}") from None
        return [_bare(stem, file) for stem, file in pages.items()], []
    return corpus.samples, [problem for problem in corpus.problems if problem.trouble is not Trouble.NO_GOLD]


def _bare(name: str, file: Path) -> Sample:
    return Sample(id=name, site="", lang="", page_type="article", file=file, gold={})


def _unreadable(sample: Sample) -> Problem | None:
    try:
        Page(sample.html)
    except (PageError, InputError) as error:
        return Problem(Trouble.BROKEN_PAGE, sample.id, str(error))
    return None
