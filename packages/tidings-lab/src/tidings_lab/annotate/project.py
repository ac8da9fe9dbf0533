"""An annotation project: pages, their marks, and the folder where the ground truth is saved.

The initial marks of a page come from its journal, else from saved marks, else from its ground truth, else from a
prediction. Every change is written to the journal before it takes effect; saving writes the ground-truth layout and the
`.hra` file. Letters that a person has changed in that file are marks too: they are imported when the folder is opened.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import RLock
from typing import Any, Final

import numpy as np

from tidings.errors import InputError, TidingsError
from tidings.fields import read as read_fields
from tidings.page import Page
from tidings.urls import site_of
from tidings_lab.annotate.double_annotation import Opinions
from tidings_lab.annotate.history import History
from tidings_lab.annotate.journal import Journal
from tidings_lab.annotate.prediction import predict
from tidings_lab.annotation import hra_files, marks
from tidings_lab.annotation.units import Units, units
from tidings_lab.corpora.corpus import CorpusLayout, CorpusTrouble
from tidings_lab.corpora.files import file_names, hra_text, put_rows, read, row_of, squeezed, write_atomically
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.json_lines import INDEX
from tidings_lab.corpora.sample import Sample

#: The key of the digest of the `.hra` file in a page's line.
_WRITTEN: Final = "hra_sha1"
#: The number of parsed pages in memory; marks of all pages stay in memory.
_CACHED_PAGES: Final = 8
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}")


class PageState(StrEnum):
    """How far the annotation of a page has come."""

    NEW = "new"  # no changes
    BEGUN = "begun"  # some changes, not saved as ground truth
    SAVED = "saved"


#: The types that a page can be recorded as. "nothing" is a page without content: an error, a login, an empty shell.
PAGE_TYPES: Final = (
    "article",
    "listing",
    "collection",
    "front",
    "product",
    "service",
    "documentation",
    "forum",
    "live-blog",
    "ranking",
    "recipe",
    "nothing",
)


@dataclass(frozen=True, slots=True)
class PageDescription:
    """What an annotator records about a page as a whole."""

    page_type: str  # one of PAGE_TYPES
    lang: str  # of the content: a code of two or three letters
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A parsed page with its annotation units."""

    page: Page
    units: Units


