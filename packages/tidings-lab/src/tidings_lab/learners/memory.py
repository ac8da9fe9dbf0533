"""Memory-based learning: the labels of elements, and the learner.

The class of every text and tail of a page, from its gold (memory-based thesis 4.1.3, done by alignment).

The thesis's pages were annotated by hand, one element after the other. Gold of today's corpora is a text with a title
and, here and there, a list of headings. So: body is what the alignment of `learn.labels` finds in the gold text, where
most words of a text or tail are found; title is the first heading, or else the first block, that reads as the gold
title; headings are blocks of their own that read as one of gold's.

The memory-based learner: pages in, model out. Its settings are those of TiMBL that the thesis tries (6.6).

How much each feature tells about the class: the weights of TiMBL (memory-based thesis 3.2.2, eq. 3.3–3.7).

Information gain, gain ratio, χ², shared variance, or none. They are worked out from how often each value was seen with
each class. The values of a numeric feature are first sorted into 20 bins, each with as many distinct values as the
next: what counts is the order of the values, not how often they occur. So does TiMBL, and sums are taken in its order.

Pages as instances: for each element its 41 features and its pair of classes, in one vocabulary of tags.

Instance files as TiMBL reads them: a line an element, its 41 values and its class between spaces (thesis, ch. 5).

    timbl -f train.inst -t test.inst -F Columns -mO:N12-27 -w gr -k 1 -o out

`-m` says that the features 12 to 27, the lengths and the capitals, are numbers (`METRICS`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter, InputError
from tidings.extractors.published.memory_based.extractor import MemoryModel, encode
from tidings.extractors.published.memory_based.features import (
    MARKS,
    NUMERIC,
    TAG_PLACES,
    ElementRows,
    TextRanges,
    logarithmic,
    parts,
)
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import grow
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.fields.keys import key
from tidings.page import Page, tags
from tidings.page.columns import Bools, Ints
from tidings.page.tag_sets import among, tag_set
from tidings_lab.learners.lesson import found_words
from tidings_lab.learners.structure import PAIRS, Classes, ElementClass, ElementClasses

_MOST: Final = 0.5
_HEADINGS: Final = tag_set(tags.HEADINGS)
_H1: Final = tags.NUMBERS["h1"]
#: A title element has the site's name behind the headline; so many words of it are enough to know it by.
_ENOUGH_WORDS: Final = 3


def classes_of(page: Page, gold: Mapping[str, Any]) -> ElementClasses:
    """Title, heading, body or garbage for the text and the tail of every element, from gold's text, title, headings."""
    place = parts(page)
    found = found_words(page, str(gold.get("text") or ""))
    text = _body(found.shares(place.text_start, place.text_end))
    tail = _body(found.shares(place.tail_start, place.tail_end))
    for block in _heading_blocks(page, gold.get("headings") or ()):
        _mark(page, place, block, ElementClass.HEADING, text, tail)
    title = _title_block(page, str(gold.get("title") or ""))
    if title is not None:
        _mark(page, place, title, ElementClass.TITLE, text, tail)
    return ElementClasses(text, tail)


def _body(share: NDArray[np.float64]) -> Classes:
    return np.where(share > _MOST, ElementClass.BODY, ElementClass.GARBAGE).astype(np.int8)


def _mark(page: Page, place: TextRanges, block: int, mark: ElementClass, text: Classes, tail: Classes) -> None:
    """Give everything that stands in a block a class."""
    start, end = page.blocks.text_start[block], page.blocks.text_end[block]
    for classes, first, last in ((text, place.text_start, place.text_end), (tail, place.tail_start, place.tail_end)):
        classes[(start <= first) & (first < last) & (last <= end)] = mark


def _title_block(page: Page, title: str) -> int | None:
    """The block that is the headline: an `h1` if one reads so, else another heading, else the first that does."""
    wanted = key(title)
    if not wanted:
        return None
    texts = _keys(page)
    same = [at for at, text in enumerate(texts) if text == wanted]
    if not same:
        same = [at for at, text in enumerate(texts) if _part_of_title(text, wanted)]
    tag = page.elements.tag[page.blocks.element]
    shown = [at for at in same if not page.blocks.hidden[at]]
    return min(shown, key=lambda at: (tag[at] != _H1, not _is_heading(tag, at), -len(texts[at]), at), default=None)


