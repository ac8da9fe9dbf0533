"""A page to learn from, and what is read off it once: which blocks are content, which words stand around them.

Which blocks of a page are in its gold text: what a block classifier is taught.

Gold is a text, not a set of blocks, so the two are aligned. A stretch of words counts as found where gold has three of
them in this order (a shorter block: all of it). Of what is found, the longest common subsequence with gold is kept, so
that a passage which stands on the page twice, as a teaser and in the story, is right only once.

Learning what names of classes and cue words mean: two logistic regressions over bags of words.

Words count that stand on pages of several sites, so that no site's own vocabulary is learned.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.hashed_words import hashed_words, hashes_of
from tidings.extractors.learned.kinds import declared_words, page_figures
from tidings.page import Page
from tidings.page.columns import Ints, sums
from tidings.page.compiled import scanner
from tidings.page.counts import code_points
from tidings.text import words as words_of

#: Words as the page counts them: a character of a script without spaces is one.
WORD: Final = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿]+")
_SHINGLE: Final = 3
#: A page that shows less of its gold, because the story is hidden or comes by a script, teaches next to nothing: what
#: is found of gold on it stands in menus and teasers.
_SHOWN: Final = 0.3
_OF_OTHER_TEXT: Final = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class FoundWords:
    """The words of a page: where each begins, and whether it is one of the gold text's."""

    starts: Ints
    kept: NDArray[np.bool_]

    def shares(self, starts: Ints, ends: Ints) -> NDArray[np.float64]:
        """For each range of the page's text the share of its words that are in gold; 0 where it has none."""
        before, behind = np.searchsorted(self.starts, starts), np.searchsorted(self.starts, ends)
        counts = sums(self.kept)
        return np.asarray((counts[behind] - counts[before]) / np.maximum(behind - before, 1), np.float64)


def shares(page: Page, gold: str) -> NDArray[np.float64]:
    """For each block of the page the share of its words that are words of the gold text."""
    return found_words(page, gold).shares(page.blocks.text_start, page.blocks.text_end)


def found_words(page: Page, gold: str) -> FoundWords:
    """Which words of the page are words of the gold text."""
    numbers: dict[str, int] = {}
    found = [(match.start(), numbers.setdefault(match[0].lower(), len(numbers))) for match in WORD.finditer(page.text)]
    starts = np.array([start for start, _ in found], np.int64)
    words = np.array([number for _, number in found], np.int64)
    wanted = np.array([numbers.get(word, -1) for word in WORD.findall(gold.lower())], np.int64)
    before = np.searchsorted(starts, page.blocks.text_start)
    behind = np.searchsorted(starts, page.blocks.text_end)
    block = np.searchsorted(page.blocks.text_start, starts, side="right") - 1
    hidden = page.blocks.hidden[block] if len(block) else np.zeros(0, np.bool_)
    candidates = np.flatnonzero(_in_gold(words, wanted, block, before, behind) & ~hidden)
    kept = np.zeros(len(words), np.bool_)
    kept[candidates[_aligned(words[candidates], wanted)]] = True
    return FoundWords(starts, kept)


def _in_gold(words: Ints, gold: Ints, block: Ints, before: Ints, behind: Ints) -> NDArray[np.bool_]:
    """Which words stand in a stretch that gold has too."""
    inside = np.zeros(len(words), np.bool_)
    for size in range(1, _SHINGLE + 1):
        if len(words) < size or len(gold) < size:
            continue
        known = {tuple(row) for row in np.lib.stride_tricks.sliding_window_view(gold, size).tolist()}
        rows = np.lib.stride_tricks.sliding_window_view(words, size).tolist()
        places = np.array([place for place, row in enumerate(rows) if tuple(row) in known], np.int64)
        places = places[block[places] == block[places + size - 1]]
        if size < _SHINGLE:  # short stretches count only if they are the whole block
            places = places[(behind - before)[block[places]] == size]
        for step in range(size):
            inside[places + step] = True
    return inside


def _aligned(words: Ints, gold: Ints) -> Ints:
    """Places of words in the longest common subsequence with gold."""
    with needs("aligning pages with their gold text", "lab"):
        from rapidfuzz.distance import LCSseq
    kept = [
        np.arange(step.src_start, step.src_end)
        for step in LCSseq.opcodes(words.tolist(), gold.tolist())
        if step.tag == "equal"
    ]
    return np.concatenate(kept) if kept else np.zeros(0, np.int64)


_LEAST_WEIGHT: Final = 0.05
CUE_WORDS: Final = 25  # words of a block in which the core reads cue words (`core/src/look.rs`)


def name_words(page: Page) -> dict[int, tuple[str, ...]]:
    """Return for each element with text the words of its class names, ids and roles, as the core reads them.

    The core gives the numbers of these words; the words of the start tags spell them.
    """
    elements = page.elements
    holding = np.flatnonzero(elements.last > elements.first)[1:]
    start_tags, line_of = page.start_tags.of(holding)
    found = scanner().names(page.compiled.memory)
    spelled = {
        int(numbers[0]): word
        for word in sorted({word for tag in start_tags for word in words_of(tag.replace("_", " "))})
        if len(numbers := hashes_of(word)) == 1
    }
    lines: list[list[str]] = [[] for _ in start_tags]
    for line, number in zip(found[0].tolist(), found[1].tolist(), strict=True):
        if number in spelled:  # not of a word that is cut
            lines[line].append(spelled[number])
    return {element: tuple(lines[line]) for element, line in zip(holding.tolist(), line_of.tolist(), strict=True)}


