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

#: Corpora that are for measuring only though their licence does not say so: other tools are measured on them too, and
#: what has learned from them could not be compared.
_MEASURED_ONLY: Final = frozenset(("eadys-tr", "trafilatura"))
#: What the licence of a page says that is for measuring only.
_EVALUATION: Final = "evaluation only"


@cache
def _partial() -> frozenset[str]:
    lines = Path(__file__).with_name("partial_gold.tsv").read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition("\t")[0] for line in lines if not line.startswith("#"))


@dataclass(frozen=True, slots=True)
class Sample:
    """One page of a corpus and what a perfect reader takes out of it.

    `gold` holds some of title, authors, date, text, paragraphs, headings, summary, topics, images, links, with and
    without. A field that the corpus does not annotate is absent; one that the page does not have is "" or [].
    """

    id: str
    site: str
    lang: str
    page_type: str
    file: Path
    gold: Mapping[str, Any]
    url: str = ""
    corpus: str = ""
    gold_kind: str = ""  # who made the gold: annotators, reviewed-draft, upstream-parser, site-rule, segments, …
    headline_in_text: bool | None = None  # whether the gold text opens with the headline; None where nothing tells
    more: Mapping[str, Any] = field(default_factory=dict)  # what else the corpus says: licence, split, html_sha1, …

    @property
    def html(self) -> bytes:
        """The page's bytes, never more of them than a page may have.

        Raises:
            InputError: the file is gone or damaged.
            PageTooLarge: it holds more than a page may have.
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
        """Whether it may be learned from: neither its licence nor those who gathered it keep it for measuring.

        Training and studies ask here and nowhere else.
        """
        return self.corpus not in _MEASURED_ONLY and _EVALUATION not in str(self.more.get("licence", "")).lower()

    @property
    def is_partial(self) -> bool:
        """Whether gold is known to hold only part of the story that the page shows (`partial_gold.tsv`)."""
        return self.id in _partial()

    @property
    def half(self) -> int:
        """0 or 1, the same for all pages of a site: what is tuned on one half is measured on the other."""
        site = self.site.encode(errors="surrogatepass")
        return hashlib.sha1(site, usedforsecurity=False).digest()[-1] % 2

    @property
    def digest(self) -> str:
        """Tells whether page or gold changed. A page that cannot be read has one too."""
        try:
            content = hashlib.sha256(self.html).hexdigest()
        except (InputError, PageTooLarge):
            content = "unreadable"
        gold = json.dumps(self.gold, sort_keys=True, default=str)
        return hashlib.sha256(json.dumps([self.id, content, gold]).encode()).hexdigest()
