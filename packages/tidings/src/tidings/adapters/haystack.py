"""Haystack: a converter that replaces Haystack's HTMLToDocument."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.dataclasses import ByteStream

from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none, metadata_of, text_of


@component
class TidingsConverter:
    """Turns pages into documents, with the fields of each article as metadata.

    Args:
        form: text, markdown or another format of Tidings.
        options: the options of all extractions, or a dict of them.
    """

    def __init__(self, form: str = "text", options: ExtractOptions | dict[str, Any] | None = None) -> None:
        self.form = form
        self.options = ExtractOptions.from_dict(options) if isinstance(options, dict) else options

    def to_dict(self) -> dict[str, Any]:
        """Serialise for a pipeline file."""
        options = self.options.as_dict() if self.options is not None else None
        return dict(default_to_dict(self, form=self.form, options=options))

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TidingsConverter:
        """Create from a pipeline file."""
        converter: TidingsConverter = default_from_dict(cls, data)
        return converter

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator, unused-ignore]
    def run(
        self, sources: list[str | Path | ByteStream], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        """Return documents of the pages that have an article.

        Args:
            sources: paths, or streams of bytes, whose `meta` may have a `url`.
            meta: of all documents, or one for each source.
        """
        metas = meta if isinstance(meta, list) else [meta or {}] * len(sources)
        documents = []
        for source, more in zip(sources, metas, strict=True):
            stream = source if isinstance(source, ByteStream) else ByteStream.from_file_path(Path(source))
            article = article_or_none(stream.data, stream.meta.get("url"), self.options)
            if article is not None:
                metadata = metadata_of(article) | stream.meta | more
                documents.append(Document(content=text_of(article, self.form), meta=metadata))
        return {"documents": documents}
