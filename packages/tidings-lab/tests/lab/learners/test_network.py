"""Training the network: gradients are those of the loss, and it learns what no block tells by itself."""

from __future__ import annotations

import numpy as np
import pytest

from tidings import Page
from tidings.extractors.learned import blocks as block_looks
from tidings.extractors.learned.features import feature_names
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert
from tidings.extractors.learned.trees import Trees
from tidings_lab.learners.features import BlockFeatures, features
from tidings_lab.learners.network import NetworkPage, NetworkTraining, borders_of, network_page, scaled

HTML = "<ul><li>Home<li>World news</ul><div><h1>Seals</h1><p>One two three.</p><p>Four five.</p></div><p>Buy now</p>"


def _features(html: str = HTML) -> BlockFeatures:
    return features(Page(html), Lexicon(Weights.of({}), Weights.of({})))


def _page(block_features: BlockFeatures, share: np.ndarray) -> NetworkPage:
    border, bounds = borders_of([block_features.rows], [False] * len(block_features.names), 1)
    return network_page(
        block_features,
        scaled(block_features.rows, border, bounds),
        share,
        block_features.words / block_features.words.sum(),
    )


def test_gradients_are_those_of_the_loss() -> None:
    training = NetworkTraining(units=5, message_size=3, layers=2, dropout=0.0)
    page = _page(_features(), np.array([0.0, 0.0, 1.0, 1.0, 0.7, 0.0]))
    random = np.random.default_rng(3)
    weights = [one.astype(np.float64) for one in training._begin(len(page.rows), random)]
    weights = [one + random.normal(0, 0.1, one.shape) for one in weights]
    heard = np.ones(len(page.rows))

    def lost(gradient: list[np.ndarray]) -> float:
        return training._learn(weights, gradient, page, heard, random, 1.0)  # type: ignore[arg-type]

    gradient = [np.zeros_like(one) for one in weights]
    lost(gradient)
    for one, slope in zip(weights, gradient, strict=True):
        for place in random.integers(0, one.size, 6).tolist():
            before, step = one.flat[place], 1e-5
            one.flat[place] = before + step
            above = lost([np.zeros_like(other) for other in weights])
            one.flat[place] = before - step
            below = lost([np.zeros_like(other) for other in weights])
            one.flat[place] = before
            assert slope.flat[place] == pytest.approx((above - below) / (2 * step), rel=2e-3, abs=2e-6)


def test_it_learns_what_only_the_surroundings_tell() -> None:
    """The first line of a box says whether it is the story; the paragraphs of both boxes are the same."""
    random = np.random.default_rng(1)
    pages = []
    sources = []
    for _ in range(40):
        is_first = random.random() < 0.5
        boxes = [
            f"<div><h2>{'Story of the long day today' if is_story else 'Ads'}</h2>"
            + "<p>Some words here.</p>" * 3
            + "</div>"
            for is_story in (is_first, not is_first)
        ]
        html = "".join(boxes)
        sources.append(html)
        pages.append((_features(html), np.repeat([is_first, not is_first], 4).astype(np.float64)))
    border, bounds = borders_of([found.rows for found, _ in pages], [False] * len(pages[0][0].names), 1)
    taught = [
        network_page(found, scaled(found.rows, border, bounds), share, np.full(8, 1 / 8)) for found, share in pages
    ]
    steps: list[str] = []
    network = NetworkTraining(units=8, message_size=4, rounds=25, pages=4, rate=0.01).run(
        taught[:30], border, bounds, steps.append
    )
    assert len(steps) == 25
    silent = np.zeros(1, np.int64), np.zeros(1, np.float32), np.zeros((1, 2), np.float32), 0.0
    lexicon = Lexicon(Weights.of({}), Weights.of({}))
    expert = Expert(lexicon, Trees(feature_names(), *silent), (network,))
    for html, (_, share) in zip(sources[30:], pages[30:], strict=True):
        (probability,) = block_looks.look(Page(html), [expert])[1]
        assert ((probability > 0.5) == (share > 0.5)).all()


def test_features_that_are_not_to_be_told_have_no_borders() -> None:
    found = _features()
    untold = [name == "words" for name in found.names]
    border, bounds = borders_of([found.rows], untold, 1)
    place = found.names.index("words")
    assert bounds[place] == bounds[place + 1]
    assert not scaled(found.rows, border, bounds)[place].any()
    assert (np.abs(scaled(found.rows, border, bounds)) <= 1).all()
