"""The default extractor: a block classifier that looks twice, and a choice made for the page as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.budget import check
from tidings.core import choices
from tidings.core.choices import ChosenText
from tidings.core.looks import ExpertChoice
from tidings.extractors.learned import ending
from tidings.extractors.learned.blocks import VisibleBlocks
from tidings.extractors.learned.blocks import look as block_look
from tidings.extractors.learned.boilerplate import SAID_TWICE, cards, consent_dialogues, is_repeated, script_data
from tidings.extractors.learned.choice import Preference, choose
from tidings.extractors.learned.confidence import BORDERS, ChosenWords, ConfidenceSignals, confidence
from tidings.extractors.learned.core_columns import core_columns, hidden_runs
from tidings.extractors.learned.declared_body import with_hidden_story
from tidings.extractors.learned.kinds import INDEX, is_index
from tidings.extractors.learned.model import Model, load, shipped
from tidings.extractors.learned.outline import NO_STORY, OutlineSignals, outline, tells_no_story
from tidings.extractors.learned.removal import Removal, RemovalRule
from tidings.extractors.parameters import checked
from tidings.extractors.registry import Decision
from tidings.fields import access, comments, language
from tidings.fields.declared import declared
from tidings.fields.memo import memoized
from tidings.page import Page, Spans
from tidings.page.columns import Bools
from tidings.page.page import SHOWN

if TYPE_CHECKING:
    from tidings.charts import Profile

Floats = NDArray[np.float64]


#: The kind of page that has an expert of its own, and that of pages with nothing to read on them.
ARTICLE: Final = "article"
NOTHING: Final = "nothing"
LISTING: Final = "listing"
#: A choice that is expected to be this bad, and this short, is none.
_LEAST_EXPECTED: Final = 0.5
_FEW_WORDS: Final = 40
#: A notice that stands in place of a story is no longer.
_NOTICE: Final = 120
_LEAST_STORY: Final = 100  # characters that must be left of a story without its comments
_BLOCKING: Final = frozenset({access.Mark.ERROR, access.Mark.LOGIN, access.Mark.CONSENT, access.Mark.SHELL})
#: An article from this chance on; below it both experts look, unless another kind is sure enough. Kinds were learned
#: from English pages and are told badly on others. The expert for articles is believed if it expects to do at most so
#: much worse. From a sweep on half of the sites of wcxb-dev, with an eye on the news in other languages.
_LIKELY_ARTICLE: Final = 0.5
#: Up to this one, where pages are in English and the expert for articles expects to do worse than that, the other is
#: heard too, each as far as the page is likely to be its own: lists and shops that look like articles. From half of the
#: sites of wcxb-dev; on the other half it gains on each page that it touches, and no news page of five corpora loses.
_SURELY_ARTICLE: Final = 0.8
_BELIEVED: Final = 0.7
_SURELY_OTHER: Final = 0.3
_SURELY_OTHER_ABROAD: Final = 0.7
_IN_DOUBT: Final = 0.1


class Look(NamedTuple):
    """What the model sees on a page: its kind, its visible blocks, and the chance of each to be content."""

    kind: str
    certainty: float  # of the kind
    found: VisibleBlocks
    chance: Floats
    choice: ExpertChoice | None = None  # the best by these chances; None if they are a mixture of two experts'

    @property
    def expected(self) -> float:
        """The F measure to be expected of the best choice."""
        if self.choice is not None:
            return self.choice.expected
        return choose(self.chance, self.found.words, Preference.BALANCED)[1]


def _taken(page: Page, look: Look, chosen: Bools, text: ChosenText | None = None) -> tuple[Spans, ChosenWords]:
    """Return the visible text of the selected blocks and their words; `text` if the core has found it already."""
    found = look.found
    if text is None:
        memory, hidden = core_columns(page), hidden_runs(page)
        text = choices.taken(memory, len(page.runs), hidden, found.blocks, look.chance, chosen, BORDERS)
    spans = Spans.of_edges(text.edges, len(page.text))
    return spans & page.scope if page.is_part else spans, ChosenWords(*text.words)


def _stands_alone(page: Page) -> bool:
    """Whether the page shows something else in place of a story: an error, a login, a consent wall, nothing."""
    return not _BLOCKING.isdisjoint(access.find(page))


def _reason(probability: float, rule: RemovalRule | None, *, is_selected: bool, is_seen: bool) -> str:
    """Return why a block is selected or not."""
    if not is_seen:
        return "no word in it" if rule is None else f"removed: {rule}"
    score = f"score {probability:.3g}"
    if is_selected:
        return score if rule is None else f"{score}, in part removed: {rule}"
    return f"{score}, removed: {rule}" if rule is not None else f"{score}: too low"


@memoized
def _is_english(page: Page) -> bool:
    spoken = language.find(page, None, declared(page))
    return spoken is None or spoken.value.lower().startswith("en")


_load = cache(load)


@checked
@dataclass(frozen=True, slots=True)
class Learned:
    """Blocks that a trained model takes for the story, judged by themselves and then by their surroundings."""

    preference: Preference = Preference.BALANCED  # what to do in doubt
    model: str = ""  # a model file of one's own (`tidings lab train default`); empty: the one that comes with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """The chosen blocks, without what is hidden in them."""
        return self.decide(page).spans

    def decide(self, page: Page, /) -> Decision:
        """The chosen text, the kind of page, and how sure both are."""
        return self.judged(page)[0]

    def judged(self, page: Page, /) -> tuple[Decision, ConfidenceSignals | None]:
        """The same, and what the confidence was made of; None where there is nothing to read."""
        return self._judged(page)[:2]

    def outlined(self, page: Page, /) -> OutlineSignals | None:
        """What the outline of a page says for or against a story; None where there is nothing to read."""
        decision, signals, found, removal = self._judged(page)
        return None if signals is None else outline(page, found, removal.selected, decision.spans)

    def reasons(self, page: Page, /) -> list[str]:
        """Return for each block why it is selected or not."""
        decision, _, found, removal = self._judged(page)
        probability, before_title = self.score(page).tolist(), self._hinted_look(page)[1]
        rules = removal.reasons()
        if before_title is not None:
            rules.update(dict.fromkeys(found.blocks[before_title].tolist(), RemovalRule.BEFORE_TITLE))
        is_seen = np.zeros(len(page.blocks), np.bool_)
        is_seen[found.blocks] = True
        selected = decision.spans.runs(page)
        held = np.bincount(page.runs.block[selected], minlength=len(page.blocks)) > 0
        return [
            _reason(probability[block], rules.get(block), is_selected=bool(held[block]), is_seen=bool(is_seen[block]))
            for block in range(len(page.blocks))
        ]

    def _judged(self, page: Page) -> tuple[Decision, ConfidenceSignals | None, VisibleBlocks, Removal]:
        check()
        look = self.look(page)
        found = look.found
        check()
        chosen, expected = self._choose(page, look)
        removal = Removal(page, found, look.chance, chosen)
        told = ending.endings(page, found, look.chance, chosen)
        if look.kind == ARTICLE:
            ending.end(page, found, removal, told)
        data_ends = Spans.none(len(page.text))
        if told.signs.has_data:  # as on few pages
            data, data_ends = script_data(page, found, chosen)
            removal.remove(RemovalRule.DATA, data)
        if told.signs.may_repeat and look.kind in SAID_TWICE:
            removal.remove(RemovalRule.REPEATED, is_repeated(page, look.kind, found, chosen))
        spans, words = _taken(page, look, chosen, None if removal.has_removed else told.text)
        spans = removal.remove_text(RemovalRule.DATA, data_ends, spans)
        spans = removal.remove_text(RemovalRule.CARD, cards(page), spans)
        spans = removal.remove_text(RemovalRule.CONSENT, consent_dialogues(page, spans), spans)
        area = comments.find(page).area if look.kind == ARTICLE else None
        # Where little else is left, what was taken for comments is the story.
        if area and len((spans - area).text(page)) >= _LEAST_STORY:
            spans = removal.remove_text(RemovalRule.COMMENTS, area, spans)
        visible = spans
        spans, hidden = with_hidden_story(page, spans)
        if hidden is not None:
            spans = removal.replace(RemovalRule.DECLARED_BODY, visible, spans)
        doubtful = expected < _LEAST_EXPECTED and words.chosen < _FEW_WORDS
        if hidden is None and (not spans or doubtful or (words.chosen < _NOTICE and _stands_alone(page))):
            removal.reject(spans)
            return Decision(Spans.none(len(page.text)), NOTHING, 1.0 - expected), None, found, removal
        kind = look.kind if hidden is None else ARTICLE
        signals = ConfidenceSignals.of(expected, look.certainty, words)
        sure, doubt = confidence(signals, is_article=kind == ARTICLE)
        if hidden is None:
            page.memo[SHOWN] = spans
            if is_index(page, found, is_list=kind == LISTING, is_article=kind == ARTICLE):
                kind, sure, doubt = LISTING if kind == ARTICLE else kind, sure / 2, INDEX
            elif kind == ARTICLE and not page.hints.title and tells_no_story(page, found, chosen, spans):
                sure, doubt = sure / 2, NO_STORY
        return Decision(spans, kind, sure, hidden, doubt), signals, found, removal

    def _choose(self, page: Page, look: Look) -> tuple[Bools, float]:
        """The best blocks, and the F measure to be expected of them."""
        is_story = look.kind == ARTICLE and (look.certainty >= _SURELY_ARTICLE or not _is_english(page))
        if look.choice is not None and self.preference == Preference.BALANCED:
            return (look.choice.careful if is_story else look.choice.plain).copy(), look.choice.expected
        return choose(look.chance, look.found.words, Preference(self.preference), is_story=is_story)

    def look(self, page: Page, /) -> Look:
        """The kind of page, and the chances of all visible blocks."""
        return self._hinted_look(page)[0]

    def _hinted_look(self, page: Page) -> tuple[Look, Bools | None]:
        """Return the look, and the blocks before the headline that led to the page; None if no selected block is."""
        look = self._look(page)
        if not (page.hints.title or page.hints.anchor):  # as mostly
            return look, None
        title = ending.hinted_title(page)
        begin = ending.headline_place(page, look.found, look.chance, title) if title else 0
        if begin <= 0:
            return look, None
        selected = self._choose(page, look)[0]
        headline = page.hints.title or page.hints.anchor or ""
        before = selected & (np.arange(len(selected)) < begin)
        if not Removal(page, look.found, look.chance, selected, headline).remove(RemovalRule.BEFORE_TITLE, before):
            return look, None
        chance = look.chance.copy()
        chance[:begin] = 0.0
        return look._replace(chance=chance, choice=None), before

    def _look(self, page: Page) -> Look:
        """The same without what led to the page."""
        model = self._model()
        likely = dict(zip(model.kinds.kinds, model.kinds.chances(page), strict=True))
        article = likely.pop(ARTICLE, 0.0)
        other = max(likely, key=likely.__getitem__, default=ARTICLE)
        sure = likely.get(other, 0.0)
        if article >= _LIKELY_ARTICLE:
            blocks, ((chance, choice),) = block_look(page, [model.article])
            look = Look(ARTICLE, article, blocks, chance, choice)
            if article >= _SURELY_ARTICLE or look.expected >= _BELIEVED or not _is_english(page):
                return look
            ((of_all, _),) = block_look(page, [model.other])[1]
            return look._replace(chance=article * chance + (1 - article) * of_all, choice=None)
        if (other != LISTING or sure > article) and (
            sure >= _SURELY_OTHER_ABROAD or (sure >= _SURELY_OTHER and _is_english(page))
        ):
            kinds = [(other, sure, model.other)]
        else:
            kinds = [(ARTICLE, article, model.article), (other, sure, model.other)]
        blocks, found = block_look(page, [expert for _, _, expert in kinds])
        looks = [Look(kind, sure, blocks, *told) for (kind, sure, _), told in zip(kinds, found, strict=True)]
        if looks[0].kind == ARTICLE and (len(looks) == 1 or looks[0].expected >= looks[1].expected - _IN_DOUBT):
            return looks[0]
        if other != LISTING or not ending.is_headed(page, blocks):
            return looks[-1]
        return looks[0] if len(looks) > 1 else Look(ARTICLE, article, blocks, *block_look(page, [model.article])[1][0])

    def score(self, page: Page, /) -> Floats:
        """For each block its chance to be content, 0 for hidden ones."""
        look = self.look(page)
        scores = np.zeros(len(page.blocks))
        scores[look.found.blocks] = look.chance
        return scores

    def picture(self, page: Page, /) -> Profile:
        """The chance of each block."""
        from tidings.charts import Profile  # noqa: PLC0415  # articles are read without

        look = self.look(page)
        chosen, _ = self._choose(page, look)
        return Profile(
            title="learned: the chance of each block to be part of the story",
            x="visible block",
            y="chance",
            series=(("chance", look.chance),),
            thresholds=(),
            chosen=chosen,
        )

    def _model(self) -> Model:
        return _load(Path(self.model)) if self.model else shipped()