def _part_of_title(text: str, wanted: str) -> bool:
    """Whether a text is the first or the last part of a title element, the other part being the site's name."""
    if len(text.split()) < _ENOUGH_WORDS or len(text) >= len(wanted):
        return False
    if wanted.startswith(text):
        return not wanted[len(text)].isalnum()
    return wanted.endswith(text) and not wanted[-len(text) - 1].isalnum()


def _heading_blocks(page: Page, headings: Iterable[str]) -> list[int]:
    """The first blocks that read as these headings, each heading once, headings by tag before others."""
    wanted = [key(str(heading)) for heading in headings]
    if not wanted:
        return []
    tag = page.elements.tag[page.blocks.element]
    places: dict[str, list[int]] = {}
    for at, text in enumerate(_keys(page)):
        if not page.blocks.hidden[at]:
            places.setdefault(text, []).append(at)
    found = []
    for heading in wanted:
        here = places.get(heading)
        if heading and here:
            best = min(here, key=lambda at: (not _is_heading(tag, at), at))
            here.remove(best)
            found.append(best)
    return found


def _is_heading(tag: Ints, block: int) -> bool:
    return bool(among(tag[block : block + 1], _HEADINGS)[0])


def _keys(page: Page) -> list[str]:
    return [
        key(page.text[start:end])
        for start, end in zip(page.blocks.text_start.tolist(), page.blocks.text_end.tolist(), strict=True)
    ]


Floats = NDArray[np.float64]

#: TiMBL's number of bins for the values of a numeric feature (its switch -B).
BINS: Final = 20
_NOTHING: Final = float(np.finfo(np.float64).eps)


class FeatureWeighting(Enum):
    """How features are weighed, by the names TiMBL's switch -w has for them."""

    NONE = "nw"
    GAIN_RATIO = "gr"
    INFORMATION_GAIN = "ig"
    CHI_SQUARE = "x2"
    SHARED_VARIANCE = "sv"


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """For each feature its weight by each measure, and how many values it has."""

    information_gain: Floats
    gain_ratio: Floats
    chi_square: Floats
    shared_variance: Floats
    values: Ints

    def weights(self, weighting: FeatureWeighting) -> Floats:
        """The weight of each feature."""
        return {
            FeatureWeighting.NONE: np.ones(len(self.values)),
            FeatureWeighting.GAIN_RATIO: self.gain_ratio,
            FeatureWeighting.INFORMATION_GAIN: self.information_gain,
            FeatureWeighting.CHI_SQUARE: self.chi_square,
            FeatureWeighting.SHARED_VARIANCE: self.shared_variance,
        }[weighting]

    def nearest_order(self) -> Ints:
        """The order in which IB1 sums distances: by gain ratio over the number of values, whatever the weights."""
        return _falling(self.gain_ratio / np.maximum(self.values, 1))

    def tree_order(self, weighting: FeatureWeighting) -> Ints:
        """The order in which IGTREE asks: by the weights; without weights as the features stand."""
        return np.arange(len(self.values)) if weighting is FeatureWeighting.NONE else _falling(self.weights(weighting))


def statistics(values: NDArray[np.int32], classes: Ints, numeric: Bools, bins: int = BINS) -> Statistics:
    """Weigh features by their values in instances of known classes."""
    size = int(classes.max()) + 1 if len(classes) else 0
    entropy = _entropy(np.bincount(classes, minlength=size)[None, :].astype(np.float64))[0]
    found = [
        _weigh(_table(column, classes, size), bool(is_number), bins, float(entropy))
        for column, is_number in zip(values.T, numeric, strict=True)
    ]
    gain, ratio, chi, shared, count = (np.array(column) for column in zip(*found, strict=True))
    return Statistics(gain, ratio, chi, shared, count)


def _table(column: NDArray[np.int32], classes: Ints, size: int) -> tuple[NDArray[np.int32], Ints, Floats]:
    """The distinct values, where each was first seen, and how often each was seen with each class."""
    distinct, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    cells = np.bincount(inverse * size + classes, minlength=len(distinct) * size)
    return distinct, first, cells.reshape(-1, size).astype(np.float64)


