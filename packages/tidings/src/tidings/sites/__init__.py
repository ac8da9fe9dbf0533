"""Sites: what is known of how each is built, so that its next page is cut out as strings.

`Reader` does all of it: cut by rules, read the long way where they do not fit, learn, notice changes, learn again.
The rest is for people who want to look inside: rules as data (`rule`), their files (`formats`), learning (`induce`),
cutting (`cut`), and what is remembered (`memory`).
"""

from tidings.sites.article_text import ArticleText
from tidings.sites.memory import SiteMemory
from tidings.sites.reader import Reader
from tidings.sites.rule import Rule, Template
from tidings.sites.site import Health, Known, Site
from tidings.urls import site_of

__all__ = ["ArticleText", "Health", "Known", "Reader", "Rule", "Site", "SiteMemory", "Template", "site_of"]
