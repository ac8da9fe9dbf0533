"""A page of a corpus: its file, its metadata and its ground truth."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError, PageTooLarge
from tidings.page.decode import MAX_BYTES

#: Corpora for measuring only, although their licence does not say so: other tools are evaluated on them, and a model
#: trained on them could not be compared.
_MEASURED_ONLY: Final = frozenset(("eadys-tr", "trafilatura"))
#: The licence of pages for measuring only.
_EVALUATION: Final = "evaluation only"


@cache
def list_shapes() -> dict[str, str]:
    """Return the kind of list of each page whose story is a list, by page id (`story_lists.tsv`)."""
    lines = Path(__file__).with_name("story_lists.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: shape for _, name, shape in rows}


@cache
def _partial() -> frozenset[str]:
    lines = Path(__file__).with_name("partial_gold.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition("\t")[0] for line in lines if not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Sample:
    """A page of a corpus and its ground truth.

    `gold` contains some of title, authors, date, text, paragraphs, headings, summary, topics, images, links, with and
    without. A field that the corpus does not annotate is absent; a field that the page does not have is "" or [].
    """

    id: str
    site: str
    lang: str
    page_type: str
    file: Path
    gold: Mapping[str, Any]
    url: str = ""
    corpus: str = ""
    gold_kind: str = ""  # origin of the gold: annotators, reviewed-draft, upstream-parser, site-rule, segments, …
    headline_in_text: bool | None = None  # whether the gold text begins with the headline; None if unknown
    more: Mapping[str, Any] = field(default_factory=dict)  # further keys of the corpus: licence, split, html_sha1, …

    @property
    def html(self) -> bytes:
        """Return the page's bytes; larger pages than Tidings accepts raise an error.

        Raises:
            InputError: the file is missing or damaged.
            PageTooLarge: the page is too large.
        """
        try:
            if self.file.suffix == ".gz":
                with gzip.open(self.file) as stream:
                    data = stream.read(MAX_BYTES + 1)
            else:
                with self.file.open("rb") as plain:
                    data = plain.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"the page {self.id} cannot be read from {self.file}: {reason}") from error
        if len(data) > MAX_BYTES:
            raise PageTooLarge(f"{self.file} holds more than the {MAX_BYTES:,} bytes that a page may have")
        return data

    @property
    def may_teach(self) -> bool:
        """Return whether the page may be used for training: its licence and its corpus do not restrict it to
        evaluation.

        Training and studies check only this property.
        """
        return self.corpus not in _MEASURED_ONLY and _EVALUATION not in str(self.more.get("licence", "")).lower()

    @property
    def is_partial(self) -> bool:
        """Return whether the ground truth is known to contain only part of the story (`partial_gold.tsv`)."""
        return self.id in _partial()

    @property
    def list_shape(self) -> str:
        """Return the kind of list that the story is, such as ranking, recipe or qa; an empty string for running
        text.
        """
        return list_shapes().get(self.id, "")

    @property
    def half(self) -> int:
        """Return the half of the corpora to which the page's site belongs: 0 or 1.

        Parameters are tuned on one half and measured on the other.
        """
        site = self.site.encode(errors="surrogatepass")
        return hashlib.sha1(site, usedforsecurity=False).digest()[-1] % 2

    @property
    def digest(self) -> str:
        """Return a digest of page and ground truth. An unreadable page has a digest too."""
        try:
            content = hashlib.sha256(self.html).hexdigest()
        except (InputError, PageTooLarge):
            content = "unreadable"
        gold = json.dumps(self.gold, sort_keys=True, default=str)
        return hashlib.sha256(json.dumps([self.id, content, gold]).encode()).hexdigest()
