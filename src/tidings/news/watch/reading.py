"""Pages that were fetched become articles in the store: read, verified, filled in from what the source told, kept.

Runs in a worker process. What stands in the way is decided here, page by page: a page that a teaser led to must bear
the teaser out (LBNEST II.C.2.ii); where a wall stands before the story, the text of the feed is taken; a story that
goes on asks for its next page, and one that is empty without scripts for a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, TypeAlias

from tidings.article import Article, with_recordings
from tidings.article.model import Provenance
from tidings.errors import PageError, StoreDamaged
from tidings.fetch.robots import our_version
from tidings.fields.access import Mark
from tidings.news.recipes.catalogue import RecipeCatalogue
from tidings.news.recipes.recipe import Recipe, Verification
from tidings.news.recipes.recipe_reader import PROVENANCE, PageReading, RecipeReader
from tidings.news.store import Store
from tidings.news.store.records_of_articles import Finished, NewArticle, RawPage, SavedArticle
from tidings.news.store.records_of_work import PageTask, SeenLink, Source, SourceKind
from tidings.news.watch import feed_text, teasers
from tidings.news.watch.decide import next_teaser_try
from tidings.news.watch.site_storage import LearnedShapes, StoredSites
from tidings.news.watch.store_links import address_key
from tidings.page import Hints
from tidings.page.decode import decode
from tidings.sources import bears_out, canonical, key, shares_letter_pairs
from tidings.sources.addresses import is_home
from tidings.text import letter_pair_similarity
from tidings.urls import outlet_of, site_of

#: What a page shows instead of a story.
_WALLS: Final = frozenset({Mark.CONSENT, Mark.LOGIN, Mark.ERROR, Mark.SHELL})
#: Kinds of pages that are no story; asked only where nothing but a front page or a sitemap speaks for the page, and the
#: page itself does not say when it was published.
_NO_STORY: Final = frozenset({"listing", "collection", "product", "service"})
#: The mark of an article whose page is one of lists or offers.
NO_STORY: Final = "no story"
_LISTS: Final = frozenset({"listing", "collection", "product"})
_FEWEST_WORDS: Final = 30
#: How alike the names of two pages are that are one page under two addresses.
_ALIKE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page to read, for a task; without a body, why it could not be had."""

    task: PageTask
    url: str
    body: bytes = b""
    content_type: str = ""
    is_cut: bool = False  # there was more of it than a page may have
    at: datetime | None = None
    trouble: str = ""  # why there is no page; what the feed has of it is taken instead
    teaser_reason: str = ""  # the same as the reason of a teaser-only article
    retry_at: datetime | None = None  # when it is fetched again anyway: the failure may pass
    parts: tuple[Article, ...] = ()  # the pages before this one
    seen: tuple[str, ...] = ()  # and their addresses
    is_shown: bool = False  # a browser has run its scripts
    is_final: bool = False  # nothing more can be had for it


@dataclass(frozen=True, slots=True)
class PageRead:
    """A task that is done: what became of its article."""

    task: PageTask
    saved: SavedArticle
    title: str = ""
    reason: str = ""
    retry_at: datetime | None = None  # when its page is fetched again


@dataclass(frozen=True, slots=True)
class Failed:
    """A task without an article: its page is fetched again at a time, or never."""

    task: PageTask
    reason: str
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Wants:
    """A page that something else has to be fetched for: its next page, all of it on one, or itself by a browser."""

    page: Fetched
    address: str
    by_browser: bool = False


Read: TypeAlias = PageRead | Failed | Wants


