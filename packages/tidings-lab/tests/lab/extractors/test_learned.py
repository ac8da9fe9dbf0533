"""The learned default: its parts one by one, and pages that have nothing to read on them."""

from __future__ import annotations

import io
import random
import zipfile
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tidings
from tidings import Page, newspaper
from tidings.article import render
from tidings.errors import BadModel
from tidings.extractors.hashed_words import KnownWords, SpelledWords, hashed_words, hashes_of
from tidings.extractors.learned import Learned, Preference, stages
from tidings.extractors.learned import blocks as block_looks
from tidings.extractors.learned.choice import choose
from tidings.extractors.learned.features import feature_names
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert, load, shipped
from tidings.extractors.learned.stages import ARTICLE
from tidings.extractors.learned.thresholds import THRESHOLDS
from tidings.extractors.learned.trees import Trees
from tidings.page.counts import code_points, words_before
from tidings_lab.learners.features import features
from tidings_lab.learners.word_weights import name_words

STORY = "<p>" + "The ferry came back to the old harbour on Monday, and the whole town stood on the pier. " * 8 + "</p>"


# -- words as numbers -------------------------------------------------------------------------------------------


@given(st.text(max_size=60))
def test_every_word_has_one_number(text: str) -> None:
    codes = code_points(text)
    assert len(hashed_words(codes).number) == words_before(codes)[-1]


def test_case_makes_no_difference_and_letters_do() -> None:
    numbers = hashed_words(code_points("Harbour harbour HARBOUR harbours Ärger ärger 港")).number.tolist()
    assert numbers[0] == numbers[1] == numbers[2] == hashes_of("harbour")[0]
    assert numbers[4] == numbers[5]
    assert len(set(numbers)) == 4


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), unique=True, max_size=40))
def test_different_words_have_different_numbers(words: list[str]) -> None:
    assert len(set(hashed_words(code_points(" ".join(words))).number.tolist())) == len(words)


@given(
    st.lists(st.integers(0, 2**64 - 1), unique=True, max_size=60),
    st.lists(st.integers(0, 2**64 - 1), max_size=60),
    st.integers(0, 60),
)
def test_known_words_are_found_again_and_no_others(words: list[int], unknown: list[int], near: int) -> None:
    # Neighbours share their first bits, so that several words have one beginning.
    words = sorted({*words, *(min(number + step, 2**64 - 1) for number in words[:5] for step in range(near % 4))})
    numbers = np.array([*unknown, *words], np.uint64)
    which, place = KnownWords(np.array(words, np.uint64)).find(numbers)
    places = {number: at for at, number in enumerate(words)}
    expected = [(at, places[number]) for at, number in enumerate(numbers.tolist()) if number in places]
    assert list(zip(which.tolist(), place.tolist(), strict=True)) == expected


# -- names ------------------------------------------------------------------------------------------------------


def test_names_are_read_however_they_are_quoted() -> None:
    page = Page(
        "<div class=\"story_body wide\"><div class='lead' id='x'><div class=bare id=\"y\">Text here.</div></div></div>"
    )
    assert {word for words in name_words(page).values() for word in words} == {
        "story",
        "body",
        "wide",
        "lead",
        "x",
        "bare",
        "y",
    }


def test_names_are_read_behind_a_line_feed_and_cut_where_they_go_on_and_on() -> None:
    page = Page(f'<div\nid=outer\nclass="{"a " * 400}" role="last"><p itemprop="text">Words.</p></div>')
    assert list(name_words(page).values()) == [("a",) * 150, ("text",)]
    page = Page('<div\nid=outer><p class="inner">Words.</p></div>')
    assert list(name_words(page).values()) == [("outer",), ("inner",)]


