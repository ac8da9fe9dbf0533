"""The pages to annotate, what has been said of them, and where the gold goes.

A page begins with the marks of its journal, else with those that were saved, else with its gold, else with a
prediction. Every change is in the journal before it counts; saving writes the gold layout and the `.hra` file. Letters
that somebody has changed in that file since are marks too: they are taken over when the folder is opened.

Every change goes to disk before it is answered: whatever happens to the server, no work is lost.

The journal is a file that only grows, a JSON object a line. A line that was cut off by a crash is passed over.

The marks of one page and every change to them: what was done can be undone, and done again.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
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
from tidings_lab.annotate.pages import predict
from tidings_lab.annotation import hra_files, marks
from tidings_lab.annotation.marks import Marks, UnitMark
from tidings_lab.annotation.units import Units, units
from tidings_lab.corpora.corpus import CorpusLayout, CorpusTrouble
from tidings_lab.corpora.files import file_names, hra_text, put, put_rows, read, row_of, squeezed
from tidings_lab.corpora.headline_in_text import opens_with
from tidings_lab.corpora.json_lines import INDEX
from tidings_lab.corpora.sample import Sample


@dataclass(frozen=True, slots=True)
class MarkChange:
    """Units that got a mark, and what each had before."""

    units: tuple[int, ...]
    before: tuple[int, ...]
    mark: UnitMark


@dataclass(slots=True)
class History:
    """What a page's units are now, and how they came to be so."""

    marks: Marks
    done: list[MarkChange] = field(default_factory=list)
    undone: list[MarkChange] = field(default_factory=list)

    def mark(self, units: Sequence[int], mark: UnitMark, *, always: bool = False) -> bool:
        """Mark units; says whether there was something to do. What was undone before cannot be done again.

        To confirm a mark that a unit has already is a change too, the first time: somebody decided. `always` makes it
        one in any case.

        Raises:
            ValueError: there is no such unit.
        """
        if wrong := [unit for unit in units if not 0 <= unit < len(self.marks)]:
            raise ValueError(f"there is no unit {wrong[0]}: the page has {len(self.marks)}")
        chosen = tuple(dict.fromkeys(units))
        decided = self.decided
        if not always and not [unit for unit in chosen if self.marks[unit] != mark or unit not in decided]:
            return False
        self.undone.clear()
        self._do(MarkChange(chosen, tuple(int(self.marks[unit]) for unit in chosen), mark))
        return True

    def undo(self) -> bool:
        """Take back the last change; says whether there was one."""
        if not self.done:
            return False
        change = self.done.pop()
        self.marks[list(change.units)] = change.before
        self.undone.append(change)
        return True

    def redo(self) -> bool:
        """Do again what was taken back last; says whether there was something."""
        if not self.undone:
            return False
        self._do(self.undone.pop())
        return True

    def _do(self, change: MarkChange) -> None:
        self.marks[list(change.units)] = change.mark
        self.done.append(change)

    @property
    def decided(self) -> set[int]:
        """Blocks that somebody has marked, if only to confirm what they were."""
        return {unit for change in self.done for unit in change.units}


if sys.platform != "win32":
    import fcntl

JOURNAL: Final = "journal.jsonl"


class Journal:
    """The journal of one folder, held by one server at a time.

    Raises:
        InputError: another server works on the folder, or it cannot be written to.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / JOURNAL
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._stream = self.file.open("ab", buffering=0)
        except OSError as error:
            raise InputError(f"{self.file} cannot be written: {error.strerror or error}") from error
        if not _lock(self._stream.fileno()):
            self._stream.close()
            raise InputError(f"{folder} is being annotated by another tidings; close that one or name another --out")
        # A line that a crash left open is ended before the next one.
        self._torn = not self.file.read_bytes().endswith(b"\n") and self.file.stat().st_size > 0

    def entries(self) -> Iterator[dict[str, Any]]:
        """Everything that was written, in order."""
        for line in self.file.read_bytes().split(b"\n"):
            try:
                entry = json.loads(line)
            except (ValueError, RecursionError):  # empty, or cut off in the middle
                continue
            if isinstance(entry, dict):
                yield entry

    def append(self, entry: dict[str, Any]) -> None:
        """Write an entry; it is on disk when this returns.

        Raises:
            OSError: it could not be written.
        """
        line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="seconds"), **entry}).encode() + b"\n"
        if self._torn:
            line = b"\n" + line
        self._torn = True
        while line:
            line = line[self._stream.write(line) :]
        os.fsync(self._stream.fileno())
        self._torn = False

    def close(self) -> None:
        """Let another server have the folder."""
        self._stream.close()


def _lock(descriptor: int) -> bool:
    """Hold a file until it is closed; where the system has no such locks, hope."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


