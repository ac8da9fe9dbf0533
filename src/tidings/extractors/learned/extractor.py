"""The default extractor: a block classifier that looks twice, and a choice made for the page as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.learned.choice import Preference, choose
from tidings.extractors.learned.context import best_box, context
from tidings.extractors.learned.features import BlockFeatures, features
from tidings.extractors.learned.model import Model, load, shipped
from tidings.extractors.learned.trees import chances
from tidings.extractors.picture import Picture
from tidings.extractors.registry import register
from tidings.page import Page, Spans

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the model sees on a page: its visible blocks, the chance of each to be content, and the best box for them."""

    found: BlockFeatures
    chance: Floats
    box: int  # the element that explains the choice best


_load = cache(load)


@register("learned", "Tidings; trained on WCXB (CC-BY-4.0), Fundus (MIT) and VOA Dari: see the model card")
@dataclass(frozen=True, slots=True)
class Learned:
    """Blocks that a trained model takes for the story, judged by themselves and then by their surroundings."""

    preference: Preference = Preference.BALANCED  # what to do in doubt
    model: str = ""  # a model file of one's own (`tidings lab train default`); empty: the one that comes with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """The chosen blocks, without what is hidden in them."""
        look = self.look(page)
        chosen, _ = choose(look.chance, look.found.words, Preference(self.preference))
        return page.shown(Spans.of_blocks(page, look.found.blocks[chosen])) & page.scope

    def look(self, page: Page, /) -> Look:
        """The chances of all visible blocks."""
        model = self._model()
        found = features(page, model.lexicon)
        first = chances(model.first.log_odds(found.rows))
        rows = np.concatenate((found.rows, context(found, first)[1]))
        chance = chances(model.second.log_odds(rows))
        return Look(found, chance, best_box(found, chance)[0])

    def score(self, page: Page, /) -> Floats:
        """For each block its chance to be content, 0 for hidden ones."""
        look = self.look(page)
        scores = np.zeros(len(page.blocks))
        scores[look.found.blocks] = look.chance
        return scores

    def picture(self, page: Page, /) -> Picture:
        """The chance of each block."""
        look = self.look(page)
        chosen, _ = choose(look.chance, look.found.words, Preference(self.preference))
        return Picture(
            title="learned: the chance of each block to be part of the story",
            x="visible block",
            y="chance",
            series=(("chance", look.chance),),
            thresholds=(),
            chosen=chosen,
        )

    def _model(self) -> Model:
        return _load(Path(self.model)) if self.model else shipped()
