"""Classification of links to stories: LBNEST's filters and the trained model on labelled links (LBNEST VI.A).

The paper counts 93, 87 and 75 % right on 80 links of each of three sites. Here links of many sites are labelled
(`links.jsonl`: url, site, text, is_story), and the model is cross-validated with folds by site, so that no site is used
for both training and testing. A page that two sites link to puts both into one fold.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.fields.keys import squashed
from tidings.sources.addresses import canonical, key
from tidings.sources.front.anchors import LinkTarget
from tidings.sources.front.filter_config import BEST
from tidings.sources.front.filters import FilterVerdict, LinkCandidate, PageContext, SiteName
from tidings.sources.front.link_features import address_marks, split, text_marks, word_count
from tidings.sources.front.link_model import LinkModel
from tidings.text import fold_space, letter_pair_similarity
from tidings_lab.tables import Table

#: Strength of the penalty: from 1 to 8 the accuracy by folds grouped by site changes by two in a thousand.
PENALTY: Final = 3.0
FOLDS: Final = 10
_ROUNDS: Final = 50
_ROUNDED: Final = 3

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LabelledLink:
    """A link with its label."""

    site: str
    address: str  # canonical; empty if it leads to no page
    home: str  # the host it is seen from
    text: str
    is_story: bool

    @property
    def marks(self) -> list[str]:
        """Return the features of the link."""
        if not self.address:
            return ["no address"]
        marks, slug = address_marks(self.address, self.home)
        return marks + text_marks(self.text, slug)


def read_links(path: Path) -> list[LabelledLink]:
    """Return the labelled links of a file, a JSON object per line.

    Raises:
        InputError: the file does not exist or has another format.
    """
    try:
        return [_labelled(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} cannot be read as labelled links ({error}); a line has url, site, text, is_story"
        ) from error


def _labelled(record: dict[str, object]) -> LabelledLink:
    site = str(record["site"])
    name = site.replace("_", "").lower()
    home = name if "." in name else f"{name}.example"  # some sites are given by a name and not by a host
    address = canonical(str(record["url"]).strip(), f"https://{home}/") or ""
    return LabelledLink(site, address, home, fold_space(str(record["text"])), bool(record["is_story"]))


def train(links: Sequence[LabelledLink], penalty: float = PENALTY) -> LinkModel:
    """Train the model by logistic regression with a quadratic penalty."""
    names, rows = _matrix(links)
    weights = _solve(rows, _labels(links), penalty)
    rounded = [round(float(weight), _ROUNDED) for weight in weights]
    return LinkModel(dict(zip(names, rounded, strict=False)), rounded[-1])


def cross_validated(links: Sequence[LabelledLink], penalty: float = PENALTY, count: int = FOLDS) -> Floats:
    """Return the log-odds of links by models that were not trained on their site."""
    fold = folds(links, count)
    _, rows = _matrix(links)
    labels = _labels(links)
    found = np.zeros(len(links))
    for one in range(count):
        away = fold == one
        found[away] = rows[away] @ _solve(rows[~away], labels[~away], penalty)
    return found


def _matrix(links: Sequence[LabelledLink]) -> tuple[list[str], Floats]:
    """Return the names of all features, and a row per link with a column per feature and a constant column."""
    marks = [link.marks for link in links]
    names = sorted({mark for one in marks for mark in one})
    place = {name: at for at, name in enumerate(names)}
    rows = np.zeros((len(links), len(names) + 1))
    rows[:, -1] = 1.0
    for at, one in enumerate(marks):
        rows[at, [place[mark] for mark in one]] = 1.0
    return names, rows


def _labels(links: Sequence[LabelledLink]) -> Floats:
    return np.array([link.is_story for link in links], np.float64)


def _solve(rows: Floats, labels: Floats, penalty: float) -> Floats:
    """Return the weights by Newton's method from zero, which is deterministic."""
    pull = np.full(rows.shape[1], penalty)
    pull[-1] = 1e-6  # the bias is free
    weights = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        probability = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        curve = (rows * (probability * (1 - probability))[:, None]).T @ rows + np.diag(pull)
        step = np.linalg.solve(curve, rows.T @ (probability - labels) + pull * weights)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    return np.asarray(weights)