#: Where a page's line tells the digest of the `.hra` file as it was written.
_WRITTEN: Final = "hra_sha1"
#: Pages held in memory at a time; the marks of all are kept.
_HELD: Final = 8


class PageState(StrEnum):
    """How far a page is."""

    NEW = "new"  # nobody has said anything
    BEGUN = "begun"  # some changes, not saved as gold
    SAVED = "saved"


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page in memory."""

    page: Page
    units: Units


class Project:
    """Pages, their marks and the folder they are saved in.

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
        self._held: OrderedDict[int, OpenPage] = OrderedDict()
        self._histories: dict[int, History] = {}
        self._journal = Journal(folder)
        self._entries: dict[str, list[dict[str, Any]]] = {}
        for entry in self._journal.entries():
            self._entries.setdefault(str(entry.get("page")), []).append(entry)
        self.messages = [said for number in range(len(self.samples)) if (said := self._by_hand(number))]

    def close(self) -> None:
        """Let go of the folder."""
        self._journal.close()

    # -- asking ---------------------------------------------------------------------------------------------

    def held(self, number: int) -> OpenPage:
        """A page by its number.

        Raises:
            TidingsError: it cannot be read.
        """
        with self.lock:
            if number not in self._held:
                sample = self.samples[number]
                page = Page(sample.html, sample.url or None)
                self._held[number] = OpenPage(page, units(page))
                while len(self._held) > _HELD:
                    self._held.popitem(last=False)
            self._held.move_to_end(number)
            return self._held[number]

    def history(self, number: int) -> History:
        """The marks of a page and all changes to them."""
        with self.lock:
            if number not in self._histories:
                self._histories[number] = self._replay(number)
            return self._histories[number]

    def state(self, number: int) -> PageState:
        """How far a page is, without reading it."""
        name = self.samples[number].id
        entries = [entry for entry in self._entries.get(name, ()) if entry.get("act") != "start"]
        if not entries:
            return PageState.SAVED if name in self._saved else PageState.NEW
        return PageState.SAVED if entries[-1].get("act") == "save" else PageState.BEGUN

    # -- changing -------------------------------------------------------------------------------------------

    def mark(self, number: int, chosen: Sequence[int], mark: marks.UnitMark) -> bool:
        """Mark units of a page.

        Raises:
            ValueError: there is no such unit.
        """
        starts = [int(self.held(number).page.runs.start[self._first(number, unit)]) for unit in chosen]
        entry = {"act": "mark", "mark": marks.NAMES[mark], "starts": starts}
        return self._change(number, entry, lambda history: history.mark(chosen, mark))

    def undo(self, number: int) -> bool:
        """Take back the last change to a page."""
        return self._change(number, {"act": "undo"}, History.undo)

    def redo(self, number: int) -> bool:
        """Do again what was taken back."""
        return self._change(number, {"act": "redo"}, History.redo)

    def save(self, number: int) -> None:
        """Write page, gold and `.hra`, and note it.

        Raises:
            InputError: it could not be written; the marks are in the journal still.
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
        sample, page = self.samples[number], self.held(number).page
        marked, content, name = self.history(number).marks, sample.html, self._names[sample.id]
        file = self.folder / f"html/{name}.html.gz"
        if sample.file.is_relative_to(self.folder):  # the corpus itself is being annotated
            file = sample.file
        else:
            put(file, squeezed(content))
        written = hra_text(page, marked).encode(errors="backslashreplace")
        put(self._hra(number), written)
        described = _described(sample, file, content, page, marks.gold(page, marked))
        noted = {**described.more, _WRITTEN: hashlib.sha1(written, usedforsecurity=False).hexdigest()}
        saved = {**self._saved, sample.id: replace(described, more=noted)}
        put_rows(self.folder, [self._row(one) for one in saved.values()])
        self._saved = saved
        self._note(number, {"act": "save"}, marked)

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
                del self._histories[number]  # what is not on disk has not happened
                raise InputError(f"nothing was changed: the journal cannot be written ({error.strerror})") from error
            return True

    def _note(self, number: int, entry: dict[str, Any], before: marks.Marks) -> None:
        """Write to the journal; before the first entry of a page the marks it began with, as predictions change."""
        name, sha1 = self.samples[number].id, self._sha1(number)
        known = self._entries.setdefault(name, [])
        first = {"act": "start", "marks": marks.to_ranges(self.held(number).page, before)}
        for one in (entry,) if any(old.get("sha1") == sha1 for old in known) else (first, entry):
            noted = {"page": name, "sha1": sha1, **one}
            self._journal.append(noted)
            known.append(noted)

    # -- by hand ----------------------------------------------------------------------------------------------

    def _by_hand(self, number: int) -> str:
        """Take over what was changed in the `.hra` file of a page; a sentence on what came of it, if it was changed."""
        file, saved = self._hra(number), self._saved.get(self.samples[number].id)
        if saved is None or self.opinions or not file.is_file():
            return ""
        content = file.read_bytes()
        if hashlib.sha1(content, usedforsecurity=False).hexdigest() == saved.more.get(_WRITTEN):
            return ""
        try:
            page = self.held(number).page
            before = marks.of_gold(page, saved.gold)
        except (TidingsError, ValueError):  # it is told when the page is opened
            return ""
        found, wrong = hra_files.parse(content.decode(errors="replace"))
        placed = hra_files.place(found, page)
        if wrong or placed.lost:
            reason = wrong[0] if wrong else f"{len(placed.lost)} of its texts are nowhere on the page"
            return f"{file} was changed by hand and cannot be used ({reason}): the saved marks count"
        was = marks.of_classes(page, marks.element_classes(page, before))
        return self._take_over(number, was, marks.of_classes(page, placed.classes))

    def _take_over(self, number: int, was: marks.Marks, now: marks.Marks) -> str:
        """Mark the units that an edited file says are something else than they were when it was written."""
        file, changed = self._hra(number), np.flatnonzero(was != now)
        if not len(changed):
            return ""
        if self.state(number) is PageState.BEGUN:
            aside = file.with_suffix(".by-hand.hra")
            put(aside, file.read_bytes())
            said = f"{file} was changed by hand, and its page was marked since it was saved"
            return f"{said}: the marks count, and the file is kept as {aside.name}"
        for mark in sorted(set(now[changed].tolist())):
            self.mark(number, changed[now[changed] == mark].tolist(), marks.UnitMark(mark))
        self.save(number)
        return f"{file} was changed by hand: {len(changed)} marks were taken over"

    def _hra(self, number: int) -> Path:
        return self.folder / f"hra/{self._names[self.samples[number].id]}.hra"

    # -- beginning ------------------------------------------------------------------------------------------

    def _replay(self, number: int) -> History:
        held, name = self.held(number), self.samples[number].id
        sha1 = self._sha1(number)
        unit_at = dict(zip(held.page.runs.start[held.units.first].tolist(), range(len(held.units)), strict=True))
        history = History(self._beginning(number))
        for entry in self._entries.get(name, ()):
            if entry.get("sha1") != sha1:  # the page is not the one it was
                continue
            try:
                if entry["act"] == "start":
                    history = History(marks.of_ranges(held.page, entry["marks"]))
                elif entry["act"] == "mark":
                    # Where pages are cut otherwise since, some starts are none; the change still counts for undo.
                    chosen = [unit_at[start] for start in entry["starts"] if start in unit_at]
                    history.mark(chosen, marks.named(entry["mark"]), always=True)
                elif entry["act"] == "undo":
                    history.undo()
                elif entry["act"] == "redo":
                    history.redo()
            except (KeyError, TypeError, ValueError):  # not written by us
                continue
        return history

    def _beginning(self, number: int) -> marks.Marks:
        sample, page = self.samples[number], self.held(number).page
        if self.opinions:
            return self.opinions.beginning(sample.id)
        for known in (self._saved.get(sample.id), sample):
            if known is not None and (known.gold.get("marks") or known.gold.get("text")):
                try:
                    return marks.of_gold(page, known.gold)
                except ValueError:
                    continue
        return predict(page)

    def _first(self, number: int, unit: int) -> int:
        first = self.held(number).units.first
        if not 0 <= unit < len(first):
            raise ValueError(f"there is no unit {unit}: the page has {len(first)}")
        return int(first[unit])

    def _sha1(self, number: int) -> str:
        source = self.held(number).page.source.encode(errors="surrogatepass")
        return hashlib.sha1(source, usedforsecurity=False).hexdigest()


def _saved(folder: Path) -> Sequence[Sample]:
    """What the folder holds already. What cannot be read would be lost when the folder is written: it is refused."""
    if not folder.joinpath(INDEX).is_file():
        return []
    found = read(folder, CorpusLayout.TIDINGS)
    lost = [problem for problem in found.problems if problem.trouble is not CorpusTrouble.NO_GOLD]
    if lost:
        raise InputError(f"{folder} has lines that would be lost, as {lost[0]}; mend {INDEX} or name another --out")
    return found.samples


def _described(sample: Sample, file: Path, content: bytes, page: Page, gold: dict[str, Any]) -> Sample:
    """A page with its new gold, and with what it tells of itself where the corpus does not."""
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