def test_names_weigh_on_everything_inside() -> None:
    lexicon = Lexicon(Weights.of({"story": 2.0, "ads": -3.0}), Weights.of({}))
    page = Page(
        '<div class="story"><p>One word here.</p><div class="ads"><p>Buy this now.</p></div></div><p>Other.</p>'
    )
    found = features(page, lexicon)
    total = dict(zip(found.names, found.rows, strict=True))["class_sum"]
    assert total.tolist() == [2.0, -1.0, 0.0]


# -- trees ------------------------------------------------------------------------------------------------------


def _some_trees(seed: int = 3, depth: int = 3) -> Trees:
    draw = np.random.default_rng(seed)
    return Trees(
        feature_names(),
        draw.integers(0, len(feature_names()), 7 * depth),
        draw.integers(0, 4, 7 * depth).astype(np.float32),
        draw.normal(size=(7, 1 << depth)).astype(np.float32),
        0.25,
    )


@pytest.mark.parametrize("depth", [1, 3, 6])
def test_trees_answer_as_if_walked_one_by_one(depth: int) -> None:
    trees, lexicon = _some_trees(depth=depth), shipped().article.lexicon
    page = Page(next(iter(newspaper.pages())).html)
    rows = features(page, lexicon).rows
    (probabilities,) = block_looks.look(page, [Expert(lexicon, trees)])[1]
    for column, probability in enumerate(probabilities.tolist()):
        total = trees.bias
        for tree in range(7):
            leaf = 0
            for level in range(depth):
                question = tree * depth + level
                leaf |= int(rows[trees.feature[question], column] > trees.border[question]) << level
            total += float(trees.leaf[tree, leaf])
        assert probability == pytest.approx(1 / (1 + np.exp(-total)), abs=1e-5)


def test_trees_come_back_from_arrays() -> None:
    trees = _some_trees()
    again = Trees.of_arrays("x", trees.arrays("x"))
    assert again.features == trees.features
    assert (again.depth, again.bias) == (trees.depth, trees.bias)
    for column in ("feature", "border", "leaf"):
        assert np.array_equal(getattr(again, column), getattr(trees, column))


@pytest.mark.parametrize("broken", ["feature", "border", "leaf"])
def test_arrays_that_do_not_fit_are_refused(broken: str) -> None:
    arrays = _some_trees().arrays("x")
    arrays[f"x.{broken}"] = arrays[f"x.{broken}"][:-1]
    with pytest.raises(BadModel):
        Trees.of_arrays("x", arrays)
    with pytest.raises(BadModel, match="has no"):
        Trees.of_arrays("y", arrays)


# -- the choice -------------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 60)), min_size=1, max_size=7),
    st.sampled_from(list(Preference)),
)
def test_the_choice_is_the_best_of_all_sets(blocks: list[tuple[float, int]], preference: Preference) -> None:
    beta = {Preference.PRECISION: 0.25, Preference.BALANCED: 1.0, Preference.RECALL: 4.0}[preference]
    total = sum(probability * words for probability, words in blocks)
    best = max(
        (1 + beta)
        * sum(probability * words for probability, words in some)
        / (sum(words for _, words in some) + beta * total)
        for size in range(1, len(blocks) + 1)
        for some in combinations(blocks, size)
    )
    probability, words = (np.array(column) for column in zip(*blocks, strict=True))
    chosen, expected = choose(probability, words, preference)
    assert expected == pytest.approx(best, rel=1e-6)
    assert chosen.any()


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 60)), min_size=1, max_size=20))
def test_precision_takes_no_more_than_recall(blocks: list[tuple[float, int]]) -> None:
    probability, words = (np.array(column) for column in zip(*blocks, strict=True))
    least, middle, most = (choose(probability, words, preference)[0] for preference in Preference)
    assert not (least & ~middle).any()
    assert not (middle & ~most).any()


