"""LlamaIndex: a reader for URLs and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

import tidings
from tidings import ExtractOptions
from tidings.adapters.fields import metadata_of, text_of
from tidings.options.articles import LEFT_OUT


class TidingsReader(BaseReader):  # type: ignore[misc, unused-ignore]
    """Loads each article as a document with metadata. Also works as a file extractor of SimpleDirectoryReader.

    Args:
        form: text, markdown or another format of Tidings.
        options: the options of all extractions. Articles that a filter refuses are left out.
    """

    def __init__(self, form: str = "text", options: ExtractOptions | None = None) -> None:
        self.form = form
        self.options = options

    def lazy_load_data(
        self,
        urls: Iterable[str] = (),
        file: str | Path | None = None,
        extra_info: dict[str, Any] | None = None,
        fs: Any = None,
    ) -> Iterable[Document]:
        """Yield the articles.

        Args:
            urls: addresses, fetched with robots.txt and the guard obeyed.
            file: a page, as `SimpleDirectoryReader(file_extractor={".html": TidingsReader()})` passes it.
            extra_info: further metadata.
            fs: the file system of the file, if it is another.

        Raises:
            TidingsError: one cannot be had.
        """
        for url in urls:
            yield from self._documents(tidings.read(url, options=self.options), extra_info)
        if file is not None:
            if fs is None:
                data = Path(file).read_bytes()
            else:
                with fs.open(str(file), "rb") as stream:
                    data = stream.read()
            yield from self._documents(tidings.extract(data, options=self.options), extra_info)

    def load_data(self, *args: Any, **kwargs: Any) -> list[Document]:
        """Return the articles as a list. A single path is a file."""
        first = args[0] if len(args) == 1 else None
        if isinstance(first, str | Path) and not str(first).startswith("http"):
            return list(self.lazy_load_data(file=first, **kwargs))
        return list(self.lazy_load_data(*args, **kwargs))

    def _documents(self, article: tidings.Article, extra: dict[str, Any] | None) -> Iterable[Document]:
        if not article.doubt.startswith(LEFT_OUT):
            yield Document(text=text_of(article, self.form), metadata=metadata_of(article) | (extra or {}))
