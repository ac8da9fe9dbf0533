"""Reading of pages by a recipe: its extractor, with the link's metadata as the query, and its picture rule."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

import numpy as np

from tidings import extractors
from tidings.article import Article, Image
from tidings.article.model.article import Provenance
from tidings.article.pictures.select import pictures_at
from tidings.errors import ExtractorError
from tidings.extractors.published.lbnest_images import story_images
from tidings.fields.urls.sanitise import base_of
from tidings.options.articles import with_options
from tidings.options.conventions import with_left_out
from tidings.page import Hints, Page, Spans
from tidings.reading import read, read_and_show
from tidings.sites import Reader, SiteMemory
from tidings.sites.extraction.cut import FIRST_IMAGE
from tidings.sites.storage.backends import SiteStorage
from tidings.text import base_language
from tidings_portal.recipes.recipe import DEFAULT_RECIPE, PictureRule, Recipe
from tidings_portal.recipes.site_images import SiteImages

#: The provenance field of the recipe.
PROVENANCE: Final = "recipe"


class PageReading(Protocol):
    """Interface of objects that extract articles, such as `tidings.Reader`."""

    def extract(self, data: bytes | str, url: str | None = None) -> Article:
        """Return the article of a page."""
        ...


class RecipeReader:
    """Extracts articles from pages by a recipe.

    Args:
        recipe: the recipe.
        default: reads pages in languages that the recipe is not for.
        sites: the storage of site rules that the recipe's extractor teaches; None: in memory.
    """

    def __init__(self, recipe: Recipe, default: PageReading, sites: SiteStorage | None = None) -> None:
        self.recipe = recipe
        self._default = default
        self._extractor = recipe.built or extractors.extractor(recipe.extractor)
        teaches = recipe.is_teacher and not recipe.is_default
        self._images = SiteImages()
        self._learning = Reader(SiteMemory(sites), teacher=self._extractor, options=recipe.options) if teaches else None

    def extract(self, data: bytes | str, url: str | None = None, hints: Hints | None = None) -> Article:
        """Return the article of a page.

        Args:
            data: the page.
            url: its URL.
            hints: metadata from the source; the query of extractors that have one.

        Raises:
            PageError: the input is not a page.
        """
        if self.recipe.is_default:
            article = self._default.extract(data, url)
            return article if self.recipe.name == DEFAULT_RECIPE else _with_reason(article, self.recipe.name)
        try:
            article = self._read(data, url, hints or Hints())
        except ExtractorError as error:  # a model file that was deleted meanwhile
            return self._instead(data, url, f"{DEFAULT_RECIPE}, for {self.recipe.name} cannot be used: {error}")
        spoken = base_language(article.language)
        if self.recipe.languages and spoken not in self.recipe.languages:
            reason = f"{DEFAULT_RECIPE}, for {self.recipe.name} is not for {spoken or 'an unknown language'}"
            return self._instead(data, url, reason)
        return _with_reason(article, self.recipe.name)

    def _read(self, data: bytes | str, url: str | None, hints: Hints) -> Article:
        if self._learning is not None:
            return self._learning.extract(data, url)
        options = self.recipe.options
        page = with_left_out(Page(data, url, hints), options.leave_out)
        if self.recipe.pictures is PictureRule.BOX and not options.is_default:
            return read(page, self._extractor, options=options.replace(leave_out=()))
        article, spans = read_and_show(page, self._extractor, conventions=options)
        if self.recipe.pictures is PictureRule.BOX:
            return article
        declared = article.image if article.provenance.get("image") != FIRST_IMAGE else None
        is_default = declared is not None and self._images.is_default(declared.src, url)
        pictured = with_pictures(article, page, spans, self.recipe.pictures, keeps_lead=not is_default)
        return with_options(pictured, options)

    def _instead(self, data: bytes | str, url: str | None, reason: str) -> Article:
        return _with_reason(self._default.extract(data, url), reason)

    def close(self) -> None:
        """Save the learned site rules."""
        if self._learning is not None:
            self._learning.close()


def with_pictures(article: Article, page: Page, spans: Spans, rule: PictureRule, *, keeps_lead: bool = True) -> Article:
    """Return an article with the pictures that a rule selects.

    Args:
        article: the article.
        page: its page.
        spans: the text of the article on the page.
        rule: the picture rule.
        keeps_lead: whether the declared lead picture stays, or the rule decides, because it is the site's default.
    """
    images: tuple[Image, ...] = ()
    if rule is PictureRule.NEAREST_TEXT:
        pictures = story_images(page, spans)
        at = pictures_at(page, np.asarray(pictures), base_of(page), page.shown(spans))
        once = {image.src: image for image in reversed(at)}
        last = len(article.blocks)
        images = tuple(replace(image_, place=min(image_.place or 0, last)) for image_ in reversed(once.values()))
    sources = {image.src for image in images}
    blocks = tuple(
        replace(block, image=None) if block.image is not None and block.image.src not in sources else block
        for block in article.blocks
    )
    is_declared = keeps_lead and article.provenance.get("image") != FIRST_IMAGE
    lead = article.image if is_declared else None
    lead = lead or (images[0] if images else None)
    provenance = {name: by for name, by in article.provenance.items() if name not in {"images", "image"}}
    if images:
        provenance["images"] = rule.value
    if lead is not None:
        provenance["image"] = article.provenance.get("image", "") if lead is article.image else FIRST_IMAGE
    return replace(article, blocks=blocks, images=images, image=lead, provenance=Provenance(provenance))


def _with_reason(article: Article, reason: str) -> Article:
    return replace(article, provenance=Provenance({**article.provenance, PROVENANCE: reason}))
