"""Outgoing feeds of stored articles: RSS 2.0, Atom and JSON Feed with full text.

gathered = gather(store, choice(store, category="world"), FeedAddresses(itself="https://news.example/world.rss"))
written = write(gathered.feed, FeedFormat.RSS)
written.body, written.media_type, written.etag, written.last_modified
"""

from tidings_portal.feeds.formats import FeedFormat, Written, write
from tidings_portal.feeds.outgoing import Content, FeedAddresses, FeedEntry, Gathered, OutFeed, gather

__all__ = ["Content", "FeedAddresses", "FeedEntry", "FeedFormat", "Gathered", "OutFeed", "Written", "gather", "write"]
