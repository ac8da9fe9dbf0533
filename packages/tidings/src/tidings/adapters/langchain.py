"""LangChain: a loader for URLs and files, and a transformer for documents with HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

import tidings
from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none, metadata_of, text_of
from tidings.errors import TidingsError
from tidings.options.articles import LEFT_OUT


class TidingsLoader(BaseLoader):  # type: ignore[misc, unused-ignore]
    """Loads articles, a document each, with their fields as metadata.

    Args:
        sources: addresses (fetched with robots.txt and the guard obeyed) and paths of pages.
        form: text, markdown or another format of Tidings.
        skip: leave out what cannot be read; else it raises.
        options: the options of all extractions. Articles that a filter refuses are left out.
    """

    def __init__(
        self,
        sources: Iterable[str | Path],
        form: str = "text",
        *,
        skip: bool = False,
        options: ExtractOptions | None = None,
    ) -> None:
        self.sources = list(sources)
        self.form = form
        self.skip = skip
        self.options = options

    def lazy_load(self) -> Iterator[Document]:
        """Yield the articles.

        Raises:
            TidingsError: one cannot be had, unless `skip` is set.
        """
        for source in self.sources:
            try:
                if str(source).startswith(("http://", "https://")):
                    article = tidings.read(str(source), options=self.options)
                else:
                    article = tidings.extract(Path(source).read_bytes(), options=self.options)
            except (TidingsError, OSError):
                if self.skip:
                    continue
                raise
            if article.doubt.startswith(LEFT_OUT):
                continue
            yield Document(
                page_content=text_of(article, self.form), metadata={"source": str(source)} | metadata_of(article)
            )


class TidingsTransformer(BaseDocumentTransformer):  # type: ignore[misc, unused-ignore]
    """Extracts the article from documents that contain a page. Their metadata is preserved; `source` is the URL."""

    def __init__(self, form: str = "text", options: ExtractOptions | None = None) -> None:
        self.form = form
        self.options = options

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """Return the documents that have an article."""
        made = []
        for document in documents:
            article = article_or_none(document.page_content, document.metadata.get("source"), self.options)
            if article is not None:
                made.append(
                    Document(
                        page_content=text_of(article, self.form), metadata=metadata_of(article) | document.metadata
                    )
                )
        return made
