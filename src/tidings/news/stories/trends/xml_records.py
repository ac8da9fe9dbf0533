"""TrendFinder's own form of records: `research` elements in XML (DANA thesis 6.6.2, listing 6.2), read and written.

`research` holds `title`, `date` and `abstract` (and `journal`, which is not needed); a file has one of them or many, in
whatever stands around them. The document type that the thesis's files name is never looked for, nothing is expanded,
and a file that declares entities is refused (HOSTILE 13).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from xml.parsers import expat
from xml.sax.saxutils import escape

from tidings.errors import BadRecords
from tidings.news.stories.trends.document import Document, Record, document

_RECORD: Final = "research"
_FIELDS: Final = frozenset({"title", "date", "abstract", "language"})
_LONGEST: Final = 1_000_000  # characters of a record


def read_xml(chunks: Iterable[bytes]) -> Iterator[Record]:
    """The records of a file, given in pieces of any size.

    Raises:
        BadRecords: it is not well-formed, or declares entities.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = reader.start, reader.end
    parser.CharacterDataHandler = reader.characters
    parser.EntityDeclHandler = _refuse
    reader.parser = parser
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
            yield from reader.taken()
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadRecords(f"the XML is not well-formed: {reason} at line {error.lineno}") from error
    except (LookupError, ValueError) as error:  # from Python's own answer to what expat does not know
        if isinstance(error, BadRecords):
            raise
        raise BadRecords(f"the XML is in an encoding that cannot be read ({error}); save it as UTF-8") from error
    yield from reader.taken()


def write_xml(documents: Iterable[Document]) -> Iterator[str]:
    """Documents in the same form, piece by piece: what TrendFinder's preprocessing makes of any records."""
    yield '<?xml version="1.0" encoding="utf-8"?>\n<records>\n'
    for one in documents:
        fields = {"title": one.title, "date": one.when.isoformat(), "language": one.language, "abstract": one.text}
        inner = "".join(f"<{name}>{_clean(value)}</{name}>" for name, value in fields.items() if value)
        yield f"<research>{inner}</research>\n"
    yield "</records>\n"


def _clean(text: str) -> str:
    # XML has no place for most control characters, nor for half of a surrogate pair.
    legal = (sign for sign in text if sign >= " " or sign in "\t\n\r")
    return escape("".join(sign for sign in legal if not "\ud800" <= sign <= "\udfff" and sign not in "\ufffe\uffff"))


def _refuse(*_: object) -> None:
    raise BadRecords("the XML declares entities, which records have no need of; nothing of it was read")


class _Reader:
    """Collects records from what expat tells."""

    def __init__(self) -> None:
        self.parser: expat.XMLParserType | None = None
        self._found: list[Record] = []
        self._fields: dict[str, list[str]] | None = None
        self._field = ""
        self._size = self._line = 0

    def taken(self) -> list[Record]:
        """The records since the last time."""
        found, self._found = self._found, []
        return found

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        """An element begins."""
        name = name.lower()
        if name == _RECORD:
            self._fields, self._field, self._size = {}, "", 0
            self._line = self.parser.CurrentLineNumber if self.parser is not None else 0
        elif self._fields is not None and name in _FIELDS:
            self._field = name

    def end(self, name: str) -> None:
        """An element ends."""
        name = name.lower()
        if name == _RECORD and self._fields is not None:
            told = {field: " ".join("".join(parts).split()) for field, parts in self._fields.items()}
            when, text = told.get("date", ""), told.get("abstract", "")
            where = f"the record at line {self._line}"
            self._found.append(document(where, when, text, told.get("title", ""), told.get("language", "")))
            self._fields = None
        elif name == self._field:
            self._field = ""

    def characters(self, found: str) -> None:
        """Text."""
        if self._fields is not None and self._field and self._size <= _LONGEST:
            self._fields.setdefault(self._field, []).append(found)
            self._size += len(found)
