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
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tidings import extractors
from tidings.article import Article
from tidings.fields.addresses import host_of
from tidings.sites.cut import Cutting, Doubt, cut
from tidings.sites.induce import SERVED, induce, likeness
from tidings.sites.lesson import Lesson
from tidings.sites.memory import SiteMemory
from tidings.sites.rule import Template, fits
from tidings.sites.shelf import Kept
from tidings.sites.site import today

#: A page less surely an article teaches nothing; nor does one that is shorter.
_SURE: Final = 0.5
_FEWEST_WORDS: Final = 40
#: Lessons held in memory, so that learning need not read the pages again; those of the sites read last.
_LESSONS: Final = 24
#: When pages cannot be learned, the next try is after so many times more of them.
_BACK_OFF: Final = 4
_LARGEST: Final = 16 * 1024 * 1024


class Reader:
    """Reads pages, and learns every site as it reads it.

    Args:
        sites: a file to keep what is learned in, or a `SiteMemory`; in memory only if None.
        learn_from: how many pages of a site rules are learned from.
        audit_every: of so many pages that rules have served, one is also read the long way and compared; 0 for none.
    """

    def __init__(
        self, sites: SiteMemory | Path | str | None = None, *, learn_from: int = 5, audit_every: int = 500
    ) -> None:
        self.memory = sites if isinstance(sites, SiteMemory) else SiteMemory(sites)
        self.learn_from = learn_from
        self.audit_every = audit_every
        self._served = 0
        self._lessons: OrderedDict[tuple[str, str], Lesson] = OrderedDict()
        self._lock = threading.Lock()
        self._learning: set[str] = set()

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        """The article on a page.

        Args:
            data: the page as bytes (the encoding is found out) or as a str.
            url: where it came from; tells the site.

        Raises:
            PageError: the input is empty, too large, or no HTML at all.
        """
        name = site_of(url)
        if not name:
            return Lesson.read(data, url, extractors.extractor(extractors.DEFAULT)).article
        return self.cut(data, url or "") or self._read_and_learn(name, data, url or "")

    def cut(self, data: bytes | str, url: str) -> Article | None:
        """The article that the rules of the page's site cut out; None if they do not fit."""
        name = site_of(url)
        found = self._cut(name, data, url)
        if found is None and self.memory.refreshed(name):  # another process has learned meanwhile
            found = self._cut(name, data, url)
        return found

    def _cut(self, name: str, data: bytes | str, url: str) -> Article | None:
        known = self.memory.desk(name).site.valid
        if not known or len(data) > _LARGEST:
            return None
        raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
        doubts: list[tuple[Template, str]] = []
        for one in known:
            template = one.template
            if template.pattern and not fits(template.pattern, url):
                continue
            if self.memory.is_tired(name, template):
                continue
            if isinstance(data, str) and template.encoding != "utf-8":
                template = _in_utf8(template)
            try:
                found = cut(template, raw, url)
            except Doubt as doubt:
                doubts.append((one.template, str(doubt)))
                continue
            self._served += 1
            if self.audit_every and self._served % self.audit_every == 0 and not self._is_borne_out(found, data, url):
                self.memory.tell(name, "audit failed", f"{template.name} on {url}")
                doubts.append((one.template, "an audit gave another text"))
                continue
            self.memory.served(name, one.template, found)
            return found.article
        for template, why in doubts:
            self.memory.doubted(name, template, why)
        return None

    def _is_borne_out(self, found: Cutting, data: bytes | str, url: str) -> bool:
        """Whether the long way gives about the same text."""
        lesson = Lesson.read(data, url, extractors.extractor(extractors.DEFAULT))
        return likeness(found.article.text, lesson.article.text) >= SERVED / 2

    def _read_and_learn(self, name: str, data: bytes | str, url: str) -> Article:
        lesson = Lesson.read(data, url, extractors.extractor(extractors.DEFAULT))
        if not _teaches(lesson):
            return lesson.article
        desk = self.memory.desk(name)
        desk.failed += 1
        wanted = max(desk.learn_at, self.learn_from)
        if desk.failed > wanted - self.learn_from:  # only pages that will be learned from are kept
            with self._lock:
                self._lessons[name, url] = lesson
                while len(self._lessons) > _LESSONS:
                    self._lessons.popitem(last=False)
            count = self.memory.keep(name, Kept(url, lesson.data))
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
        pages = self.memory.shelf.pages(name)
        made = [self._lessons.pop((name, page.url), None) or self._lesson(page) for page in pages]
        lessons = [lesson for lesson in made if lesson is not None][-2 * self.learn_from :]
        templates = induce(lessons, today=today(), by=extractors.DEFAULT, least=least)
        desk = self.memory.desk(name)
        if templates:
            shown = "; ".join(str(rule) for rule in templates[0].of("main"))
            self.memory.learned(name, templates, f"{len(lessons)} pages, {len(templates)} templates; {shown}")
            self.memory.shelf.drop_pages(name)
            desk.failed, desk.learn_at = 0, self.learn_from
        else:
            desk.learn_at = max(desk.failed, self.learn_from) * _BACK_OFF
            self.memory.tell(name, "not learned", f"no rule serves two of {len(lessons)} pages alike")
        return templates

    def _lesson(self, page: Kept) -> Lesson | None:
        return Lesson.read(page.data, page.url, extractors.extractor(extractors.DEFAULT))

    def close(self) -> None:
        """Write what was counted."""
        self.memory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def site_of(url: str | None) -> str:
    """The site that an address belongs to: its host without `www.`; empty if there is none."""
    return host_of(url or "")


def _teaches(lesson: Lesson) -> bool:
    """Whether a page is surely enough an article to learn from."""
    article = lesson.article
    return (
        article.kind == "article"
        and (article.confidence is None or article.confidence >= _SURE)
        and lesson.total_chosen >= _FEWEST_WORDS
        and not article.marks
    )


def _in_utf8(template: Template) -> Template:
    return replace(template, encoding="utf-8")
