"""One bad article is left out of feeds, exports and trends, and named; everything else goes out: HOSTILE 29."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pyarrow import parquet
from starlette.testclient import TestClient
from typer.testing import CliRunner, Result

from tests.portal import housed
from tests.portal.housed import NOW
from tests.portal.store.made import new
from tidings.cli.app import app as command
from tidings_portal import feeds, store, trends
from tidings_portal.app import application
from tidings_portal.exports import columns, export, import_jsonl, imports
from tidings_portal.exports import formats as as_jsonl
from tidings_portal.exports import formats as as_markdown
from tidings_portal.exports import formats as as_parquet
from tidings_portal.exports import formats as as_sqlite
from tidings_portal.feeds import formats
from tidings_portal.store import Store
from tidings_portal.store.quarantine import Quarantine
from tidings_portal.store.records_of_articles import KeptArticle, Only, StoryDraft
from tidings_portal.store.records_of_work import ItemKind, QuarantineEntry, Stage
from tidings_portal.stories.trends.finder import PeriodLength, TrendFinder
from tidings_portal.trends import cosines, periods_up_to
from tidings_portal.web.app_state import App

BAD = 7
MANY = 12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of twelve articles."""
    where = tmp_path / "news.tidings"
    with store.open(where) as kept:
        kept.keep([new(number, text=f"A storm, the storm number {number}.") for number in range(1, MANY + 1)])
    return where


@pytest.fixture
def kept(path: Path) -> Iterator[Store]:
    """The same, open."""
    with store.open(path) as opened:
        yield opened


def poison(kept: Store) -> None:
    sql = "UPDATE version SET body = ? WHERE article = ?"
    kept.database.write(lambda session: session.run(sql, b"{}", BAD))


def aside(kept: Store, stage: Stage) -> list[str]:
    return [entry.item for entry in kept.quarantine(stage)]


def breaking(monkeypatch: pytest.MonkeyPatch, module: object, name: str, number: Callable[..., int]) -> None:
    """A function of ours that has a mistake, which one article brings out."""
    real = getattr(module, name)

    def broken(*values: object, **more: object) -> object:
        if number(*values) == BAD:
            raise UnboundLocalError("a mistake of ours")
        return real(*values, **more)

    monkeypatch.setattr(module, name, broken)


def of_kept(kept: KeptArticle, *_: object) -> int:
    return kept.headline.id


# -- exports --------------------------------------------------------------------------------------------------------


def numbers(where: Path) -> list[int]:
    """The articles of an export."""
    if where.suffix == ".jsonl":
        lines = where.read_text("utf-8").splitlines()
        return sorted(json.loads(line)["store"]["number"] for line in lines)
    if where.suffix == ".parquet":
        return sorted(parquet.read_table(where)["number"].to_pylist())
    if where.suffix == ".sqlite":
        made = sqlite3.connect(where)
        found = [row[0] for row in made.execute("SELECT number FROM article ORDER BY number")]
        blocks = {row[0] for row in made.execute("SELECT number FROM block")}
        assert made.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        made.close()
        assert blocks == set(found)
        return found
    return sorted(int(one.read_text("utf-8").split("number: ")[1].split("\n")[0]) for one in where.rglob("*.md"))


OTHERS = [number for number in range(1, MANY + 1) if number != BAD]
FORMS = [
    ("news.jsonl", as_jsonl, "json_line"),
    ("news.parquet", as_parquet, "row"),
    ("news.sqlite", as_sqlite, "row"),
    ("news", as_markdown, "markdown"),
]


@pytest.mark.parametrize(("name", "module", "maker"), FORMS)
def test_an_export_goes_on(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, module: object, maker: str
) -> None:
    with monkeypatch.context() as patch:
        breaking(patch, module, maker, of_kept)
        assert export(kept, tmp_path / name) == MANY - 1
        assert numbers(tmp_path / name) == OTHERS
        (entry,) = kept.quarantine(Stage.EXPORTS)
        assert (entry.item, entry.name) == (str(BAD), f"Story {BAD}")
        assert "UnboundLocalError: a mistake of ours" in entry.reason
    assert export(kept, tmp_path / name, force=True) == MANY  # who asks for an export asks for all of it
    assert numbers(tmp_path / name) == list(range(1, MANY + 1))
    assert kept.quarantine() == []


@pytest.mark.parametrize("name", [form[0] for form in FORMS])
def test_an_export_goes_on_over_a_poisoned_row(kept: Store, tmp_path: Path, name: str) -> None:
    poison(kept)
    assert export(kept, tmp_path / name) == MANY - 1
    assert numbers(tmp_path / name) == OTHERS
    assert aside(kept, Stage.STORE) == [str(BAD)]


