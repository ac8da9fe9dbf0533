"""Training the default extractor: two lexicons, a first look at each block, a second at its surroundings.

What a later step learns from must not be better than what it will meet. So the words' weights that the first look is
trained with come from other sites, and so do the chances that the second look is trained with: each fold of sites gets
them from a model of the other folds. The words, the first look and the second look that are kept learn from all sites.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.learned.context import context
from tidings.extractors.learned.features import BlockFeatures, features
from tidings.extractors.learned.kinds import Kinds, page_figures
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Model
from tidings.extractors.learned.trees import Trees, chances
from tidings.learn.boosting import Boosting
from tidings.learn.kinds import learn_kinds
from tidings.learn.lesson import Labelled, Lesson, label
from tidings.learn.lexicon import weigh
from tidings.page import Page

Floats = NDArray[np.float32]
Item = TypeVar("Item")
Result = TypeVar("Result")
Told = Callable[[str], None]  # is told what comes next
_Words = tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Training:
    """The figures of training."""

    folds: int = 5
    first: Boosting = field(default_factory=Boosting)
    second: Boosting = field(default_factory=lambda: Boosting(trees=200))
    blocks: int = 110  # drawn from each page, by importance: large pages teach no more than small ones
    power: float = 0.75  # of a block's words in its importance
    name_sites: int = 4  # sites a class name must stand on to be learned
    cue_sites: int = 6
    mute: float = 0.5  # share of pages whose cue words are not heard, so that other languages are judged well too
    jobs: int = 2

    def run(self, lessons: Sequence[Lesson], told: Told = lambda _: None) -> Model:
        """Learn from pages.

        Raises:
            InputError: there is too little to learn from.
        """
        told(f"labelling {len(lessons)} pages")
        labelled = _parallel(label, lessons, self.jobs)
        some = [place for place, found in enumerate(labelled) if found is not None]
        pages = [lessons[place] for place in some]
        marked = [found for found in labelled if found is not None]
        fold = [fold_of(page.site, self.folds) for page in pages]
        if len(set(fold)) < 2:
            raise InputError("training needs pages of several sites whose gold text is found on them")
        told("learning words")
        words = self._words(marked)
        looked = self._features(pages, marked, fold, told)
        told("first look: trees on all sites")
        first = self._grow(self.first, marked, [found.rows for found in looked], looked[0].names)
        guessed: list[NDArray[np.float64]] = [np.zeros(0)] * len(pages)
        for out in range(self.folds):
            told(f"first look: trees without fold {out + 1} of {self.folds}")
            inside = [place for place in range(len(pages)) if fold[place] != out]
            trees = self._grow(
                self.first, [marked[one] for one in inside], [looked[one].rows for one in inside], looked[0].names
            )
            for place in range(len(pages)):
                if fold[place] == out:
                    guessed[place] = chances(trees.log_odds(looked[place].rows))
        told("second look: trees on all sites")
        both = [np.concatenate((found.rows, context(found, chance)[1])) for found, chance in zip(looked, guessed, strict=True)]
        names = looked[0].names + context(looked[0], guessed[0])[0]
        second = self._grow(self.second, marked, both, names)
        told("kinds of pages")
        return Model(_lexicon(words), first, second, _kinds(marked, guessed), *words)

    def _words(self, marked: Sequence[Labelled]) -> _Words:
        sites, shares = [page.site for page in marked], [page.share for page in marked]
        weight = [page.importance(0.5) for page in marked]
        return (
            weigh(sites, [page.bags.names for page in marked], shares, weight, self.name_sites),
            weigh(sites, [page.bags.cues for page in marked], shares, weight, self.cue_sites),
        )

    def _features(
        self, pages: Sequence[Lesson], marked: Sequence[Labelled], fold: Sequence[int], told: Told
    ) -> list[BlockFeatures]:
        """The features of each page with words learned on other sites, cues muted on some pages."""
        found: list[BlockFeatures | None] = [None] * len(pages)
        for out in range(self.folds):
            told(f"words without fold {out + 1} of {self.folds}, and features of its pages")
            names, cues = self._words([page for page, own in zip(marked, fold, strict=True) if own != out])
            for muted in (False, True):
                places = [
                    place
                    for place, page in enumerate(pages)
                    if fold[place] == out and (_draw(page.url or page.site) < self.mute) == muted
                ]
                lexicon = _lexicon((names, {} if muted else cues))
                work = partial(_look, lexicon=lexicon)
                for place, one in zip(places, _parallel(work, [pages[one] for one in places], self.jobs), strict=True):
                    found[place] = one
        return [one for one in found if one is not None]

    def _grow(self, boosting: Boosting, marked: Sequence[Labelled], rows: Sequence[Floats], names: tuple[str, ...]) -> Trees:
        """Trees from a sample of each page's blocks, drawn by importance and weighed back."""
        random = np.random.default_rng(boosting.seed)
        kept, content, weight = [], [], []
        for page, columns in zip(marked, rows, strict=True):
            importance = page.importance(self.power)
            chance = np.minimum(1.0, self.blocks * (importance + 1 / len(importance)) / 2)
            drawn = random.random(len(importance)) < chance
            kept.append(columns[:, drawn])
            content.append(page.share[drawn] > 0.5)
            weight.append((importance / chance)[drawn])
        weights = np.concatenate(weight)
        return boosting.grow(names, np.concatenate(kept, axis=1), np.concatenate(content), weights / weights.mean())


def fold_of(site: str, folds: int) -> int:
    """The fold of a site, the same on every machine."""
    return int.from_bytes(hashlib.sha256(site.encode()).digest()[:8], "big") % folds


def _draw(name: str) -> float:
    """A number from 0 to 1 that depends on a name only."""
    return int.from_bytes(hashlib.sha256(b"mute" + name.encode()).digest()[:4], "big") / 2**32


def _kinds(marked: Sequence[Labelled], guessed: Sequence[NDArray[np.float64]]) -> Kinds:
    known = [(page, chance) for page, chance in zip(marked, guessed, strict=True) if page.kind]
    return learn_kinds(
        [page.kind for page, _ in known],
        [page.site for page, _ in known],
        [page.page_words for page, _ in known],
        [page_figures(page.counts, page.words, page.links, chance) for page, chance in known],
    )


def _lexicon(words: _Words) -> Lexicon:
    return Lexicon(*(Weights.of(one) for one in words))


def _look(lesson: Lesson, lexicon: Lexicon) -> BlockFeatures:
    return features(Page(lesson.html, lesson.url), lexicon)


def _parallel(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> list[Result]:
    if jobs < 2 or len(items) < 20:
        return list(map(work, items))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(work, items, chunksize=8))
