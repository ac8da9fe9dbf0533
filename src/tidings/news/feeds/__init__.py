"""Feeds out of the store: RSS 2.0, Atom and JSON Feed with full text. Records in, bytes out.

gathered = gather(store, choice(store, category="world"), Places(itself="https://news.example/world.rss"))
written = write(gathered.feed, Form.RSS)
written.body, written.media_type, written.etag, written.last_modified
"""

from tidings.news.feeds.content import Content
from tidings.news.feeds.gather import Gathered, gather
from tidings.news.feeds.outgoing import Entry, OutFeed, Places
from tidings.news.feeds.written import Form, Written, write

__all__ = ["Content", "Entry", "Form", "Gathered", "OutFeed", "Places", "Written", "gather", "write"]
