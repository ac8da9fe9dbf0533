"""For NeMo Curator: an algorithm for its CommonCrawlHTMLExtractor.

from tidings.adapters.nemo_curator import TidingsExtractor

CommonCrawlHTMLExtractor(algorithm=TidingsExtractor())

Written against its documented interface, `HTMLExtractorAlgorithm.extract_text(html, stop_words, language)`; where the
package is installed the class is one of its own.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none


def _base() -> Any:
    try:
        return import_module("nemo_curator.stages.text.download.html_extractors.base").HTMLExtractorAlgorithm
    except ImportError:
        return object


_Algorithm: Any = _base()


class TidingsExtractor(_Algorithm):  # type: ignore[misc, unused-ignore]
    """Extracts the paragraphs of an article, or None.

    Args:
        options: the options of all extractions.
    """

    def __init__(self, options: ExtractOptions | None = None) -> None:
        self.options = options

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:  # noqa: ARG002
        """Return the paragraphs of a page. Stop words and language are not needed."""
        found = article_or_none(html, None, self.options)
        return None if found is None else [part for part in found.text.split("\n\n") if part.strip()]
