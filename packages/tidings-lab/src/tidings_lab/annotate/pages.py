"""The pages that were named: files, folders of pages, corpora.

A page for the annotator: its own source, with each run of text wrapped so that the browser can tell its unit.

Whatever else is in the source is taken away by the browser's own parser before it is shown (`assets/frame.js`), and the
frame it is shown in runs no script and loads nothing (`server.FRAME_POLICY`).

What to begin with: the marks that the default extractor and the fields of a page suggest.

Pages that a store has kept, as a corpus without gold: what people label next (memory-based thesis 4.1).

The thesis collected pages through an aggregator, by source. Here the store is the aggregator: the newest pages come
first, and of a site only so many, so that one with many articles does not crowd out the others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from tidings.errors import InputError, PageError
from tidings.extractors import DEFAULT, extractor
from tidings.fields import read
from tidings.fields.headline import headline
from tidings.page import Page, tags
from tidings.page.columns import Bools, sums
from tidings.page.tag_sets import tag_set
from tidings.text import words
from tidings.urls import site_of
from tidings_lab.annotation.marks import Marks, UnitMark
from tidings_lab.annotation.units import LINE_WORDS, Units, units
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import PAGE_ENDINGS, ending_of, page_files
from tidings_lab.corpora.files import corpus_folder, put, put_rows, row_of, squeezed
from tidings_lab.corpora.files import read as read_corpus
from tidings_lab.corpora.sample import Sample
from tidings_portal.store import Store
from tidings_portal.store.query import Query
from tidings_portal.store.records_of_articles import Only

_AT_ONCE = 200


def collect_pages(
    kept: Store, folder: Path, query: Query | None = None, *, each: int = 20, limit: int = 200
) -> Counter[str]:
    """Write the pages of articles into a new folder; how many of each site.

    Args:
        kept: where they are.
        folder: a folder that is not there yet, or is empty.
        query: of articles that this finds only.
        each: so many pages of a site at most.
        limit: so many at all.

    Raises:
        InputError: the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; name a new folder")
    rows: list[dict[str, Any]] = []
    found: Counter[str] = Counter()
    cursor: str | None = None
    while len(rows) < limit:
        listed = kept.articles(Only(query=query), limit=_AT_ONCE, after=cursor)
        for one in listed.items:
            site = site_of(one.address)
            page = kept.page_of(one.id) if found[site] < each and len(rows) < limit else None
            if page is None:
                continue
            found[site] += 1
            name, content = f"html/{one.id}.html.gz", page.page.content
            put(folder / name, squeezed(content))
            sample = Sample(
                id=str(one.id),
                site=site,
                lang=one.language,
                page_type="article",
                file=folder / name,
                gold={},
                url=page.page.address,
                corpus=folder.name,
                more={"fetched": page.page.fetched.date().isoformat()},
            )
            rows.append(row_of(sample, name, content))
        cursor = listed.after
        if cursor is None:
            break
    if rows:
        put_rows(folder, rows)
    return found


def find_pages(names: Sequence[Path]) -> tuple[list[Sample], list[CorpusProblem]]:
    """Every page that the names stand for, each id once, and what is wrong with the others.

    A file that is named is read at once; the pages of a folder may be many, and say what is wrong when they are opened.

    Raises:
        InputError: a name stands for nothing, or no page can be shown.
    """
    samples: dict[str, Sample] = {}
    problems: list[CorpusProblem] = []
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


_XMP: Final = tags.NUMBERS["xmp"]
#: A browser says in its console that it will not run a handler and not take another base; so it gets neither. Between
#: runs there is only markup, so no text is changed.
_HANDLER: Final = re.compile(r"""(?<=[\s"'/])on(?=[a-z]{2,40}\s{0,20}=)""", re.IGNORECASE | re.ASCII)
_BASE: Final = re.compile(r"<base(?=[\s/>])", re.IGNORECASE)


