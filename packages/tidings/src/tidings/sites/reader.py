"""The reader that learns: a page of a known site is cut out by its rules, any other read the long way and learned from.

    >>> from tidings import Reader
    >>> reader = Reader()
    >>> article = reader.extract("<html><body><p>Seals are back in the estuary.</p></body></html>")
    >>> article.provenance["body"]
    'learned'

In the order of cost (DESIGN): rules; the default extractor, whose result teaches the site. A page that a rule may get
wrong is never given out: what does not fit, or looks unlike what was learned, goes the long way. After a few such
pages the site is learned anew.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self, TypeVar

from tidings import extractors
from tidings.article import Article
from tidings.errors import require_str
from tidings.extractors.explain import name_of
from tidings.sites.article_text import ArticleText, TextCutting, cut_text
from tidings.sites.cut import CHARACTERS, Cutting, Doubt, OtherMake, cut
from tidings.sites.induce import SERVED, induce
from tidings.sites.lesson import Lesson
from tidings.sites.memory import SiteMemory
from tidings.sites.rule import Template, fits
from tidings.sites.site import Known, today
from tidings.sites.storage import SitePage
from tidings.text import words
from tidings.urls import site_of

#: A page less surely an article teaches nothing; nor does one that is shorter.
_SURE: Final = 0.5
_FEWEST_WORDS: Final = 40
#: Lessons held in memory, so that learning need not read the pages again; those of the sites read last.
_LESSONS: Final = 24
#: When pages cannot be learned, the next try is after so many times more of them.
_BACK_OFF: Final = 4
_LARGEST: Final = 16 * 1024 * 1024

_Found = TypeVar("_Found", Cutting, TextCutting)
#: Cuts a page by a template, or doubts.
_How = Callable[[Template, bytes, str], _Found]


@dataclass(slots=True)
class _PageSource:
    """A page that is to be read, by rules or the long way. It goes the long way once, whoever asks for it."""

    data: bytes | str
    url: str
    teacher: extractors.Extractor
    _lesson: Lesson | None = None
    _raw: bytes | None = None

    @property
    def raw(self) -> bytes:
        """Its bytes."""
        if self._raw is None:
            self._raw = self.data if isinstance(self.data, bytes) else self.data.encode("utf-8", "surrogatepass")
        return self._raw

    @property
    def lesson(self) -> Lesson:
        """The page read the long way."""
        if self._lesson is None:
            self._lesson = Lesson.read(self.data, self.url, self.teacher)
        return self._lesson


class Reader:
    """Reads pages, and learns every site as it reads it.

    Args:
        sites: a file to keep what is learned in, or a `SiteMemory`; in memory only if None.
        learn_from: how many pages of a site rules are learned from.
        audit_every: of so many pages that rules have served, one is also read the long way and compared, and of those
            that fresh rules serve the first ten; 0 for none.
        teacher: reads pages the long way, and so teaches their sites; the default extractor if None.
    """

    def __init__(
        self,
        sites: SiteMemory | Path | str | None = None,
        *,
        learn_from: int = 5,
        audit_every: int = 500,
        teacher: extractors.Extractor | None = None,
    ) -> None:
        self.teacher = teacher or extractors.extractor(extractors.DEFAULT)
        self.memory = sites if isinstance(sites, SiteMemory) else SiteMemory(sites)
        self.learn_from = learn_from
        self.audit_every = audit_every
        self._served = 0
        self._lessons: OrderedDict[tuple[str, str], Lesson] = OrderedDict()
        self._lock = threading.Lock()
        self._learning: set[str] = set()

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        """Return the article on a page.

        Args:
            data: the page as bytes (the encoding is found out) or as a str.
            url: where it came from; tells the site.

        Raises:
            PageError: the input is empty, too large, or no HTML at all.
            BadArgument: an argument has a wrong type.
        """
        require_str(url=url)
        name = site_of(url)
        if not name:
            return Lesson.read(data, url, self.teacher).article
        page = _PageSource(data, url or "", self.teacher)
        found = self._cut_or_refreshed(name, page, cut)
        return found.article if found else self._learn_from(name, page.lesson)

    def text(self, data: bytes | str, url: str | None = None) -> ArticleText:
        """Return the text and the fields of the article on a page: as `extract` has them, and sooner where rules fit.

        Raises:
            PageError: as there.
            BadArgument: as there.
        """
        require_str(url=url)
        name = site_of(url)
        if not name:
            return ArticleText.of(self.extract(data, url))
        page = _PageSource(data, url or "", self.teacher)
        found = self._cut_or_refreshed(name, page, cut_text)
        return found.article if found else ArticleText.of(self._learn_from(name, page.lesson))

    def cut(self, data: bytes | str, url: str) -> Article | None:
        """Return the article that the rules of the page's site cut out; None if they do not fit."""
        found = self._cut_or_refreshed(site_of(url), _PageSource(data, url, self.teacher), cut)
        return found.article if found else None

    def _cut_or_refreshed(self, name: str, page: _PageSource, how: _How[_Found]) -> _Found | None:
        found = self._cut(name, page, how)
        if found is None and self.memory.refreshed(name):  # another process has learned meanwhile
            found = self._cut(name, page, how)
        return found

    def _cut(self, name: str, page: _PageSource, how: _How[_Found]) -> _Found | None:
        memory = self.memory
        desk = memory.desk(name)
        site = desk.site
        if not site.templates or len(page.data) > _LARGEST:
            return None
        doubts: list[tuple[Template, Doubt]] = []
        for template in desk.valid:
            try:
                found = self._fitting(name, template, page, how)
                if found is None:
                    continue
                self._served += 1
                if self.audit_every and self._is_audited(name, template):
                    self._audit(name, template, found, page)
            except Doubt as doubt:
                doubts.append((template, doubt))
                continue
            memory.served(name, template, found.texts)
            return found
        for template, why in doubts:
            memory.doubted(name, template, str(why), late=not isinstance(why, OtherMake))
        return self._cut_by_retired(name, site.retired, page, how)

    def _cut_by_retired(
        self, name: str, retired: Sequence[Known], page: _PageSource, how: _How[_Found]
    ) -> _Found | None:
        """What a retired template cuts out: a site may have gone back to an old make of page."""
        for known in retired:
            template = known.template
            try:
                found = self._fitting(name, template, page, how)
                if found is None:
                    continue
                if self.audit_every:  # it was given up once
                    self._audit(name, template, found, page)
            except OtherMake:
                continue
            except Doubt as doubt:
                self.memory.doubted(name, template, str(doubt))
                continue
            self.memory.revived(name, template, page.url)
            self.memory.served(name, template, found.texts)
            return found
        return None

    def _fitting(self, name: str, template: Template, page: _PageSource, how: _How[_Found]) -> _Found | None:
        """What a template cuts out of a page; None if it is not tried.

        Raises:
            Doubt: it does not fit.
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
        """Return whether a page that a template has served is read the long way too, where some are."""
        return self._served % self.audit_every == 0 or self.memory.is_on_trial(name, template)

    def _audit(self, name: str, template: Template, found: Cutting | TextCutting, page: _PageSource) -> None:
        """Compare what rules cut out with what the long way gives.

        Raises:
            Doubt: it is another text.
        """
        agreed = is_borne_out(found, template, page.lesson)
        self.memory.audited(name, template, page.url, agreed=agreed)
        if not agreed:
            raise Doubt("an audit gave another text")

    def _learn_from(self, name: str, lesson: Lesson) -> Article:
        url = lesson.page.url or ""
        if not teaches(lesson):
            return lesson.article
        desk = self.memory.desk(name)
        desk.failed += 1
        wanted = max(desk.learn_at, self.learn_from)
        if desk.failed > wanted - self.learn_from:  # only pages that will be learned from are kept
            with self._lock:
                self._lessons[name, url] = lesson
                while len(self._lessons) > _LESSONS:
                    self._lessons.popitem(last=False)
            count = self.memory.keep(name, SitePage(url, lesson.data))
            if desk.failed >= wanted and count >= self.learn_from:
                self._learn_alone(name)
        return lesson.article

    def _learn_alone(self, name: str) -> None:
        """Learn a site, unless another thread is about it."""
        with self._lock:
            if name in self._learning:
                return
            self._learning.add(name)
        try:
            self.learn(name)
        finally:
            self._learning.discard(name)

    def learn(self, name: str, *, least: int = 2) -> list[Template]:
        """Learn the rules of a site from the pages that are kept for it; says which templates were learned."""
        pages = self.memory.storage.pages(name)
        made = [self._lessons.pop((name, page.url), None) or self._lesson(page) for page in pages]
        lessons = [lesson for lesson in made if lesson is not None][-2 * self.learn_from :]
        induced = induce(lessons, today=today(), by=name_of(self.teacher), least=least)
        templates = [template for template in induced if not self.memory.is_refuted(name, template)]
        desk = self.memory.desk(name)
        if templates:
            shown = "; ".join(str(rule) for rule in templates[0].of("main"))
            self.memory.learned(name, templates, f"{len(lessons)} pages, {len(templates)} templates; {shown}")
            self.memory.storage.drop_pages(name)
            desk.failed, desk.learn_at = 0, self.learn_from
        else:
            desk.learn_at = max(desk.failed, self.learn_from) * _BACK_OFF
            self.memory.tell(name, "not learned", f"no rule serves two of {len(lessons)} pages alike")
        return templates

    def _lesson(self, page: SitePage) -> Lesson | None:
        return Lesson.read(page.data, page.url, self.teacher)

    def close(self) -> None:
        """Write what was counted."""
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def teaches(lesson: Lesson) -> bool:
    """Return whether a page is surely enough an article to learn from."""
    article = lesson.article
    return (
        article.kind == "article"
        and (article.confidence is None or article.confidence >= _SURE)
        and lesson.total_chosen >= _FEWEST_WORDS
        and not article.marks
    )


def is_borne_out(found: Cutting | TextCutting, template: Template, lesson: Lesson) -> bool:
    """Return whether what rules cut out is what the long way gives, with or without what the site repeats; or better.

    A long way that gives all of it and more than any page of this make had has taken the rest of the page along: on
    every second site of ../shared/data/sites that was so on five of the six pages on which the two were unlike.
    """
    mine = Counter(words(found.text))
    for theirs in lesson.bags(template.noise):
        if (mine & theirs).total() >= SERVED * (mine.total() + theirs.total()) / 2:
            return True
    is_long = len(lesson.article.text) > CHARACTERS * template.expected.words[1]
    return is_long and (mine & lesson.bag).total() >= SERVED * mine.total()
