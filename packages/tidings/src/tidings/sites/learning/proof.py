"""Proof of learned templates by an extractor that is not their teacher.

A teacher that takes a sidebar for the article teaches a rule for the sidebar, agrees with it on every page, and finds
nothing wrong in an audit. Therefore a template is valid only if a different extractor, the witness, selects about the
same text on pages that the rules were not learned from, and if the text looks like articles: few links, few words that
are on other pages too, and enough words.

Thresholds are from site-makes of `sites` (`tidings lab study learned-sites`): where a teacher is right (word F1 0.8),
95 % of the pages agree with the witness by 0.78 and more; where it is wrong (below 0.6), 90 % agree by 0.62 and less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Final

from tidings import extractors
from tidings.extractors.explain import name_of
from tidings.sites.extraction.cut import Cutting, RuleMismatch, cut
from tidings.sites.learning import induce, word_f1
from tidings.sites.learning.induce import cut_if_similar
from tidings.sites.learning.lesson import Lesson
from tidings.sites.templates.rule import Template
from tidings.text import count_words

#: The witness of the default extractor. It learns nothing and needs a hundredth of the time of a page.
_WITNESS: Final = "content-seeker"
#: Least mean agreement with the default extractor and with Content-Seeker, which is wrong on more pages. Single pages
#: are not judged.
_AGREED_BY_DEFAULT: Final = 0.7
_AGREED: Final = 0.55
#: Largest share of the text in links, and of words in texts that are on several pages; fewest words. Medians of pages.
_MOST_LINKS: Final = 0.5
_MOST_REPEATED: Final = 0.5
_FEWEST_WORDS: Final = 40
#: Fewest pages whose texts are compared: two may be the same article.
_COMPARED: Final = 3


def witness_of(teacher: extractors.Extractor) -> extractors.Extractor:
    """Return the extractor that proves templates taught by another: the default, or for the default Content-Seeker."""
    return extractors.extractor(_WITNESS if _is_default(teacher) else extractors.DEFAULT)


def _is_default(extractor: extractors.Extractor) -> bool:
    return name_of(extractor) == extractors.DEFAULT


@dataclass(frozen=True, slots=True)
class Proof:
    """Checks of templates by a witness.

    Args:
        witness: an extractor other than the teacher.
    """

    witness: extractors.Extractor

    def fault(self, template: Template, lessons: Sequence[Lesson]) -> str:
        """Return why a template is not valid; empty if it is proven.

        Args:
            template: a template.
            lessons: the pages that it was learned from, with the teacher's articles.
        """
        fitting = [(lesson, cutting) for lesson in lessons if (cutting := cut_if_similar(template, lesson)) is not None]
        if not fitting:
            return "it fits no page"
        return _implausible([cutting for _, cutting in fitting]) or self._disagreement(
            _on_other_pages([lesson for lesson, _ in fitting]) or fitting
        )

    def _disagreement(self, cuttings: Sequence[tuple[Lesson, Cutting]]) -> str:
        agreement = mean(self._agreement(cutting.text, lesson) for lesson, cutting in cuttings)
        if agreement >= (_AGREED_BY_DEFAULT if _is_default(self.witness) else _AGREED):
            return ""
        return f"{name_of(self.witness)} agrees by {agreement:.2f} with its text on {len(cuttings)} pages"

    def _agreement(self, text: str, lesson: Lesson) -> float:
        return word_f1(text, self.witness(lesson.page).text(lesson.page))


def _on_other_pages(lessons: Sequence[Lesson]) -> list[tuple[Lesson, Cutting]]:
    """Return what rules learned from every second page cut out of the others, and the other way round."""
    halves = lessons[::2], lessons[1::2]
    result = []
    for half, held_out in (halves, halves[::-1]):
        for template in induce(half, least=1)[:1]:
            result += [(lesson, cutting) for lesson in held_out if (cutting := _cut(template, lesson)) is not None]
    return result


def _cut(template: Template, lesson: Lesson) -> Cutting | None:
    try:
        return cut(template, lesson.data, lesson.page.url or "")
    except RuleMismatch:
        return None


def _implausible(cuttings: Sequence[Cutting]) -> str:
    """Return why texts do not look like articles; empty if they do."""
    links = median(cutting.link_share for cutting in cuttings)
    if links > _MOST_LINKS:
        return f"{links:.0%} of its text is in links"
    repeated = median(_repeated_shares(cuttings)) if len(cuttings) >= _COMPARED else 0.0
    if repeated > _MOST_REPEATED:
        return f"{repeated:.0%} of its text is on other pages too"
    length = median(count_words(cutting.text) for cutting in cuttings)
    return f"its text has {length:.0f} words" if length < _FEWEST_WORDS else ""


def _repeated_shares(cuttings: Sequence[Cutting]) -> list[float]:
    """Return for each page the share of words in blocks that are on at least half of the pages."""
    blocks = [[block.text for block in cutting.article.blocks] for cutting in cuttings]
    pages = Counter(text for texts in blocks for text in set(texts))
    least = len(cuttings) / 2
    counts = [[(count_words(text), pages[text] >= least) for text in texts] for texts in blocks]
    return [
        sum(size for size, is_repeated in page if is_repeated) / max(sum(size for size, _ in page), 1)
        for page in counts
    ]
