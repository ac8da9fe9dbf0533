"""Reading and writing of corpora in all layouts."""

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
from tidings_lab.corpora import cleaneval, ground_truth, marked
from tidings_lab.corpora.cleaneval import gold_by_stem, is_cleaneval, read_cleaneval
from tidings_lab.corpora.corpus import Corpus, CorpusLayout, CorpusProblem, CorpusTrouble
from tidings_lab.corpora.corpus_files import PAGE_ENDINGS, TEXT_ENDINGS, ending_of, gold_files, page_files
from tidings_lab.corpora.ground_truth import GROUND_TRUTH, read_ground_truth
from tidings_lab.corpora.json_lines import INDEX, check_page, read_lines
from tidings_lab.corpora.paired_files import HRA_ENDINGS, read_beside, read_hra
from tidings_lab.corpora.sample import Sample

#: The name of the sample newspaper in all commands of the laboratory.
BUNDLED: Final = "newspaper"
_READERS: Final[dict[CorpusLayout, Callable[[Path], Iterable[Sample | CorpusProblem]]]] = {
    CorpusLayout.TIDINGS: read_lines,
    CorpusLayout.GROUND_TRUTH: read_ground_truth,
    CorpusLayout.CLEANEVAL: read_cleaneval,
    CorpusLayout.HRA: read_hra,
    CorpusLayout.BESIDE: read_beside,
}


def recognise(folder: Path) -> CorpusLayout:
    """Return the layout of a folder.

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
    """Return the folder of a corpus: `newspaper` is the sample newspaper, unless a corpus of that name exists."""
    if str(folder) != BUNDLED:
        return folder
    from tidings import newspaper

    try:
        recognise(folder)
    except InputError:  # nothing there, or another folder of that name, as in a checkout of Tidings
        return newspaper.path()
    return folder


def read(folder: Path, layout: CorpusLayout | None = None, *, check: bool = False) -> Corpus:
    """Return every usable page of a corpus, and the problems with the others.

    Args:
        folder: its folder; `newspaper` is the sample newspaper, `marked:DIR` the marked pages of the corpora in DIR.
        layout: its layout; recognised if None.
        check: also read every page, and skip pages that cannot be read or have changed.

    Raises:
        InputError: the folder is no corpus.
    """
    folder = corpus_folder(folder)
    if str(folder).startswith(marked.PREFIX):
        layout = CorpusLayout.TIDINGS
        results = list(marked.marked_samples(Path(str(folder).removeprefix(marked.PREFIX))))
    else:
        layout = layout or recognise(folder)
        results = list(_READERS[layout](folder))
    problems = [result for result in results if isinstance(result, CorpusProblem)]
    samples = [result for result in results if isinstance(result, Sample)]
    if check:
        samples = [sample for sample in samples if _sound(sample, problems)]
    return Corpus(folder, layout, samples, problems)


def _sound(sample: Sample, problems: list[CorpusProblem]) -> bool:
    if problem := check_page(sample):
        problems.append(problem)
    return problem is None


def load(folder: Path, page_type: str | None = None, *, needs: str | None = "text") -> list[Sample]:
    """Return the pages of a corpus with ground truth, optionally of one type. `read` also returns problems.

    Args:
        folder: the corpus.
        page_type: only pages of this type, such as "article".
        needs: a ground-truth field that must not be empty; None for every page.

    Raises:
        InputError: the folder is no corpus.
    """
    return [
        sample
        for sample in read(folder).samples
        if page_type in (None, sample.page_type) and (needs is None or sample.gold.get(needs))
    ]


_ODD: Final = re.compile(r"[^\w.-]+")


def write_atomically(file: Path, content: bytes) -> None:
    """Write a file atomically and durably (temporary file, fsync, rename)."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, prefix=".tidings-", delete=False) as stream:
        try:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            Path(stream.name).chmod(0o644)  # temporary files are readable by their owner only
            Path(stream.name).replace(file)
        except BaseException:
            Path(stream.name).unlink(missing_ok=True)
            raise


def file_names(ids: Iterable[str]) -> dict[str, str]:
    """Return a file name for each id; names are distinct and valid on any file system."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for id_ in ids:
        # A leading dot hides a file, `..` is a folder, and some systems limit the length of names.
        name = _ODD.sub("_", id_).strip("._")[:100] or "page"
        number = 1
        while (f"{name}~{number}" if number > 1 else name).casefold() in used:
            number += 1
        name = f"{name}~{number}" if number > 1 else name
        used.add(name.casefold())
        names[id_] = name
    return names


def squeezed(content: bytes) -> bytes:
    """Compress with gzip, without a time stamp, so that equal pages give equal bytes."""
    return gzip.compress(content, mtime=0)


def row_of(sample: Sample, html_file: str, content: bytes | None = None) -> dict[str, Any]:
    """Return a page's line for the layout of Tidings. Without `content`, size and digest are those of the sample."""
    hashes = content is not None and {
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
        **(hashes or {}),
        "gold": dict(sample.gold),
        "gold_kind": sample.gold_kind,
        "headline_in_text": sample.headline_in_text,
    }


def put_rows(folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write `pages.jsonl`, the index of a corpus."""
    lines = [json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows]
    write_atomically(folder / INDEX, "".join(lines).encode(errors="backslashreplace"))


def write(samples: Sequence[Sample], folder: Path, layout: CorpusLayout = CorpusLayout.TIDINGS) -> list[CorpusProblem]:
    """Write pages and ground truth into a new folder; return the problems.

    Raises:
        InputError: the folder exists and is not empty.
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
                write_atomically(folder / f"html/{name}.html.gz", squeezed(content))
                rows.append(row_of(sample, f"html/{name}.html.gz", content))
                records[name] = ground_truth.record_of(sample)
            else:
                gold = _GOLD[layout](sample, content)
                write_atomically(folder / f"{name}.html", content)
                write_atomically(folder / (name + _ENDING[layout]), gold.encode(errors="backslashreplace"))
        except (InputError, PageError, ValueError) as error:
            problems.append(CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error)))
    if layout is CorpusLayout.TIDINGS:
        put_rows(folder, rows)
    elif layout is CorpusLayout.GROUND_TRUTH:
        index = json.dumps(records, ensure_ascii=False, indent=1, default=str)
        write_atomically(folder / ground_truth.GROUND_TRUTH, index.encode(errors="backslashreplace"))
    return problems


def _plain(sample: Sample, _: bytes) -> str:
    return str(sample.gold.get("text") or "")


def _cleaned(sample: Sample, _: bytes) -> str:
    return cleaneval.write_gold(sample.url, sample.gold)


def _annotated(sample: Sample, content: bytes) -> str:
    page = Page(content)
    return hra_text(page, marks.of_gold(page, sample.gold))


def hra_text(page: Page, marked: marks.Marks) -> str:
    """Return the text of an `.hra` annotation file for a page, given the marks of its units."""
    return hra_files.write(hra_files.records(page, marks.element_classes(page, marked)))


_GOLD: Final[dict[CorpusLayout, Callable[[Sample, bytes], str]]] = {
    CorpusLayout.BESIDE: _plain,
    CorpusLayout.CLEANEVAL: _cleaned,
    CorpusLayout.HRA: _annotated,
}
_ENDING: Final = {CorpusLayout.BESIDE: ".txt", CorpusLayout.CLEANEVAL: "-cleaned.txt", CorpusLayout.HRA: ".hra"}
