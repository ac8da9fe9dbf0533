"""`tidings extractors`: list the extractors."""

from __future__ import annotations

from tidings.cli.output import Form, ListFormat, Output, write_list


def extractors(form: Form = ListFormat.TABLE, output: Output = None) -> None:
    """List the extractors with a description and their publication."""
    from tidings.extractors import DEFAULT, entries

    found = entries(laid_out=True)
    records = [
        {"name": one.name, "keeps": one.summary, "publication": one.citation, "default": one.name == DEFAULT}
        for one in found
    ]
    rows = ((f"{one.name} (default)" if one.name == DEFAULT else one.name, one.summary, one.citation) for one in found)
    write_list(records, form, output, ("name", "what it keeps", "publication"), rows)
