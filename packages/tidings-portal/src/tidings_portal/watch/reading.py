"""Extraction of fetched pages: extract, check against the teaser, complete with the source's metadata, store.

Runs in a worker process. Each page is decided separately. A page that a teaser linked to must match the teaser (LBNEST
II.C.2.ii). Behind a paywall the text of the feed is used. A paginated story asks for its next page, and one that is
empty without scripts for a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, TypeAlias

from tidings.article import Article, with_recordings
from tidings.article.model.article import Provenance
from tidings.errors import PageError, StoreDamaged
from tidings.fetch.agent import our_version
from tidings.fields.access import Mark
from tidings.page import Hints
from tidings.page.decode import decode
from tidings.sources import bears_out, canonical, key, shares_letter_pairs
from tidings.sources.addresses import is_home
from tidings.text import letter_pair_similarity
from tidings.urls import outlet_of, site_of
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.recipes.recipe import Recipe, Verification
from tidings_portal.recipes.recipe_reader import PROVENANCE, PageReading, RecipeReader
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Finished, NewArticle, RawPage, SavedArticle
from tidings_portal.store.records_of_work import PageTask, SeenLink, Source, SourceKind
from tidings_portal.watch import feed_text, teasers
from tidings_portal.watch.decide import next_teaser_try
from tidings_portal.watch.site_storage import LearnedShapes, StoredSites
from tidings_portal.watch.store_links import address_key

#: Marks of pages that show something else than the article.
_WALLS: Final = frozenset({Mark.CONSENT, Mark.LOGIN, Mark.ERROR, Mark.SHELL})
#: Kinds of pages that are no story; asked only where nothing but a front page or a sitemap speaks for the page, and the
#: page itself does not say when it was published.
_NO_STORY: Final = frozenset({"front", "listing", "collection", "product", "service"})
#: The mark of an article whose page is a list or an offer.
NO_STORY: Final = "no story"
_LISTS: Final = frozenset({"front", "listing", "collection", "product"})
_FEWEST_WORDS: Final = 30
#: The least similarity of the paths of one page with two URLs.
_ALIKE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched page of a task, ready for extraction; without a body, the reason why it was not fetched."""

    task: PageTask
    url: str
    body: bytes = b""
    content_type: str = ""
    is_cut: bool = False  # cut at the maximum size
    at: datetime | None = None
    trouble: str = ""  # why there is no page; the feed text replaces it
    teaser_reason: str = ""  # the reason for a teaser-only article
    retry_at: datetime | None = None  # time of a retry, if the failure may be temporary
    parts: tuple[Article, ...] = ()  # the pages before this one
    visited: tuple[str, ...] = ()  # and their URLs
    is_shown: bool = False  # a browser has run its scripts
    is_final: bool = False  # no further fetches


@dataclass(frozen=True, slots=True)
class PageRead:
    """A finished task, and what happened to its article when it was stored."""

    task: PageTask
    saved: SavedArticle
    title: str = ""
    reason: str = ""
    retry_at: datetime | None = None  # time of the next fetch


@dataclass(frozen=True, slots=True)
class Failed:
    """A task without an article: its page is fetched again at a time, or never again."""

    task: PageTask
    reason: str
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wants:
    """A page that needs another fetch: its next page, its single-page version, or itself in a browser."""

    page: Fetched
    address: str
    by_browser: bool = False


Read: TypeAlias = PageRead | Failed | Wants


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """What extraction of pages needs: store, default reader, recipes, learned URL shapes and settings."""

    store: Store
    reader: PageReading
    shapes: LearnedShapes
    recipes: RecipeCatalogue
    keep_pages: bool = True
    has_browser: bool = False
    most_pages: int = 10
    recipe: str = ""  # for sources without a recipe
    sources: dict[int, Source | None] = field(default_factory=dict)  # cached for the batch
    readers: dict[str, RecipeReader] = field(default_factory=dict)

    def source(self, number: int) -> Source | None:
        """Return a source; None if it was deleted."""
        if number not in self.sources:
            self.sources[number] = self.store.source(number)
        return self.sources[number]

    def kind(self, number: int) -> SourceKind | None:
        """Return the kind of a source; None if it was deleted."""
        source = self.source(number)
        return None if source is None else source.settings.kind

    def reader_for(self, task: PageTask) -> tuple[RecipeReader, str]:
        """Return the reader for a page, by the first recipe among its sources, and the problem of that recipe or ""."""
        recipes = (
            source.settings.recipe for number in task.link.sources if (source := self.source(number)) is not None
        )
        chosen = self.recipes.choose(next(filter(None, recipes), self.recipe))
        return self.reader_by(chosen.recipe), chosen.problem

    def reader_by(self, recipe: Recipe) -> RecipeReader:
        """Return the reader that extracts pages by a recipe."""
        reader = self.readers.get(recipe.name)
        if reader is None or reader.recipe != recipe:  # the recipe was changed
            if reader is not None:
                reader.close()
            rules = StoredSites(self.store, teacher=recipe.name)
            reader = self.readers[recipe.name] = RecipeReader(recipe, self.reader, rules)
        return reader

    def close(self) -> None:
        """Save the learned site rules and URL shapes."""
        self.shapes.write()
        for reader in self.readers.values():
            reader.close()


