"""Corpora as files: reading one page, writing a corpus."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from tidings.errors import InputError, PageError
from tidings.page import Page
from tidings_lab.annotation import hra_files, marks
from tidings_lab.corpora import cleaneval, ground_truth
from tidings_lab.corpora.cleaneval import gold_by_stem, is_cleaneval, read_cleaneval
from tidings_lab.corpora.corpus import Corpus, CorpusLayout, CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import PAGE_ENDINGS, TEXT_ENDINGS, ending_of, gold_files, page_files
from tidings_lab.corpora.ground_truth import GROUND_TRUTH, read_ground_truth
from tidings_lab.corpora.json_lines import INDEX, check_page, read_lines
from tidings_lab.corpora.paired_files import HRA_ENDINGS, read_beside, read_hra
from tidings_lab.corpora.sample import Sample

#: The name that every command of the lab takes for the bundled newspaper.
BUNDLED: Final = "newspaper"
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


def corpus_folder(folder: Path) -> Path:
    """Return the folder of a corpus: `newspaper` is the bundled one, unless a corpus of that name is there."""
    if str(folder) != BUNDLED:
        return folder
    from tidings import newspaper

    try:
        recognise(folder)
    except InputError:  # nothing there, or another folder of that name, as in a checkout of Tidings
        return newspaper.path()
    return folder


def read(folder: Path, layout: CorpusLayout | None = None, *, check: bool = False) -> Corpus:
    """Every page of a corpus that can be used, and what is wrong with the others.

    Args:
        folder: where it lies.
        layout: how it lies; found out if None.
        check: read every page too, and leave out those that cannot be read or that changed.

    Raises:
        InputError: the folder is no corpus.
    """
    folder = corpus_folder(folder)
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


_ODD: Final = re.compile(r"[^\w.-]+")


def put(file: Path, content: bytes) -> None:
    """Write a file so that whoever reads it sees the old content or the new, also after a power cut."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=".tidings-", delete=False) as stream:
        try:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).chmod(0o644)  # a temporary file is for its owner alone
            Path(stream.name).replace(file)
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


def file_names(ids: Iterable[str]) -> dict[str, str]:
    """For each id a name that any file system takes, each another, whatever the ids hold."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for one in ids:
        # A dot in front hides a file, and `..` is a folder; names over 100 letters trouble some systems.
        name = _ODD.sub("_", one).strip("._")[:100] or "page"
        number = 1
        while (f"{name}~{number}" if number > 1 else name).casefold() in taken:
            number += 1
        name = f"{name}~{number}" if number > 1 else name
        taken.add(name.casefold())
        names[one] = name
    return names


def squeezed(content: bytes) -> bytes:
    """Gzipped, the same bytes for the same page whenever it is written."""
    return gzip.compress(content, mtime=0)


def row_of(sample: Sample, html_file: str, content: bytes | None = None) -> dict[str, Any]:
    """A page's line in our layout. Without the content, size and digest are what the sample says they are."""
    measured = content is not None and {
        "html_sha1": hashlib.sha1(content, usedforsecurity=False).hexdigest(),
        "html_bytes": len(content),
    }
    return {
        **sample.more,
        "id": sample.id,
        "corpus": sample.corpus,
        "url": sample.url,
        "site": sample.site,
        "lang": sample.lang,
        "page_type": sample.page_type,
        "html_file": html_file,
        **(measured or {}),
        "gold": dict(sample.gold),
        "gold_kind": sample.gold_kind,
        "headline_in_text": sample.headline_in_text,
    }


def put_rows(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write `pages.jsonl`."""
    lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    put(folder / INDEX, "".join(lines).encode(errors="backslashreplace"))


def write(samples: Sequence[Sample], folder: Path, layout: CorpusLayout = CorpusLayout.TIDINGS) -> list[CorpusProblem]:
    """Write pages and gold into a new folder; what could not be written is listed.

    Raises:
        InputError: the folder holds something already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is there already; name a new folder")
    folder.mkdir(parents=True, exist_ok=True)
    names = file_names(sample.id for sample in samples)
    problems: list[CorpusProblem] = []
    rows: list[dict[str, Any]] = []
    records: dict[str, Any] = {}
    for sample in samples:
        name = names[sample.id]
        try:
            content = sample.html
            if layout in (CorpusLayout.TIDINGS, CorpusLayout.GROUND_TRUTH):
                put(folder / f"html/{name}.html.gz", squeezed(content))
                rows.append(row_of(sample, f"html/{name}.html.gz", content))
                records[name] = ground_truth.record_of(sample)
            else:
                gold = _GOLD[layout](sample, content)
                put(folder / f"{name}.html", content)
                put(folder / (name + _ENDING[layout]), gold.encode(errors="backslashreplace"))
        except (InputError, PageError, ValueError) as error:
            problems.append(CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error)))
    if layout is CorpusLayout.TIDINGS:
        put_rows(folder, rows)
    elif layout is CorpusLayout.GROUND_TRUTH:
        index = json.dumps(records, ensure_ascii=False, indent=1, default=str)
        put(folder / ground_truth.GROUND_TRUTH, index.encode(errors="backslashreplace"))
    return problems


def _plain(sample: Sample, _: bytes) -> str:
    return str(sample.gold.get("text") or "")


def _cleaned(sample: Sample, _: bytes) -> str:
    return cleaneval.write_gold(sample.url, sample.gold)


def _annotated(sample: Sample, content: bytes) -> str:
    page = Page(content)
    return hra_text(page, marks.of_gold(page, sample.gold))


def hra_text(page: Page, marked: marks.Marks) -> str:
    """An annotation file from the marks of units."""
    return hra_files.write(hra_files.records(page, marks.element_classes(page, marked)))


_GOLD: Final[dict[CorpusLayout, Callable[[Sample, bytes], str]]] = {
    CorpusLayout.BESIDE: _plain,
    CorpusLayout.CLEANEVAL: _cleaned,
    CorpusLayout.HRA: _annotated,
}
_ENDING: Final = {CorpusLayout.BESIDE: ".txt", CorpusLayout.CLEANEVAL: "-cleaned.txt", CorpusLayout.HRA: ".hra"}
