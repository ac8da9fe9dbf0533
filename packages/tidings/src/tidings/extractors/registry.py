"""The registry of extractors: names, import paths and publications.

`PUBLISHED` lists every built-in extractor. Modules are imported on first use, so that `tidings.extract` loads one
method instead of fifty.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar, runtime_checkable

from tidings.errors import UnknownExtractor
from tidings.extractors import parameters
from tidings.page import Page, Spans

if TYPE_CHECKING:
    from tidings.charts import Profile


def is_expression(text: str) -> bool:
    """Return whether a text is an expression rather than a plain name."""
    return re.fullmatch(r"[\w-]*", text.strip()) is None


@runtime_checkable
class Extractor(Protocol):
    """A content extractor: a function from a page to ranges of its text (DANA thesis, eq. 2.11)."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the selected ranges of the page's text."""
        ...


class Decision(NamedTuple):
    """An extractor's selection with the kind of page and the confidence."""

    spans: Spans
    kind: str
    confidence: float  # 0 to 1: the expected word F1
    hidden: Spans | None = None  # the part of the spans that the page hides, although it belongs to the story
    doubt: str = ""  # the reason for a low confidence


@runtime_checkable
class Deciding(Protocol):
    """An extractor that also classifies the page."""

    def decide(self, page: Page, /) -> Decision:
        """Return the selected ranges, the kind of page, and the confidence in both."""
        ...


@runtime_checkable
class Moving(Protocol):
    """An extractor that moves some text to the end of the page, which ranges in page order cannot express."""

    def moved(self, page: Page, /) -> Sequence[int]:
        """Return the elements whose text is moved to the end, in their new order; the selected ranges do not contain
        them.
        """
        ...


@runtime_checkable
class Pictured(Protocol):
    """An extractor that can draw how it processes a page (`tidings compare` shows the drawing)."""

    def picture(self, page: Page, /) -> Profile:
        """Return a figure of the publication, drawn for this page."""
        ...


Maker = Callable[[], Extractor]  # creates the extractor with its published parameters


class Entry(NamedTuple):
    """A registered extractor."""

    name: str
    place: str | Maker  # its class or function, or the import path `module:attribute` inside this package
    citation: str
    needs_layout: bool = False  # works only on pages rendered by a browser (`Hints.layout`)
    needs_siblings: bool = False  # works only with other pages of the site (`Hints.siblings`)

    @property
    def make(self) -> Maker:
        """Return the function that creates the extractor with its published parameters; imports its module."""
        return _imported(self.place) if isinstance(self.place, str) else self.place

    @property
    def summary(self) -> str:
        """Return the first line of the extractor's docstring; imports its module."""
        return (inspect.getdoc(self.make) or "").partition("\n")[0]

    def may_make(self, kind: type) -> bool:
        """Return whether this entry can create exactly this class; imports no module."""
        if isinstance(self.place, str):
            return self.place == _place_of(kind)
        return not isinstance(self.place, type) or self.place is kind


_PACKAGE: Final = f"{__package__}."


@cache
def _place_of(kind: type) -> str:
    return f"{kind.__module__.removeprefix(_PACKAGE)}:{kind.__qualname__}"


@cache
def _imported(place: str) -> Maker:
    module, _, attribute = place.partition(":")
    make: Maker = getattr(import_module(_PACKAGE + module), attribute)
    return make