def read_pages(means: ReadingTools, pages: Sequence[Fetched]) -> list[Read]:
    """Extract pages and store their articles in one transaction; return the results in order."""
    means.sources.clear()
    outcomes = [_read(means, page) for page in pages]
    finished = [result for result in outcomes if isinstance(result, Finished)]
    saved = iter(means.store.finish(finished) if finished else ())
    results: list[Read] = []
    for result in outcomes:
        if isinstance(result, Finished):
            title = "" if result.found is None else result.found.article.title
            results.append(PageRead(result.task, next(saved), title, result.reason, result.retry_at))
        elif isinstance(result, Failed):
            means.store.fail(result.task, result.reason, result.retry_at)
            results.append(result)
        else:
            results.append(result)
    return results


def identity_of(task: PageTask) -> str:
    """Return the key under which the feed text of a task's article is stored."""
    keys = task.link.seen.keys
    return next((name for name in keys if name == address_key(task.link.seen.address)), keys[0] if keys else "")


def _read(means: ReadingTools, page: Fetched) -> Finished | Failed | Wants:
    visited = (*page.visited, page.url)
    if page.trouble:
        # Without a single-page version: its pages one by one.
        more = further_page(page.parts, visited, means.most_pages) if page.parts and not page.is_final else ""
        if more:
            return Wants(replace(page, visited=visited, trouble=""), more)
        return _instead(means, page, None, page.trouble, page.teaser_reason or teasers.FAILED)
    reader, problem = means.reader_for(page.task)
    try:
        article = reader.extract(_as_sent(page), page.url, hints_of(page.task.link.seen, _is_from_page(means, page)))
    except PageError as error:
        return _instead(means, page, None, str(error), teasers.FAILED)
    if problem:
        provenance = {**article.provenance, PROVENANCE: f"{reader.recipe.name}, for {problem}"}
        article = replace(article, provenance=Provenance(provenance))
    if page.is_cut:
        article = replace(article, marks=tuple(sorted({*article.marks, Mark.TRUNCATED})))
    parts = (*page.parts, article)
    next_fetch = None if page.is_final else _next_fetch(means, page, parts, visited)
    return next_fetch or _judged(means, page, _whole(parts), visited, reader.recipe.verify)


def hints_of(link: SeenLink, is_from_page: bool) -> Hints:
    """Return the hints that a source gives for a page: the words of a feed, or a link and its teaser."""
    title, summary = link.title or None, link.summary or None
    return Hints(anchor=title, teaser=summary) if is_from_page else Hints(title=title, description=summary)


def _is_from_page(means: ReadingTools, page: Fetched) -> bool:
    kinds = {means.kind(number) for number in page.task.link.sources}
    return SourceKind.FEED not in kinds and SourceKind.SITEMAP not in kinds


def _as_sent(page: Fetched) -> bytes | str:
    """Return the page decoded by the charset of its header, or as bytes if they are UTF-8."""
    charset = page.content_type.lower().partition("charset=")[2].strip("\"' ")
    if not charset or charset.startswith("utf"):
        return page.body
    return decode(page.body, page.content_type).text


def _next_fetch(
    means: ReadingTools, page: Fetched, parts: tuple[Article, ...], visited: tuple[str, ...]
) -> Wants | None:
    """Return the next fetch that a page needs: a browser, its single-page version, or its next page."""
    article = parts[-1]
    if Mark.SHELL in article.marks and means.has_browser and not page.is_shown:
        return Wants(page, page.url, by_browser=True)
    address = "" if page.parts else whole_page(article, visited)
    address = address or further_page(parts, visited, means.most_pages)
    return Wants(replace(page, visited=visited, parts=parts), address) if address else None


