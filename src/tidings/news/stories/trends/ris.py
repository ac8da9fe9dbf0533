"""Records of the RIS format, as publishers give them out (DANA thesis 6.6.2, listing 6.1 and table 6.2).

A line is a tag of two signs, spaces, a hyphen and a value; what has no tag goes on from the line before. `ER` ends a
record. Of all tags those count that trends need: title (TI, T1), date (PY, Y1, DA), abstract (AB, N2), language (LA).
Where a tag comes twice, as a title in two languages, the first one counts; the abstract is put together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tidings.news.stories.trends.document import Record, document

_LINE: Final = re.compile(r"([A-Z][A-Z0-9]) {1,3}-(?: (.*)|\s*\Z)", re.DOTALL)
_LONGEST: Final = 1_000_000  # characters of a record; no abstract comes near


def read_ris(lines: Iterable[str]) -> Iterator[Record]:
    """The records of a file, line by line."""
    fields: dict[str, list[str]] = {}
    begun, tag, size = 0, "", 0
    for number, raw in enumerate(lines, 1):
        line = raw.lstrip("\ufeff").rstrip("\r\n")
        match = _LINE.match(line)
        if match is not None:
            tag, value = match[1], match[2] or ""
        else:
            value = line
        if match is not None and tag == "ER":
            if fields:
                yield _record(fields, begun)
            fields, tag, size = {}, "", 0
            continue
        begun = begun if fields else number
        size += len(value)
        if tag and size <= _LONGEST and (match is not None or value.strip()):
            held = fields.setdefault(tag, [])
            if match is None and held:
                held[-1] += " " + value.strip()
            else:
                held.append(value.strip())
    if fields:
        yield _record(fields, begun)


def _record(fields: dict[str, list[str]], line: int) -> Record:
    def first(*tags: str) -> str:
        return next((value for tag in tags for value in fields.get(tag, ()) if value), "")

    text = " ".join(fields.get("AB") or fields.get("N2") or [])
    return document(f"the record at line {line}", first("PY", "Y1", "DA"), text, first("TI", "T1"), first("LA"))