def test_a_value_that_no_column_can_hold(kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = columns.row

    def absurd(one: KeptArticle, sources: columns.Sources) -> dict[str, columns.Value]:
        made = real(one, sources)
        return made | {"reads": 1 << 80} if one.headline.id == BAD else made

    for name, module in (("news.parquet", as_parquet), ("news.sqlite", as_sqlite)):
        monkeypatch.setattr(module, "row", absurd)
        assert export(kept, tmp_path / name) == MANY - 1
        assert numbers(tmp_path / name) == OTHERS
        assert aside(kept, Stage.EXPORTS) == [str(BAD)]


def test_one_bad_version_does_not_hide_behind_a_good_one(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.keep([new(BAD, "A better title")])
    real = as_jsonl.json_line

    def broken(one: KeptArticle, sources: columns.Sources) -> str:
        if one.headline.id == BAD and one.version == 1:
            raise KeyError("a mistake of ours")
        return real(one, sources)

    monkeypatch.setattr(as_jsonl, "json_line", broken)
    assert export(kept, tmp_path / "all.jsonl", all_versions=True) == MANY
    assert aside(kept, Stage.EXPORTS) == [str(BAD)]


def test_an_import_goes_on(kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export(kept, tmp_path / "news.jsonl")

    class Choosy(Store):
        def keep(self, articles):  # type: ignore[no-untyped-def]
            if any(one.article.title == f"Story {BAD}" for one in articles):
                raise AssertionError("a mistake of ours")
            return super().keep(articles)

    monkeypatch.setattr(imports, "_AT_ONCE", 5)
    with store.open(tmp_path / "other.tidings") as other:
        done = import_jsonl(Choosy(other.database, ""), tmp_path / "news.jsonl")
        assert other.totals().articles == MANY - 1
    assert done.unread == 1
    assert done.problems == ["https://www.harbour.example/7: AssertionError: a mistake of ours"]


def test_an_import_over_an_article_that_cannot_be_read(kept: Store, tmp_path: Path) -> None:
    export(kept, tmp_path / "news.jsonl")
    with store.open(tmp_path / "other.tidings") as other:
        import_jsonl(other, tmp_path / "news.jsonl")
        poison(other)
        done = import_jsonl(other, tmp_path / "news.jsonl")
        assert (done.lines, done.unread, other.totals().articles) == (MANY, 0, MANY)
        assert aside(other, Stage.STORE) == [str(BAD)]


# -- feeds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", list(feeds.FeedFormat))
def test_a_feed_goes_on(kept: Store, monkeypatch: pytest.MonkeyPatch, form: feeds.FeedFormat) -> None:
    breaking(monkeypatch, import_module("tidings_portal.feeds.outgoing"), "entry", of_kept)
    gathered = feeds.gather(kept, Only())
    body = feeds.write(gathered.feed, form, Quarantine(kept, Stage.FEEDS)).body.decode()
    assert all(f"Story {number}" in body for number in OTHERS)
    assert "Story 7" not in body
    assert aside(kept, Stage.FEEDS) == [str(BAD)]
    feeds.gather(kept, Only())
    assert [entry.attempts for entry in kept.quarantine()] == [1]  # left out, not tried each time somebody asks


def test_an_entry_that_cannot_be_written(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, formats, "_item", lambda entry: entry.number)
    gathered = feeds.gather(kept, Only())
    with pytest.raises(UnboundLocalError):
        feeds.write(gathered.feed, feeds.FeedFormat.RSS)
    body = feeds.write(gathered.feed, feeds.FeedFormat.RSS, Quarantine(kept, Stage.FEEDS)).body.decode()
    assert body.count("<item>") == MANY - 1
    assert aside(kept, Stage.FEEDS) == [str(BAD)]
    assert len(feeds.gather(kept, Only()).feed.entries) == MANY - 1


def test_a_feed_over_a_poisoned_row(path: Path, kept: Store) -> None:
    poison(kept)
    told = run("feed", "--store", str(path))
    assert told.exit_code == 0
    assert told.stdout.count("<item>") == MANY - 1


# -- trends ---------------------------------------------------------------------------------------------------------


def counted(_: TrendFinder, document: object) -> int:
    return BAD if getattr(document, "title", "") == f"Story {BAD}" else 0


def test_trends_go_on(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    periods = periods_up_to(PeriodLength.WEEK, date(2024, 3, 6), 3)
    whole = cosines(kept, ["storm"], PeriodLength.WEEK, periods, "en")
    breaking(monkeypatch, TrendFinder, "add", counted)
    found = cosines(kept, ["storm"], PeriodLength.WEEK, periods, "en")
    assert 0 < found.trends[0].points[-1].mean < whole.trends[0].points[-1].mean
    assert aside(kept, Stage.TRENDS) == [str(BAD)]


def test_what_rises_goes_on(kept: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, trends, "telling_words", lambda headline: headline.id)
    trends.talk(kept, NOW)
    assert aside(kept, Stage.TRENDS) == [str(BAD)]


def test_the_command_for_trends_goes_on(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "queries.toml").write_text('[queries]\nstorms = ["storm"]\n')
    breaking(monkeypatch, TrendFinder, "add", counted)
    told = run("trends", str(tmp_path / "queries.toml"), "--store", str(path), "--format", "csv")
    assert told.exit_code == 0, told.output
    assert f",{MANY - 1}," in told.stdout
    with store.open(path) as kept:
        assert aside(kept, Stage.TRENDS) == [str(BAD)]


# -- where it is said -----------------------------------------------------------------------------------------------


def run(*words: str) -> Result:
    told = CliRunner().invoke(command, list(words))
    if told.exception is not None and not isinstance(told.exception, SystemExit):
        raise told.exception
    return told


@pytest.fixture
def app(path: Path) -> Iterator[App]:
    """A house over it."""
    with housed.app(path) as opened:
        yield opened


def entry(stage: Stage) -> QuarantineEntry:
    kind = {Stage.POLLING: ItemKind.SOURCE, Stage.READING: ItemKind.LINK, Stage.LINKS: ItemKind.LINK}
    item = "https://a.example/x" if stage is Stage.LINKS else str(BAD)
    reason = f"KeyError: a mistake in {stage}"
    return QuarantineEntry(stage, kind.get(stage, ItemKind.ARTICLE), item, f"Bad {stage}", reason, "0.1", NOW, NOW)


def test_status_readiness_measures_and_front_page_say_what_of_every_stage(path: Path, app: App) -> None:
    near = TestClient(application(app), housed.HERE, client=("127.0.0.1", 50_000))
    before = near.get("/readyz")
    assert (before.status_code, before.json()) == (200, {"status": "ok"})
    app.store.set_aside([entry(stage) for stage in Stage])
    told = run("status", "--store", str(path))
    assert told.exit_code == 0
    for stage in Stage:
        assert f"1 in {stage}" in told.stderr
        assert f"is set aside in {stage}: KeyError: a mistake in {stage}" in told.stderr
        assert f"Bad {stage}" in told.stderr
    records = [
        json.loads(line) for line in run("status", "--format", "jsonl", "--store", str(path)).stdout.splitlines()
    ]
    assert {one["set_aside"] for one in records} == set(Stage)
    for record in records:
        assert record["name"] == f"Bad {record['set_aside']}"
        assert record["reason"] == f"KeyError: a mistake in {record['set_aside']}"
        assert record["since"] == NOW.isoformat()
    ready = near.get("/readyz")
    assert ready.status_code == 200  # it serves all the same
    assert ready.json()["status"] == "ok"
    assert ready.json()["set_aside"] == {stage.value: 1 for stage in Stage}
    assert {"stage": "stories", "kind": "article", "number": BAD, "since": NOW.isoformat()} in ready.json()["items"]
    assert "mistake" not in ready.text  # why is not for everybody
    families = {family.name: family for family in text_string_to_metric_families(near.get("/metrics").text)}
    measured = {sample.labels["stage"]: sample.value for sample in families["tidings_set_aside"].samples}
    assert measured == {stage.value: 1 for stage in Stage}
    # And asked for, all of it is tried again.
    assert f"{len(Stage)} items will be retried" in run("status", "--retry", "--store", str(path)).stderr
    assert {one.version for one in app.store.quarantine()} == {""}


def test_a_front_page_without_stories_shows_the_latest_and_says_why(app: App) -> None:
    client = housed.client(app)
    page = client.get("/").text
    assert "There are no stories yet" in page
    assert all(f"Story {number}<" in page for number in range(1, MANY + 1))
    app.store.set_aside([entry(Stage.STORIES)])
    page = housed.client(app).get("/?language=en").text
    assert "1 article could not be grouped" in page
    assert f'href="/article/{BAD}">Bad stories</a>' in page
    assert f"Story {MANY}<" in page


def test_a_front_page_with_stories_names_what_is_set_aside_to_its_owner(app: App) -> None:
    app.store.save_stories([StoryDraft((1, 2), "The storm", "It blows.", "en")])
    app.store.set_aside([entry(Stage.READING)])
    page = housed.client(app).get("/").text
    assert "1 item could not be processed" in page
    assert "Bad reading" in page
    assert "KeyError: a mistake in reading" in page
    assert "There are no stories yet" not in page


def test_the_log_names_it_once(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    breaking(monkeypatch, as_jsonl, "json_line", of_kept)
    with caplog.at_level(logging.INFO, "tidings.quarantine"):
        export(kept, tmp_path / "news.jsonl")
    assert [record.getMessage() for record in caplog.records] == [
        f"article {BAD} (Story {BAD}) is set aside in exports: UnboundLocalError: a mistake of ours"
    ]


def test_the_command_for_exports_says_it(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, as_jsonl, "json_line", of_kept)
    told = run("export", "--to", str(tmp_path / "news.jsonl"), "--store", str(path))
    assert told.exit_code == 1
    assert "11 articles in" in told.stderr
    assert "1 article could not be written" in told.stderr
    assert numbers(tmp_path / "news.jsonl") == OTHERS
