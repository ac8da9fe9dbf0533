"""The stages of the default extractor, in the order in which `Learned` runs them.

Kind of page → block probabilities → selection → end of story → hidden and declared additions → confidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import selection as core_selection
from tidings.extractors.learned import ending
from tidings.extractors.learned.blocks import VisibleBlocks, look
from tidings.extractors.learned.boilerplate import REPETITION_SHARES, cards, consent_dialogues, is_repeated, script_data
from tidings.extractors.learned.choice import Preference, choose
from tidings.extractors.learned.confidence import ChosenWords, ConfidenceSignals, confidence
from tidings.extractors.learned.declared_body import with_hidden_story
from tidings.extractors.learned.embedded_posts import with_embedded_posts
from tidings.extractors.learned.kinds import INDEX, Kinds, is_home, is_index
from tidings.extractors.learned.model import Expert, Model
from tidings.extractors.learned.outline import NO_STORY, has_no_story
from tidings.extractors.learned.removal import Removal, RemovalRule
from tidings.extractors.learned.thresholds import THRESHOLDS
from tidings.extractors.registry import Decision
from tidings.fields import access, comments, language
from tidings.fields.declared import declared
from tidings.fields.memo import memoized
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools
from tidings.page.page import SHOWN

Floats = NDArray[np.float64]

#: The kinds of pages with their own experts, the kinds of lists of links, and the kind of pages without text.
ARTICLE: Final = "article"
FORUM: Final = "forum"
LISTING: Final = "listing"
COLLECTION: Final = "collection"
FRONT: Final = "front"
NOTHING: Final = "nothing"
LISTS: Final = frozenset({LISTING, FRONT})
_LEAST_LINKS: Final = 3  # blocks of a list of links that consist mainly of links
_PRE: Final = tags.NUMBERS["pre"]
_LEVELS: Final = 4  # from a line up to the box of its neighbours
_BLOCKING: Final = frozenset({access.Mark.ERROR, access.Mark.LOGIN, access.Mark.CONSENT, access.Mark.SHELL})


class PageKind(NamedTuple):
    """The probability that a page is an article, and the most probable of the other kinds."""

    article: float
    other: str
    other_probability: float
    list_probability: float = 0.0  # of listings, front pages and collections together

    @property
    def is_list(self) -> bool:
        """Whether the page is a list of links, whichever expert selects its text best."""
        return self.article < THRESHOLDS.article_in_list and self.list_probability > THRESHOLDS.list * self.article


class BlockProbabilities(NamedTuple):
    """The kind of a page, its visible blocks, and the probability of each to be content."""

    kind: str
    certainty: float  # probability of the kind
    blocks: VisibleBlocks
    probability: Floats
    label: str = ""  # the kind to report, if it is not that of the expert

    @property
    def expected(self) -> float:
        """Return the expected F measure of the best selection."""
        return choose(self.probability, self.blocks.words, Preference.BALANCED)[1]


class SelectedText(NamedTuple):
    """The selected text with its word counts and expected F measure."""

    spans: Spans
    words: ChosenWords
    expected: float


@memoized
def is_english(page: Page) -> bool:
    """Return whether a page is in English, or in an unknown language."""
    spoken = language.find(page, None, declared(page))
    return spoken is None or spoken.value.lower().startswith("en")


def page_kind(page: Page, kinds: Kinds) -> PageKind:
    """Stage 1: return the probabilities of the kinds of a page."""
    probabilities = dict(zip(kinds.kinds, kinds.probabilities(page), strict=True))
    if np.count_nonzero(2 * page.blocks.link_words > page.blocks.words) < _LEAST_LINKS:  # then it is no list of links
        probabilities = {kind: value for kind, value in probabilities.items() if kind not in (*LISTS, COLLECTION)}
        total = sum(probabilities.values())
        probabilities = {kind: value / total for kind, value in probabilities.items()}
    article = probabilities.pop(ARTICLE, 0.0)
    other = max(probabilities, key=probabilities.__getitem__, default=ARTICLE)
    lists = sum(probabilities.get(kind, 0.0) for kind in (*LISTS, COLLECTION))
    return PageKind(article, other, probabilities.get(other, 0.0), lists)


def block_probabilities(page: Page, model: Model, kind: PageKind) -> BlockProbabilities:
    """Stage 2: return the probability of each visible block, by the expert for the kind of page."""
    if kind.article >= THRESHOLDS.likely_article or _is_foreign_forum(page, kind):
        return _of_article(page, model, kind.article)
    is_list = kind.other in LISTS
    kinds = [(ARTICLE, kind.article), (kind.other, kind.other_probability)]
    if (not is_list or kind.other_probability > kind.article) and _is_surely_other(page, kind):
        del kinds[0]
    answers = _judge(page, model, kinds)
    article, other = answers[0], answers[-1]
    if article.kind == ARTICLE and (
        len(answers) == 1 or article.expected >= other.expected - THRESHOLDS.expert_tolerance
    ):
        return article._replace(label=kind.other) if kind.is_list else article
    if not is_list or not ending.is_headed(page, other.blocks):
        return other
    return article if len(answers) > 1 else _judge(page, model, [(ARTICLE, kind.article)])[0]


def _is_foreign_forum(page: Page, kind: PageKind) -> bool:
    """Return whether a page resembles a forum, but is probably a story with comments (all training forums are
    English).
    """
    return kind.other == FORUM and kind.other_probability < THRESHOLDS.sure_forum_abroad and not is_english(page)


def _is_surely_other(page: Page, kind: PageKind) -> bool:
    if kind.other == FORUM:
        return kind.other_probability >= THRESHOLDS.sure_forum
    if kind.other_probability >= THRESHOLDS.other_kind_abroad:
        return True
    return kind.other_probability >= THRESHOLDS.other_kind and is_english(page)


def _judge(page: Page, model: Model, kinds: Sequence[tuple[str, float]]) -> list[BlockProbabilities]:
    """Return the block probabilities for several possible kinds of a page; `kinds` contains each with its
    probability.
    """
    experts = [_experts(model, kind) for kind, _ in kinds]
    blocks, probabilities = look(page, [expert for group in experts for expert in group])
    answers: list[BlockProbabilities] = []
    for (kind, certainty), group in zip(kinds, experts, strict=True):
        own, probabilities = probabilities[: len(group)], probabilities[len(group) :]
        probability = own[0] if len(own) == 1 else _mixed(own[0], own[1], THRESHOLDS.forum_share)
        answers.append(BlockProbabilities(kind, certainty, blocks, probability))
    return answers


def _experts(model: Model, kind: str) -> tuple[Expert, ...]:
    if kind == ARTICLE:
        return (model.article,)
    return (model.other, model.forum) if kind == FORUM and model.forum is not None else (model.other,)


def _mixed(first: Floats, second: Floats, share: float) -> Floats:
    """Return the probabilities of two experts, mixed as log-odds; `share` is the weight of the second."""
    odds = (first / (1 - first)) ** (1 - share) * (second / (1 - second)) ** share
    return odds / (1 + odds)


def _of_article(page: Page, model: Model, article: float) -> BlockProbabilities:
    """Return the block probabilities for a page that is probably an article.

    They are those of the article expert. If both the kind and the selection are uncertain, the mean with those of the
    other expert.
    """
    (answer,) = _judge(page, model, [(ARTICLE, article)])
    if article >= THRESHOLDS.sure_article or answer.expected >= THRESHOLDS.sufficient_expected or not is_english(page):
        return answer
    (of_all,) = look(page, [model.other])[1]
    return answer._replace(probability=article * answer.probability + (1 - article) * of_all)


def from_hinted_title(
    page: Page, probabilities: BlockProbabilities, preference: Preference
) -> tuple[BlockProbabilities, Bools | None]:
    """Set the probability of blocks before the hinted headline to 0; also return the selected ones among them."""
    if not (page.hints.title or page.hints.anchor):  # on most pages
        return probabilities, None
    title = ending.hinted_title(page)
    begin = ending.headline_place(page, probabilities.blocks, probabilities.probability, title) if title else 0
    if begin <= 0:
        return probabilities, None
    selected = select(page, probabilities, preference)[0]
    headline = page.hints.title or page.hints.anchor or ""
    before = selected & (np.arange(len(selected)) < begin)
    removal = Removal(page, probabilities.blocks, probabilities.probability, selected, headline)
    if not removal.remove(RemovalRule.BEFORE_TITLE, before):
        return probabilities, None
    probability = probabilities.probability.copy()
    probability[:begin] = 0.0
    return probabilities._replace(probability=probability), before


def select(page: Page, probabilities: BlockProbabilities, preference: Preference) -> tuple[Bools, float]:
    """Stage 3: return the blocks with the highest expected F measure, and that measure."""
    is_story = probabilities.kind == ARTICLE and (
        probabilities.certainty >= THRESHOLDS.sure_article or not is_english(page)
    )
    selected, expected = choose(probabilities.probability, probabilities.blocks.words, preference, is_story=is_story)
    selected |= _lines_inside(page, probabilities, selected)
    return selected, expected


def _lines_inside(page: Page, probabilities: BlockProbabilities, selected: Bools) -> Bools:
    """Return which blocks inside the selection belong to it because of the blocks next to them.

    These are preformatted text next to a selected block, for code has few training pages and its lines look like menus;
    and single blocks with few links between two selected blocks of the same box.
    """
    blocks = probabilities.blocks
    if selected.sum() < 2:
        return np.zeros(len(selected), np.bool_)
    is_before, is_behind = np.zeros(len(selected), np.bool_), np.zeros(len(selected), np.bool_)
    is_before[1:], is_behind[:-1] = selected[:-1], selected[1:]
    places = np.flatnonzero(selected)
    is_inside = ~selected
    is_inside[: places[0]] = is_inside[places[-1] :] = False
    element = page.blocks.element[blocks.blocks]
    is_code = page.elements.tag[element] == _PRE
    box = page.elements.parent[element]
    outer, is_same_box = box, np.zeros(len(selected), np.bool_)
    for _ in range(_LEVELS):
        is_same_box[1:-1] |= (box[:-2] == box[2:]) & (outer[1:-1] == box[2:])
        outer = page.elements.parent[np.maximum(outer, 0)]
    is_line = blocks.words >= THRESHOLDS.line_words
    is_line &= page.blocks.link_words[blocks.blocks] < THRESHOLDS.line_linked * blocks.words
    is_line &= (probabilities.probability >= THRESHOLDS.line_probability) & is_same_box
    return np.asarray(is_inside & ((is_code & (is_before | is_behind)) | (is_line & is_before & is_behind)))


def end_story(page: Page, probabilities: BlockProbabilities, removal: Removal, expected: float) -> SelectedText:
    """Stage 4: remove what follows the story and other text that is no part of it; return what remains."""
    selected = removal.selected
    endings = ending.endings(page, probabilities.blocks, probabilities.probability, selected)
    if probabilities.kind == ARTICLE:
        ending.end(page, probabilities.blocks, removal, endings)
    data_ends = Spans.none(len(page.text))
    if endings.signs.has_data:  # on few pages
        data, data_ends = script_data(page, probabilities.blocks, selected)
        removal.remove(RemovalRule.DATA, data)
    if endings.signs.may_repeat and probabilities.kind in REPETITION_SHARES:
        removal.remove(RemovalRule.REPEATED, is_repeated(page, probabilities.kind, probabilities.blocks, selected))
    spans, words = selected_text(page, probabilities, selected, None if removal.has_removed else endings.text)
    if probabilities.kind != LISTING:
        spans = with_embedded_posts(page, spans)
    spans = removal.remove_text(RemovalRule.DATA, data_ends, spans)
    spans = removal.remove_text(RemovalRule.CARD, cards(page), spans)
    spans = removal.remove_text(RemovalRule.CONSENT, consent_dialogues(page, spans), spans)
    area = comments.find(page).area if probabilities.kind == ARTICLE else None
    if area and len((spans - area).text(page)) >= THRESHOLDS.least_story:
        spans = removal.remove_text(RemovalRule.COMMENTS, area, spans)
    return SelectedText(spans, words, expected)


def selected_text(
    page: Page, probabilities: BlockProbabilities, selected: Bools, text: core_selection.SelectionText | None = None
) -> tuple[Spans, ChosenWords]:
    """Return the visible text of the selected blocks and its word counts; `text` if the core has computed it
    already.
    """
    if text is None:
        text = ending.endings(page, probabilities.blocks, probabilities.probability, selected).text
    spans = Spans.of_edges(text.edges, len(page.text))
    return spans & page.scope if page.is_part else spans, ChosenWords(*text.words)


def add_hidden_story(page: Page, selection: SelectedText, removal: Removal) -> tuple[SelectedText, Spans | None]:
    """Stage 5: add hidden text that the page declares to be the story; also return that text, or None."""
    spans, hidden = with_hidden_story(page, selection.spans)
    if hidden is not None:
        spans = removal.replace(RemovalRule.DECLARED_BODY, selection.spans, spans)
    return selection._replace(spans=spans), hidden


def decide(
    page: Page, probabilities: BlockProbabilities, selection: SelectedText, hidden: Spans | None, removal: Removal
) -> tuple[Decision, ConfidenceSignals | None]:
    """Stage 6: return the decision with its confidence, and the signals of the confidence, or None if there is no
    story.
    """
    spans, words, expected = selection
    is_plain_text = words.chosen == probabilities.blocks.words.sum() and not page.blocks.link_words.any()
    is_doubtful = _is_doubtful(selection) and not is_plain_text
    if hidden is None and (not spans or is_doubtful or _is_notice(page, words)):
        removal.reject(spans)
        return Decision(Spans.none(len(page.text)), NOTHING, 1.0 - expected), None
    kind = probabilities.kind if hidden is None else ARTICLE
    signals = ConfidenceSignals.of(expected, probabilities.certainty, words)
    score, doubt = confidence(signals, is_article=kind == ARTICLE)
    if hidden is None:
        page.memo[SHOWN] = spans
        if is_index(page, probabilities.blocks, is_list=kind in LISTS, is_article=kind == ARTICLE):
            # The kind of a list says already that the page is no article.
            score = score / 2 if kind == ARTICLE else score
            kind, doubt = _kind_of_index(page, kind), INDEX
        elif (
            kind == ARTICLE
            and not page.hints.title
            and has_no_story(page, probabilities.blocks, removal.selected, spans)
        ):
            score, doubt = score / 2, NO_STORY
        elif kind == ARTICLE and probabilities.label and not page.hints.title and not declared(page).story:
            kind = probabilities.label
    return Decision(spans, kind, score, hidden, doubt), signals


def _kind_of_index(page: Page, kind: str) -> str:
    if kind != ARTICLE:
        return kind
    return FRONT if page.url and is_home(page.url) else LISTING


def _is_doubtful(selection: SelectedText) -> bool:
    return selection.expected < THRESHOLDS.least_expected and selection.words.chosen < THRESHOLDS.few_words


def _is_notice(page: Page, words: ChosenWords) -> bool:
    """Return whether the page shows a notice in place of a story: an error, a login form, a consent wall, or
    nothing.
    """
    return words.chosen < THRESHOLDS.notice_words and not _BLOCKING.isdisjoint(access.find(page))
