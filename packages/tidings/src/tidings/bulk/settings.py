"""The extraction settings of a run, equal for all splits and recorded with the output."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from hashlib import blake2b
from importlib import import_module
from typing import Any, Final, Literal

from tidings import extractors
from tidings.errors import BadOption, BadParameter
from tidings.options import DEFAULT as DEFAULT_OPTIONS
from tidings.options import ExtractOptions

_MB: Final = 1024 * 1024
#: The name of the default extractor.
DEFAULT: Final = "default"


@dataclass(frozen=True, slots=True)
class ComputedColumn:
    """An additional column, computed by a named function from text and language."""

    name: str
    type: Literal["string", "binary", "int64", "double"]
    function: str  # `module:function`, of text and language

    def load(self) -> Callable[[str, str], Any]:
        """Import the function."""
        module, _, name = self.function.partition(":")
        target: Any = import_module(module)
        for part in name.split("."):
            target = getattr(target, part)
        function: Callable[[str, str], Any] = target
        return function


@dataclass(frozen=True, slots=True)
class BulkSettings:
    """The extraction settings.

    Args:
        extractors: extractor names; the first fills `text`, the others a column `text_…`, all from one scan.
        rules: file with site rules (`tidings bulk learn`); none if empty.
        audit_every: interval of pages at which a result of rules is compared with the full extraction; 0 for never.
        markdown: whether to add a Markdown column.
        timing: whether to add a column with the processor time of each page. The files are then not reproducible.
        computed: additional columns.
        seconds: limit of processor time per page; None reads in this process, without a guard.
        memory: limit of memory per page in bytes.
        largest: largest page in bytes.
        options: the options of all extractions, without functions. Rules serve a page only if the options do not change
            which text is selected.
    """

    extractors: tuple[str, ...] = (DEFAULT,)
    rules: str = ""
    audit_every: int = 200
    markdown: bool = False
    timing: bool = False
    computed: tuple[ComputedColumn, ...] = field(default=())
    seconds: float | None = 20.0
    memory: int | None = 1536 * _MB
    largest: int = 16 * _MB
    options: ExtractOptions = DEFAULT_OPTIONS

    def checked(self) -> BulkSettings:
        """Return the settings if they are valid.

        Raises:
            UnknownExtractor: an extractor is unknown.
            BadParameter: a number is out of range.
            BadOption: the options contain a function.
        """
        if not self.extractors or len(set(self.extractors)) < len(self.extractors):
            raise BadParameter("name extractors, each once")
        for name in self.extractors:
            extractors.extractor(name)
        if self.rules and self.extractors[0] != DEFAULT:
            raise BadParameter(f"rules were learned from the default: name it first, not {self.extractors[0]!r}")
        if self.options.second_opinion is not None:
            raise BadOption("second_opinion", "is a Python function, which a run cannot record")
        if self.largest < 1 or self.audit_every < 0 or (self.seconds is not None and self.seconds <= 0):
            raise BadParameter("largest, seconds and audit_every are positive numbers")
        return self

    def as_dict(self) -> dict[str, Any]:
        """Convert to a dictionary."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return values | {"computed": tuple(map(asdict, self.computed)), "options": self.options.as_dict()}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BulkSettings:
        """Create settings from `as_dict`."""
        values = dict(data)
        values["extractors"] = tuple(values["extractors"])
        values["computed"] = tuple(ComputedColumn(**column) for column in values["computed"])
        values["options"] = ExtractOptions.from_dict(values.get("options", {}))
        return cls(**values)

    @property
    def digest(self) -> str:
        """Return a digest of the settings that affect rows, so without the location of rules and the limits."""
        relevant = {name: value for name, value in self.as_dict().items() if name not in ("rules", "seconds", "memory")}
        if not relevant["options"]:  # runs of versions without options go on
            del relevant["options"]
        return blake2b(json.dumps(relevant, sort_keys=True).encode(), digest_size=8).hexdigest()