#: The built-in extractors.
PUBLISHED: Final = (
    Entry("block-tree", "published.block_tree.extractor:BlockTree", "hybrid rules 4; Uzun, Agun and Yerlikaya 2013"),
    Entry(
        "block-entropy", "published.block_entropy:BlockEntropy",
        "N-EXT thesis 2.7; Lin and Ho 2002 (InfoDiscoverer)", needs_siblings=True,
    ),
    Entry("bte", "published.bte:BTE", "Finn et al. 2001; DANA thesis 3.3.1.1"),
    Entry("ccb", "published.ccb:CCB", "Gottron 2008; DANA thesis 3.3.1.3"),
    Entry("accb-40", "published.ccb:ACCB", "Gottron 2008; DANA thesis 3.3.1.3"),
    Entry("accb", "published.ccb:ACCB", "Gottron 2008 (ACCB-40); DANA thesis 3.3.1.3"),
    Entry("tccb-18", "published.ccb:TCCB18", "Gottron 2008; DANA thesis 3.3.1.3"),
    Entry("tccb-25", "published.ccb:TCCB25", "Gottron 2008; DANA thesis 3.3.1.3"),
    Entry("cetd", "published.cetd:CETD", "DANA thesis 3.2.7, eq. 3.1; Sun et al. 2011"),
    Entry("cetd-composite", "published.cetd:CompositeCETD", "DANA thesis 3.2.7, eq. 3.2; Sun et al. 2011"),
    Entry("cetd-sum", "published.cetd:DensitySum", "DANA thesis 3.2.7; Sun et al. 2011, density sum"),
    Entry("cetr", "published.cetr:CETR", "Weninger, Hsu, Han 2010; DANA thesis 3.3.3.1"),
    Entry("cetr-km", "published.cetr:CETRKM", "Weninger, Hsu, Han 2010 (CETR-KM); DANA thesis 3.3.3.1"),
    Entry("cetr-tm", "published.cetr:CETRTM", "Weninger, Hsu, Han 2010 (CETR-TM); DANA thesis 3.3.3.1"),
    Entry("content-seeker", "published.content_seeker:ContentSeeker", "DANA thesis 3.2.6; Louvan 2009"),
    Entry(
        "learned", "learned.extractor:Learned",
        "Tidings; trained on WCXB (CC-BY-4.0), Fundus (MIT) and VOA Dari: see the model card",
    ),
    Entry(
        "content-seeker-learned", "published.content_seeker_learned:ContentSeekerLearned",
        "DANA thesis 3.2.6; Louvan 2009",
    ),
    Entry(
        "correlation-clustering", "published.correlation_clustering:CorrelationClustering",
        "LBNEST II.B; Chakrabarti, Kumar, Punera 2008",
    ),
    Entry("crunch", "published.crunch:Crunch", "DANA thesis 3.2.1, Algorithm 1; Gupta et al. 2003"),
    Entry("r2l", "published.dana:R2L", "DANA thesis 4.3; Mohammadzadeh et al. 2011"),
    Entry("r2l-bytes", "published.r2l_bytes:R2LBytes", "DANA thesis 4.3 (as printed: on bytes, without a parser)"),
    Entry("dana", "published.dana:DANA", "DANA thesis 4.4; Mohammadzadeh et al. 2011"),
    Entry("danag", "published.dana:DANAg", "DANA thesis 4.5; Mohammadzadeh et al. 2012"),
    Entry("addanag", "published.dana:AdDANAg", "DANA thesis 4.6; Mohammadzadeh et al. 2013"),
    Entry(
        "addanag-adaptive", "published.dana:AdaptiveAdDANAg",
        "DANA thesis 4.4.2 and 4.6 (the gap by the page, a rule of ours)",
    ),
    Entry(
        "dana-adaptive", "published.dana:AdaptiveDANA",
        "DANA thesis 4.4.2 and 4.4 (the gap by the page, a rule of ours)",
    ),
    Entry("density", "published.density:Density", "Moreno et al. 2009; DANA thesis 3.3.3.2"),
    Entry("dsc", "published.dsc:DSC", "Pinto et al. 2002; DANA thesis 3.3.1.2"),
    Entry("everything", "combine:Everything", "DANA thesis, table 4.9 ('Plain')"),
    Entry("fe", "published.feature_extractor:FE", "DANA thesis 3.2.3; Debnath et al. 2005"),
    Entry("k-fe", "published.feature_extractor:KFE", "DANA thesis 3.2.3; Debnath et al. 2005"),
    Entry("gswce", "published.gswce:GSWCE", "DANA thesis 3.2.8; Liu and Liao 2011"),
    Entry("headline-bounded", "published.headline_bounded:HeadlineBounded", "DANA thesis 7.2.1 (around AdDANAg, 4.6)"),
    Entry("largest-block", "published.largest_block:LargestBlock", "Ziyi et al. 2009; N-EXT thesis 4.1.4 (baseline)"),
    Entry(
        "layout-correlation", "published.layout.correlation:LayoutCorrelation",
        "LBNEST II.B; Chakrabarti, Kumar, Punera 2008 (on drawn boxes)", needs_layout=True,
    ),
    Entry(
        "layout-largest", "published.layout.text_box:LargestTextBox",
        "LBNEST II.A and IV (the proximity method)", needs_layout=True,
    ),
    Entry("n-ext", "published.n_ext:NEXT", "N-EXT thesis ch. 4 (own-text blocks)"),
    Entry("n-ext-printed", "published.n_ext:PrintedNEXT", "N-EXT thesis ch. 4 (leaf blocks, as printed)"),
    Entry("lbnest", "published.lbnest:LBNEST", "LBNEST II.C and III (the DOM method)"),
    Entry(
        "layout-lbnest", "published.layout.lbnest:LayoutLBNEST",
        "LBNEST IV (the hybrid of layout and DOM method)", needs_layout=True,
    ),
    Entry(
        "layout-vips", "published.layout.vips:VIPS",
        "Cai, Yu, Wen, Ma 2003 (VIPS); DANA thesis 3.2.5", needs_layout=True,
    ),
    Entry("lqf-25", "published.lqf:LQF25", "DANA thesis 3.2.4, Algorithm 3; Gottron 2008"),
    Entry("lqf-50", "published.lqf:LQF50", "DANA thesis 3.2.4, Algorithm 3; Gottron 2008"),
    Entry("lqf-75", "published.lqf:LQF75", "DANA thesis 3.2.4, Algorithm 3; Gottron 2008"),
    Entry("mantratzis", "published.mantratzis:Mantratzis", "DANA thesis 3.2.2; Mantratzis et al. 2005"),
    Entry(
        "memory-based", "published.memory_based.extractor:MemoryBased",
        "memory-based thesis, chapters 3–6 (TiMBL on the elements of a page)",
    ),
    Entry("mss", "published.mss:MSS", "Pasternack and Roth 2009; DANA thesis 3.3.1.4 (NB scoring)"),
    Entry("mss-k", "published.mss:MSSK", "Pasternack and Roth 2009; Ruzzo and Tompa 1999; DANA thesis 3.3.1.4"),
    Entry("newsir", "published.newsir:NewsIR", "N-EXT thesis 2.3; Parapar and Barreiro 2007 (NewsIR)"),
    Entry("combine", "pipelines:combine", "Gottron 2008, 2009 (CombinE); DANA thesis 3.4.2"),
    Entry("best-vote", "pipelines:best_vote", "found by `tidings lab search` on half of the sites of wcxb-dev"),
    Entry(
        "rtdm", "published.rtdm:RTDM",
        "N-EXT thesis 2.5; DANA thesis 3.1.1; Reis et al. 2004; Vieira et al. 2006 (RTDM-TD)", needs_siblings=True,
    ),
    Entry("shallow-2", "published.shallow:Shallow2", "DANA thesis 3.3.2.1; Kohlschütter et al. 2010"),
    Entry("crf", "published.sequence:CRF", "DANA thesis 3.3.2.2; Gibson et al. 2007; Lafferty et al. 2001"),
    Entry("maxent", "published.sequence:MaxEnt", "DANA thesis 3.3.2.2; Gibson et al. 2007"),
    Entry("memm", "published.sequence:MEMM", "DANA thesis 3.3.2.2; Gibson et al. 2007; McCallum et al. 2000"),
    Entry("shallow-tree", "published.shallow_learned:ShallowTree", "DANA thesis 3.3.2.1; Kohlschütter et al. 2010"),
    Entry("shallow-svm", "published.shallow_learned:ShallowSVM", "DANA thesis 3.3.2.1; Kohlschütter et al. 2010"),
    Entry("similarity-based", "published.similarity_based:SimilarityBased", "DANA thesis 7.2.3"),
    Entry("title-position", "published.title_position:TitlePosition", "N-EXT thesis 2.4; Han, Noro, Tokuda 2009"),
)  # fmt: skip
_ENTRIES: Final[dict[str, Entry]] = {entry.name: entry for entry in PUBLISHED}
#: The extractor that is used if none is named: `Learned` in `learned/extractor.py`; `default` is its alias.
DEFAULT: Final = "learned"
ALIASES: Final = {"default": DEFAULT}

