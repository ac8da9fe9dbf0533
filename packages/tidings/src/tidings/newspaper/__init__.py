"""The sample newspaper: made-up outlets with pages, feeds and ground truth, for demonstrations and tests.

Every page comes with what a perfect reader would take out of it. No network is needed, and nothing here was
written by anybody else. The files are made by `newspaper/build.py`; nothing is read before you ask.

    >>> from tidings import newspaper
    >>> page = next(newspaper.pages("gazette", page_type="article"))
    >>> page.gold["title"]
    'After 38 years, grey seals are breeding in the Anselm estuary again'
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

__all__ = ["SamplePage", "SampleSource", "outlets", "pages", "path", "sources"]


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A page of the sample newspaper with its ground truth.

    For an article, `gold` has title, authors, date, published, modified, text, paragraphs, headings, lists, tables,
    captions and pictures; for a front page (`page_type == "front"`) title and links.
    """

    id: str
    outlet: str
    url: str
    lang: str
    page_type: str  # article, live, gallery, list, column, teaser, encyclopaedia or front
    html_file: str  # under path()
    charset: str  # as the page declares it
    codec: str  # the Python codec that reads it as a browser would
    event: str | None  # pages of several outlets about one event share this word
    redesign: str | None  # "old" or "new" where the outlet changed its templates
    traps: Sequence[str]  # what was put around the story
    noise: Mapping[str, Sequence[str]]  # for each trap, words on the page that are not the story
    gold: Mapping[str, Any]

    @property
    def html(self) -> bytes:
        """Return the bytes of the page in its declared encoding, as a server would send them."""
        return path().joinpath(self.html_file).read_bytes()


@dataclass(frozen=True, slots=True)
class SampleSource:
    """A feed, sitemap or OPML file of the sample newspaper."""

    outlet: str | None
    lang: str | None
    url: str
    kind: str  # rss, rss-wordpress, atom, rdf, json, sitemap or opml
    file: str  # under path()
    media_type: str

    @property
    def content(self) -> bytes:
        """Return the bytes of the file, as a server would send them."""
        return path().joinpath(self.file).read_bytes()


def path() -> Path:
    """Return the folder of the newspaper: `html/`, `feeds/`, `pictures/`, `pages.jsonl`, `sources.jsonl`."""
    return Path(str(files(__name__)))


def pages(outlet: str | None = None, *, lang: str | None = None, page_type: str | None = None) -> Iterator[SamplePage]:
    """Yield every page, front pages included, or those of an outlet, language or type."""
    wanted = {"outlet": outlet, "lang": lang, "page_type": page_type}
    for record in _records("pages.jsonl"):
        if all(value in (None, record[name]) for name, value in wanted.items()):
            yield SamplePage(**record)


def sources() -> Iterator[SampleSource]:
    """Yield every feed, the news sitemap and the list of feeds."""
    for record in _records("sources.jsonl"):
        yield SampleSource(**record)


def outlets() -> tuple[str, ...]:
    """Return the names of the outlets, in the order of their pages."""
    return tuple(dict.fromkeys(page.outlet for page in pages()))


def _records(name: str) -> Iterator[dict[str, Any]]:
    with path().joinpath(name).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
