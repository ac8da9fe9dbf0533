"""datatrove: an extractor that replaces datatrove's Trafilatura extractor."""

from __future__ import annotations

from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor

import tidings
from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none, metadata_of, text_of
from tidings.errors import PageError


class Tidings(BaseExtractor):  # type: ignore[misc, unused-ignore]
    """Extracts the article of a page, in datatrove's own sandbox.

    Args:
        form: text, markdown or another format of Tidings.
        prefer: what to do in doubt: precision, balanced or recall; overrides the options.
        timeout: seconds for one page.
        options: the options of all extractions.
    """

    name = "⛏ Tidings"

    def __init__(
        self, form: str = "text", prefer: Any = None, timeout: float = 5.0, options: ExtractOptions | None = None
    ) -> None:
        super().__init__(timeout)
        self.form = form
        self.prefer = prefer
        self.options = options

    def extract(self, text: str | bytes) -> str:
        """Return the plain text of the article on a page; empty if there is none. Pass bytes rather than str if
        possible, because the encoding is then detected.
        """
        try:
            return text_of(tidings.extract(text, options=self.options, prefer=self.prefer), self.form)
        except PageError:  # as their sandbox, which is tried with an empty page
            return ""


class TidingsFields(BaseExtractor):  # type: ignore[misc, unused-ignore]
    """A pipeline step that replaces each document's HTML by the text of its article, and adds the article's fields to
    the document's metadata as `article`. If the metadata has `html` (bytes or str), that is extracted instead of the
    document's text.
    """

    name = "⛏ Tidings, with fields"

    def __init__(self, form: str = "text", timeout: float = 5.0, options: ExtractOptions | None = None) -> None:
        super().__init__(timeout)
        self.form = form
        self.options = options

    def extract(self, text: str | bytes) -> str:
        """Return the text of a page."""
        found = article_or_none(text, None, self.options)
        return text_of(found, self.form) if found else ""

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:  # noqa: ARG002  # datatrove's call
        """Yield the documents with the text of their articles; documents without an article are dropped."""
        for document in data:
            self.stat_update("total")
            page = document.metadata.pop("html", None) or document.text
            found = article_or_none(page, document.metadata.get("url"), self.options)
            if found is None:
                self.stat_update("dropped")
                continue
            document.text = text_of(found, self.form)
            document.metadata["article"] = metadata_of(found)
            self.stat_update("forwarded")
            self.update_doc_stats(document)
            yield document