def folds(links: Sequence[LabelledLink], count: int = FOLDS) -> NDArray[np.int64]:
    """Return the number of each link's fold.

    Links of a site, and of sites that link to the same page, are in the same fold.
    """
    group = {link.site: link.site for link in links}

    def leader(site: str) -> str:
        while group[site] != site:
            site = group[site]
        return site

    first: dict[str, str] = {}
    for link in links:
        if link.address and not link.address.endswith("/#"):
            one = first.setdefault(key(link.address), link.site)
            group[leader(link.site)] = leader(one)
    sizes: dict[str, int] = {}
    for link in links:
        sizes[leader(link.site)] = sizes.get(leader(link.site), 0) + 1
    filled = [0] * count
    fold: dict[str, int] = {}
    for site in sorted(sizes, key=lambda one: (-sizes[one], one)):  # the largest first, into the emptiest fold
        fold[site] = int(np.argmin(filled))
        filled[fold[site]] += sizes[site]
    return np.array([fold[leader(link.site)] for link in links], np.int64)


def four_words(link: LabelledLink) -> bool:
    """Apply the paper's first filter alone, with words separated by spaces."""
    return len(link.text.split()) >= 4


def lbnest(link: LabelledLink) -> bool:
    """Apply the two filters of the paper."""
    names = {squashed(link.home.rpartition(".")[0]), squashed(link.home)}
    named = any(letter_pair_similarity(squashed(link.text), name) >= SiteName().similarity for name in names)
    return word_count(link.text) >= 4 and not named and bool(split(link.address)[1].strip("/"))


def study(links: Sequence[LabelledLink]) -> tuple[Table, Table]:
    """Return tables of all methods on labelled links, with the trained model in folds by site."""
    is_story = np.array([link.is_story for link in links])
    odds = cross_validated(links)
    methods: dict[str, Callable[[], NDArray[np.bool_]]] = {
        "every link": lambda: np.ones(len(links), np.bool_),
        "four words": lambda: np.array([four_words(link) for link in links]),
        "LBNEST: four words, site's name": lambda: np.array([lbnest(link) for link in links]),
        "learned, by folds of sites": lambda: odds > 0,
        "the whole default chain, by the same folds": lambda: np.array(
            [_passes(*pair) for pair in zip(links, odds, strict=True)]
        ),
    }
    rows = [(name, *_counted(method(), is_story)) for name, method in methods.items()]
    sites = len({link.site for link in links})
    title = f"Links to stories: {len(links)} links of {sites} sites, {int(is_story.sum())} of them to stories"
    table = Table(title, ("method", "accuracy", "precision", "recall"), tuple(rows))
    judge = train(links)
    strongest = sorted(judge.weights.items(), key=lambda pair: -abs(pair[1]))[:30]
    marks = Table("The strongest marks, learned on all links", ("mark", "weight"), tuple(strongest))
    return table, marks


def _passes(link: LabelledLink, odds: float) -> bool:
    """Return whether the default filters that need no page let a link pass."""
    view = PageContext(
        f"https://{link.home}/", link.home, frozenset({squashed(link.home.rpartition(".")[0]), squashed(link.home)})
    )
    candidate = LinkCandidate(LinkTarget(link.address, ()), link.text, float(odds), float(odds))
    return bool(link.address) and BEST.judge(candidate, view)[0] is FilterVerdict.PASS


def _counted(predicted: NDArray[np.bool_], is_story: NDArray[np.bool_]) -> tuple[float, float, float]:
    hits = int((predicted & is_story).sum())
    return (
        float((predicted == is_story).mean()),
        hits / max(int(predicted.sum()), 1),
        hits / max(int(is_story.sum()), 1),
    )


def written(judge: LinkModel) -> str:
    """Return a model as JSON, in the format of the built-in model."""
    told = {"bias": judge.bias, "weights": dict(sorted(judge.weights.items()))}
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"
