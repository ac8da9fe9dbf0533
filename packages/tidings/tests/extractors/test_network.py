"""The network of the default extractor: by hand on a small page, and its place beside the trees."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tidings import Page
from tidings.errors import BadModel
from tidings.extractors.learned import blocks as block_looks
from tidings.extractors.learned.features import feature_names
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert, Model, load, shipped
from tidings.extractors.learned.network import BOXES, CONTEXTS, STEPS, BlockNetwork, Mixing
from tidings.extractors.learned.trees import Trees

PAGE = (
    "<title>Seals</title><ul><li><a href=/>Home</a><li><a href=/x>News of the day</a></ul><div><h1>Seals are back</h1>"
    "<p>One two three four.</p><p>Five six.</p></div><div><p>Buy more now</p><p>Or not</p></div><dl><dt>One</dl>"
)
WORDS = np.array([1, 4, 3, 4, 2, 3, 2, 1])
NAMES = feature_names()


def _silent(names: tuple[str, ...]) -> Trees:
    """A tree that adds nothing."""
    return Trees(names, np.zeros(1, np.int64), np.zeros(1, np.float32), np.zeros((1, 2), np.float32), 0.0)


def _words_alone(receive: NDArray[np.float32], units: int = 1, message_size: int = 1) -> BlockNetwork:
    """A network whose first unit is the number of the words 1, 2, 3 … of a block, sent unchanged to all others."""
    first = np.zeros((len(NAMES), units), np.float32)
    first[NAMES.index("words"), 0] = 1
    bounds = np.zeros(len(NAMES) + 1, np.int64)
    border = np.arange(40, dtype=np.float32) + np.float32(0.5)
    bounds[NAMES.index("words") + 1 :] = len(border)
    send = np.eye(units, message_size, dtype=np.float32)
    nothing = np.zeros(units, np.float32)
    layer = Mixing(send, np.array([1, -2], np.float32), receive, nothing)
    last = np.zeros(units, np.float32)
    last[0] = 1
    return BlockNetwork(border, bounds, first, nothing, (layer,), last, np.float32(0))


def _received(context: int) -> NDArray[np.float64]:
    """Return what the blocks of the page receive in one context, besides their own words."""
    receive = np.zeros((1 + CONTEXTS, 1), np.float32)
    receive[1 + context] = 1
    lexicon = Lexicon(Weights.of({}), Weights.of({}))
    expert = Expert(lexicon, _silent(NAMES), (_words_alone(receive),))
    (probability,) = block_looks.look(Page(PAGE), [expert])[1]
    # The mean of the log-odds of the trees, which are 0, and of the network.
    return np.asarray(2 * np.log(probability / (1 - probability)) - WORDS)


def test_a_block_is_told_of_its_neighbours() -> None:
    assert block_looks.visible_blocks(Page(PAGE)).words.tolist() == WORDS.tolist()
    assert _received(STEPS.index(-1)) == pytest.approx([0, *WORDS[:-1]], abs=1e-9)
    assert _received(STEPS.index(2)) == pytest.approx([*WORDS[2:], 0, 0], abs=1e-9)


def test_a_block_is_told_the_mean_of_its_boxes_of_its_path_and_of_the_page() -> None:
    def mean(*blocks: int) -> float:
        some = WORDS[list(blocks)]
        return float((some * np.sqrt(some)).sum() / np.sqrt(some).sum())

    nearest = _received(len(STEPS))
    assert nearest == pytest.approx([mean(0, 1)] * 2 + [mean(2, 3, 4)] * 3 + [mean(5, 6)] * 2 + [mean(7)], rel=1e-6)
    outermost = _received(len(STEPS) + len(BOXES) - 1)
    assert outermost == pytest.approx([mean(*range(8))] * 8, rel=1e-6)
    path = _received(len(STEPS) + len(BOXES))
    assert path[3:7] == pytest.approx([mean(3, 4, 5, 6)] * 4, rel=1e-6)
    assert _received(CONTEXTS - 2) == pytest.approx([mean(*range(8))] * 8, rel=1e-6)


def test_a_block_is_told_what_those_say_who_have_much_to_say() -> None:
    """Here each by the power of its words, two fewer, and their root."""
    attention = np.exp(WORDS - 2) * np.sqrt(WORDS)
    assert _received(CONTEXTS - 1) == pytest.approx([(WORDS * attention).sum() / attention.sum()] * 8, rel=1e-6)


def _random(seed: int, units: int, message_size: int, layers: int) -> BlockNetwork:
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> NDArray[np.float32]:
        return random.normal(0, 0.3, shape).astype(np.float32)

    borders = [np.unique(random.integers(-3, 60, size)) for size in random.integers(0, 9, len(NAMES))]
    border, bounds = np.concatenate(borders).astype(np.float32), np.cumsum([0, *map(len, borders)])
    mixing = tuple(
        Mixing(draw(units, message_size), draw(units + 1), draw(units + CONTEXTS * message_size, units), draw(units))
        for _ in range(layers)
    )
    return BlockNetwork(border, bounds, draw(len(NAMES), units), draw(units), mixing, draw(units), np.float32(0.1))


@pytest.mark.parametrize(("units", "message_size", "layers"), [(24, 8, 2), (5, 3, 1), (4, 1, 3), (7, 2, 1)])
def test_networks_of_any_shape_change_the_probabilities(units: int, message_size: int, layers: int) -> None:
    for seed, html in enumerate((PAGE * 2, PAGE * 9, "<div><p>a b c d</p></div>" * 33)):
        expert = shipped().article._replace(networks=(_random(seed, units, message_size, layers),))
        page = Page(html)
        with_network = block_looks.look(page, [expert])
        without_network = block_looks.look(page, [expert._replace(networks=())])
        assert not np.array_equal(with_network[1][0], without_network[1][0])


@pytest.mark.parametrize("blocks", [1, 7, pytest.param((1 << 14) + 1, marks=pytest.mark.gate)])
def test_of_tiny_and_enormous_pages_it_is_not_asked(blocks: int) -> None:
    page = Page("<p>one two three</p>" * blocks)
    expert = shipped().article._replace(networks=(_random(1, 4, 2, 1),))
    with_network, without = (block_looks.look(page, [model]) for model in (expert, expert._replace(networks=())))
    assert np.array_equal(with_network[1][0], without[1][0])


def test_arrays_that_do_not_fit_are_refused() -> None:
    whole = _random(1, 4, 2, 1)
    (layer,) = whole.layers
    for broken in (
        {"border": whole.border[1:]},
        {"border": whole.border[::-1].copy()},
        {"bounds": whole.bounds[1:]},
        {"first": whole.first[:, 1:]},
        {"last": whole.last[1:]},
        {"layers": (replace(layer, update=layer.update[1:]),)},
        {"layers": (replace(layer, message=layer.message[0]),)},
        {"layers": (replace(layer, attention=layer.attention[1:]),)},
        {"bias": whole.bias[:0]},
        {"layers": ()},
    ):
        with pytest.raises(BadModel, match="do not fit together"):
            replace(whole, **broken)
    arrays = whole.arrays("network0")
    del arrays["network0.last"]
    with pytest.raises(BadModel, match=r"has no 'network0\.last'"):
        BlockNetwork.all_of_arrays("network", arrays)


def test_a_model_without_networks_is_read_and_saved_so(tmp_path: Path) -> None:
    model = shipped()
    experts = [expert._replace(networks=()) for expert in (model.article, model.other)]
    Model(model.kinds, *experts).save(tmp_path / "model.npz")
    loaded = load(tmp_path / "model.npz")
    assert (loaded.article.networks, loaded.other.networks, loaded.forum) == ((), (), None)


def test_the_shipped_experts_have_a_network_with_class_names_and_one_without() -> None:
    is_name = np.array([name.startswith("class_") for name in NAMES])
    for expert in (shipped().article, shipped().other, shipped().forum):
        assert expert is not None
        uses_names = [bool((np.diff(network.bounds)[is_name] > 0).any()) for network in expert.networks]
        assert uses_names == [True, False]


def test_the_log_odds_of_several_networks_are_averaged() -> None:
    page, trees = Page(PAGE * 2), _silent(NAMES)
    lexicon = Lexicon(Weights.of({}), Weights.of({}))
    networks = _random(1, 4, 2, 1), _random(2, 5, 3, 1)

    def odds(*chosen: BlockNetwork) -> NDArray[np.float64]:
        (probability,) = block_looks.look(page, [Expert(lexicon, trees, chosen)])[1]
        return np.log(probability / (1 - probability))

    assert odds(*networks) == pytest.approx((odds(networks[0]) + odds(networks[1])) / 2, abs=1e-9)