class Project:
    """The pages to annotate, their marks, and the folder in which they are saved.

    Raises:
        InputError: there are no pages, or the folder cannot be used.
    """

    def __init__(self, samples: Sequence[Sample], folder: Path, opinions: Opinions | None = None) -> None:
        if not samples:
            raise InputError("there are no pages to annotate")
        self.samples = list(samples)
        self.folder = folder
        self.opinions = opinions
        self.lock = RLock()
        self._saved = {sample.id: sample for sample in _saved(folder)}
        self._names = file_names(dict.fromkeys([*self._saved, *(sample.id for sample in samples)]))
        self._open_pages: OrderedDict[int, OpenPage] = OrderedDict()
        self._histories: dict[int, History] = {}
        self._journal = Journal(folder)
        self._entries: dict[str, list[dict[str, Any]]] = {}
        for entry in self._journal.entries():
            self._entries.setdefault(str(entry.get("page")), []).append(entry)
        self.messages = [
            message for number in range(len(self.samples)) if (message := self._import_edited_file(number))
        ]

    def close(self) -> None:
        """Close the journal, so that other servers can use the folder."""
        self._journal.close()

    # -- reading --------------------------------------------------------------------------------------------

    def open_page(self, number: int) -> OpenPage:
        """Return a page by its number.

        Raises:
            TidingsError: the page cannot be read.
        """
        with self.lock:
            if number not in self._open_pages:
                sample = self.samples[number]
                page = Page(sample.html, sample.url or None)
                self._open_pages[number] = OpenPage(page, units(page))
                while len(self._open_pages) > _CACHED_PAGES:
                    self._open_pages.popitem(last=False)
            self._open_pages.move_to_end(number)
            return self._open_pages[number]

    def history(self, number: int) -> History:
        """Return the marks of a page with all changes to them."""
        with self.lock:
            if number not in self._histories:
                self._histories[number] = self._replay(number)
            return self._histories[number]

    def state(self, number: int) -> PageState:
        """Return how far the annotation of a page has come, without reading the page."""
        name = self.samples[number].id
        entries = [entry for entry in self._entries.get(name, ()) if entry.get("act") != "start"]
        if not entries:
            return PageState.SAVED if name in self._saved else PageState.NEW
        return PageState.SAVED if entries[-1].get("act") == "save" else PageState.BEGUN

    # -- changing -------------------------------------------------------------------------------------------

    def mark(self, number: int, chosen: Sequence[int], mark: marks.UnitMark) -> bool:
        """Mark annotation units of a page.

        Raises:
            ValueError: a unit does not exist.
        """
        starts = [int(self.open_page(number).page.runs.start[self._first(number, unit)]) for unit in chosen]
        entry = {"act": "mark", "mark": marks.NAMES[mark], "starts": starts}
        return self._change(number, entry, lambda history: history.mark(chosen, mark))

    def undo(self, number: int) -> bool:
        """Undo the last change to a page."""
        return self._change(number, {"act": "undo"}, History.undo)

    def redo(self, number: int) -> bool:
        """Redo the last undone change to a page."""
        return self._change(number, {"act": "redo"}, History.redo)

    def describe(self, number: int, record: PageDescription) -> None:
        """Record page type and language of a page; the last record counts.

        Raises:
            ValueError: the page type does not exist, or the language is no code.
        """
        if record.page_type not in PAGE_TYPES:
            raise ValueError(f"there is no page type {record.page_type!r}; there are: {', '.join(PAGE_TYPES)}")
        if not _LANGUAGE.fullmatch(record.lang):
            raise ValueError(f"a language is a code of two or three letters such as en, not {record.lang!r}")
        entry = {"act": "describe", "type": record.page_type, "lang": record.lang, "sure": record.is_sure}
        with self.lock:
            self._note(number, entry, self.history(number).marks)

    def record(self, number: int) -> PageDescription | None:
        """Return the last record of a page, or None if it has none."""
        sha1 = self._sha1(number)
        for entry in reversed(self._entries.get(self.samples[number].id, [])):
            if entry.get("act") == "describe" and entry.get("sha1") == sha1:
                return PageDescription(entry["type"], entry["lang"], entry["sure"])
        return None

    def save(self, number: int) -> None:
        """Write page, ground truth and `.hra` file, and record this in the journal of the project.

        Raises:
            InputError: writing failed; the marks are still in the journal.
        """
        with self.lock:
            try:
                self._save(number)
            except OSError as error:
                raise InputError(
                    f"{self.folder} cannot be written ({error.strerror}); the journal has every mark, so make room and "
                    "save again"
                ) from error

    def _save(self, number: int) -> None:
        sample, page = self.samples[number], self.open_page(number).page
        unit_marks, content, name = self.history(number).marks, sample.html, self._names[sample.id]
        file = self.folder / f"html/{name}.html.gz"
        if sample.file.is_relative_to(self.folder):  # the corpus itself is being annotated
            file = sample.file
        else:
            write_atomically(file, squeezed(content))
        hra_content = hra_text(page, unit_marks).encode(errors="backslashreplace")
        write_atomically(self._hra(number), hra_content)
        described = _described(sample, file, content, page, marks.gold(page, unit_marks))
        if record := self.record(number):
            described = replace(described, page_type=record.page_type, lang=record.lang)
            described = replace(described, more={**described.more, "sure": record.is_sure})
        more = {**described.more, _WRITTEN: hashlib.sha1(hra_content, usedforsecurity=False).hexdigest()}
        saved = {**self._saved, sample.id: replace(described, more=more)}
        put_rows(self.folder, [self._row(one) for one in saved.values()])
        self._saved = saved
        self._note(number, {"act": "save"}, unit_marks)

    def _row(self, sample: Sample) -> dict[str, Any]:
        return row_of(sample, sample.file.relative_to(self.folder).as_posix())

    def _change(self, number: int, entry: dict[str, Any], act: Callable[[History], bool]) -> bool:
        with self.lock:
            history = self.history(number)
            before = history.marks.copy()
            if not act(history):
                return False
            try:
                self._note(number, entry, before)
            except OSError as error:
                del self._histories[number]  # a change that is not on disk does not count
                raise InputError(f"nothing was changed: the journal cannot be written ({error.strerror})") from error
            return True

    def _note(self, number: int, entry: dict[str, Any], before: marks.Marks) -> None:
        """Append a change to the journal.

        The first entry of a page is preceded by its initial marks, because predictions may change in later versions.
        """
        name, sha1 = self.samples[number].id, self._sha1(number)
        entries = self._entries.setdefault(name, [])
        first = {"act": "start", "marks": marks.to_ranges(self.open_page(number).page, before)}
        for new_entry in (entry,) if any(old.get("sha1") == sha1 for old in entries) else (first, entry):
            record = {"page": name, "sha1": sha1, **new_entry}
            self._journal.append(record)
            entries.append(record)

    # -- edited files ----------------------------------------------------------------------------------------------

    def _import_edited_file(self, number: int) -> str:
        """Import changes that were made in a page's `.hra` file; return a message about them, empty if there are
        none.
        """
        file, saved = self._hra(number), self._saved.get(self.samples[number].id)
        if saved is None or self.opinions or not file.is_file():
            return ""
        content = file.read_bytes()
        if hashlib.sha1(content, usedforsecurity=False).hexdigest() == saved.more.get(_WRITTEN):
            return ""
        try:
            page = self.open_page(number).page
            before = marks.of_gold(page, saved.gold)
        except (TidingsError, ValueError):  # reported when the page is opened
            return ""
        records_, errors = hra_files.parse(content.decode(errors="replace"))
        placed = hra_files.place(records_, page)
        if errors or placed.lost:
            reason = errors[0] if errors else f"{len(placed.lost)} of its texts are nowhere on the page"
            return f"{file} was changed by hand and cannot be used ({reason}): the saved marks count"
        saved_classes = marks.of_classes(page, marks.element_classes(page, before))
        return self._apply_edits(number, saved_classes, marks.of_classes(page, placed.classes))

    def _apply_edits(self, number: int, before: marks.Marks, after: marks.Marks) -> str:
        """Mark the units whose mark in an edited file differs from the mark that was written to it."""
        file, changed = self._hra(number), np.flatnonzero(before != after)
        if not len(changed):
            return ""
        if self.state(number) is PageState.BEGUN:
            copy = file.with_suffix(".by-hand.hra")
            write_atomically(copy, file.read_bytes())
            message = f"{file} was changed by hand, and its page was marked since it was saved"
            return f"{message}: the marks count, and the file is kept as {copy.name}"
        for mark in sorted(set(after[changed].tolist())):
            self.mark(number, changed[after[changed] == mark].tolist(), marks.UnitMark(mark))
        self.save(number)
        return f"{file} was changed by hand: {len(changed)} marks were taken over"

    def _hra(self, number: int) -> Path:
        return self.folder / f"hra/{self._names[self.samples[number].id]}.hra"

    # -- initial marks ------------------------------------------------------------------------------------------

    def _replay(self, number: int) -> History:
        open_page, name = self.open_page(number), self.samples[number].id
        sha1 = self._sha1(number)
        unit_at = dict(
            zip(open_page.page.runs.start[open_page.units.first].tolist(), range(len(open_page.units)), strict=True)
        )
        history = History(self._initial_marks(number))
        for entry in self._entries.get(name, ()):
            if entry.get("sha1") != sha1:  # the page has changed
                continue
            try:
                if entry["act"] == "start":
                    history = History(marks.of_ranges(open_page.page, entry["marks"]))
                elif entry["act"] == "mark":
                    # If the segmentation has changed, some units no longer exist; the change still counts for undo.
                    chosen = [unit_at[start] for start in entry["starts"] if start in unit_at]
                    history.mark(chosen, marks.named(entry["mark"]), always=True)
                elif entry["act"] == "undo":
                    history.undo()
                elif entry["act"] == "redo":
                    history.redo()
            except (KeyError, TypeError, ValueError):  # an invalid entry
                continue
        return history

    def _initial_marks(self, number: int) -> marks.Marks:
        sample, page = self.samples[number], self.open_page(number).page
        if self.opinions:
            return self.opinions.beginning(sample.id)
        for source in (self._saved.get(sample.id), sample):
            if source is not None and (source.gold.get("marks") or source.gold.get("text")):
                try:
                    return marks.of_gold(page, source.gold)
                except ValueError:
                    continue
        return predict(page)

    def _first(self, number: int, unit: int) -> int:
        first = self.open_page(number).units.first
        if not 0 <= unit < len(first):
            raise ValueError(f"there is no unit {unit}: the page has {len(first)}")
        return int(first[unit])

    def _sha1(self, number: int) -> str:
        source = self.open_page(number).page.source.encode(errors="surrogatepass")
        return hashlib.sha1(source, usedforsecurity=False).hexdigest()