@pytest.mark.parametrize(("times", "with_care"), [(1, 2), (40, 14)])
def test_of_a_short_story_only_sure_blocks_are_taken_and_of_a_long_one_more(times: int, with_care: int) -> None:
    """Two paragraphs, eight blocks that may well belong to it, four that may."""
    probability, words = np.repeat((0.9, 0.47, 0.38), (2, 8, 4)), np.repeat((30, 6, 6), (2, 8, 4)) * times
    plain, promised = choose(probability, words, Preference.BALANCED)
    careful, expected = choose(probability, words, Preference.BALANCED, is_story=True)
    assert (plain.sum(), careful.sum()) == (10, with_care)
    assert expected == promised


def test_nothing_to_choose_from() -> None:
    chosen, expected = choose(np.zeros(0), np.zeros(0, np.int64), Preference.BALANCED)
    assert (len(chosen), expected) == (0, 0.0)


# -- features ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["<p></p>", "<p>one</p>", "<a href=x>only a link</a>", STORY])
def test_features_are_numbers_on_small_pages(source: str) -> None:
    found = features(Page(source), shipped().article.lexicon)
    assert found.rows.shape == (len(found.names), len(found.blocks))
    assert np.isfinite(found.rows).all()


# -- the model file ---------------------------------------------------------------------------------------------


def test_the_shipped_model_asks_only_for_features_that_there_are() -> None:
    model = shipped()
    for expert in (model.article, model.other, model.forum):
        assert expert is not None
        assert expert.trees.features == feature_names()


def test_a_model_comes_back_byte_for_byte(tmp_path: Path) -> None:
    one, two = tmp_path / "one.npz", tmp_path / "two.npz"
    shipped().save(one)
    load(one).save(two)
    assert one.read_bytes() == two.read_bytes()
    page = Page(STORY)
    assert Learned(model=str(two))(page) == Learned()(page)


def test_the_numbers_in_the_model_are_those_of_its_words() -> None:
    """They are stored so that they need not be computed at start; with another rule they would be wrong."""
    model = shipped()
    lists = [(model.kinds.words, model.kinds.spellings)]
    for expert in (model.article, model.other):
        lists += [(one.words, one.spellings) for one in (expert.lexicon.names, expert.lexicon.cues)]
    for known, spelled in lists:
        words = spelled.decode().split(" ")
        assert len(words) > 1000
        assert np.array_equal(SpelledWords.of(words).numbers, known.number)
        assert SpelledWords.of(words[::-1]).spellings == spelled


@pytest.mark.parametrize(
    "change",
    [
        {"article.names.number": np.zeros(3, np.uint64)},
        {"article.names.number": np.zeros(3)},
        {"kinds.number": np.array([3, 2, 1], np.uint64)},
        {"other.cues.weight": np.zeros(2, np.float32)},
    ],
    ids=["too few", "no whole numbers", "out of order", "too few weights"],
)
def test_a_model_with_numbers_that_do_not_fit_is_refused(change: dict[str, NDArray[Any]], tmp_path: Path) -> None:
    path = tmp_path / "damaged.npz"
    shipped().save(path)
    with np.load(path) as file:
        arrays = dict(file) | change
    np.savez(path, **arrays)
    with pytest.raises(BadModel, match=r"damaged\.npz is no model file"):
        load(path)