@dataclass(frozen=True, slots=True)
class ReadingTools:
    """What pages are read with."""

    store: Store
    reader: PageReading
    shapes: LearnedShapes
    recipes: RecipeCatalogue
    keep_pages: bool = True
    has_browser: bool = False
    most_pages: int = 10
    recipe: str = ""  # of pages whose sources name none
    sources: dict[int, Source | None] = field(default_factory=dict)  # as they were when the batch began
    readers: dict[str, RecipeReader] = field(default_factory=dict)

    def source(self, number: int) -> Source | None:
        """A source; None if it has been removed."""
        if number not in self.sources:
            self.sources[number] = self.store.source(number)
        return self.sources[number]

    def kind(self, number: int) -> SourceKind | None:
        """What a source is; None if it has been removed."""
        found = self.source(number)
        return None if found is None else found.told.kind

    def reader_for(self, task: PageTask) -> tuple[RecipeReader, str]:
        """Who reads a page: by the recipe of the first of its sources that names one; why not, where that is amiss."""
        told = (found.told.recipe for number in task.link.sources if (found := self.source(number)) is not None)
        chosen = self.recipes.choose(next(filter(None, told), self.recipe))
        return self.reader_by(chosen.recipe), chosen.problem

    def reader_by(self, recipe: Recipe) -> RecipeReader:
        """Who reads by a recipe."""
        known = self.readers.get(recipe.name)
        if known is None or known.recipe != recipe:  # somebody has changed it
            if known is not None:
                known.close()
            rules = StoredSites(self.store, teacher=recipe.name)
            known = self.readers[recipe.name] = RecipeReader(recipe, self.reader, rules)
        return known

    def close(self) -> None:
        """Write what was learned."""
        self.shapes.write()
        for one in self.readers.values():
            one.close()


def read_pages(means: ReadingTools, pages: Sequence[Fetched]) -> list[Read]:
    """Read pages and keep their articles, all in one step; what became of each, in order."""
    means.sources.clear()
    made = [_read(means, page) for page in pages]
    finished = [one for one in made if isinstance(one, Finished)]
    saved = iter(means.store.finish(finished) if finished else ())
    results: list[Read] = []
    for one in made:
        if isinstance(one, Finished):
            title = "" if one.found is None else one.found.article.title
            results.append(PageRead(one.task, next(saved), title, one.reason, one.retry_at))
        elif isinstance(one, Failed):
            means.store.fail(one.task, one.reason, one.retry_at)
            results.append(one)
        else:
            results.append(one)
    return results


def identity_of(task: PageTask) -> str:
    """The key by which the text of a feed was kept."""
    known = task.link.seen.keys
    return next((name for name in known if name == address_key(task.link.seen.address)), known[0] if known else "")


def _read(means: ReadingTools, page: Fetched) -> Finished | Failed | Wants:
    seen = (*page.seen, page.url)
    if page.trouble:
        # Where all of it on one page could not be had: its pages one by one.
        more = further_page(page.parts, seen, means.most_pages) if page.parts and not page.is_final else ""
        if more:
            return Wants(replace(page, seen=seen, trouble=""), more)
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
    wanted = None if page.is_final else _wanted(means, page, parts, seen)
    return wanted or _judged(means, page, _whole(parts), seen, reader.recipe.verify)


def hints_of(seen: SeenLink, is_from_page: bool) -> Hints:
    """What the source told of a page, as whoever reads it wants to know: a feed's words, or a link and its teaser."""
    title, summary = seen.title or None, seen.summary or None
    return Hints(anchor=title, teaser=summary) if is_from_page else Hints(title=title, description=summary)


def _is_from_page(means: ReadingTools, page: Fetched) -> bool:
    kinds = {means.kind(number) for number in page.task.link.sources}
    return SourceKind.FEED not in kinds and SourceKind.SITEMAP not in kinds


def _as_sent(page: Fetched) -> bytes | str:
    """The page in the charset that its header names; as bytes where those tell by themselves, being UTF-8."""
    charset = page.content_type.lower().partition("charset=")[2].strip("\"' ")
    if not charset or charset.startswith("utf"):
        return page.body
    return decode(page.body, page.content_type).text


def _wanted(means: ReadingTools, page: Fetched, parts: tuple[Article, ...], seen: tuple[str, ...]) -> Wants | None:
    """What else is needed before a page can be read: a browser, all of the story on one page, or its next page."""
    article = parts[-1]
    if Mark.SHELL in article.marks and means.has_browser and not page.is_shown:
        return Wants(page, page.url, by_browser=True)
    address = "" if page.parts else whole_page(article, seen)
    address = address or further_page(parts, seen, means.most_pages)
    return Wants(replace(page, seen=seen, parts=parts), address) if address else None


