"""What the tools answer with: frozen records of plain values, from which the library makes schemas.

Text comes from strangers: it holds no control character and no half of one, so that every client can read it.
(No slots: the library takes their descriptors for defaults that no schema can show.)
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from tidings.article import Article, Options, render
from tidings.article.characters import legal
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Extractor
from tidings.news.feeds.outgoing import line
from tidings.news.store.records_of_articles import ArticleHeadline, Hit, KeptArticle, Story

#: How much of an article one answer holds, if nothing else is asked for, and at most: about 5,000 and 25,000 words.
USUAL: Final = 30_000
MOST: Final = 150_000
#: Of a list that a page wrote, as its tags, so many.
_FEW: Final = 50
_SHOWN: Final = Options(images=True)


@dataclass(frozen=True)
class ReadArticle:
    """An article: what the page tells of it, and its text or a part of it as Markdown."""

    title: str
    address: str
    site: str
    authors: list[str]
    published: str | None
    modified: str | None
    language: str
    direction: str
    summary: str
    section: str
    tags: list[str]
    image: str | None
    kind: str
    marks: list[str]  # what stands between a reader and the story: "paywall", "login" …
    confidence: float | None
    made_by: str
    markdown: str
    start: int  # the place in the whole Markdown where this part begins
    characters: int  # of the whole Markdown
    next_start: int | None  # ask again with this for the part behind; None: there is none
    number: int | None = None  # in the store
    version: int | None = None
    story: int | None = None


@dataclass(frozen=True)
class ListedArticle:
    """An article in a list."""

    number: int
    title: str
    address: str
    site: str
    time: str
    language: str
    authors: list[str]
    category: str
    words: int
    story: int | None
    text: str  # the summary, or the places that a search found


@dataclass(frozen=True)
class FoundArticles:
    """A page of what a search found."""

    articles: list[ListedArticle]
    found: int
    or_more: bool  # counting stopped there
    after: str | None  # ask again with this for the next ones


@dataclass(frozen=True)
class ListedStory:
    """A story: articles about one event."""

    number: int
    title: str
    summary: str
    language: str
    category: str
    first: str
    last: str
    articles: int
    sites: int


@dataclass(frozen=True)
class ListedStories:
    """A page of stories."""

    stories: list[ListedStory]
    after: str | None


@dataclass(frozen=True)
class StoryArticles:
    """A story and its articles, the latest first."""

    story: ListedStory
    articles: list[ListedArticle]
    after: str | None


def from_page(article: Article, extractor: Extractor, start: int, most: int) -> ReadArticle:
    """The answer for an article that was just read."""
    return _article(article, name_of(extractor), start, most)


def from_store(kept: KeptArticle, start: int, most: int) -> ReadArticle:
    """The answer for an article of the store."""
    told = kept.headline
    return _article(
        kept.article, kept.maker, start, most, address=told.address, number=told.id, version=kept.version, told=told
    )


def _article(
    article: Article,
    maker: str,
    start: int,
    most: int,
    *,
    address: str = "",
    number: int | None = None,
    version: int | None = None,
    told: ArticleHeadline | None = None,
) -> ReadArticle:
    whole = legal(render(article, "markdown", _SHOWN))
    end = _end(whole, start, most)
    return ReadArticle(
        title=line(article.title),
        address=line(address or article.canonical or article.url),
        site=line(article.site or (told.site if told else "")),
        authors=_lines(article.authors),
        published=_when(article.published_told),
        modified=_when(article.modified_told),
        language=line(article.language),
        direction=article.direction,
        summary=line(article.summary),
        section=line(article.section),
        tags=_lines(article.tags),
        image=line(article.image.src) if article.image else None,
        kind=line(article.kind),
        marks=_lines(article.marks),
        confidence=article.confidence,
        made_by=line(maker),
        markdown=whole[start:end],
        start=start,
        characters=len(whole),
        next_start=end if end < len(whole) else None,
        number=number,
        version=version,
        story=told.story if told else None,
    )


def _end(whole: str, start: int, most: int) -> int:
    """Where a part ends: between two blocks if the last third of it has such a place."""
    end = min(start + most, len(whole))
    if end < len(whole):
        gap = whole.rfind("\n\n", start + most * 2 // 3, end)
        end = gap + 2 if gap >= 0 else end
    return end


def listed(told: ArticleHeadline, text: str = "") -> ListedArticle:
    """An article in a list."""
    return ListedArticle(
        number=told.id,
        title=line(told.title),
        address=line(told.address),
        site=line(told.site),
        time=told.time.isoformat(),
        language=line(told.language),
        authors=_lines(told.authors),
        category=line(told.category),
        words=told.words,
        story=told.story,
        text=line(text or told.summary)[:500],
    )


def hit(found: Hit) -> ListedArticle:
    """An article that a search found."""
    return listed(found.headline, found.text.text)


def story(told: Story) -> ListedStory:
    """A story in a list."""
    return ListedStory(
        number=told.id,
        title=line(told.title),
        summary=line(told.summary)[:1000],
        language=line(told.language),
        category=line(told.category),
        first=told.first.isoformat(),
        last=told.last.isoformat(),
        articles=told.size,
        sites=told.sites,
    )


def _lines(told: tuple[str, ...]) -> list[str]:
    return [one for one in (line(text)[:300] for text in told[:_FEW]) if one]


def _when(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat()


def article_text(told: ReadArticle) -> str:
    """An article: a head of what is known of it, a line, its text."""
    head = {
        "title": told.title,
        "address": told.address,
        "site": told.site,
        "authors": ", ".join(told.authors),
        "published": told.published,
        "modified": told.modified,
        "language": told.language,
        "section": told.section,
        "kind": told.kind,
        "behind": ", ".join(told.marks),
        "number": told.number,
        "story": told.story,
    }
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    if told.start >= told.characters:
        body = "(There is no text here.)" if told.characters else "(There is no article on this page.)"
    else:
        body = told.markdown
    return "\n".join(lines) + "\n\n---\n\n" + body + _rest(told)


def _rest(told: ReadArticle) -> str:
    if told.next_start is None:
        return ""
    return f"\n\n---\n\n({told.next_start:,} of {told.characters:,} characters; ask again with start={told.next_start})"


def found_text(told: FoundArticles) -> str:
    """What a search found."""
    several = f"{told.found:,}" + (" or more" if told.or_more else "")
    return "\n\n".join([f"{several} found", *map(_listed, told.articles), *_more(told.after)])


def stories_text(told: ListedStories) -> str:
    """A list of stories."""
    return "\n\n".join([*map(_story, told.stories), *_more(told.after)] or ["There are no such stories."])


def story_text(told: StoryArticles) -> str:
    """A story and its articles."""
    return "\n\n".join([_story(told.story), *map(_listed, told.articles), *_more(told.after)])


def _listed(one: ListedArticle) -> str:
    about = [one.time[:10], one.site, ", ".join(one.authors), one.category]
    if one.story is not None:
        about.append(f"story {one.story}")
    lines = [f"article {one.number}: {one.title}", " · ".join(filter(None, about)), one.address, one.text]
    return "\n".join(filter(None, lines))


def _story(one: ListedStory) -> str:
    days = " to ".join(dict.fromkeys((one.first[:10], one.last[:10])))
    about = [days, f"{one.articles} articles of {one.sites} sites", one.category]
    return "\n".join(filter(None, [f"story {one.number}: {one.title}", " · ".join(filter(None, about)), one.summary]))


def _more(after: str | None) -> list[str]:
    return [f"(There is more: ask again with after={after!r})"] if after is not None else []
