"""What was read from a folder: the pages that can be used, and what is wrong with the others.

One page of a corpus: where it lies, what is known of it, and its gold.

Whether gold text opens with the headline, where only the page itself can tell.

big5 and waddle have no gold title, and their texts mostly open with the headline: of every third page, 77 of 80 and
117 of 126 are found to, and one of 53 of fundus, whose texts never do.

Parts of a corpus that no site is in twice, and the digest that tells whether a corpus is still the same.

Pages of one site share a template: with a site on both sides, what is measured is how well the template was learned
by heart (memory-based thesis 6.3: body F 0.981 with, 0.892 without pages of the same site).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from tidings.errors import InputError, PageError, PageTooLarge
from tidings.fields.headline import Form, headline
from tidings.page import Page
from tidings.page.decode import MAX_BYTES
from tidings.text import words

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


def opens_with(text: str, headline: str) -> bool:
    """Whether a text opens with a headline, which may be a title element with the site's name around it."""
    wanted = words(headline)
    first = words(text.lstrip().split("\n", 1)[0][:1000])
    if not wanted or not first:
        return False
    if first[: len(wanted)] == wanted:
        # A line much longer than the headline is a sentence: "Port Selene is the capital of …".
        return len(first) <= 2 * len(wanted)
    # Three words, as "News" opens many texts and is part of many titles.
    return len(first) >= max(3, len(wanted) / 2) and f" {' '.join(first)} " in f" {' '.join(wanted)} "


class CorpusLayout(StrEnum):
    """How pages and gold lie on disk."""

    TIDINGS = "tidings"  # pages.jsonl with a page a line, and the gzipped HTML
    BESIDE = "beside"  # page.html with its gold text in page.txt
    CLEANEVAL = "cleaneval"  # 1.html with a header, 1-cleaned.txt with marked lines
    GROUND_TRUTH = "ground-truth"  # ground-truth.json and html/ID.html.gz
    HRA = "hra"  # page.html with page.hra


class CorpusTrouble(StrEnum):
    """What can be wrong with one page of a corpus."""

    NO_PAGE = "gold without page"
    NO_GOLD = "page without gold"
    TWICE = "id given twice"
    BROKEN_LINE = "record that cannot be read"
    BROKEN_PAGE = "page that cannot be read"
    OUTSIDE = "page outside the folder"
    CHANGED = "page that changed"


@dataclass(frozen=True, slots=True)
class CorpusProblem:
    """One thing that is wrong, and where."""

    trouble: CorpusTrouble
    where: str  # an id, or a file and a line of it
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.trouble}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The pages of a folder. `problems` lists what was left out or looks wrong."""

    folder: Path
    layout: CorpusLayout
    samples: Sequence[Sample]
    problems: Sequence[CorpusProblem]

    def count(self) -> Counter[CorpusTrouble]:
        """How often each thing is wrong."""
        return Counter(problem.trouble for problem in self.problems)


def opens_with_headline(sample: Sample, page: Page | None = None) -> bool:
    """As the corpus tells; else whether the text opens with the page's title element or a headline found on the page.

    Args:
        sample: a page with gold text.
        page: the same page, where it is at hand; read anew if None.

    Raises:
        InputError: the page must be looked at and its file cannot be read.
    """
    if sample.headline_in_text is not None:
        return sample.headline_in_text
    text = sample.gold.get("text") or ""
    if not text:
        return False
    try:
        page = page or Page(sample.html, sample.url or None)
    except PageError:
        return False
    found = (headline(page, form) for form in (Form.TITLE_ELEMENT, Form.TF, Form.LARGEST_HEADING))
    return any(one is not None and opens_with(text, one.text) for one in found)


class Fold(NamedTuple):
    """What to learn from, and what to measure on; no site is in both."""

    train: list[Sample]
    test: list[Sample]


def folds(samples: Sequence[Sample], k: int) -> list[Fold]:
    """`k` folds of about equal size, each page tested once. The same sites give the same folds in any order of pages.

    Raises:
        InputError: there are fewer sites than folds, or fewer than two folds.
    """
    sites = _by_site(samples)
    if not 2 <= k <= len(sites):
        raise InputError(f"{len(sites)} sites cannot be put into {k} folds; choose a number from 2 to {len(sites)}")
    sizes, place = [0] * k, {}
    # The largest site first, each into the smallest part so far: no part gets far from the mean.
    for site in sorted(sites, key=lambda site: (-len(sites[site]), _order(site))):
        smallest = sizes.index(min(sizes))
        place[site] = smallest
        sizes[smallest] += len(sites[site])
    return [_fold(samples, {site for site in sites if place[site] != part}) for part in range(k)]


def split(samples: Sequence[Sample], share: float = 0.5, seed: int = 0) -> Fold:
    """Two parts by site: `share` of the pages to learn from, as nearly as whole sites allow, the rest to measure on.

    Another seed draws other sites.

    Raises:
        InputError: there is only one site, or the share is not between 0 and 1.
    """
    sites = _by_site(samples)
    if len(sites) < 2 or not 0 < share < 1:
        raise InputError(f"{len(sites)} sites cannot be split at {share}: two sites and a share between 0 and 1 needed")
    chosen: set[str] = set()
    size, wanted = 0, share * len(samples)
    for site in sorted(sites, key=lambda site: _order(f"{seed} {site}")):
        if abs(size + len(sites[site]) - wanted) < abs(size - wanted) and len(chosen) < len(sites) - 1:
            chosen.add(site)
            size += len(sites[site])
    chosen = chosen or {min(sites, key=lambda site: (len(sites[site]), _order(site)))}
    return _fold(samples, chosen)


def digest(samples: Iterable[Sample]) -> str:
    """A digest of all pages and their gold. The order does not count."""
    whole = hashlib.sha256()
    for one in sorted(sample.digest for sample in samples):
        whole.update(one.encode())
    return whole.hexdigest()


def _by_site(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    sites = defaultdict(list)
    for sample in samples:
        sites[sample.site].append(sample)
    return dict(sites)


def _fold(samples: Sequence[Sample], learned: set[str]) -> Fold:
    return Fold(
        [sample for sample in samples if sample.site in learned],
        [sample for sample in samples if sample.site not in learned],
    )


def _order(name: str) -> bytes:
    """An order of names that has nothing to do with the alphabet."""
    return hashlib.sha256(name.encode(errors="surrogatepass")).digest()