def _judged(
    means: ReadingTools, page: Fetched, article: Article, seen: tuple[str, ...], verify: Verification
) -> Finished | Failed:
    """The article of a task, or why there is none."""
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
    return Finished(task, _new(means, page, _marked(_filled(article, task), article), seen))


def _marked(filled: Article, read: Article) -> Article:
    """A feed's item is kept whatever it is; one whose page has no story says so."""
    if read.kind in _LISTS and read.published is None:
        return replace(filled, marks=tuple(sorted({*filled.marks, NO_STORY})))
    return filled


def _whole(parts: Sequence[Article]) -> Article:
    """All pages together; where the last one has all of it, that one."""
    last = parts[-1]
    if len(parts) > 1 and len(last.words) >= sum(len(part.words) for part in parts[:-1]) and not last.next_page:
        first_words = set(parts[0].words)
        if first_words and len(first_words & set(last.words)) >= 0.9 * len(first_words):
            return last
    return joined(parts)


def _no_story(means: ReadingTools, task: PageTask, article: Article, verify: Verification) -> str:
    """Why a page is no story; empty where it is one."""
    seen = task.link.seen
    kinds = {kind for number in task.link.sources if (kind := means.kind(number)) is not None}
    if SourceKind.FEED in kinds:
        return ""
    if seen.to_verify and verify is not Verification.NONE:
        text = f"{article.title}\n{article.summary}\n{article.text}"
        compared = shares_letter_pairs if verify is Verification.LETTER_PAIRS else bears_out
        if not compared(seen.summary, text, article.language):
            return "the page does not bear out the teaser that led to it"
    is_news = seen.published is not None and seen.title and kinds == {SourceKind.SITEMAP}  # a sitemap of news
    if is_news or task.link.article is not None:
        return ""
    if article.kind in _NO_STORY and article.published is None:
        return f"the page is no story but a {article.kind}"
    if len(article.words) < _FEWEST_WORDS:
        return f"the page has {len(article.words)} words of text only"
    return ""


def _leads_elsewhere(means: ReadingTools, page: Fetched, article: Article) -> bool:
    """Return whether a feed item was redirected to a page that says nothing of it: a wall, an offer, a home page."""
    seen = page.task.link.seen
    here, there = canonical(seen.address) or seen.address, canonical(page.url) or page.url
    if key(here) == key(there) or _alike(here, there) or not seen.title:
        return False
    if not teasers.is_feed_item(means.store, page.task.link):
        return False
    text = f"{article.title}\n{article.summary}\n{article.text}"
    if letter_pair_similarity(seen.title, article.title) >= _ALIKE:
        return False
    return not bears_out(f"{seen.title} {seen.summary}", text, article.language)


def _instead(
    means: ReadingTools, page: Fetched, article: Article | None, reason: str, teaser_reason: str
) -> Finished | Failed:
    """Return what the feed has where the page has nothing: its text, or its title and teaser with the reason.

    An article that has its text from a page before is not replaced by less.
    """
    task, at = page.task, page.at or page.task.deadline
    if page.parts:  # the pages before are there
        return Finished(task, _new(means, page, _filled(joined(page.parts), task), page.seen))
    if article is not None:
        means.shapes.learn(canonical(page.url) or page.url, False)
    if task.link.article is not None and not _is_by_feed(means, task.link.article):
        return Failed(task, reason, page.retry_at)
    found = feed_text.find(means.store, identity_of(task), task.link.seen.address)
    if found is not None:
        found = _with_files(means, task, found)
        new = NewArticle(found, at, "feed", None, (), task.link.seen.category)
        return Finished(task, new, reason if page.retry_at else "", page.retry_at)
    if not teasers.is_feed_item(means.store, task.link):
        return Failed(task, reason, page.retry_at)
    new = teasers.new_teaser(task.link.seen, teaser_reason, at)
    new = replace(new, article=_with_files(means, task, new.article), keys=())
    return Finished(task, new, reason, page.retry_at or next_teaser_try(task.attempts, at))


def _is_by_feed(means: ReadingTools, article: int) -> bool:
    """Return whether the current version of an article was made from its feed."""
    try:
        kept = means.store.article(article)
    except StoreDamaged:
        return True
    return kept is None or kept.maker == "feed"