def _saved(folder: Path) -> Sequence[Sample]:
    """Return the samples that a folder already contains.

    Unreadable lines raise an error, because writing the folder would lose them.
    """
    if not folder.joinpath(INDEX).is_file():
        return []
    corpus = read(folder, CorpusLayout.TIDINGS)
    problems = [problem for problem in corpus.problems if problem.trouble is not CorpusTrouble.NO_GOLD]
    if problems:
        raise InputError(f"{folder} has lines that would be lost, as {problems[0]}; mend {INDEX} or name another --out")
    return corpus.samples


def _described(sample: Sample, file: Path, content: bytes, page: Page, gold: dict[str, Any]) -> Sample:
    """Return a sample with its new ground truth, and with the URL, site and language from the page if the sample has
    none.
    """
    fields = read_fields(page)
    url = sample.url or fields.canonical
    sha1 = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    return replace(
        sample,
        file=file,
        url=url,
        site=sample.site or site_of(url),
        lang=sample.lang or fields.language.split("-")[0].lower(),
        gold={**sample.gold, **gold},
        gold_kind="annotators",
        headline_in_text=opens_with(gold["text"], gold["title"]) if gold["title"] and gold["text"] else None,
        more={**sample.more, "html_sha1": sha1, "html_bytes": len(content)},
    )