def _weigh(
    table: tuple[NDArray[np.int32], Ints, Floats], numeric: bool, bins: int, entropy: float
) -> tuple[float, float, float, float, int]:
    distinct, first, cells = table
    count = len(distinct)
    binned = numeric and count > 1  # with one value there is no range: it is a symbol
    cells = _binned(cells, bins) if binned else cells[np.argsort(first)]
    total, row = cells.sum(), cells.sum(axis=1)
    left = abs(_in_turn(_entropy(cells) * row / total))
    gain = entropy - left if binned else max(entropy - left, 0.0)
    share = row / total
    split = -_in_turn(share * np.log2(share))
    ratio = gain / split if abs(split) >= _NOTHING else 0.0
    if binned and abs(split) < _NOTHING:
        gain = 0.0
    expected = np.outer(row, cells.sum(axis=0)) / total
    some = np.abs(expected) > _NOTHING
    chi = _in_turn(np.divide((expected - cells) ** 2, expected, out=np.zeros_like(cells), where=some).ravel())
    freedom = min(cells.shape[1], len(cells)) - 1
    return gain, ratio, chi, chi / (total * freedom) if freedom > 0 else 0.0, count


def _binned(cells: Floats, bins: int) -> Floats:
    """Rows of neighbouring values joined: as many values in each bin, the first ones one more where it does not fit."""
    size, rest = divmod(len(cells), bins)
    sizes = np.full(bins, size)
    sizes[:rest] += 1
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0])[:-1]))
    return np.add.reduceat(cells, starts, axis=0)


def _entropy(cells: Floats) -> Floats:
    """Of each row of counts, in bits."""
    share = cells / cells.sum(axis=1, keepdims=True)
    bits = share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-np.cumsum(bits, axis=1)[:, -1])


def _in_turn(terms: Floats) -> float:
    """The sum from the first to the last, as a loop takes it; NumPy's own adds in pairs."""
    return float(np.cumsum(terms)[-1]) if len(terms) else 0.0


def _falling(weights: Floats) -> Ints:
    """Places from the largest weight to the smallest, equals in their order."""
    return np.argsort(-weights, kind="stable")


@dataclass(frozen=True, slots=True, eq=False)
class ElementExample:
    """A page to learn from or to measure on."""

    id: str
    site: str
    rows: ElementRows
    classes: ElementClasses


@dataclass(frozen=True, slots=True, eq=False)
class ElementInstances:
    """The elements of several pages under each other."""

    values: Values
    classes: Ints  # places in `names`
    tags: tuple[str, ...]
    names: tuple[str, ...]  # pairs as in b+g, in the order they were first seen: that decides the last ties

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, examples: Sequence[ElementExample]) -> ElementInstances:
        """All elements of some pages, page after page."""
        tags = tuple(dict.fromkeys(tag for one in examples for tag in one.rows.tags))
        pairs = np.concatenate([one.classes.pairs for one in examples] or [np.zeros(0, np.int64)])
        seen, first = np.unique(pairs, return_index=True)
        seen = seen[np.argsort(first)]
        place = np.zeros(len(PAIRS), np.int64)
        place[seen] = np.arange(len(seen))
        values = np.concatenate([encode(one.rows, tags) for one in examples] or [np.zeros((0, len(NUMERIC)), np.int32)])
        return cls(values, place[pairs], tags, tuple(PAIRS[pair] for pair in seen.tolist()))

    def statistics(self) -> Statistics:
        """The weights of the features."""
        return statistics(self.values, self.classes, np.array(NUMERIC))

    def memory(self, weighting: FeatureWeighting, found: Statistics | None = None) -> InstanceMemory:
        """The instances as a memory."""
        found = found or self.statistics()
        values, counts = collapse(self.values, self.classes, len(self.names))
        numeric = np.array(NUMERIC)
        least = np.where(numeric, self.values.min(axis=0, initial=0), 0).astype(np.float64)
        most = np.where(numeric, self.values.max(axis=0, initial=0), 0).astype(np.float64)
        return InstanceMemory(
            values, counts, Schema(numeric, found.nearest_order()), found.weights(weighting), least, most
        )


class Algorithm(Enum):
    """Which of TiMBL's algorithms, by its name for it."""

    IB1 = "IB1"
    IGTREE = "IGTREE"