def _longer(means: ReadingTools, page: Fetched, article: Article) -> Article:
    """The text of the feed, where the page shows only a part and the feed has more."""
    found = feed_text.find(means.store, identity_of(page.task), page.url)
    if found is None or len(found.words) <= len(article.words):
        return article
    provenance = {**article.provenance, "body": "feed"}
    return replace(article, blocks=found.blocks, images=found.images, marks=(), provenance=provenance)


def _filled(article: Article, task: PageTask) -> Article:
    """With what the source told, where the page says nothing."""
    seen = task.link.seen
    told: dict[str, object] = {}
    if not article.title and seen.title:
        told["title"] = seen.title
    if article.published is None and seen.published is not None:
        told["published"] = seen.published
    if not article.authors and seen.author:
        told["authors"] = tuple(seen.author.split(", "))
    if not article.summary and seen.summary and not seen.to_verify:
        told["summary"] = seen.summary
    if not told:
        return article
    provenance = {**article.provenance, **dict.fromkeys(told, "source")}
    return replace(article, **told, provenance=provenance)  # type: ignore[arg-type]  # fields by name, each of its type


def _new(means: ReadingTools, page: Fetched, article: Article, seen: Sequence[str]) -> NewArticle:
    at = page.at or page.task.deadline
    # Of an article that was put together no single page can be read again in its stead.
    is_kept = means.keep_pages and page.body and len(seen) == 1
    raw = RawPage(page.url, page.body, at, page.content_type) if is_kept else None
    maker = f"tidings {our_version()}: {article.provenance.get('body', '')}"
    article = _with_files(means, page.task, article)
    return NewArticle(article, at, maker, raw, _keys(article, seen), page.task.link.seen.category)


def _with_files(means: ReadingTools, task: PageTask, article: Article) -> Article:
    """With the recordings that the feed names beside the link."""
    return with_recordings(article, feed_text.embeds(means.store.enclosures(link=task.link.id)))


def _keys(article: Article, seen: Sequence[str]) -> tuple[str, ...]:
    """Further keys of an article: where it was redirected to, its other pages, and the address it calls its own.

    That address is believed only where it is much like the one it stands at: sites that name one address for all their
    pages would lose all but one of them.
    """
    found = [one for one in seen if not is_home(canonical(one) or one)]
    own = canonical(article.canonical)
    here = canonical(seen[0]) or seen[0]
    if own and outlet_of(own) == outlet_of(here) and not is_home(own) and _alike(own, here):
        found.append(own)
    return tuple(dict.fromkeys(filter(None, map(address_key, found))))


def _alike(one: str, other: str) -> bool:
    names = [address.partition("?")[0].rstrip("/").rpartition("/")[2] for address in (one, other)]
    return names[0] == names[1] or letter_pair_similarity(*names) >= _ALIKE


def joined(parts: Sequence[Article]) -> Article:
    """The article of all parts. Fields are those of the first page; what a page repeats of those before is left out."""
    first = parts[0]
    if len(parts) == 1:
        return first
    seen = {block.text for block in first.blocks if block.text}
    blocks = list(first.blocks)
    images = list(first.images)
    comments = list(first.comments)
    for part in parts[1:]:
        for block in part.blocks:
            if not block.text or block.text not in seen:
                blocks.append(block)
            if block.text:
                seen.add(block.text)
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


def further_page(parts: Sequence[Article], seen: Sequence[str], most: int) -> str:
    """Where the article goes on; empty where it ends, where it may go no further, or where it would leave its site."""
    address = canonical(parts[-1].next_page)
    if address is None or len(parts) >= most or site_of(address) != site_of(seen[0]):
        return ""
    return "" if key(address) in {key(canonical(one) or one) for one in seen} else address


def whole_page(article: Article, seen: Sequence[str]) -> str:
    """Where all of the article stands on one page, if that is another page of its site."""
    address = canonical(article.single_page)
    if address is None or not article.next_page or site_of(address) != site_of(seen[0]):
        return ""
    return "" if key(address) in {key(canonical(one) or one) for one in seen} else address
