"""`tidings list`: list the sources of the store."""

from __future__ import annotations

from tidings.cli.output import Form, ListFormat, Output, write_list
from tidings_portal.cli.store_options import StoreOption, open_store


def list_(form: Form = ListFormat.TABLE, output: Output = None, where: StoreOption = None) -> None:
    """List the sources by folder. `tidings status` shows their state."""
    with open_store(where) as store:
        sources, counts = store.sources(), store.articles_by_source()
    records = [
        {
            "number": source.id,
            "kind": source.settings.kind.value,
            "address": source.settings.address,
            "title": source.settings.title,
            "folder": source.settings.folder,
            "recipe": source.settings.recipe,
            "articles": counts.get(source.id, 0),
        }
        for source in sources
    ]
    rows = (
        (
            *(str(source.id), source.settings.folder, source.name, source.settings.kind.value, source.settings.recipe),
            *(source.settings.address, counts.get(source.id, 0)),
        )
        for source in sources
    )
    headings = ("", "folder", "name", "kind", "recipe", "URL", "articles")
    write_list(records, form, output, headings, rows, "there are no sources yet; `tidings add URL` adds one")
