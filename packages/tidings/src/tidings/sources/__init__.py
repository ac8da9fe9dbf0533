"""Link sources: feeds, sitemaps, OPML lists and front pages. Parsing only; nothing is fetched.

Errors in a source are values (`problems`), never exceptions, because the next poll may succeed.

    >>> from tidings import newspaper, sources
    >>> source = next(source for source in newspaper.sources() if source.outlet == "gazette")
    >>> feed = sources.read_feed(source.content, source.url)
    >>> feed.title, len(feed.items), feed.items[0].title
    ('The Harbour Gazette', 9, 'Nine walks for the first warm weekend')
"""

from tidings.sources.addresses import canonical, key
from tidings.sources.dates import DateDoubt, SourceDate
from tidings.sources.discovery import discover
from tidings.sources.feeds import Feed, Schedule, read_feed
from tidings.sources.front.filter_config import BEST, LBNEST, Chain, chain_of, read_chain
from tidings.sources.front.front_page import DroppedLink, FrontPage, front_page
from tidings.sources.front.teasers import bears_out, shares_letter_pairs
from tidings.sources.front.url_shapes import Shapes
from tidings.sources.frontier import CrawlBounds, CrawlVisit, Frontier, Purpose
from tidings.sources.link import Enclosure, Link, Offer, Origin
from tidings.sources.link_identity import aliases, identity, same
from tidings.sources.opml import OpmlFeed, OpmlList, read_opml, write_opml
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.sitemaps import Sitemap, Walk, read_sitemap, robots_sitemaps

__all__ = [
    "BEST",
    "LBNEST",
    "Chain",
    "CrawlBounds",
    "CrawlVisit",
    "DateDoubt",
    "DroppedLink",
    "Enclosure",
    "Feed",
    "FrontPage",
    "Frontier",
    "Link",
    "Offer",
    "OpmlFeed",
    "OpmlList",
    "Origin",
    "ProblemKind",
    "Purpose",
    "Schedule",
    "Shapes",
    "Sitemap",
    "SourceDate",
    "SourceProblem",
    "Walk",
    "aliases",
    "bears_out",
    "canonical",
    "chain_of",
    "discover",
    "front_page",
    "identity",
    "key",
    "read_chain",
    "read_feed",
    "read_opml",
    "read_sitemap",
    "robots_sitemaps",
    "same",
    "shares_letter_pairs",
    "write_opml",
]
