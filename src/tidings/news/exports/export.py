"""The store, or a choice of it, as a file or a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Final

from tidings.errors import ExportError
from tidings.news.exports.as_jsonl import write_jsonl
from tidings.news.exports.as_markdown import write_markdown
from tidings.news.exports.as_parquet import schema, write_parquet
from tidings.news.exports.as_sqlite import write_sqlite
from tidings.news.exports.target import new_file, said
from tidings.news.selection import each, without_password
from tidings.news.store import Store
from tidings.news.store.quarantine import Quarantine
from tidings.news.store.records_of_articles import KeptArticle, Only
from tidings.news.store.records_of_work import Stage


class ExportFormat(Enum):
    """What articles are exported as."""

    JSONL = "jsonl"
    PARQUET = "parquet"
    SQLITE = "sqlite"
    MARKDOWN = "markdown"


_ENDINGS: Final = {
    ".jsonl": ExportFormat.JSONL,
    ".ndjson": ExportFormat.JSONL,
    ".parquet": ExportFormat.PARQUET,
    ".sqlite": ExportFormat.SQLITE,
    ".sqlite3": ExportFormat.SQLITE,
    ".db": ExportFormat.SQLITE,
}
_PACKED: Final = (".gz", ".zst")


def form_of(where: Path) -> ExportFormat | None:
    """The form that the ending of a name tells; a name without one is a folder of Markdown."""
    name = where.with_suffix("") if where.suffix.lower() in _PACKED else where
    return _ENDINGS.get(name.suffix.lower(), None if name.suffix else ExportFormat.MARKDOWN)


def export(
    store: Store,
    where: str | Path,
    form: ExportFormat | None = None,
    *,
    only: Only | None = None,
    all_versions: bool = False,
    force: bool = False,
    go_on: bool = False,
    tell: Callable[[int], None] = lambda _done: None,
    aside: Quarantine | None = None,
) -> int:
    """Write articles to a file, or as Markdown to a folder; how many there were.

    An article that cannot be written is left out and set aside; the log names it, and so does `store.quarantine()`.

    Args:
        store: where they are.
        where: the file or folder.
        form: what to write; else the ending of `where` tells.
        only: which articles, the latest first; without it all of them by number, those that are muted too.
        all_versions: every version of each article. Not for Markdown, and not with `only`.
        force: write over what is there.
        go_on: Markdown: leave the files that are there in the same version.
        tell: called with the number of articles written so far.
        aside: takes articles that cannot be written; else one of its own does.

    Raises:
        TargetExists: there is something already.
        NoRoom: the disk is full.
        ExportError: it cannot be written there, or the form does not go with what was asked for.
        MissingExtra: Parquet, and pyarrow is not installed.
    """
    path = Path(where)
    wanted = form or form_of(path)
    if wanted is None:
        raise ExportError(
            f"the ending of {path} tells no form; say one of {', '.join(one.value for one in ExportFormat)}"
        )
    if all_versions and (only is not None or wanted is ExportFormat.MARKDOWN):
        raise ExportError("all versions go out with all articles, and not as Markdown; leave one of the two")
    if go_on and wanted is not ExportFormat.MARKDOWN:
        raise ExportError("only a folder of Markdown can be gone on with; a file is written whole")
    # Whoever asks for an export asks for all of it: what was set aside by an earlier one is tried again.
    aside = aside or Quarantine(store, Stage.EXPORTS, again=True)
    every = store.sources()
    sources = {source.id: without_password(source.told.address) for source in every}
    counted = _ArticleCounter(each(store, only) if only else store.each_article(all_versions=all_versions), tell)
    if wanted is ExportFormat.MARKDOWN:
        with said(path):
            write_markdown(counted, path, sources, aside, force=force, go_on=go_on)
        return counted.number - aside.number
    if wanted is ExportFormat.PARQUET:
        schema()  # before anything is made: it may be missing
    with new_file(path, force=force) as part:
        if wanted is ExportFormat.JSONL:
            write_jsonl(counted, part, path, sources, aside)
        elif wanted is ExportFormat.PARQUET:
            write_parquet(counted, part, sources, aside)
        else:
            write_sqlite(counted, part, every, (story for story, _ in store.each_story()), sources, aside)
    return counted.number - aside.number


class _ArticleCounter:
    """Articles as they go by, counted."""

    def __init__(self, articles: Iterable[KeptArticle], tell: Callable[[int], None]) -> None:
        self.number = 0
        self._articles = articles
        self._tell = tell

    def __iter__(self) -> Iterator[KeptArticle]:
        for kept in self._articles:
            yield kept
            self.number += 1
            self._tell(self.number)