def _judged(
    means: ReadingTools, page: Fetched, article: Article, visited: tuple[str, ...], verify: Verification
) -> Finished | Failed:
    """Return the article of a task, or the reason why it has none."""
    task = page.task
    if _WALLS & set(article.marks) or not any(block.words for block in article.blocks):
        wall = next((mark for mark in article.marks if mark in _WALLS), "")
        if not wall:
            return _instead(means, page, article, "there is no text on the page", teasers.EMPTY)
        return _instead(means, page, article, f"the page shows a {wall} instead of a story", teasers.WALL)
    if _leads_elsewhere(means, page, article):
        return _instead(means, page, article, "the link leads to another page than the item's", teasers.WALL)
    if {Mark.PAYWALL, Mark.TRUNCATED} & set(article.marks):
        article = _longer(means, page, article)
    reason = _no_story(means, task, article, verify)
    means.shapes.learn(canonical(page.url) or page.url, not reason)
    if reason:
        return Finished(task, None, reason)
    return Finished(task, _new(means, page, _marked(_filled(article, task), article), visited))


def _marked(filled: Article, read: Article) -> Article:
    """Return the article of a feed item, with a mark if its page shows a list and no article. Feed items are always
    stored.
    """
    if read.kind in _LISTS and read.published is None:
        return replace(filled, marks=tuple(sorted({*filled.marks, NO_STORY})))
    return filled


def _whole(parts: Sequence[Article]) -> Article:
    """Return the joined article of a paginated story, or that of its last page if it repeats all of the text."""
    last = parts[-1]
    if len(parts) > 1 and len(last.words) >= sum(len(part.words) for part in parts[:-1]) and not last.next_page:
        first_words = set(parts[0].words)
        if first_words and len(first_words & set(last.words)) >= 0.9 * len(first_words):
            return last
    return joined_article(parts)


def _no_story(means: ReadingTools, task: PageTask, article: Article, verify: Verification) -> str:
    """Return why a page has no article; "" if it has one."""
    link = task.link.seen
    kinds = {kind for number in task.link.sources if (kind := means.kind(number)) is not None}
    if SourceKind.FEED in kinds:
        return ""
    if link.to_verify and verify is not Verification.NONE:
        text = f"{article.title}\n{article.summary}\n{article.text}"
        compared = shares_letter_pairs if verify is Verification.LETTER_PAIRS else bears_out
        if not compared(link.summary, text, article.language):
            return "the page does not bear out the teaser that led to it"
    is_news = link.published is not None and link.title and kinds == {SourceKind.SITEMAP}  # a news sitemap
    if is_news or task.link.article is not None:
        return ""
    if article.kind in _NO_STORY and article.published is None:
        return f"the page is no story but a {article.kind}"
    if len(article.words) < _FEWEST_WORDS:
        return f"the page has {len(article.words)} words of text only"
    return ""


def _leads_elsewhere(means: ReadingTools, page: Fetched, article: Article) -> bool:
    """Return whether a feed item was redirected to an unrelated page: a wall, an offer, a home page."""
    link = page.task.link.seen
    declared_url, final_url = canonical(link.address) or link.address, canonical(page.url) or page.url
    if key(declared_url) == key(final_url) or _is_similar_url(declared_url, final_url) or not link.title:
        return False
    if not teasers.is_feed_item(means.store, page.task.link):
        return False
    text = f"{article.title}\n{article.summary}\n{article.text}"
    if letter_pair_similarity(link.title, article.title) >= _ALIKE:
        return False
    return not bears_out(f"{link.title} {link.summary}", text, article.language)


def _instead(
    means: ReadingTools, page: Fetched, article: Article | None, reason: str, teaser_reason: str
) -> Finished | Failed:
    """Return what the feed has for a page without an article: its text, or its title and teaser with the reason.

    A complete article that is stored already is not replaced by less.
    """
    task, at = page.task, page.at or page.task.deadline
    if page.parts:  # earlier pages exist
        return Finished(task, _new(means, page, _filled(joined_article(page.parts), task), page.visited))
    if article is not None:
        means.shapes.learn(canonical(page.url) or page.url, False)
    if task.link.article is not None and not _is_by_feed(means, task.link.article):
        return Failed(task, reason, page.retry_at)
    feed_article = feed_text.find(means.store, identity_of(task), task.link.seen.address)
    if feed_article is not None:
        feed_article = _with_files(means, task, feed_article)
        new = NewArticle(feed_article, at, "feed", None, (), task.link.seen.category)
        return Finished(task, new, reason if page.retry_at else "", page.retry_at)
    if not teasers.is_feed_item(means.store, task.link):
        return Failed(task, reason, page.retry_at)
    new = teasers.new_teaser(task.link.seen, teaser_reason, at)
    new = replace(new, article=_with_files(means, task, new.article), keys=())
    return Finished(task, new, reason, page.retry_at or next_teaser_try(task.attempts, at))


