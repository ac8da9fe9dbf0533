"""Sources are watched by their recipes, over real sockets: the newspaper, and what goes wrong."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.portal.watch.press import QUICK, Press
from tidings.article import Article, Block, Inline, Kind, Provenance
from tidings.cli.app import app
from tidings_portal import store
from tidings_portal import watch as pipeline
from tidings_portal.recipes.catalogue import RecipeCatalogue, shipped
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_work import NewSource, SourceKind
from tidings_portal.watch.plan import Plan
from tidings_portal.watch.rereading import compare_recipes, reread, take, with_values_of_feed

FEED = "gazette.example/feeds/news.xml"


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def add(where: str, *sources: NewSource) -> list[int]:
    with store.open(where) as kept:
        return kept.add_sources(sources, datetime.now(UTC) - timedelta(seconds=1))


def run(press: Press, where: str, plan: Plan = QUICK) -> None:
    async def once() -> None:
        async with press.live() as live:
            await pipeline.watch(where, fetcher=live, plan=plan)

    asyncio.run(once())


def provenance(where: str, field: str) -> set[str]:
    with store.open(where) as kept:
        return {one.article.provenance.get(field, "") for one in kept.each_article()}


@pytest.mark.parametrize("name", ["n-ext", "lbnest", "combine", "memory-based"])
def test_a_source_is_read_by_its_recipe_and_says_so(where: str, name: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED), recipe=name))
        run(press, where)
    assert provenance(where, "recipe") == {name}
    assert all(one and not one.startswith("learned") for one in provenance(where, "body"))


def test_the_recipe_of_a_watch_is_for_sources_that_name_none(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED)), NewSource(press.url("tagblatt.example/atom.xml"), recipe="default"))
        run(press, where, replace(QUICK, recipe="combine"))
    assert provenance(where, "recipe") == {"combine", ""}
    with store.open(where) as kept:
        assert {one.headline.language for one in kept.each_article() if "recipe" in one.article.provenance} == {"en"}


def test_pages_in_languages_that_a_recipe_is_not_for_are_read_by_the_default(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED), recipe="dana"))
        run(press, where)
    assert provenance(where, "recipe") == {"default, for dana is not for en"}
    assert provenance(where, "body") <= {"learned", "rule template-1"}


def test_a_recipe_that_is_gone_is_the_default_and_the_source_says_so(where: str) -> None:
    with Press() as press:
        (number,) = add(where, NewSource(press.url(FEED), recipe="river"))
        run(press, where)
    with store.open(where) as kept:
        source = kept.source(number)
        assert source is not None
        assert source.state == "recipe"
        assert "the recipe 'river': there is no such recipe" in source.problem
        assert kept.totals().articles > 5
    (said,) = provenance(where, "recipe")
    assert said.startswith("default, for the recipe 'river'")


def test_how_often_a_recipe_polls(where: str) -> None:
    with Press() as press:
        (number,) = add(where, NewSource(press.url(FEED), recipe="n-ext"))
        run(press, where)
    with store.open(where) as kept:
        source = kept.source(number)
        assert source is not None
        assert (source.pace, source.settings.interval) == (timedelta(hours=2), None)


def test_the_feeds_title_steers_n_ext(where: str) -> None:
    page = (
        "<html lang=en><head><title>News</title></head><body><div><p>"
        + "The council met on Monday to speak of the budget and of the roads of the town. " * 9
        + "</p></div><div><p>"
        + "Seals were counted in the estuary by wardens in two boats. Seals rest on the bank. " * 7
        + "</p></div></body></html>"
    )
    from tests.fetch.server import reply

    feed = b'<rss version="2.0"><channel><title>A</title><item><title>Seals counted in the estuary</title>'
    feed += b"<link>https://river.example/a</link></item></channel></rss>"
    with Press() as press:
        press.more["river.example/feed"] = reply(feed)
        press.more["river.example/a"] = reply(page.encode(), 200, {"Content-Type": "text/html"})
        add(where, NewSource(press.url("river.example/feed"), recipe="n-ext"))
        run(press, where)
    with store.open(where) as kept:
        (one,) = kept.each_article()
        assert "Seals" in one.article.text
        assert "council" not in one.article.text


def test_the_tree_teaches_the_rules_of_hybrid_rules(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED), recipe="hybrid-rules"))
        run(press, where)
    with store.open(where) as kept:
        read_by = {one.article.provenance["body"] for one in kept.each_article()}
        assert "block-tree" in read_by
        assert kept.states("hybrid-rules: site")
        assert kept.states("site") == []


def test_lbnest_links_and_stories(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url("gazette.example/"), SourceKind.FRONT_PAGE, recipe="lbnest"))
        run(press, where, replace(QUICK, group=True))
    with store.open(where) as kept:
        assert kept.totals().articles > 3
        state = kept.load_state("links: lbnest", "stories")
        assert state is not None
        assert kept.totals().stories >= 1


def test_what_was_kept_is_read_again_and_taken_only_when_asked(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED)))
        run(press, where)
    with store.open(where) as kept:
        found = list(reread(kept, shipped("combine"), Only()))
        assert len(found) == kept.totals().articles
        changed = [one for one in found if one.is_changed]
        assert changed
        assert all(0 <= one.agreement <= 1 for one in found)
        assert all(kept.article(one.headline.id).version == 1 for one in found)  # type: ignore[union-attr]
        assert take(kept, changed, datetime.now(UTC)) == len(changed)
        after = kept.article(changed[0].headline.id)
        assert after is not None
        assert (after.version, after.article.provenance["recipe"]) == (2, "combine")
        assert kept.totals().articles == len(found)


def test_two_recipes_side_by_side(where: str) -> None:
    with Press() as press:
        add(where, NewSource(press.url(FEED)), NewSource(press.url("tagblatt.example/atom.xml")))
        run(press, where)
    with store.open(where) as kept:
        same = compare_recipes(kept, shipped("combine"), shipped("combine"), Only())
        assert (same.agreement, same.together, same.unlike) == (1.0, 1.0, ())
        found = compare_recipes(kept, shipped("default"), shipped("lbnest"), Only())
        assert 0.2 < found.agreement < 1
        assert found.unlike[0][1] <= found.agreement
        assert found.first.words > found.second.words > 0


def test_the_commands(where: str, tmp_path: Path) -> None:
    runner = CliRunner()
    with Press() as press:
        own = tmp_path / "river.toml"
        own.write_text(
            f'base = "combine"\n[[home]]\naddress = "{press.url(FEED)}"\nas = "feed"\nfolder = "river"\n',
            encoding="utf-8",
        )
        said = runner.invoke(app, ["add", "--recipe", str(own), "--store", where])
        assert said.exit_code == 0, said.output
        run(press, where)
    with store.open(where) as kept:
        (source,) = kept.sources()
        assert (source.settings.recipe, source.settings.folder) == ("river", "river")
        assert RecipeCatalogue(kept).recipe("river").home
    listed = runner.invoke(app, ["recipes", "--store", where])
    assert "river" in listed.output
    assert "lbnest" in listed.output
    assert runner.invoke(app, ["recipes", "lbnest", "--store", where]).output.startswith("# LBNEST")
    assert "is valid" in runner.invoke(app, ["recipes", str(own), "--store", where]).output
    said = runner.invoke(app, ["reread", "--recipe", "default", "--query", "seals", "--store", where])
    assert said.exit_code == 0, said.output
    assert "nothing was saved" in said.output
    said = runner.invoke(app, ["reread", "--recipe", "default", "--take", "--store", where])
    assert "got a new version" in said.output
    said = runner.invoke(app, ["compare-recipes", "default", "lbnest", "--store", where])
    assert said.exit_code == 0, said.output
    assert "word agreement" in said.output
    assert "pairs of articles in one story" in said.output


def test_reading_again_keeps_what_came_from_the_feed() -> None:
    origins = {"title": "json-ld", "authors": "source", "published": "source", "summary": "feed", "body": "learned"}
    origins |= {"tags": "feed", "section": "feed", "language": "source"}
    paragraph = Block(Kind.PARAGRAPH, (Inline("Twelve seals came back."),))
    before = Article(
        title="Seals", authors=("Jo Okafor",), published=datetime(2026, 3, 1, tzinfo=UTC), summary="Back.",
        tags=("wildlife",), section="Nature", language="en", blocks=(paragraph,) * 2, provenance=Provenance(origins),
    )  # fmt: skip
    after = with_values_of_feed(before, Article(summary="The page's own.", blocks=(paragraph,)))
    assert (after.authors, after.published) == (("Jo Okafor",), before.published)
    assert (after.provenance["authors"], after.provenance["published"]) == ("source", "source")
    assert (after.tags, after.section, after.language) == (("wildlife",), "Nature", "en")
    assert after.title == ""  # the page had it, and has it no more
    assert after.summary == "The page's own."
    assert len(after.blocks) == 1
    from_feed = replace(before, provenance=Provenance({**origins, "body": "feed"}))
    assert len(with_values_of_feed(from_feed, Article(blocks=(paragraph,))).blocks) == 2
