"""The gate: no change may lower accuracy unnoticed.

`floors.jsonl` holds a floor for each corpus, extractor and measure, with the digest of the pages it was measured on.
People review it as they review code. A floor goes up by `tidings lab gate --update`; it goes down only by
`--lower WHY`, which leaves a line in the file that says why.

The default reading is measured on every page (text, headline, authors, date), each extractor by its own name on a fixed
sample of each corpus (text). `default` is a name of its own: whatever becomes the default must hold its floors.

The file of floors: JSON Lines, a line for each floor, and after them a line for each time one was lowered.

What the gate measures: the default on every page of a corpus, each extractor by name on a fixed sample of it.

Measured figures against floors: which hold, and what the floors become. No file is touched here.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from tidings import extract
from tidings.article import Article
from tidings.errors import InputError, MissingExtra, TidingsError
from tidings.extractors import entries, extractor
from tidings.page import Page
from tidings_lab.corpora import Sample, digest, load
from tidings_lab.metrics.fields import FieldVerdict, authors_verdict, date_verdict, headline_verdict
from tidings_lab.metrics.texts import gold_segments, text_score

#: The floors of Tidings itself.
FLOORS: Final = Path(__file__).with_name("floors.jsonl")
#: Whatever `tidings.extract` does, as a name of its own.
DEFAULT_NAME: Final = "default"


class Key(NamedTuple):
    """What a floor is about."""

    corpus: str
    extractor: str
    measure: str


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that an extractor must reach on a corpus by a measure."""

    corpus: str
    extractor: str  # a registered name, or `default`
    measure: str  # words, segments, headline, authors or date
    floor: float
    digest: str  # of the pages it was measured on
    date: str
    note: str = ""

    @property
    def key(self) -> Key:
        """What it is about."""
        return Key(self.corpus, self.extractor, self.measure)


@dataclass(frozen=True, slots=True)
class Lowering:
    """A floor that went down or away, and why. These lines stay."""

    lowered: str  # the day
    corpus: str
    extractor: str
    measure: str
    before: float
    after: float | None  # None: there is no such floor any more
    why: str


