"""Feed parsers: RSS 0.9x to 2.0, RDF, Atom and JSON Feed (N-EXT 4.1.1)."""

from tidings.sources.feeds.feed import Feed, Schedule
from tidings.sources.feeds.read import read_feed

__all__ = ["Feed", "Schedule", "read_feed"]
