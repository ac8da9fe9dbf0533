"""Recipes are data: what is wrong in one is said with its line, and with what is allowed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tidings.errors import BadRecipe
from tidings.sources import LBNEST
from tidings_portal import store
from tidings_portal.recipes.catalogue import RecipeCatalogue, shipped, shipped_names
from tidings_portal.recipes.loader import read_recipe
from tidings_portal.recipes.recipe import GroupingMethod, PictureRule, Recipe, Verification
from tidings_portal.store import Store

NOW = datetime(2026, 11, 17, tzinfo=UTC)


def read(text: str, name: str = "mine", folder: Path | None = None) -> Recipe:
    return read_recipe(text, name, shipped, folder=folder)


def wrong(text: str, name: str = "mine") -> BadRecipe:
    with pytest.raises(BadRecipe) as raised:
        read(text, name)
    return raised.value


def test_seven_come_with_tidings() -> None:
    assert shipped_names() == ("default", "combine", "dana", "hybrid-rules", "lbnest", "memory-based", "n-ext")
    assert all(shipped(name).summary for name in shipped_names())


def test_the_shipped_ones_are_what_the_publications_say() -> None:
    lbnest = shipped("lbnest")
    assert (lbnest.chain, lbnest.verify, lbnest.pictures) == (
        LBNEST,
        Verification.LETTER_PAIRS,
        PictureRule.NEAREST_TEXT,
    )
    assert (lbnest.grouping.method, lbnest.grouping.cut) == (GroupingMethod.SINGLE_LINK, 0.38)
    assert shipped("n-ext").poll == timedelta(hours=2)
    assert shipped("hybrid-rules").is_teacher
    assert not shipped("hybrid-rules").is_default
    assert "fa" in shipped("dana").languages
    assert shipped("default").is_default


def test_a_recipe_of_ones_own_in_one_file(tmp_path: Path) -> None:
    found = read(
        'base = "lbnest"\nsummary = "River papers"\nextractor = "vote(dana, danag, bte; 2)"\npoll = "30m"\n'
        '[[filter]]\nname = "words"\nminimum = 5\n[stories]\nmethod = "complete-link"\ncut = 0.4\n'
        '[[home]]\naddress = "https://river.example/"\nfolder = "river"\n[[home]]\naddress = "https://a.example/feed"\n'
        'as = "feed"\n'
    )
    assert found.links == "own"
    assert [name for name, _ in found.chain.filters] == ["words"]
    assert found.pictures is PictureRule.NEAREST_TEXT  # as in what it is based on
    assert found.grouping.method is GroupingMethod.COMPLETE_LINK
    assert [(one.address, one.kind, one.folder) for one in found.home] == [
        ("https://river.example/", "auto", "river"),
        ("https://a.example/feed", "feed", ""),
    ]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ('summary = "x', 1, "no TOML"),
        ('summary = "x"\nextracter = "dana"', 2, "did you mean extractor"),
        ('extractor = "dan"', 1, "there is no extractor called 'dan'"),
        ('\n\nextractor = "vote(dana, )"', 3, "should stand here"),
        ('pictures = "all"', 1, "one of box, nearest-text, none"),
        ("verify = 3", 1, "one of terms, letter-pairs, none"),
        ('links = "mine"', 1, "one of learned, lbnest"),
        ('teacher = "tree"', 1, "one of extractor, none"),
        ('[stories]\nmethod = "ward"', 2, "one of tracker, single-link, complete-link"),
        ("[stories]\ncut = 2", 2, "from 0 to 1"),
        ("[stories]\ndays = 1.5", 2, "a whole number"),
        ("[stories]\nlink = 1", 2, "method"),
        ('[[filter]]\nname = "words"\n[[filter]]\nname = "word"', 4, "there is no filter called 'word'"),
        ('[[filter]]\nname = "words"\nminimum = "many"', 2, "a whole number"),
        ('[[home]]\naddress = "river"', 2, "not a valid URL"),
        ('[[home]]\naddress = "http://[::1"', 2, "not a valid URL"),
        ('[[home]]\naddress = "https://a.example"\n[[home]]\naddress = "https://b.example"\nas = "page"', 5, "auto"),
        ('poll = "often"', 1, '"30m"'),
        ('languages = ["Persian"]', 1, "list of codes"),
        ('extractor = "layout-largest"', 1, "a browser has drawn"),
        ('extractor = "union(dana, layout-vips)"', 1, "a browser has drawn"),
        ('model = "none.npz"\nextractor = "memory-based"', 1, "none.npz"),
        ('model = "none.npz"\nextractor = "dana"', 1, "takes no model"),
        ('extractor = "memory-based(model=gone.npz)"', 1, "gone.npz"),
        ('base = "lbnst"', 1, "did you mean lbnest"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, line: int, says: str) -> None:
    error = wrong(text)
    assert (error.line, says in str(error)) == (line, True), str(error)
    assert f"line {line}" in str(error)


def test_default_names_the_default_extractor() -> None:
    recipe = read('extractor = "default"')
    assert recipe.is_default
    assert recipe.extractor == read('extractor = "learned"').extractor


def test_an_expression_that_costs_too_much_is_refused() -> None:
    many = ", ".join(["dana"] * 25)
    assert "25 extractors" in str(wrong(f'extractor = "union({many})"'))
    assert "28 extractors" in str(wrong(f'extractor = "union({", ".join(["n-ext"] * 7)})"'))
    assert read(f'extractor = "union({", ".join(["dana"] * 24)})"').extractor


def test_one_that_stands_on_itself_is_refused(tmp_path: Path) -> None:
    texts = {"one": 'base = "two"', "two": 'base = "three"', "three": 'base = "one"'}

    def find(name: str, above: tuple[str, ...]) -> Recipe:
        return read_recipe(texts[name], name, find, above=above)

    with pytest.raises(BadRecipe, match="one → two → three → one"):
        find("one", ())
    assert "mine → mine" in str(wrong('base = "mine"'))


def test_names_are_plain() -> None:
    for name in ("", "Mine", "../mine", "mine and others", "x" * 61):
        assert "small letters" in str(wrong('summary = "x"', name))


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    return store.open(tmp_path / "news.tidings")


def test_files_are_put_into_the_store(kept: Store, tmp_path: Path) -> None:
    path = tmp_path / "river.toml"
    path.write_text('base = "combine"\npoll = "1h"\n', encoding="utf-8")
    known = RecipeCatalogue(kept)
    assert known.named(str(path), NOW).poll == timedelta(hours=1)
    path.unlink()
    assert RecipeCatalogue(kept).recipe("river").extractor == shipped("combine").extractor
    assert known.names()[-1] == "river"
    path.write_text('extractor = "dana"\n', encoding="utf-8")
    known.keep(path, NOW)
    assert known.recipe("river").extractor == "dana"
    (tmp_path / "lbnest.toml").write_text('summary = "x"', encoding="utf-8")
    with pytest.raises(BadRecipe, match="comes with Tidings"):
        known.keep(tmp_path / "lbnest.toml", NOW)
    with pytest.raises(BadRecipe, match="did you mean river"):
        known.recipe("rivers")


def test_one_that_cannot_be_used_any_more_is_the_default_and_says_so(kept: Store, tmp_path: Path) -> None:
    from tidings.extractors.published.memory_based.extractor import shipped as memory

    memory().save(tmp_path / "mine.npz")
    (tmp_path / "own.toml").write_text('base = "memory-based"\nmodel = "mine.npz"\n', encoding="utf-8")
    assert RecipeCatalogue(kept).keep(tmp_path / "own.toml", NOW).model == str(tmp_path / "mine.npz")
    (tmp_path / "mine.npz").unlink()
    from tidings.extractors.published.memory_based import extractor

    extractor._load.cache_clear()
    chosen = RecipeCatalogue(kept).choose("own")
    assert chosen.recipe.name == "default"
    assert "the recipe 'own', line 2" in chosen.problem
    assert "mine.npz" in chosen.problem
