"""What is done with every page of a run: the same for all splits, and part of what their files say of themselves."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from importlib import import_module
from typing import Any, Final, Literal

from tidings import extractors
from tidings.errors import BadParameter

_MB: Final = 1024 * 1024
#: The default extractor, by the name that people type.
DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class MadeColumn:
    """A further column, made of the text of an article and its language by a function that is named."""

    name: str
    type: Literal["string", "binary", "int64", "double"]
    function: str  # `module:function`, of text and language

    def load(self) -> Callable[[str, str], Any]:
        """The function."""
        module, _, name = self.function.partition(":")
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        made: Callable[[str, str], Any] = found
        return made


@dataclass(frozen=True, slots=True)
class BulkSettings:
    """How pages are read.

    Args:
        extractors: which; the first gives `text`, each other a column `text_…`, all from one scan.
        rules: file of rules of sites (`tidings bulk learn`); none if empty.
        audit_every: of so many pages that rules serve, one is read the long way too and compared; 0 for none.
        markdown: whether there is a column with the article as Markdown.
        timing: whether there is a column with the processor time of each page. Files are then no longer the same bytes
            each time.
        made: further columns.
        seconds: of processor time that a page may take; None reads in this process, without a guard.
        memory: bytes that a page may take.
        largest: bytes that a page may have.
    """

    extractors: tuple[str, ...] = (DEFAULT,)
    rules: str = ""
    audit_every: int = 200
    markdown: bool = False
    timing: bool = False
    made: tuple[MadeColumn, ...] = field(default=())
    seconds: float | None = 20.0
    memory: int | None = 1536 * _MB
    largest: int = 16 * _MB

    def checked(self) -> BulkSettings:
        """The settings themselves, if they make sense.

        Raises:
            UnknownExtractor: no extractor has one of the names.
            BadParameter: a number is out of its range.
        """
        if not self.extractors or len(set(self.extractors)) < len(self.extractors):
            raise BadParameter("name extractors, each once")
        for name in self.extractors:
            extractors.extractor(name)
        if self.rules and self.extractors[0] != DEFAULT:
            raise BadParameter(f"rules were learned from the default: name it first, not {self.extractors[0]!r}")
        if self.largest < 1 or self.audit_every < 0 or (self.seconds is not None and self.seconds <= 0):
            raise BadParameter("largest, seconds and audit_every are positive numbers")
        return self

    def as_dict(self) -> dict[str, Any]:
        """For a file that is to be read again."""
        return asdict(self)

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> BulkSettings:
        """As `as_dict` wrote it."""
        values = dict(said)
        values["extractors"] = tuple(values["extractors"])
        values["made"] = tuple(MadeColumn(**one) for one in values["made"])
        return cls(**values)

    @property
    def digest(self) -> str:
        """Tells settings apart that give other rows: where the rules lie and what a page may take are no part of it."""
        said = {name: value for name, value in self.as_dict().items() if name not in ("rules", "seconds", "memory")}
        return blake2b(json.dumps(said, sort_keys=True).encode(), digest_size=8).hexdigest()
