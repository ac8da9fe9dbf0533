"""For Scrapy: an item pipeline; `web_poet` has page objects.

ITEM_PIPELINES = {"tidings.adapters.scrapy.TidingsPipeline": 300}

adds the article to items that hold a page (`response`, or `html` and `url`).
"""

from __future__ import annotations

from typing import Any

from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none, metadata_of


class TidingsPipeline:
    """Adds `text` and metadata to items with a page: `response`, or `html` (or `body`) and `url`.

    `response` is taken out of the item, for no exporter can write it. An item without a page is passed on as it is.

    Args:
        options: the options of all extractions. The setting `TIDINGS_OPTIONS` contains them as a dict.
    """

    def __init__(self, options: ExtractOptions | None = None) -> None:
        self.options = options

    @classmethod
    def from_crawler(cls, crawler: Any) -> TidingsPipeline:
        """Create with the options of the project's settings.

        Raises:
            BadOption: an option does not exist or has a wrong value.
        """
        return cls(ExtractOptions.from_dict(crawler.settings.getdict("TIDINGS_OPTIONS")))

    def process_item(self, item: Any, spider: Any = None) -> Any:  # noqa: ARG002  # Scrapy's call
        """Extract the article of an item."""
        from itemadapter import ItemAdapter

        fields = ItemAdapter(item)
        response = fields.pop("response", None) if "response" in fields else None
        if response is not None:
            data, url = response.body, response.url
        else:
            data, url = fields.get("html") or fields.get("body"), fields.get("url")
        if not data:
            return item
        article = article_or_none(data, url, self.options)
        if url:
            fields["url"] = url
        fields["text"] = article.text if article else ""
        for name, value in metadata_of(article).items() if article else ():
            fields[name] = value
        return item