def read_floors(path: Path) -> tuple[list[Floor], list[Lowering]]:
    """The floors of a file and the history of their lowering; a file that is not there has none.

    Raises:
        InputError: the file is unreadable, or a line of it is neither, or there are two floors for the same thing.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the floors cannot be read from {path}: {error}") from error
    floors: dict[Key, Floor] = {}
    history = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "lowered" in row:
                history.append(Lowering(**row))
                continue
            floor = Floor(**{**row, "floor": float(row["floor"])})
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(f"{path}, line {number} is neither a floor nor a lowering: {error}") from error
        if not 0 <= floor.floor <= 1:
            raise InputError(f"{path}, line {number}: a floor lies between 0 and 1, not at {floor.floor}")
        if floor.key in floors:
            raise InputError(f"{path}, line {number}: there is a floor for {', '.join(floor.key)} already; keep one")
        floors[floor.key] = floor
    return list(floors.values()), history


def write_floors(path: Path, floors: Iterable[Floor], history: Iterable[Lowering]) -> None:
    """Write floors in order, then the history. The file is whole at every moment.

    Raises:
        InputError: the file cannot be written.
    """
    lines = [_line(floor) for floor in sorted(floors, key=lambda floor: in_order(floor.key))] + [
        _line(one) for one in history
    ]
    new = path.with_name(f"{path.name}.new")
    try:
        new.write_text("".join(lines), encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise InputError(f"the floors cannot be written to {path}: {error}; name another file by --floors") from error


def _line(row: Floor | Lowering) -> str:
    told: dict[str, Any] = asdict(row)
    return json.dumps(told, ensure_ascii=False) + "\n"


def in_order(key: Key) -> tuple[str, bool, str, str]:
    """The default first of each corpus."""
    return key.corpus, key.extractor != DEFAULT_NAME, key.extractor, key.measure


#: Pages of each corpus on which every extractor is measured: all corpora together stay within a few minutes.
SAMPLED: Final = 60


@dataclass(frozen=True, slots=True)
class Tested:
    """A corpus, the pages the default is measured on, and those of the sample."""

    corpus: str
    samples: tuple[Sample, ...]
    sampled: tuple[Sample, ...]

    def digests(self) -> dict[bool, str]:
        """For the default (True) and for the others (False) the digest of their pages."""
        return {True: digest(self.samples), False: digest(self.sampled)}


@dataclass(frozen=True, slots=True)
class GateItem:
    """One page and the extractors to run on it; the default always runs."""

    corpus: str
    sample: Sample
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FigurePart:
    """What a page adds to a figure, which is the sum of the parts over the sum of the wholes."""

    key: Key
    part: float
    whole: float
    failed: bool = False


@dataclass(frozen=True, slots=True)
class GateFigure:
    """A figure, of how many pages, and how often the extractor raised an error."""

    value: float
    pages: int
    failed: int = 0


def plan(folders: Sequence[Path]) -> list[Tested]:
    """The corpora as they are tested.

    Raises:
        InputError: a folder is no corpus, has no page with gold text or segments, or two have the same name.
    """
    tested = []
    for folder in folders:
        samples = tuple(sample for sample in load(folder, needs=None) if _has_gold(sample))
        if not samples:
            raise InputError(f"{folder} has no page with gold text or segments")
        tested.append(Tested(folder.resolve().name, samples, _fixed_sample(samples)))
    names = [one.corpus for one in tested]
    if len(set(names)) < len(names):
        raise InputError(f"floors are kept by the corpus's name, and two have the same: {', '.join(sorted(names))}")
    return tested


def items(tested: Iterable[Tested]) -> Iterator[GateItem]:
    """The pages to measure, each once."""
    names = tuple(entry.name for entry in entries())
    for one in tested:
        chosen = {sample.id for sample in one.sampled}
        for sample in one.samples:
            yield GateItem(one.corpus, sample, names if sample.id in chosen else ())


def measure_page(item: GateItem) -> list[FigurePart]:
    """Run extractors on a page. One that raises an error has found nothing there.

    Raises:
        MissingExtra: an extractor needs something that is not installed: that is no figure.
    """
    page = _page(item.sample)
    article, failed = _by_default(page)
    marks = [*_text_marks(item, DEFAULT_NAME, article.text, article.title, failed), *_field_marks(item, article)]
    for name in item.names:
        text, failed = _by_name(page, name)
        marks += _text_marks(item, name, text, article.title, failed)
    return marks


def tally(marks: Iterable[FigurePart]) -> dict[Key, GateFigure]:
    """Figures from marks."""
    parts, wholes = defaultdict[Key, float](float), defaultdict[Key, float](float)
    pages, failed = defaultdict[Key, int](int), defaultdict[Key, int](int)
    for mark in marks:
        parts[mark.key] += mark.part
        wholes[mark.key] += mark.whole
        pages[mark.key] += 1
        failed[mark.key] += mark.failed
    return {key: GateFigure(parts[key] / wholes[key] if wholes[key] else 0.0, pages[key], failed[key]) for key in parts}


def _has_gold(sample: Sample) -> bool:
    return any(name in sample.gold for name in ("text", "with", "without"))


def _fixed_sample(samples: Sequence[Sample]) -> tuple[Sample, ...]:
    """By the digest of the id: the same pages each time, and most of them still when pages are added."""
    order = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    return tuple(order[:SAMPLED])


def _page(sample: Sample) -> Page | None:
    try:
        return Page(sample.html, sample.url or None)
    except TidingsError:
        return None


def _by_default(page: Page | None) -> tuple[Article, bool]:
    """The article, and whether there is none because of an error."""
    if page is None:
        return Article(), True
    try:
        return extract(page), False
    except MissingExtra:
        raise
    except Exception:  # whatever it is, the other pages are measured, and the table counts this one
        return Article(), True


def _by_name(page: Page | None, name: str) -> tuple[str, bool]:
    """The text, and whether there is none because of an error."""
    if page is None:
        return "", True
    try:
        return extractor(name)(page).text(page), False
    except MissingExtra:
        raise
    except Exception:  # as above
        return "", True


def _text_marks(item: GateItem, name: str, text: str, title: str, failed: bool) -> Iterator[FigurePart]:
    """Word F1 (character F1 where the script has no spaces), or pooled F1 of segments where gold has no text."""
    sample = item.sample
    if "text" in sample.gold:
        score = text_score(sample, text, title)
        if score is not None:  # empty gold is in no mean
            yield FigurePart(Key(item.corpus, name, "words"), score.f1, 1, failed)
        return
    counts = gold_segments(text, sample.gold)
    if counts is not None:
        yield FigurePart(
            Key(item.corpus, name, "segments"), 2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn, failed
        )


def _field_marks(item: GateItem, article: Article) -> Iterator[FigurePart]:
    """Each field that gold has: exactly right or not."""
    gold = item.sample.gold
    verdicts: dict[str, FieldVerdict] = {
        "headline": headline_verdict(article.title, gold),
        "authors": authors_verdict(article.authors, gold),
        # Gold has one date: where a page tells only when it was changed, that one. So have the peers.
        "date": date_verdict(article.published_as_stated or article.modified_as_stated, gold),
    }
    for measure, verdict in verdicts.items():
        if verdict.right is not None:
            yield FigurePart(Key(item.corpus, DEFAULT_NAME, measure), float(verdict.right), 1)


#: A new floor lies so far under the figure: room for another build of a library to round another way, and no more.
SLACK: Final = 0.002
_DIGITS: Final = 4  # of a floor; rounded down


class FloorStanding(Enum):
    """How a figure stands to its floor."""

    HELD = "held"
    BELOW = "below"
    CHANGED = "corpus changed"  # the pages are others than those the floor was measured on
    GONE = "not measured"  # there is a floor, but no such extractor or gold any more
    NEW = "no floor"

    @property
    def fails(self) -> bool:
        """Whether it closes the gate. What has no floor yet cannot fall under it."""
        return self not in (FloorStanding.HELD, FloorStanding.NEW)


@dataclass(frozen=True, slots=True)
class GateRow:
    """One figure, its floor, and how they stand."""

    key: Key
    measured: GateFigure | None
    floor: Floor | None
    digest: str  # of the pages as they are now

    @property
    def standing(self) -> FloorStanding:
        """How the figure stands to the floor."""
        if self.measured is None:
            return FloorStanding.GONE
        if self.floor is None:
            return FloorStanding.NEW
        if self.floor.digest != self.digest:
            return FloorStanding.CHANGED
        return FloorStanding.BELOW if self.is_lower else FloorStanding.HELD

    @property
    def is_lower(self) -> bool:
        """Whether the figure is under the floor, on whatever pages."""
        return self.measured is not None and self.floor is not None and self.measured.value < self.floor.floor


def judge(floors: Iterable[Floor], measured: Mapping[Key, GateFigure], digests: Mapping[Key, str]) -> list[GateRow]:
    """Every figure with its floor, and the floors of the measured corpora that have no figure any more."""
    known = {floor.key: floor for floor in floors}
    corpora = {key.corpus for key in measured}
    rows = [GateRow(key, figure, known.get(key), digests[key]) for key, figure in measured.items()]
    rows += [
        GateRow(key, None, floor, floor.digest)
        for key, floor in known.items()
        if key.corpus in corpora and key not in measured
    ]
    return sorted(rows, key=lambda row: in_order(row.key))


def revise(
    floors: Iterable[Floor], rows: Iterable[GateRow], *, update: bool, lower: str, today: date, default: str = ""
) -> tuple[list[Floor], list[Lowering]]:
    """The floors as they should be now, and a line for each that went down.

    Args:
        floors: all floors there are, of other corpora too.
        rows: what was measured.
        update: raise floors, set new ones, and take the digest of a corpus that changed where its floor holds.
        lower: why floors may go down to what was measured, or away; empty: none may.
        today: the day to write down.
        default: which extractor is the default, for the note.
    """
    new = {floor.key: floor for floor in floors}
    history: list[Lowering] = []
    for row in rows:
        goes_down = row.measured is None or row.is_lower
        if goes_down and lower and row.floor is not None:
            after = None if row.measured is None else _under(row.measured.value)
            history.append(Lowering(today.isoformat(), *row.key, row.floor.floor, after, lower))
            del new[row.key]
            if row.measured is not None:
                new[row.key] = _floor(row, row.measured, _under(row.measured.value), today, default)
        elif update and not goes_down and row.measured is not None:
            level = _under(row.measured.value)
            if row.floor is None or level > row.floor.floor:
                new[row.key] = _floor(row, row.measured, level, today, default)
            elif row.floor.digest != row.digest:
                new[row.key] = replace(row.floor, digest=row.digest, date=today.isoformat())
    return list(new.values()), history


def _under(value: float) -> float:
    """The floor for a figure: the slack below it, rounded down, never under 0."""
    scale = 10**_DIGITS
    return max(0.0, math.floor(round((value - SLACK) * scale, 6)) / scale)


def _floor(row: GateRow, measured: GateFigure, level: float, today: date, default: str) -> Floor:
    by = f" by {default}" if row.key.extractor == DEFAULT_NAME and default else ""
    return Floor(*row.key, level, row.digest, today.isoformat(), f"{measured.value:.4f} on {measured.pages} pages{by}")