def path_words(page: Page, names: Mapping[int, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return for each element the words of its names and of those around it."""
    paths: list[tuple[str, ...]] = [()]
    for element, parent in enumerate(page.elements.parent.tolist()[1:], 1):
        paths.append(paths[parent] + names.get(element, ()))
    return paths


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """For each block of a page the words of the names around it, and the words in it."""

    site: str
    names: tuple[tuple[str, ...], ...]
    cues: tuple[tuple[str, ...], ...]


def bags(page: Page, site: str, blocks: Ints, names: Mapping[int, tuple[str, ...]]) -> Bags:
    """Return the bags of words of some blocks of a page, given the words of names by element."""
    inner = page.runs.element[page.blocks.first[blocks]].tolist()
    paths = path_words(page, names)
    starts, ends = page.blocks.text_start[blocks].tolist(), page.blocks.text_end[blocks].tolist()
    texts = [[word.lower() for word in words_of(page.text[start:end])] for start, end in zip(starts, ends, strict=True)]
    return Bags(
        site,
        tuple(paths[element] for element in inner),
        tuple(tuple(text) if len(text) <= CUE_WORDS else () for text in texts),
    )


def weigh(
    sites: Sequence[str],
    words: Sequence[Sequence[Sequence[str]]],
    content: Sequence[NDArray[np.float64]],
    importance: Sequence[NDArray[np.float64]],
    least_sites: int,
    strength: float = 30.0,
) -> dict[str, float]:
    """Weights of words by logistic regression; words that weigh next to nothing are left out.

    Args:
        sites: the site of each page.
        words: for each page the bags of words of its blocks.
        content: for each page the share of content of its blocks.
        importance: how much each block counts.
        least_sites: sites that a word must stand on.
        strength: how freely weights may grow (the C of the regression).
    """
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import LogisticRegression
    known = _on_several_sites(zip(sites, words, strict=True), least_sites)
    if not known:  # a small corpus: no word is on enough sites
        return {}
    column = {word: number for number, word in enumerate(known)}
    data: list[int] = []
    indices: list[int] = []
    bounds = [0]
    for page in words:
        for bag in page:
            counts = Counter(column[word] for word in bag if word in column)
            data += counts.values()
            indices += counts.keys()
            bounds.append(len(indices))
    rows = csr_matrix((np.array(data, np.float64), indices, bounds), shape=(len(bounds) - 1, len(known)))
    regression = LogisticRegression(C=strength, solver="lbfgs", max_iter=200, tol=1e-3)
    regression.fit(rows, np.concatenate(content) > 0.5, np.concatenate(importance))
    weights = regression.coef_[0].round(3).tolist()
    return {word: weight for word, weight in zip(known, weights, strict=True) if abs(weight) >= _LEAST_WEIGHT}


def _on_several_sites(pages: Iterable[tuple[str, Sequence[Sequence[str]]]], least: int) -> list[str]:
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for site, page in pages:
        for word in {word for bag in page for word in bag}:
            holders[word].add(site)
    common = (word for word, found in holders.items() if len(found) >= least and not word.isdigit())
    return sorted(word for word in common if len(hashed_words(code_points(word)).number) == 1)


@dataclass(frozen=True, slots=True)
class GoldPage:
    """One page and its gold text."""

    html: bytes
    url: str
    site: str
    gold: str
    kind: str = ""  # of page, where it is known
    weight: float = 1.0  # of what it teaches: less where gold is known not to be whole


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """The visible blocks of a page: how many words, which share of them is content, and the words for the lexicon."""

    site: str
    kind: str
    blocks: Ints
    words: Ints
    share: NDArray[np.float64]
    bags: Bags
    page_words: frozenset[str]  # and the figures beside them: what the kind of page is told by
    figures: list[float]
    weight: float = 1.0  # of the page among the others

    def importance(self, power: float) -> NDArray[np.float64]:
        """How much each block counts: by its words to a power, all blocks of a page together as much as another's."""
        weight = self.words.astype(np.float64) ** power
        return np.asarray(weight / weight.sum())


def label(lesson: GoldPage) -> Labelled | None:
    """The blocks of a page with their labels; None where there is nothing to learn: no text, or none of it in gold."""
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    found = found_words(page, lesson.gold)
    share = found.shares(page.blocks.text_start, page.blocks.text_end)[blocks]
    if not (share > 0.5).any():
        return None
    names = name_words(page)
    is_shown = np.count_nonzero(found.kept) >= _SHOWN * len(WORD.findall(lesson.gold))
    return Labelled(
        lesson.site,
        lesson.kind,
        blocks,
        page.blocks.words[blocks],
        share,
        bags(page, lesson.site, blocks, names),
        frozenset(words_of(" ".join(declared_words(page)))).union(*names.values()),
        page_figures(page),
        lesson.weight if is_shown else lesson.weight * _OF_OTHER_TEXT,
    )
