"""Formats of records and trends: `research` XML, RIS and JSON Lines as input; tables and CSV as output.

The `research` format is TrendFinder's own (DANA thesis 6.6.2, listing 6.2): `title`, `date` and `abstract`, and an
unused `journal`, once or many times in a file, inside any other elements. The DTD is never fetched, nothing is
expanded, and a file that declares entities is refused (HOSTILE 13).
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from tidings.errors import BadRecords
from tidings_portal.stories.trends.finder import DatedText, Record, Trends, Unusable, document

_RECORD: Final = "research"
_FIELDS: Final = frozenset({"title", "date", "abstract", "language"})
_LONGEST: Final = 1_000_000  # characters of a record


def read_xml(chunks: Iterable[bytes]) -> Iterator[Record]:
    """Yield the records of a file, given in chunks of any size.

    Raises:
        BadRecords: it is not well-formed, or declares entities.
    """
    reader = _RecordParser()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.characters
    parser.EntityDeclHandler = _refuse
    reader.parser = parser
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield from reader.take()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadRecords(f"the XML is not well-formed: {reason} at line {error.lineno}") from error
    except (LookupError, ValueError) as error:  # raised by Python for encodings that expat does not know
        if isinstance(error, BadRecords):
            raise
        raise BadRecords(f"the XML is in an encoding that cannot be read ({error}); save it as UTF-8") from error
    yield from reader.take()


def write_xml(documents: Iterable[DatedText]) -> Iterator[str]:
    """Yield documents in the `research` format, chunk by chunk."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n<records>\n'
    for record in documents:
        fields = {
            "title": record.title,
            "date": record.when.isoformat(),
            "language": record.language,
            "abstract": record.text,
        }
        inner = "".join(f"<{name}>{_clean(value)}</{name}>" for name, value in fields.items() if value)
        yield f"<research>{inner}</research>\n"
    yield "</records>\n"


def _clean(text: str) -> str:
    # XML excludes most control characters and lone surrogates.
    legal = (sign for sign in text if sign >= " " or sign in "\t\n\r")
    return escape("".join(sign for sign in legal if not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff"))


def _refuse(*_: object) -> None:
    raise BadRecords("the XML declares entities, which records have no need of; nothing of it was read")


class _RecordParser:
    """An expat handler that collects records."""

    def __init__(self) -> None:
        self.parser: expat.XMLParserType | None = None
        self._found: list[Record] = []
        self._fields: dict[str, list[str]] | None = None
        self._field = ""
        self._size = self._line = 0

    def take(self) -> list[Record]:
        """Return the records that were parsed since the last call."""
        records, self._found = self._found, []
        return records

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        """Handle the start of an element."""
        name = name.lower()
        if name == _RECORD:
            self._fields, self._field, self._size = {}, "", 0
            self._line = self.parser.CurrentLineNumber if self.parser is not None else 0
        elif self._fields is not None and name in _FIELDS:
            self._field = name

    def end(self, name: str) -> None:
        """Handle the end of an element."""
        name = name.lower()
        if name == _RECORD and self._fields is not None:
            values = {field: " ".join("".join(parts).split()) for field, parts in self._fields.items()}
            when, text = values.get("date", ""), values.get("abstract", "")
            where = f"the record at line {self._line}"
            self._found.append(document(where, when, text, values.get("title", ""), values.get("language", "")))
            self._fields = None
        elif name == self._field:
            self._field = ""

    def characters(self, text: str) -> None:
        """Handle text."""
        if self._fields is not None and self._field and self._size <= _LONGEST:
            self._fields.setdefault(self._field, []).append(text)
            self._size += len(text)


_LINE: Final = re.compile(r"([A-Z][A-Z0-9]) {1,3}-(?: (.*)|\s*\Z)", re.DOTALL)
_LONGEST_RIS: Final = 1_000_000  # characters of a record; no abstract comes near


def read_ris(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a RIS file."""
    fields: dict[str, list[str]] = {}
    first_line, tag, size = 0, "", 0
    for number, raw in enumerate(lines, 1):
        line = raw.lstrip("\ufeff").rstrip("\r\n")
        match = _LINE.match(line)
        if match is not None:
            tag, value = match[1], match[2] or ""
        else:
            value = line
        if match is not None and tag == "ER":
            if fields:
                yield _record(fields, first_line)
            fields, tag, size = {}, "", 0
            continue
        first_line = first_line if fields else number
        size += len(value)
        if tag and size <= _LONGEST_RIS and (match is not None or value.strip()):
            values = fields.setdefault(tag, [])
            if match is None and values:
                values[-1] += " " + value.strip()
            else:
                values.append(value.strip())
    if fields:
        yield _record(fields, first_line)


def _record(fields: dict[str, list[str]], line: int) -> Record:
    def first(*tags: str) -> str:
        return next((value for tag in tags for value in fields.get(tag, ()) if value), "")

    text = " ".join(fields.get("AB") or fields.get("N2") or [])
    return document(f"the record at line {line}", first("PY", "Y1", "DA"), text, first("TI", "T1"), first("LA"))


#: The thesis multiplies cosines by 1000 to print them.
TIMES = 1000


def wide(trends: Trends) -> tuple[list[str], list[list[str]]]:
    """Return the column headings and rows of a table: cosines times 1000, with an arrow at abrupt changes."""
    heads = ["period", "documents", *(trend.query.name for trend in trends.trends)]
    changes = [{change.period: change for change in trend.changes} for trend in trends.trends]
    rows = []
    for place, period in enumerate(trends.periods):
        row = [period, str(trends.trends[0].points[place].documents) if trends.trends else "0"]
        for trend, own in zip(trends.trends, changes, strict=True):
            change = own.get(period)
            arrow = "" if change is None else " ↑" if change.step > 0 else " ↓"
            row.append(f"{trend.points[place].mean * TIMES:.0f}{arrow}")
        rows.append(row)
    return heads, rows


def as_csv(trends: Trends) -> str:
    """Return all figures as CSV, one line per query and period."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["query", "period", "documents", "mean_cosine", "standard_error", "share_without_keyword", "step"])
    for trend in trends.trends:
        steps = {change.period: f"{change.step:.6f}" for change in trend.changes}
        for point in trend.points:
            figures = (f"{figure:.6f}" for figure in (point.mean, point.error, point.without))
            writer.writerow(
                [_plain(trend.query.name), point.period, point.documents, *figures, steps.get(point.period, "")]
            )
    return out.getvalue()


def _plain(cell: str) -> str:
    """Return a name in a form that a spreadsheet does not interpret as a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t\r" else cell


#: Fields that must be strings. A year may be a number.
_TEXTS: Final = ("text", "abstract", "title", "language", "lang")


def read_json_lines(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the documents of a JSON Lines file. Empty lines are skipped."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            yield Unusable(where, "it is no JSON")
            continue
        if not isinstance(fields, dict):
            yield Unusable(where, "it is no object")
            continue
        wrong = next((name for name in _TEXTS if not isinstance(fields.get(name) or "", str)), None)
        if wrong is not None:
            yield Unusable(where, f"its {wrong} is no text")
            continue
        yield document(
            where,
            _first(fields, "published", "date", "year"),
            _first(fields, "text", "abstract"),
            _first(fields, "title"),
            _first(fields, "language", "lang"),
        )


def _first(fields: dict[str, object], *names: str) -> str:
    return next((str(fields[name]) for name in names if fields.get(name) not in (None, "")), "")