def _is_by_feed(means: ReadingTools, article: int) -> bool:
    """Return whether the current version of an article comes from the text of its feed, not from its page."""
    try:
        stored = means.store.article(article)
    except StoreDamaged:
        return True
    return stored is None or stored.maker == "feed"


def _longer(means: ReadingTools, page: Fetched, article: Article) -> Article:
    """Return the article with the text of the feed, if the page shows only a part and the feed has more."""
    feed_article = feed_text.find(means.store, identity_of(page.task), page.url)
    if feed_article is None or len(feed_article.words) <= len(article.words):
        return article
    provenance = {**article.provenance, "body": "feed"}
    return replace(article, blocks=feed_article.blocks, images=feed_article.images, marks=(), provenance=provenance)


def _filled(article: Article, task: PageTask) -> Article:
    """Return the article with missing fields from the metadata of the source."""
    link = task.link.seen
    values: dict[str, object] = {}
    if not article.title and link.title:
        values["title"] = link.title
    if article.published is None and link.published is not None:
        values["published"] = link.published
    if not article.authors and link.author:
        values["authors"] = tuple(link.author.split(", "))
    if not article.summary and link.summary and not link.to_verify:
        values["summary"] = link.summary
    if not values:
        return article
    provenance = {**article.provenance, **dict.fromkeys(values, "source")}
    return replace(article, **values, provenance=provenance)  # type: ignore[arg-type]  # fields by name, each of its type


def _new(means: ReadingTools, page: Fetched, article: Article, visited: Sequence[str]) -> NewArticle:
    at = page.at or page.task.deadline
    # An article of several pages cannot be reread from a single one.
    is_kept = means.keep_pages and page.body and len(visited) == 1
    raw = RawPage(page.url, page.body, at, page.content_type) if is_kept else None
    maker = f"tidings {our_version()}: {article.provenance.get('body', '')}"
    article = _with_files(means, page.task, article)
    return NewArticle(article, at, maker, raw, _keys(article, visited), page.task.link.seen.category)


def _with_files(means: ReadingTools, task: PageTask, article: Article) -> Article:
    """Return the article with the media files of its feed entry."""
    return with_recordings(article, feed_text.embeds(means.store.enclosures(link=task.link.id)))


def _keys(article: Article, visited: Sequence[str]) -> tuple[str, ...]:
    """Return further keys of an article: redirect target, its other pages, and the canonical URL that it declares.

    A canonical URL counts only if it is similar to the URL of the page. Some sites declare one URL for all pages, and
    would lose all but one of them.
    """
    urls = [url for url in visited if not is_home(canonical(url) or url)]
    own = canonical(article.canonical)
    first_url = canonical(visited[0]) or visited[0]
    if own and outlet_of(own) == outlet_of(first_url) and not is_home(own) and _is_similar_url(own, first_url):
        urls.append(own)
    return tuple(dict.fromkeys(filter(None, map(address_key, urls))))


def _is_similar_url(first: str, second: str) -> bool:
    names = [address.partition("?")[0].rstrip("/").rpartition("/")[2] for address in (first, second)]
    return names[0] == names[1] or letter_pair_similarity(*names) >= _ALIKE


def joined_article(parts: Sequence[Article]) -> Article:
    """Return the article of all pages. Fields are those of the first page; repeated blocks are left out."""
    first = parts[0]
    if len(parts) == 1:
        return first
    texts = {block.text for block in first.blocks if block.text}
    blocks = list(first.blocks)
    images = list(first.images)
    comments = list(first.comments)
    for part in parts[1:]:
        for block in part.blocks:
            if not block.text or block.text not in texts:
                blocks.append(block)
            if block.text:
                texts.add(block.text)
        images += [image for image in part.images if image not in images]
        comments += [comment for comment in part.comments if comment not in comments]
    return replace(
        first,
        blocks=tuple(blocks),
        images=tuple(images),
        comments=tuple(comments),
        next_page="",
        provenance={**first.provenance, "pages": str(len(parts))},
    )


def further_page(parts: Sequence[Article], visited: Sequence[str], most: int) -> str:
    """Return the URL of an article's next page; "" after the last page, after `most` pages, or if it is on another
    site.
    """
    address = canonical(parts[-1].next_page)
    if address is None or len(parts) >= most or site_of(address) != site_of(visited[0]):
        return ""
    return "" if key(address) in {key(canonical(url) or url) for url in visited} else address


def whole_page(article: Article, visited: Sequence[str]) -> str:
    """Return the URL of the single-page version, if it is another page of the same site."""
    address = canonical(article.single_page)
    if address is None or not article.next_page or site_of(address) != site_of(visited[0]):
        return ""
    return "" if key(address) in {key(canonical(url) or url) for url in visited} else address