Factory = TypeVar("Factory", bound=Callable[..., Extractor])


def register(name: str, citation: str, *, needs_layout: bool = False) -> Callable[[Factory], Factory]:
    """Return a class decorator that registers an extractor under a name and checks the types of its parameters.

    Meant for your own extractors; the built-in ones are listed in `PUBLISHED`.
    """

    def decorate(make: Factory) -> Factory:
        if name in _ENTRIES or name in ALIASES:
            raise ValueError(f"two extractors are called {name!r}")
        _ENTRIES[name] = Entry(name, make, citation, needs_layout)
        if isinstance(make, type):
            parameters.checked(make)
        return make

    return decorate


def registered(name: str) -> Extractor:
    """Return the extractor with this name and its published parameters.

    Raises:
        UnknownExtractor: no extractor has that name; the message lists the nearest ones.
    """
    entry = _ENTRIES.get(ALIASES.get(name, name))
    if entry is None:
        raise UnknownExtractor(name, (*_ENTRIES, *ALIASES))
    return entry.make()


def entries(*, laid_out: bool = False) -> tuple[Entry, ...]:
    """Return the registered extractors in the order of `PUBLISHED`.

    Extractors that need a rendered page or other pages of the site are included only with `laid_out`.
    """
    return tuple(entry for entry in _ENTRIES.values() if laid_out or not (entry.needs_layout or entry.needs_siblings))


def needs_siblings(extractor: object) -> bool:
    """Return whether an extractor, or one of its members, compares pages of a site."""
    if isinstance(extractor, tuple | list):
        return any(map(needs_siblings, extractor))
    if not is_dataclass(extractor):
        return False
    compares = any(entry.needs_siblings and entry.may_make(type(extractor)) for entry in _ENTRIES.values())
    return compares or any(needs_siblings(getattr(extractor, field.name)) for field in fields(extractor))