def test_files_that_are_no_models(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    with pytest.raises(BadModel):
        load(path)
    path.write_bytes(b"not a zip file")
    with pytest.raises(BadModel):
        load(path)
    np.savez(path, version=np.array(99))
    with pytest.raises(BadModel, match="another version"):
        load(path)


def test_a_model_with_code_in_it_is_refused_and_nothing_runs(tmp_path: Path) -> None:
    held = io.BytesIO()
    np.save(held, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    path = tmp_path / "evil.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("version.npy", held.getvalue())
    with pytest.raises(BadModel):
        load(path)


# -- pages ------------------------------------------------------------------------------------------------------

NOTHING = {
    "login": '<title>Sign in</title><h1>Sign in</h1><form><label>Name</label><input name="n"><label>Password</label>'
    '<input type="password"><button>Sign in</button></form><p><a href="/forgot">Forgot your password?</a></p>',
    "error": "<title>404 Not Found</title><h1>Not Found</h1><p>The page you were looking for is not here.</p>",
    "consent": "<title>Before you continue</title><div><h2>Before you continue</h2><p>We use cookies and need your "
    "consent to go on. You can manage cookies and your privacy settings here.</p><button>Accept</button></div>",
    "shell": '<title>App</title><div id="root"></div><noscript>You need JavaScript to run this app.</noscript>'
    '<script src="/main.js"></script>',
    "video": '<title>Watch: the ferry</title><video src="x.mp4"></video><a href="/">Home</a>',
    "empty": "<html><head><title>x</title></head><body></body></html>",
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_page_without_a_story_says_so(name: str) -> None:
    article = tidings.extract(NOTHING[name])
    assert article.kind == "nothing"
    assert article.blocks == ()
    assert article.confidence is not None


def test_a_story_is_taken_from_between_menus() -> None:
    menu = "<ul>" + "".join(f'<li><a href="/{number}">Section {number}</a></li>' for number in range(20)) + "</ul>"
    story = f"<article><h1>Ferry back in the harbour</h1>{STORY}{STORY}</article>"
    page = f"<title>Ferry back in the harbour</title><nav>{menu}</nav>{story}<footer>{menu}</footer>"
    article = tidings.extract(page, "https://example.org/2026/11/ferry-back-in-the-harbour.html")
    assert article.kind == "article"
    assert "whole town" in article.text
    assert "Section 7" not in article.text
    assert article.confidence is not None
    assert article.confidence > 0.5


def test_the_same_bytes_make_the_same_article_in_any_order_and_thread() -> None:
    pages = [page.html for page in list(newspaper.pages())[:8]]
    once = [render(tidings.extract(data), "json") for data in pages]
    jobs = list(range(len(pages))) * 8
    random.Random(4).shuffle(jobs)  # an order, not a secret
    with ThreadPoolExecutor(16) as pool:
        again = list(pool.map(lambda job: render(tidings.extract(pages[job]), "json"), jobs))
    assert [once[job] for job in jobs] == again


def test_preferences_are_nested_on_real_looking_pages() -> None:
    for sample in list(newspaper.pages())[:10]:
        page = Page(sample.html)
        look = Learned().look(page)
        sizes = [choose(look.probability, look.blocks.words, preference)[0].sum() for preference in Preference]
        assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("language", "sure", "sufficient", "weight"),
    [("en", 0.9, 0.7, 1.0), ("en", 0.6, 0.7, 1.0), ("en", 0.6, 1.1, 0.6), ("en", 0.9, 1.1, 1.0), ("el", 0.6, 1.1, 1.0)],
)
def test_where_it_is_no_sure_article_and_its_expert_expects_little_the_other_is_heard_too(
    language: str, sure: float, sufficient: float, weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = shipped()
    rest = (1 - sure) / (len(model.kinds.kinds) - 1)
    probabilities = np.array([sure if kind == ARTICLE else rest for kind in model.kinds.kinds])
    monkeypatch.setattr(Kinds, "probabilities", lambda *_: probabilities)
    monkeypatch.setattr(stages, "THRESHOLDS", THRESHOLDS._replace(sufficient_expected=sufficient))
    line = {
        "en": "Wardens counted the pups on the shore at dawn, more of them than ever before.",
        "el": "Οι φύλακες μέτρησαν τα μικρά στην ακτή την αυγή, περισσότερα από κάθε άλλη φορά.",
    }[language]
    menu = "<p><a href=/>Menu</a></p>" * 3
    page = Page(f"<html lang={language}><title>Seals</title><h1>Seals</h1>{f'<p>{line}</p>' * 9}{menu}")
    look = Learned().look(page)
    of_articles, of_all = block_looks.look(page, [model.article, model.other])[1]
    assert look.kind == ARTICLE
    assert look.probability == pytest.approx(weight * of_articles + (1 - weight) * of_all)
