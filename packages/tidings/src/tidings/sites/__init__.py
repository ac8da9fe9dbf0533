"""Per-site extraction rules, learned from pages, so that the next page of a site is cut out by string search.

`Reader` does all of it: it extracts by rules, falls back to the full extraction if they do not fit, learns, notices
changes and learns again. The other modules are for inspection: rules as data (`rule`), their files (`formats`),
learning (`induce`), extraction by rules (`cut`) and storage (`memory`).
"""

from tidings.sites.article_text import ArticleText
from tidings.sites.memory import SiteMemory
from tidings.sites.reader import Reader
from tidings.sites.rule import Rule, Template
from tidings.sites.site import Health, Site, TrackedTemplate
from tidings.urls import site_of

__all__ = ["ArticleText", "Health", "Reader", "Rule", "Site", "SiteMemory", "Template", "TrackedTemplate", "site_of"]
