"""The default extractor, which runs the stages of `stages` on a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tidings.budget import check
from tidings.extractors.learned import panels, stages
from tidings.extractors.learned.blocks import VisibleBlocks
from tidings.extractors.learned.choice import Preference
from tidings.extractors.learned.confidence import ConfidenceSignals
from tidings.extractors.learned.model import Model, load, shipped
from tidings.extractors.learned.outline import OutlineSignals, outline
from tidings.extractors.learned.removal import Removal, RemovalRule
from tidings.extractors.learned.stages import BlockProbabilities, Floats
from tidings.extractors.parameters import checked
from tidings.extractors.registry import Decision
from tidings.page import Page, Spans
from tidings.page.columns import Bools

if TYPE_CHECKING:
    from tidings.charts import Profile

_load = cache(load)


@checked
@dataclass(frozen=True, slots=True)
class Learned:
    """Blocks that a trained model selects, first each by itself and then with its surroundings."""

    preference: Preference = Preference.BALANCED  # for uncertain blocks
    model: str = ""  # a model file (`tidings lab train default`); empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the selected text without hidden parts."""
        return self.decide(page).spans

    def decide(self, page: Page, /) -> Decision:
        """Return the selected text, the kind of page, and the confidence."""
        return self.judged(page)[0]

    def judged(self, page: Page, /) -> tuple[Decision, ConfidenceSignals | None]:
        """Return the decision about a page with the signals of its confidence; the signals are None if the page has no
        text.
        """
        return self._run(page)[:2]

    def _run(self, page: Page) -> tuple[Decision, ConfidenceSignals | None, VisibleBlocks, Removal]:
        check()
        probabilities = self.look(page)  # kind of page, block probabilities
        check()
        selected, expected = stages.select(page, probabilities, Preference(self.preference))
        removal = Removal(page, probabilities.blocks, probabilities.probability, selected)
        selection = stages.end_story(page, probabilities, removal, expected)
        selection, hidden = stages.add_hidden_story(page, selection, removal)
        decision, signals = stages.decide(page, probabilities, selection, hidden, removal)
        if decision.kind in panels.KINDS and decision.hidden is None:
            closed = panels.closed_panels(page, decision.spans)
            if closed is not None:
                decision = decision._replace(spans=decision.spans | closed, hidden=closed)
        return decision, signals, probabilities.blocks, removal

    def look(self, page: Page, /) -> BlockProbabilities:
        """Return the probable kind of a page, and the probability of each visible block to be content."""
        return self._look(page)[0]

    def _look(self, page: Page) -> tuple[BlockProbabilities, Bools | None]:
        """Return the probabilities of the visible blocks, adjusted to the title that led to the page.

        The second value is which selected blocks are before that title, or None.
        """
        model = self._model()
        probabilities = stages.block_probabilities(page, model, stages.page_kind(page, model.kinds))
        return stages.from_hinted_title(page, probabilities, Preference(self.preference))

    def outlined(self, page: Page, /) -> OutlineSignals | None:
        """Return the signals from which `has_no_story` decides whether the page contains a story; None if the page has
        no text.
        """
        decision, signals, blocks, removal = self._run(page)
        return None if signals is None else outline(page, blocks, removal.selected, decision.spans)

    def reasons(self, page: Page, /) -> list[str]:
        """Return for each block why it is selected or not."""
        decision, _, blocks, removal = self._run(page)
        probability, before_title = self.score(page).tolist(), self._look(page)[1]
        rules = removal.reasons()
        if before_title is not None:
            rules.update(dict.fromkeys(blocks.blocks[before_title].tolist(), RemovalRule.BEFORE_TITLE))
        is_visible = np.zeros(len(page.blocks), np.bool_)
        is_visible[blocks.blocks] = True
        selected = decision.spans.runs(page)
        is_selected = np.bincount(page.runs.block[selected], minlength=len(page.blocks)) > 0
        return [
            _reason(
                probability[block],
                rules.get(block),
                is_selected=bool(is_selected[block]),
                is_seen=bool(is_visible[block]),
            )
            for block in range(len(page.blocks))
        ]

    def score(self, page: Page, /) -> Floats:
        """Return for each block its probability to be content, 0 for hidden ones."""
        probabilities = self.look(page)
        scores = np.zeros(len(page.blocks))
        scores[probabilities.blocks.blocks] = probabilities.probability
        return scores

    def picture(self, page: Page, /) -> Profile:
        """Return a chart of the probability of each block."""
        from tidings.charts import Profile  # noqa: PLC0415  # articles are read without

        found = self.look(page)
        selected, _ = stages.select(page, found, Preference(self.preference))
        return Profile(
            title="learned: the chance of each block to be part of the story",
            x="visible block",
            y="chance",
            series=(("chance", found.probability),),
            thresholds=(),
            chosen=selected,
        )

    def _model(self) -> Model:
        return _load(Path(self.model)) if self.model else shipped()


def _reason(probability: float, rule: RemovalRule | None, *, is_selected: bool, is_seen: bool) -> str:
    """Return the reason why a block is selected or not, for `tidings explain`."""
    if not is_seen:
        return "no word in it" if rule is None else f"removed: {rule}"
    score = f"score {probability:.3g}"
    if is_selected:
        return score if rule is None else f"{score}, in part removed: {rule}"
    return f"{score}, removed: {rule}" if rule is not None else f"{score}: too low"
