"""Sources in lists of feeds (OPML): what goes out comes in again, with folders and recipes and without passwords."""

from __future__ import annotations

from tidings.sources.opml import OpmlFeed, read_opml, write_opml
from tidings_portal.store.records_of_work import NewSource, SourceKind
from tidings_portal.watch.new_sources import as_subscription, of_list


def test_a_recipe_goes_out_and_comes_in() -> None:
    told = (
        NewSource("https://harbour.example/", SourceKind.FRONT_PAGE, "Harbour", "Local/Sea", "en", recipe="lbnest"),
        NewSource("https://coast.example/feed", title="Coast"),
    )
    data = write_opml(map(as_subscription, told))
    assert b'tidingsRecipe="lbnest"' in data
    assert data.count(b"tidingsRecipe") == 1
    assert of_list(read_opml(data).feeds) == told


def test_what_is_no_name_of_a_recipe_is_left_out() -> None:
    for wrong in ("../x", "a b", "x" * 61, "<script>", ""):
        (found,) = of_list((OpmlFeed("https://a.example/f", more=(("tidingsrecipe", wrong),)),))
        assert found.recipe == ""


def test_a_recipe_that_somebody_names_goes_before_that_of_the_list() -> None:
    feed = OpmlFeed("https://a.example/f", more=(("tidingsrecipe", "dana"),))
    assert of_list((feed,))[0].recipe == "dana"
    assert of_list((feed,), NewSource("", recipe="n-ext"))[0].recipe == "n-ext"
