"""Per-site extraction rules, learned from pages, so that the next page of a site is cut out by string search.

`Reader` does all of it: it extracts by rules, falls back to the full extraction if they do not fit, learns, notices
changes and learns again. The other packages are for inspection: rules as data (`templates`), their files (`formats`),
learning (`learning`), extraction by rules (`extraction`) and storage (`storage`).
"""

from tidings.sites.extraction.article_text import ArticleText
from tidings.sites.reader import Reader
from tidings.sites.storage.memory import SiteMemory
from tidings.sites.templates.rule import Rule, Template
from tidings.sites.templates.site import Health, Site, TrackedTemplate
from tidings.urls import site_of

__all__ = ["ArticleText", "Health", "Reader", "Rule", "Site", "SiteMemory", "Template", "TrackedTemplate", "site_of"]