@dataclass(frozen=True, slots=True)
class MemoryLearner:
    """IB1 with gain ratio and one nearest distance, as TiMBL has it where nothing else is said."""

    algorithm: Algorithm = Algorithm.IB1
    weights: FeatureWeighting = FeatureWeighting.GAIN_RATIO
    k: int = 1  # of IB1: how many nearest distances vote
    logarithmic: bool = False  # lengths on a logarithmic scale; the thesis has them plain
    card: Mapping[str, Any] = field(default_factory=dict)  # what else the model should tell of itself

    def fit(self, items: Sequence[ElementExample], /) -> MemoryModel:
        """Remember pages.

        Raises:
            InputError: there is nothing to remember.
            BadParameter: `k` is below 1.
        """
        if self.k < 1:
            raise BadParameter(f"k is {self.k}: one nearest distance is the least that can vote")
        instances = ElementInstances.of(items)
        if self.logarithmic:
            instances = replace(instances, values=logarithmic(instances.values))
        if not len(instances):
            raise InputError("there are no pages to learn from")
        found = instances.statistics()
        memory = instances.memory(self.weights, found)
        tree = self.algorithm is Algorithm.IGTREE
        card = {
            "algorithm": self.algorithm.value,
            "weights": self.weights.value,
            **({} if tree else {"k": self.k}),
            "lengths": "logarithmic" if self.logarithmic else "plain",
            "pages": len(items),
            "sites": len({one.site for one in items}),
            "elements": len(instances),
            "distinct": len(memory),
            "classes": {name: int(count) for name, count in zip(instances.names, memory.totals, strict=True)},
            **self.card,
        }
        judge = grow(memory, found.tree_order(self.weights)) if tree else Nearest(memory, self.k)
        return MemoryModel(judge, instances.tags, instances.names, card, self.logarithmic)


_SPACE: Final = re.compile(r"[\s,]+")
_NUMBERS: Final = [place for place, numeric in enumerate(NUMERIC, 1) if numeric]
#: The metrics of the features, as the switch `-m` has them.
METRICS: Final = f"-mO:N{_NUMBERS[0]}-{_NUMBERS[-1]}"
#: What the document itself, which has no tag, is called.
_DOCUMENT: Final = "document"


def lines(rows: ElementRows, classes: Sequence[str]) -> Iterable[str]:
    """The instances of a page, each with its class."""
    names = [_SPACE.sub("_", name) or _DOCUMENT for name in rows.tags]
    for row, name in zip(rows.values.tolist(), classes, strict=True):
        cells = [
            str(value) if numeric else names[value] if place < TAG_PLACES.stop else MARKS[value]
            for place, (value, numeric) in enumerate(zip(row, NUMERIC, strict=True))
        ]
        yield f"{' '.join(cells)} {name}\n"


def read(file: Path, known: ElementInstances | None = None) -> ElementInstances:
    """The instances of a file, with the tags and classes of others that are known, or with its own.

    Raises:
        InputError: a line has another number of columns, or words where numbers should be.
    """
    tags = {tag: number for number, tag in enumerate(known.tags)} if known else {}
    names = {name: number for number, name in enumerate(known.names)} if known else {}
    width = len(NUMERIC) + 1
    with file.open(encoding="utf-8") as opened:
        cells = [line.split() for line in opened if line.strip()]
    if any(len(row) != width for row in cells):
        raise InputError(f"{file} is no file of instances: its lines should have {width} columns")
    values = np.empty((len(cells), len(NUMERIC)), np.int32)
    try:
        for place, column in enumerate(zip(*cells, strict=True)):
            if place == len(NUMERIC):
                classes = _numbered(column, names, fixed=False)
            elif NUMERIC[place]:
                values[:, place] = np.array(column, np.int64)
            elif place < TAG_PLACES.stop:
                values[:, place] = _numbered(column, tags, fixed=known is not None)
            else:
                values[:, place] = [MARKS.index(mark) for mark in column]
    except ValueError as error:
        raise InputError(f"{file} is no file of instances: {error}") from None
    return ElementInstances(values, classes if cells else np.zeros(0, np.int64), tuple(tags), tuple(names))


def _numbered(column: Sequence[str], numbers: dict[str, int], fixed: bool) -> NDArray[np.int64]:
    """Words as numbers; new ones are numbered too, or are -1 where the numbers are fixed."""
    if not fixed:
        for word in column:
            numbers.setdefault(word, len(numbers))
    return np.array([numbers.get(word, -1) for word in column], np.int64)
