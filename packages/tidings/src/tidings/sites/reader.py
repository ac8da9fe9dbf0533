"""The learning reader: extracts pages of known sites by rules, other pages by the full extraction, and learns from
these.

    >>> from tidings import Reader
    >>> reader = Reader()
    >>> article = reader.extract("<html><body><p>Seals are back in the estuary.</p></body></html>")
    >>> article.provenance["body"]
    'learned'

Rules are tried first because they cost least. If they do not fit, or the result differs too much from what was learned,
the default extractor reads the page, and its result teaches the site. After a few such pages the site is learned again.
Templates are valid only if a different extractor agrees with them (`tidings.sites.learning.proof`). If it does not, and
the teacher is not the default extractor, the default extractor teaches the site.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self, TypeVar

from tidings import extractors
from tidings.article import Article
from tidings.budget import limit
from tidings.errors import require_str
from tidings.extractors.explain import name_of
from tidings.inputs import page_of
from tidings.options import ExtractOptions
from tidings.options.articles import left_out, reason_before, with_options
from tidings.options.conventions import changes_reading
from tidings.reading import extractor_name, read
from tidings.sites.extraction.article_text import ArticleText, TextCutting, cut_text
from tidings.sites.extraction.cut import CHARACTERS, Cutting, LayoutMismatch, RuleMismatch, cut
from tidings.sites.learning import SERVED, induce
from tidings.sites.learning.lesson import Lesson
from tidings.sites.learning.proof import Proof, witness_of
from tidings.sites.storage.backends import SitePage
from tidings.sites.storage.memory import SiteMemory
from tidings.sites.templates.rule import Template, fits
from tidings.sites.templates.site import TrackedTemplate, today
from tidings.text import words
from tidings.urls import site_of

#: Pages with a lower confidence, or with fewer words, are not learned from.
_SURE: Final = 0.5
_FEWEST_WORDS: Final = 40
#: Number of recent lessons in memory, so that learning need not extract the pages again.
_LESSONS: Final = 24
#: After a failed attempt to learn, the next attempt waits for this multiple of pages.
_BACK_OFF: Final = 4
_LARGEST: Final = 16 * 1024 * 1024

_Found = TypeVar("_Found", Cutting, TextCutting)
#: Applies a template to a page, or raises `RuleMismatch`.
_How = Callable[[Template, bytes, str], _Found]


@dataclass(slots=True)
class _PageSource:
    """A page to be extracted. The full extraction runs at most once."""

    data: bytes | str
    url: str
    teacher: extractors.Extractor
    _lessons: dict[str, Lesson] = field(default_factory=dict)
    _raw: bytes | None = None

    @property
    def raw(self) -> bytes:
        """Return the bytes of the page."""
        if self._raw is None:
            self._raw = self.data if isinstance(self.data, bytes) else self.data.encode("utf-8", "surrogatepass")
        return self._raw

    @property
    def lesson(self) -> Lesson:
        """Return the page with its full extraction."""
        return self.lesson_by(self.teacher)

    def lesson_by(self, teacher: extractors.Extractor) -> Lesson:
        """Return the page with the full extraction of a teacher."""
        name = name_of(teacher)
        if name not in self._lessons:
            self._lessons[name] = Lesson.read(self.data, self.url, teacher)
        return self._lessons[name]


class Reader:
    """Extracts pages, and learns rules of their sites from them.

    Args:
        sites: a file for the learned sites, or a `SiteMemory`; None for memory only.
        learn_from: number of pages from which the rules of a site are learned.
        audit_every: interval of pages at which a result of rules is compared with the full extraction; the first ten
            results of new rules are always compared. 0 turns comparisons off.
        teacher: the extractor for the full extraction; the default extractor if None.
        options: the options of all extractions. Rules serve a page only if the options do not change which text is
            selected: with a preference, `leave_out`, conventions or a second opinion every page is read in full.
    """

    def __init__(
        self,
        sites: SiteMemory | Path | str | None = None,
        *,
        learn_from: int = 5,
        audit_every: int = 500,
        teacher: extractors.Extractor | None = None,
        options: ExtractOptions | None = None,
    ) -> None:
        self.options = None if options is None or options.is_default else options
        self.teacher = teacher or extractors.extractor(
            extractors.DEFAULT if options is None else extractor_name(options.prefer)
        )
        self.memory = sites if isinstance(sites, SiteMemory) else SiteMemory(sites)
        self.learn_from = learn_from
        self.audit_every = audit_every
        self._teachers = _teachers(self.teacher)
        self._served = 0
        self._lessons: OrderedDict[tuple[str, str], Lesson] = OrderedDict()
        self._lock = threading.Lock()
        self._learning: set[str] = set()

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        """Return the article on a page.

        Args:
            data: the page as bytes (the encoding is detected) or as a str.
            url: the page's URL, which identifies the site.

        Raises:
            PageError: the input is empty, too large, or not HTML.
            BadArgument: an argument has a wrong type.
        """
        require_str(url=url)
        if self.options is None:
            return self._extracted(data, url)
        with limit(self.options.timeout):
            if reason := reason_before(self.options, len(data), url or ""):
                return left_out(Article(url=url or ""), reason)
            if changes_reading(self.options):
                return read(page_of(data, url, self.options), self.teacher, options=self.options)
            return with_options(self._extracted(data, url), self.options)

    def _extracted(self, data: bytes | str, url: str | None) -> Article:
        name = site_of(url)
        if not name:
            return Lesson.read(data, url, self.teacher).article
        page = _PageSource(data, url or "", self.teacher)
        cutting = self._cut_or_refreshed(name, page, cut)
        return cutting.article if cutting else self._learn_from(name, page.lesson)

    def text(self, data: bytes | str, url: str | None = None) -> ArticleText:
        """Return the text and fields of the article on a page, faster than `extract` if rules fit.

        Raises:
            PageError: the input is empty, too large, or not HTML.
            BadArgument: an argument has a wrong type.
        """
        require_str(url=url)
        name = site_of(url)
        if not name or self.options is not None:
            return ArticleText.of(self.extract(data, url))
        page = _PageSource(data, url or "", self.teacher)
        cutting = self._cut_or_refreshed(name, page, cut_text)
        return cutting.article if cutting else ArticleText.of(self._learn_from(name, page.lesson))

    def cut(self, data: bytes | str, url: str) -> Article | None:
        """Return the article that rules of the page's site extract; None if no rules match."""
        cutting = self._cut_or_refreshed(site_of(url), _PageSource(data, url, self.teacher), cut)
        return cutting.article if cutting else None

    def _cut_or_refreshed(self, name: str, page: _PageSource, how: _How[_Found]) -> _Found | None:
        cutting = self._cut(name, page, how)
        if cutting is None and self.memory.refreshed(name):  # another process has learned meanwhile
            cutting = self._cut(name, page, how)
        return cutting

    def _cut(self, name: str, page: _PageSource, how: _How[_Found]) -> _Found | None:
        memory = self.memory
        desk = memory.state(name)
        site = desk.site
        if not site.templates or len(page.data) > _LARGEST:
            return None
        doubts: list[tuple[Template, RuleMismatch]] = []
        for template in desk.valid:
            try:
                cutting = self._fitting(name, template, page, how)
                if cutting is None:
                    continue
                self._served += 1
                if self.audit_every and self._is_audited(name, template):
                    self._audit(name, template, cutting, page)
            except RuleMismatch as doubt:
                doubts.append((template, doubt))
                continue
            memory.served(name, template, cutting.texts)
            return cutting
        for template, why in doubts:
            memory.record_mismatch(name, template, str(why), late=not isinstance(why, LayoutMismatch))
        return self._cut_by_retired(name, site.retired, page, how)

    def _cut_by_retired(
        self, name: str, retired: Sequence[TrackedTemplate], page: _PageSource, how: _How[_Found]
    ) -> _Found | None:
        """Extract the page with a retired template, in case the site has returned to an old layout. Return None if no
        retired template fits; one that fits becomes active again.
        """
        for tracked in retired:
            template = tracked.template
            try:
                cutting = self._fitting(name, template, page, how)
                if cutting is None:
                    continue
                if self.audit_every:  # it was retired for a reason
                    self._audit(name, template, cutting, page)
            except LayoutMismatch:
                continue
            except RuleMismatch as doubt:
                self.memory.record_mismatch(name, template, str(doubt))
                continue
            self.memory.revived(name, template, page.url)
            self.memory.served(name, template, cutting.texts)
            return cutting
        return None

    def _fitting(self, name: str, template: Template, page: _PageSource, how: _How[_Found]) -> _Found | None:
        """Apply a template to a page; None if it does not match, or is skipped.

        Raises:
            RuleMismatch: the template does not fit the page.
        """
        if template.pattern and not fits(template.pattern, page.url):
            return None
        if self.memory.is_tired(name, template):
            return None
        data = page.data
        if isinstance(data, str):
            if template.encoding != "utf-8":
                template = replace(template, encoding="utf-8")
            data = page.raw
        return how(template, data, page.url)

    def _is_audited(self, name: str, template: Template) -> bool:
        """Return whether this result of a template is to be compared with the full extraction, as a check."""
        return self._served % self.audit_every == 0 or self.memory.is_on_trial(name, template)

    def _audit(self, name: str, template: Template, cutting: Cutting | TextCutting, page: _PageSource) -> None:
        """Compare a result of rules with the full extraction of its teacher.

        Raises:
            RuleMismatch: the texts differ.
        """
        teacher, _ = self._teachers.get(template.teacher, (self.teacher, None))
        agreed = is_confirmed(cutting, template, page.lesson_by(teacher))
        self.memory.audited(name, template, page.url, agreed=agreed)
        if not agreed:
            raise RuleMismatch("an audit gave another text")

    def _learn_from(self, name: str, lesson: Lesson) -> Article:
        url = lesson.page.url or ""
        if not teaches(lesson):
            return lesson.article
        desk = self.memory.state(name)
        desk.failed += 1
        needed = max(desk.learn_at, self.learn_from)
        if desk.failed > needed - self.learn_from:  # store only pages that will be learned from
            with self._lock:
                self._lessons[name, url] = lesson
                while len(self._lessons) > _LESSONS:
                    self._lessons.popitem(last=False)
            count = self.memory.keep(name, SitePage(url, lesson.data))
            if desk.failed >= needed and count >= self.learn_from:
                self._learn_alone(name)
        return lesson.article

    def _learn_alone(self, name: str) -> None:
        """Learn a site, unless another thread is learning it."""
        with self._lock:
            if name in self._learning:
                return
            self._learning.add(name)
        try:
            self.learn(name)
        finally:
            self._learning.discard(name)

    def learn(self, name: str, *, least: int = 2) -> list[Template]:
        """Learn the rules of a site from its stored pages, and return the new templates. `least` is the minimum number
        of pages that a template has to fit.
        """
        pages = self.memory.storage.pages(name)
        candidates = [self._lessons.pop((name, page.url), None) or self._lesson(page) for page in pages]
        lessons = [lesson for lesson in candidates if lesson is not None][-2 * self.learn_from :]
        templates, faults = list[Template](), list[str]()
        for teacher, proof in self._teachers.values():
            if teacher is not self.teacher:
                again = [Lesson.read(lesson.data, lesson.page.url, teacher) for lesson in lessons]
                lessons = [lesson for lesson in again if teaches(lesson)]
            for template in induce(lessons, today=today(), by=name_of(teacher), least=least):
                if self.memory.is_refuted(name, template):
                    continue
                if fault := proof.fault(template, lessons):
                    faults.append(f"{template.learned}: {fault}")
                else:
                    templates.append(template)
            if templates:
                break
        desk = self.memory.state(name)
        if templates:
            main_text_rules = "; ".join(str(rule) for rule in templates[0].of("main"))
            self.memory.learned(name, templates, f"{len(lessons)} pages, {len(templates)} templates; {main_text_rules}")
            self.memory.storage.drop_pages(name)
            desk.failed, desk.learn_at = 0, self.learn_from
        else:
            desk.learn_at = max(desk.failed, self.learn_from) * _BACK_OFF
            self.memory.tell(name, "not learned", "; ".join(faults) or f"no rule fits two of {len(pages)} pages")
        return templates

    def _lesson(self, page: SitePage) -> Lesson | None:
        return Lesson.read(page.data, page.url, self.teacher)

    def close(self) -> None:
        """Write counts that are collected in this process, and close the storage."""
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _teachers(preferred: extractors.Extractor) -> dict[str, tuple[extractors.Extractor, Proof]]:
    """Return the preferred teacher and the default extractor by name, each with the proof of its templates."""
    teachers = {name_of(preferred): preferred}
    teachers.setdefault(extractors.DEFAULT, extractors.extractor(extractors.DEFAULT))
    return {name: (teacher, Proof(witness_of(teacher))) for name, teacher in teachers.items()}


def teaches(lesson: Lesson) -> bool:
    """Return whether site rules may be learned from a page: it is an article, extracted with confidence, long enough
    and complete.
    """
    article = lesson.article
    return (
        article.kind == "article"
        and (article.confidence is None or article.confidence >= _SURE)
        and lesson.total_chosen >= _FEWEST_WORDS
        and not article.marks
    )


def is_confirmed(cutting: Cutting | TextCutting, template: Template, lesson: Lesson) -> bool:
    """Return whether the text of rules equals that of the full extraction, up to repeated texts, or is better.

    If the full extraction contains all of it and is longer than all earlier pages with this layout, it has included
    other parts of the page: on half of the sites measured, this explained five of six differing pages.
    """
    mine = Counter(words(cutting.text))
    for theirs in lesson.bags(template.noise):
        if (mine & theirs).total() >= SERVED * (mine.total() + theirs.total()) / 2:
            return True
    is_long = len(lesson.article.text) > CHARACTERS * template.expected.words[1]
    return is_long and (mine & lesson.bag).total() >= SERVED * mine.total()