def wrapped_source(page: Page, cut: Units) -> str:
    """The source with `<tidings-run data-tidings=UNIT>` around every run that a reader sees."""
    runs = page.runs
    # Inside <xmp> a browser shows tags as they are written.
    chosen = np.flatnonzero(~runs.hidden & (page.elements.tag[runs.element] != _XMP))
    parts: list[str] = []
    done = 0
    columns = (runs.start[chosen].tolist(), runs.end[chosen].tolist(), cut.of_run[chosen].tolist())
    for start, end, unit in zip(*columns, strict=True):
        parts += [_quiet(page.source[done:start]), f'<tidings-run data-tidings="{unit}">', page.source[start:end]]
        parts.append("</tidings-run>")
        done = end
    parts.append(_quiet(page.source[done:]))
    return "".join(parts)


def _quiet(markup: str) -> str:
    return _BASE.sub("<meta", _HANDLER.sub("data-on", markup))


def shown_units(page: Page, cut: Units) -> list[dict[str, Any]]:
    """What the list beside the page says of each unit."""
    tag, hidden = page.elements.tag[cut.element].tolist(), cut.hidden.tolist()
    return [
        {"text": cut.text(page, unit)[:400], "tag": page.tag_names[tag[unit]], "hidden": hidden[unit]}
        for unit in range(len(cut))
    ]


_HEADING: Final = tag_set(tags.HEADINGS)
_CAPTION: Final = tag_set(tags.numbers("figcaption caption"))
_TIME: Final = tags.NUMBERS["time"]


def predict(page: Page, name: str = DEFAULT) -> Marks:
    """For every unit of a page what it is likely to be."""
    cut = units(page)
    marks = np.zeros(len(cut), np.int8)
    spans = extractor(name)(page)
    covered = sums(spans.mask())
    body = 2 * (covered[cut.text_end] - covered[cut.text_start]) > cut.chars
    marks[body] = UnitMark.BODY
    marks[body & _inside(page, cut, _HEADING)] = UnitMark.HEADING
    marks[body & _inside(page, cut, _CAPTION)] = UnitMark.CAPTION
    found = headline(page, content=spans)
    if found:
        marks[cut.of_run[found.first : found.last]] = UnitMark.TITLE
    fields = read(page)
    # Names and dates of the story stand below its headline; those above it are the paper's own.
    short = (
        ~cut.hidden & (cut.words <= LINE_WORDS) & (np.maximum.accumulate(marks == UnitMark.TITLE) if found else True)
    )
    short &= marks != UnitMark.TITLE
    shown = [str(fields.published.day), str(fields.published.year)] if fields.published else []
    dated = _holds_time(page, cut) | (_says(page, cut, shown) if shown else False)
    marks[_first(short & dated)] = UnitMark.DATE
    for author in fields.authors:
        marks[_first(short & (marks != UnitMark.DATE) & _says(page, cut, words(author)))] = UnitMark.AUTHOR
    marks[cut.hidden] = UnitMark.NONE
    return marks


def _inside(page: Page, cut: Units, chosen: Bools) -> Bools:
    """Which units stand in an element of these tags."""
    return page.nearest(chosen)[page.runs.element[cut.first]] > 0


def _holds_time(page: Page, cut: Units) -> Bools:
    inside = page.nearest_of(page.elements.tag == _TIME)[page.runs.element] > 0
    held = np.zeros(len(cut), np.bool_)
    held[cut.of_run[inside]] = True
    return held


def _says(page: Page, cut: Units, wanted: Sequence[str]) -> Bools:
    """Which units have all these words."""
    needed = set(wanted)
    said = (set(words(cut.text(page, unit))) for unit in range(len(cut)))
    return np.array([needed <= one for one in said], np.bool_)


def _first(chosen: Bools) -> Bools:
    """The first of the chosen alone: teasers below a story have dates and names too."""
    first = np.zeros(len(chosen), np.bool_)
    first[np.flatnonzero(chosen)[:1]] = True
    return first
