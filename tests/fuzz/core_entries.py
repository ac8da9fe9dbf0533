"""The target `core`: every function of the compiled core on one small page, by the Python that calls it.

A case takes some milliseconds, so that a million fit in an afternoon. Which blocks, spans, elements and rules are asked
for is drawn from the input, so that an input is all that repeats a case. One case in `_WHOLE` also goes through
`extract` and the properties of columns, which take longer than all entries together.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from itertools import product
from random import Random
from typing import Final
from zlib import crc32

import numpy as np

from tests.fuzz import samples
from tests.fuzz.mutations import HTML, Growth, composed, mutated, soup
from tests.fuzz.samples import CSS_TOKENS, HERE, MARKUP_TOKENS, ODD_NAMES
from tests.page.properties import check_columns
from tidings import extract
from tidings.article.assemble import assemble
from tidings.article.pictures import select as pictures
from tidings.article.units.article_tables import article_tables
from tidings.article.units.places import story_places
from tidings.core import CoreMemory
from tidings.core.block_rows import BlockChoice, blocks
from tidings.errors import CoreError
from tidings.extractors.learned import ending
from tidings.extractors.learned.blocks import VisibleBlocks, _compiled, looker
from tidings.extractors.learned.choice import Preference, choose
from tidings.extractors.learned.model import Model, shipped
from tidings.fields import language
from tidings.page import Page, Spans, tags
from tidings.page.compiled import scanner
from tidings.page.style_sheet import style_sheet
from tidings.page.tag_words import are_boxes, places_in_source
from tidings.sites import formats
from tidings.sites.extraction.compiled import cutter
from tidings.sites.extraction.cut import TOLERANCE, PageCut, RuleMismatch, cut_article
from tidings.sites.extraction.fragment import read
from tidings.sites.extraction.pieces import field_ranges
from tidings.sites.templates.anchor import Anchor, Condition, Step
from tidings.sites.templates.rule import MAIN, UNINFORMATIVE, Expected, Rule, Template
from tidings_lab.learners.features import features

#: The size of most cases, and how few are larger.
_GROWTH: Final[Growth] = ((2_000, 0.96), (12_000, 0.997), (100_000, 0.9997), (1_000_000, 1.0))
#: One case in so many goes through `extract` too.
_WHOLE: Final = 50
_MOST_TAGS: Final = 40  # start tags that are asked for by themselves
_TAG: Final = re.compile(rb"<(/?)([A-Za-z][\w-]*)")


# -- inputs --------------------------------------------------------------------------------------------------------


def small_page(rng: Random) -> bytes:
    """Return a piece of a page of the newspaper or a page made of tokens, styled and changed."""
    chance = rng.random()
    page = soup(rng, 60) if chance < 0.3 else _piece(rng)
    for token in rng.sample(MARKUP_TOKENS, rng.choice((0, 0, 0, 1, 2, 5))):
        at = page.find(b"<", rng.randrange(len(page) + 1))
        page = page[:at] + token + page[at:]
    if rng.random() < 0.4:
        page = b"<style>%b</style>%b" % (_sheet(rng, page), page)
    if rng.random() < 0.08:
        page = _renamed(rng, page)
    if rng.random() < 0.06:
        name = rng.choice(HTML).encode()
        page = b"<%b>" % name * rng.choice((300, 511, 512, 513, 700)) + page
    return mutated(rng, (page, _piece(rng)), MARKUP_TOKENS, _GROWTH) if rng.random() < 0.85 else page


def _piece(rng: Random) -> bytes:
    """Return a part of a page, from the beginning of a tag on."""
    page = rng.choice(samples.pages())
    size = int(2 ** rng.uniform(8.5, 12))
    start = 0 if rng.random() < 0.2 else max(0, page.find(b"<", rng.randrange(len(page))))
    return page[start : start + size]


def _sheet(rng: Random, page: bytes) -> bytes:
    """Return a style sheet whose selectors may match elements of a page."""
    names = [name.encode() for name in HTML[:30]] + [b"." + name for name in _NAMES.findall(page)[:40]]
    return composed(rng, (*CSS_TOKENS, *rng.choices(names, k=len(CSS_TOKENS) // 3)), 60)


_NAMES: Final = re.compile(rb"(?<![\w-])(?:class|id)=[\"']?([\w-]+)")


def _renamed(rng: Random, page: bytes) -> bytes:
    """Return a page of which some tags have other names, not all of ASCII."""
    odd = rng.sample(ODD_NAMES, 3)
    return _TAG.sub(lambda tag: b"<%b%b" % (tag[1], rng.choice(odd)) if rng.random() < 0.3 else tag[0], page)


# -- entries -------------------------------------------------------------------------------------------------------


def read_entries(data: bytes) -> None:
    """Call every function of the core on a page, its parts and its fragments."""
    number = crc32(data)
    rng = Random(number)
    try:
        # To detect an encoding takes as long as all the rest: the target `page` does it.
        page = Page(data if rng.random() < 0.1 else data.decode("utf-8", "replace"), HERE)
        spans = _read_page(page, rng)
        if rng.random() < 0.1:
            _read_page(page.within(spans), rng)
        for reader in rng.sample((_read_words, _read_pictures, _read_blocks, _cut_page, _read_fragment), 2):
            reader(page, rng)
        if number % _WHOLE == 0:
            check_columns(Page(data))
            assert extract(data, HERE).text is not None
    except CoreError as error:  # which is an error of Tidings, and would count as a refusal
        raise AssertionError(f"{error.function} failed") from error


def _read_page(page: Page, rng: Random) -> Spans:
    """Select text of a page as the default extractor does, and some at random; return what was chosen at random."""
    model = _model()
    memory, count = page.compiled.memory, page.compiled.blocks_size
    declared = [_some_text(page, rng) for _ in range(3)]
    looked = looker().look(memory, count, declared, _experts()[: rng.choice((1, 1, 1, 2, 0))])
    found = VisibleBlocks(looked.blocks, looked.words, looked.dates)
    model.kinds._compiled.weigh(memory, scanner().tables, declared[0])
    probability = looked.probabilities[0] if looked.probabilities else np.zeros(0)
    if len(probability) < len(found.blocks) or rng.random() < 0.3:
        probability = np.array([rng.choice(_PROBABILITIES) for _ in found.blocks])
    selected, expected = choose(probability, found.words, rng.choice(list(Preference)), is_story=rng.random() < 0.5)
    assert 0 <= expected <= 1
    text = ending.endings(page, found, probability, selected).text
    spans = Spans.of_edges(text.edges, len(page.text)) & page.scope
    if rng.random() < 0.1:
        features(page, model.article.lexicon)
    language.guess_page(page, spans if rng.random() < 0.5 else None)
    scanner().names(memory)
    chosen = _some_spans(page, rng) & page.scope if rng.random() < 0.5 else spans
    story_places(page, chosen)
    if rng.random() < 0.2:
        assemble(page, chosen)
    return chosen


_PROBABILITIES: Final = (0.0, 1.0, 0.5, 1e-300, 0.999999)


def _some_text(page: Page, rng: Random) -> str:
    """Return nothing, a part of the text of a page, or signs."""
    start = rng.randint(0, len(page.text))
    return rng.choice(("", page.text[start : start + 80], page.text[:2000], "naïve 漢🦭 1 \ud800"))


def _some_spans(page: Page, rng: Random) -> Spans:
    """Return all text, all that is visible, or ranges that begin and end anywhere."""
    size = len(page.text)
    if rng.random() < 0.3:
        return rng.choice((Spans.all(size), page.visible))
    edges = sorted({rng.randint(0, size) for _ in range(2 * rng.choice((1, 2, 8)))})
    return Spans.of_edges(np.array(edges[: len(edges) // 2 * 2], np.int64), size)


def _read_words(page: Page, rng: Random) -> None:
    held = page.holding(rng.choice(_WORDS), rng.choice((0, 0, tags.NUMBERS["div"])))
    are_boxes(page, held)
    places_in_source(page, rng.choice(_WORDS), rng.choice((1, 3, 50)))
    elements = [rng.randrange(len(page.elements)) for _ in range(4)]
    page.unseen(elements)
    starts = [page.cut.tag(tag) for tag in page.opened[1 : 1 + _MOST_TAGS].tolist()]
    page.ways_of([tag for tag in starts if rng.random() < 0.5])


_WORDS: Final = (("author", "byline"), ("div",), ("class", "style", "href"), ("comment", "zzzz"))


def _read_pictures(page: Page, rng: Random) -> None:
    images = (page.elements.tag == tags.NUMBERS["img"]).nonzero()[0]
    if len(page.runs):
        pictures.pictures_at(page, images, rng.choice((HERE, "", "https://logo.example/icon/")), page.visible)


def _read_blocks(page: Page, rng: Random) -> None:
    """Ask for blocks with roots, specials and loose elements at random; they have to be in order."""
    runs, elements = len(page.runs), len(page.elements)
    spans = _some_spans(page, rng)
    places = story_places(page, spans)
    said = "naïve 漢🦭"

    def some(count: int, most: int = 4) -> list[int]:
        return sorted(rng.sample(range(count), min(count, rng.randint(0, most))))

    def row(place: int, *, has_text: bool) -> tuple[int, ...]:
        start = rng.randint(0, len(said))
        text = (start, rng.randint(start, len(said))) if has_text else (0, -1)
        return place, rng.randrange(256), rng.randint(0, 2), rng.randint(0, 2), 0, *text

    is_empty = page.elements.first == page.elements.last
    links = places.links[::4]
    choice = BlockChoice(
        (spans.starts.tolist(), spans.ends.tolist()),
        (links, [rng.randint(-1, 3) for _ in links]),
        places.has_table,
        roots=some(elements, 1),
        specials=[row(run, has_text=rng.random() < 0.5) for run in some(runs)],
        loose=[row(element, has_text=True) for element in some(elements) if is_empty[element]],
        alone=some(runs),
        continuing=some(runs),
        text=said,
    )
    blocks(page.compiled.memory, article_tables().handle, choice)


def _cut_page(page: Page, rng: Random) -> None:
    """Cut the page by rules, with and without its blocks."""
    data, template = page.source.encode("utf-8", "replace"), rng.choice(_templates())
    with suppress(RuleMismatch):
        cut = PageCut.of(template, data, HERE, TOLERANCE, with_blocks=rng.random() < 0.7)
        cut_article(cut)
    if rng.random() < 0.2:
        rule = rng.choice(template.rules)
        field_ranges(cutter(rule, template.encoding), template.encoding, data)


def _read_fragment(page: Page, rng: Random) -> None:
    """Read a part of the source under other style sheets."""
    start = rng.randint(0, len(page.source))
    fragment = page.source[start : start + rng.choice((50, 500, 5000))]
    styles = style_sheet(composed(rng, CSS_TOKENS, 12).decode("utf-8", "replace"))
    if rng.random() < 0.1:
        read(fragment, HERE, styles)
    noise = sorted({0, rng.getrandbits(64), 2**64 - 1})
    origin = rng.choice((None, "", "https://a.example"))
    article_tables().fragment(fragment.encode("utf-8", "replace"), styles.compiled, noise, origin)


@cache
def _model() -> Model:
    return shipped()


@cache
def _experts() -> list[CoreMemory]:
    model = _model()
    return [_compiled(expert) for expert in (model.article, model.other, model.forum) if expert is not None]


@cache
def _templates() -> tuple[Template, ...]:
    """Return templates that fit many pages, those that were learned of sites, and those of files."""
    div, paragraph, any_class = Anchor("div"), Anchor("p"), Anchor("", (Condition("class", "holds", "a"),))
    fields = (
        Rule("title", left="<h1", right="</h1>"),
        Rule("title", left=">", right="<"),
        Rule("authors", anchor=any_class),
        Rule("tags", anchor=Anchor("a"), inside=div, each=True),
        Rule("canonical", anchor=Anchor("a"), attribute="href"),
        Rule("image", anchor=Anchor("img"), attribute="src"),
        Rule("published", anchor=Anchor("time"), attribute="datetime"),
        Rule("summary", left='"', right='"', syntax="json"),
        Rule("tags", left="[", right="]", syntax="json list"),
        Rule("section", anchor=Anchor("span"), path=(Step("div", 1), Step("p", 2), Step("span", 1))),
    )
    mains = (
        (Rule(MAIN, anchor=div), Rule(UNINFORMATIVE, anchor=paragraph, each=True)),
        (Rule(MAIN, anchor=paragraph, each=True), Rule(UNINFORMATIVE, anchor=any_class, each=True)),
        (Rule(MAIN, anchor=any_class, each=True, left="<p", right="</p>"),),
        (Rule(MAIN, left=">", right="</"),),
        (Rule(MAIN, anchor=Anchor("td"), inside=Anchor("table"), each=True),),
    )
    encodings = ("utf-8", "utf-8", "utf-8", "latin-1")
    made = [
        Template(rules=(*rules, *fields), encoding=encoding, several=number % 2 > 0, noise=frozenset((1, 2**63)))
        for number, (rules, encoding) in enumerate(product(mains, encodings))
    ]
    made.append(Template(rules=(*mains[0], *fields), expected=Expected(markers=("<", "div"), reach=50)))
    for file in samples.rules():
        site, _ = formats.read(file.decode(), "harbour.example")
        made += [known.template for known in site.templates]
    return tuple(template.checked() for template in made)
