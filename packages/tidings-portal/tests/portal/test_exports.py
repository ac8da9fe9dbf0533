"""Exports: each form holds everything, is whole or not there, and JSON lines come in again as they were."""

from __future__ import annotations

import gzip
import importlib
import json
import runpy
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.portal.made import SEEN, articles, kept, paragraph, texts
from tests.portal.store.made import NOON, article, new
from tests.support import ROOT, examples
from tidings.article import Article, article_from_json
from tidings.errors import BadExport, ExportError, InputError, MissingExtra, NoRoom, TargetExists
from tidings_portal import store as stores
from tidings_portal.exports import ExportFormat, export, form_of, import_jsonl
from tidings_portal.exports.columns import COLUMNS, row
from tidings_portal.exports.formats import file_name, markdown, schema, slug, write_jsonl
from tidings_portal.selection import choice
from tidings_portal.store import Store
from tidings_portal.store.records_of_articles import Fate, NewArticle

FILES = {
    ExportFormat.JSONL: "out.jsonl",
    ExportFormat.PARQUET: "out.parquet",
    ExportFormat.SQLITE: "out.sqlite",
    ExportFormat.MARKDOWN: "out",
}
yaml: Any = importlib.import_module("yaml")
parquet: Any = importlib.import_module("pyarrow.parquet")


def everything(store: Store) -> list[Article]:
    return [one.article for one in store.each_article()]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def front_matter(text: str) -> dict[str, Any]:
    found = yaml.safe_load(text.split("\n---\n", 1)[0].removeprefix("---\n"))
    assert isinstance(found, dict)
    return found


class TestJSONLines:
    def test_a_line_is_the_article_and_what_the_store_knows(self, store: Store, tmp_path: Path) -> None:
        assert export(store, tmp_path / "out.jsonl") == 6
        found = lines(tmp_path / "out.jsonl")
        assert [article_from_json(json.dumps(one)) for one in found] == everything(store)
        assert found[0]["store"] == {
            "number": 1,
            "version": 1,
            "versions": 1,
            "time": "2024-03-05T11:00:00+00:00",
            "first_seen": "2024-03-05T12:00:00+00:00",
            "extracted": "2024-03-05T12:00:00+00:00",
            "maker": "",
            "page": "",
            "site": "harbour.example",
            "category": "Nature",
            "story": 1,
            "reads": 0,
            "muted": False,
            "sources": ["https://harbour.example/feed"],  # no name and no password
        }

    def test_all_versions_and_choices(self, store: Store, tmp_path: Path) -> None:
        assert export(store, tmp_path / "all.jsonl", all_versions=True) == 7
        assert [one["store"]["version"] for one in lines(tmp_path / "all.jsonl")] == [1] * 6 + [2]
        assert export(store, tmp_path / "some.jsonl", only=choice(store, category="Nature")) == 2
        with pytest.raises(ExportError, match="all versions"):
            export(store, tmp_path / "x.jsonl", only=choice(store, category="Nature"), all_versions=True)

    @pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
    def test_out_and_in_again(self, store: Store, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"out.jsonl{ending}"
        export(store, path)
        with stores.open(tmp_path / "other.tidings") as other:
            told = [source.settings for source in store.sources() if source.id == 1]
            (number,) = other.add_sources(told, NOON)  # with its password, which no export holds
            done = import_jsonl(other, path)
            assert done.fates == {Fate.NEW: 6}
            assert everything(other) == everything(store)
            again = [(one.headline.category, one.maker, one.extracted) for one in other.each_article()]
            assert again == [(one.headline.category, one.maker, one.extracted) for one in store.each_article()]
            assert [one.headline.id for one in other.each_article() if one.headline.sources == (number,)] == [1, 6]
            assert import_jsonl(other, path).fates == {Fate.SAME: 6}
            assert other.totals().versions == 6

    def test_versions_come_in_as_versions_and_older_ones_change_nothing(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "all.jsonl"
        export(store, path, all_versions=True)
        with stores.open(tmp_path / "other.tidings") as other:
            for _ in range(2):
                import_jsonl(other, path)
                assert [one.article for one in other.versions(6)] == [one.article for one in store.versions(6)]
            assert import_jsonl(other, path).older == 1

    @settings(max_examples=15)
    @given(found=st.lists(articles, max_size=5, unique=True))
    def test_any_article_comes_in_as_it_was(
        self, found: list[Article], tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        folder = tmp_path_factory.mktemp("round")
        with stores.open(folder / "one.tidings") as one, stores.open(folder / "two.tidings") as two:
            # By numbers: hostile addresses may be one address in two spellings, which the store rightly makes one.
            one.keep([NewArticle(told, NOON, keys=(f"made {n}",)) for n, told in enumerate(found) if _says(told)])
            export(one, folder / "x.jsonl")
            assert (folder / "x.jsonl").read_bytes().count(b"\n") == one.totals().articles
            done = import_jsonl(two, folder / "x.jsonl")
            assert not done.problems
            assert set(everything(two)) == set(everything(one))

    def test_two_articles_of_one_address_stay_two(self, tmp_path: Path) -> None:
        same = "https://podcast.example/show"
        home = "https://podcast.example/"
        with stores.open(tmp_path / "one.tidings") as one, stores.open(tmp_path / "two.tidings") as two:
            one.keep([NewArticle(article(n, url=same), NOON, keys=(f"guid {n}",)) for n in (1, 2)])
            one.keep([NewArticle(article(n, url=home), NOON, keys=(f"guid {n}",)) for n in (3, 4)])
            export(one, tmp_path / "x.jsonl")
            for _ in range(2):
                import_jsonl(two, tmp_path / "x.jsonl")
                assert everything(two) == everything(one)

    def test_what_is_imported_is_known_to_the_pipeline(self, store: Store, tmp_path: Path) -> None:
        from tidings.sources import Link, identity
        from tidings.sources.link import Origin

        export(store, tmp_path / "x.jsonl")
        with stores.open(tmp_path / "other.tidings") as other:
            import_jsonl(other, tmp_path / "x.jsonl")
            name = identity(Link("https://harbour.example/1?utm_source=x", Origin.FEED))
            assert other.article_for(name) == 1


def _says(told: Article) -> bool:
    return bool(told.title or told.blocks)


class TestBadImports:
    def bring(self, tmp_path: Path, data: bytes, name: str = "in.jsonl") -> Any:
        (tmp_path / name).write_bytes(data)
        with stores.open(tmp_path / "other.tidings") as other:
            return import_jsonl(other, tmp_path / name)

    def test_lines_that_are_no_articles_are_named_and_the_rest_goes_on(self, tmp_path: Path) -> None:
        bad = [b"{", b"[]", b"7", b'"x"', b'{"title": 7}', b"{}", b'{"blocks": [{"kind": "nonsense"}]}', b"\xff\xfe"]
        good = b'{"title": "Good", "url": "https://a.example/1"}'
        done = self.bring(tmp_path, b"\n".join([*bad, b"", good]))
        assert done.fates == {Fate.NEW: 1}
        assert done.unread == len(bad)
        assert done.problems[0].startswith("line 1: ")

    def test_columns_of_a_store_that_make_no_sense_are_left_out(self, tmp_path: Path) -> None:
        told = {"number": "x", "extracted": "yesterday", "maker": 3, "category": [], "sources": {"a": 1}}
        done = self.bring(tmp_path, json.dumps({"title": "Good", "store": told}).encode())
        assert done.fates == {Fate.NEW: 1}

    def test_files_of_another_kind(self, tmp_path: Path) -> None:
        for data in (b"<html></html>", b"\x00" * 100, b"a,b\n1,2\n"):
            with pytest.raises(BadExport, match="no article in JSON lines"):
                self.bring(tmp_path, data)
        with pytest.raises(InputError, match="cannot be read"):
            self.bring(tmp_path, b"not gzip", "in.jsonl.gz")
        with pytest.raises(InputError, match="cannot be read"):
            self.bring(tmp_path, b"not zstd", "in.jsonl.zst")
        whole = gzip.compress(b'{"title": "Good"}\n' * 1000)
        with pytest.raises(InputError, match="after line"):
            self.bring(tmp_path, whole[:-9], "in.jsonl.gz")
        with stores.open(tmp_path / "other.tidings") as other, pytest.raises(InputError, match="No such file"):
            import_jsonl(other, tmp_path / "nowhere.jsonl")

    def test_a_line_without_end(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings_portal.exports.imports._LONGEST", 1000)
        with pytest.raises(BadExport, match="longer than"):
            self.bring(tmp_path, b"x" * 100_000)


class TestParquet:
    def test_everything_in_typed_columns(self, store: Store, tmp_path: Path) -> None:
        assert export(store, tmp_path / "out.parquet") == 6
        table = parquet.read_table(tmp_path / "out.parquet")
        assert table.schema.names == [column.name for column in COLUMNS]
        assert str(table.schema.field("published").type) == "timestamp[us, tz=UTC]"
        assert table.schema.field("number").metadata == {b"meaning": b"id of the article in the store"}
        rows = table.to_pylist()
        assert [article_from_json(one["article"]) for one in rows] == everything(store)
        assert rows[0]["authors"] == ["Ann Lee"]
        assert rows[0]["published"] == NOON.replace(hour=11)
        assert rows[2]["title"] == "بازگشت خوک‌های دریایی"
        assert "\ufffd end" in rows[3]["text"]  # the JSON has it as it was

    def test_row_groups_are_bounded(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tidings_portal.exports.formats._ROWS", 4)
        export(store, tmp_path / "out.parquet")
        found = parquet.ParquetFile(tmp_path / "out.parquet").metadata
        assert [found.row_group(n).num_rows for n in range(found.num_row_groups)] == [4, 2]

    def test_an_empty_store(self, tmp_path: Path) -> None:
        with stores.open(tmp_path / "empty.tidings") as empty:
            for form, name in FILES.items():
                assert export(empty, tmp_path / name, form) == 0
        assert parquet.read_table(tmp_path / "out.parquet").schema.equals(schema())

    def test_without_pyarrow(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(MissingExtra, match="bulk"):
            export(store, tmp_path / "out.parquet")
        assert not (tmp_path / "out.parquet").exists()


class TestSQLite:
    def test_tables_that_any_tool_opens(self, store: Store, tmp_path: Path) -> None:
        assert export(store, tmp_path / "out.sqlite") == 6
        with closing(sqlite3.connect(tmp_path / "out.sqlite")) as found:
            assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            titles = [title for (title,) in found.execute("SELECT title FROM article ORDER BY time DESC")]
            assert titles[:2] == ["Grey seals are back", "Işıklar İzmir'de söndü"]
            by = "SELECT number FROM article JOIN article_author USING (number, version) WHERE name = 'Ann Lee'"
            assert found.execute(by).fetchall() == [(1,)]
            blocks = "SELECT kind, text FROM block WHERE number = 1 ORDER BY position"
            assert found.execute(blocks).fetchall() == [("paragraph", "They breed."), ("paragraph", "Again.")]
            assert found.execute("SELECT title, articles FROM story").fetchall() == [("The coast this week", 2)]
            assert found.execute("SELECT address FROM source WHERE number = 1").fetchone() == (
                "https://harbour.example/feed",
            )
            assert found.execute("SELECT strftime('%H', published) FROM article WHERE number = 1").fetchone() == ("11",)
            (whole,) = found.execute("SELECT article FROM article WHERE number = 4").fetchone()
            assert article_from_json(whole) == everything(store)[3]
            columns = {name for (name,) in found.execute("SELECT column_name FROM column_meaning")}
            assert columns == {column.name for column in COLUMNS}

    def test_all_versions(self, store: Store, tmp_path: Path) -> None:
        export(store, tmp_path / "out.db", all_versions=True)
        with closing(sqlite3.connect(tmp_path / "out.db")) as found:
            counted = "SELECT count(*), count(DISTINCT number) FROM article"
            assert found.execute(counted).fetchone() == (7, 6)


class TestMarkdown:
    def test_a_file_an_article(self, store: Store, tmp_path: Path) -> None:
        assert export(store, tmp_path / "out") == 6
        names = sorted(
            str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()
        )
        assert names == sorted(
            [
                "2024-03/grey-seals-are-back-1.md",
                "2024-03/ışıklar-izmir-de-söndü-2.md",
                "2024-03/بازگشت-خوک-های-دریایی-3.md",
                "2024-03/script-script-alert-1-script-end-4.md",
                "2024-03/no-address-5.md",
                "2024-03/harbour-wall-falls-6.md",
            ]
        )
        text = (tmp_path / "out/2024-03/grey-seals-are-back-1.md").read_text("utf-8")
        told = front_matter(text)
        assert told["title"] == "Grey seals are back"
        assert told["authors"] == ["Ann Lee"]
        assert told["published"] == "2024-03-05T11:00:00+00:00"
        assert told["sources"] == ["https://harbour.example/feed"]
        assert text.endswith("---\n\nThey breed.\n\nAgain.\n")

    def test_it_goes_on_where_it_was_interrupted(self, store: Store, tmp_path: Path) -> None:
        folder = tmp_path / "out"

        def stop(done: int) -> None:
            if done == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            export(store, folder, tell=stop)
        written = sorted(folder.rglob("*.md"))
        assert len(written) == 3
        assert not [path for path in folder.rglob("*") if path.is_file() and path not in written]
        with pytest.raises(TargetExists, match="--continue"):
            export(store, folder)
        written[0].write_text(written[0].read_text("utf-8") + "A note of mine.", "utf-8")
        export(store, folder, go_on=True)
        assert len(list(folder.rglob("*.md"))) == 6
        assert "A note of mine." in written[0].read_text("utf-8")

    def test_what_changed_is_written_anew_under_its_new_name(self, store: Store, tmp_path: Path) -> None:
        folder = tmp_path / "out"
        export(store, folder)
        (folder / "2024-03/mine-1.md").write_text("Not an export's.", "utf-8")
        store.keep([new(5, "An address after all", "Found on a disk.", url="", keys=("x",))])
        store.keep([new(6, "Harbour wall fell", "It fell.", at=NOON.replace(hour=18))])
        export(store, folder, go_on=True)
        names = {path.name for path in folder.rglob("*.md")}
        assert "harbour-wall-fell-6.md" in names
        assert "harbour-wall-falls-6.md" not in names
        assert "mine-1.md" in names

    @given(found=articles)
    def test_front_matter_is_what_it_says_for_any_text(self, found: Article) -> None:
        one = kept(found, 7)
        text = markdown(one, {})
        told = front_matter(text)
        assert told["number"] == 7
        names = "number version title link authors published modified first_seen site language direction category"
        assert set(told) <= {*names.split(), "tags", "summary", "image", "kind", "words", "story", "sources"}
        assert all(isinstance(name, str) for name in told.get("authors", []))
        text.encode()

    @examples(300)
    @given(title=texts, language=st.sampled_from(("", "tr", "en")))
    def test_names_are_safe_in_any_script(self, title: str, language: str) -> None:
        name = slug(title, language)
        assert len(name.encode()) <= 120
        assert not set(name) & set('/\\:*?"<>|. \x00\u202e')
        assert name == slug(name, language)  # a fixed point
        path = file_name(kept(Article(title=title, language=language), 3))
        assert len(path.parts) == 2
        assert path.name.endswith("-3.md")

    def test_names(self) -> None:
        assert slug("../../etc/passwd") == "etc-passwd"
        assert slug("IŞIK ve İZMİR", "tr") == "ışık-ve-izmir"
        assert slug("हिन्दी समाचार") == "हिन्दी-समाचार"
        assert slug("日本語の見出し") == "日本語の見出し"
        assert slug("\u202eevil") == "evil"
        assert slug("!?") == ""
        assert file_name(kept(Article(title="!?"))).name == "article-1.md"
        assert len(slug("ق" * 500)) == 60


class TestTargets:
    @pytest.mark.parametrize("form", list(ExportFormat))
    def test_nothing_is_overwritten_unasked(self, store: Store, tmp_path: Path, form: ExportFormat) -> None:
        path = tmp_path / FILES[form]
        export(store, path, form)
        before = {one: one.read_bytes() for one in [path, *path.rglob("*")] if one.is_file()}
        with pytest.raises(TargetExists, match="--force"):
            export(store, path, form)
        assert {one: one.read_bytes() for one in before} == before
        assert export(store, path, form, force=True) == 6

    @pytest.mark.parametrize("form", [ExportFormat.JSONL, ExportFormat.PARQUET, ExportFormat.SQLITE])
    def test_what_fails_midway_leaves_what_was_there(self, store: Store, tmp_path: Path, form: ExportFormat) -> None:
        path = tmp_path / FILES[form]
        path.write_bytes(b"before")
        there = set(tmp_path.iterdir())

        def stop(done: int) -> None:
            if done == 3:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            export(store, path, form, force=True, tell=stop)
        assert path.read_bytes() == b"before"
        assert set(tmp_path.iterdir()) == there

    @pytest.mark.parametrize("form", list(ExportFormat))
    def test_a_full_disk(self, store: Store, tmp_path: Path, form: ExportFormat) -> None:
        """A limit on the size of files fails as a full disk does, at the same calls."""
        text = "\n".join(f"{number} a long text that does not pack well" for number in range(3000))
        store.keep([new(99, "Long", text)])
        path = tmp_path / FILES[form]
        code = (
            "import resource, sys; from tidings_portal import store as stores\n"
            "from tidings_portal.exports import ExportFormat, export\n"
            "kept = stores.open(sys.argv[1], readonly=True)\n"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
            "export(kept, sys.argv[2], ExportFormat(sys.argv[3]))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "news.tidings"), str(path), form.value],
            capture_output=True,
            text=True,
            check=False,
        )
        # SQLite tells a full disk from other troubles of writing only where the system says ENOSPC.
        expected = "ExportError: " if form is ExportFormat.SQLITE else "NoRoom: there is no room left"
        assert expected in ran.stderr, ran.stderr
        assert not list(tmp_path.rglob("*.part"))
        assert form is ExportFormat.MARKDOWN or not path.exists()

    def test_a_full_disk_under_sqlite(self, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        connect = sqlite3.connect

        def small(*told: Any, **more: Any) -> sqlite3.Connection:
            database: sqlite3.Connection = connect(*told, **more)
            database.execute("PRAGMA max_page_count = 10")
            return database

        monkeypatch.setattr("tidings_portal.exports.formats.sqlite3.connect", small)
        there = set(tmp_path.iterdir())
        with pytest.raises(NoRoom):
            export(store, tmp_path / "out.sqlite")
        assert set(tmp_path.iterdir()) == there

    def test_places_that_cannot_be_written(self, store: Store, tmp_path: Path) -> None:
        with pytest.raises(ExportError, match="No such file or directory"):
            export(store, tmp_path / "no/such/out.jsonl")
        with pytest.raises(TargetExists, match="is a folder"):
            export(store, tmp_path, ExportFormat.JSONL, force=True)
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(TargetExists, match="is a file"):
            export(store, tmp_path / "file", ExportFormat.MARKDOWN, force=True)
        with pytest.raises(ExportError, match="tells no form"):
            export(store, tmp_path / "out.pdf")
        with pytest.raises(ExportError, match="Markdown"):
            export(store, tmp_path / "out.jsonl", go_on=True)
        with pytest.raises(ExportError, match="Markdown"):
            export(store, tmp_path / "out", all_versions=True)

    def test_somebody_else_is_quicker(self, store: Store, tmp_path: Path) -> None:
        path = tmp_path / "out.jsonl"

        def theirs(_done: int) -> None:
            path.write_bytes(b"theirs")

        with pytest.raises(TargetExists):
            export(store, path, tell=theirs)
        assert path.read_bytes() == b"theirs"

    def test_the_same_store_gives_the_same_bytes(self, store: Store, tmp_path: Path) -> None:
        for name in ("a.jsonl.gz", "b.jsonl.gz"):
            export(store, tmp_path / name)
        assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()

    def test_forms_by_endings(self) -> None:
        found = {name: form_of(Path(name)) for name in ("a.jsonl", "a.jsonl.gz", "a.parquet", "a.db", "notes", "a.pdf")}
        assert list(found.values()) == [
            ExportFormat.JSONL,
            ExportFormat.JSONL,
            ExportFormat.PARQUET,
            ExportFormat.SQLITE,
            ExportFormat.MARKDOWN,
            None,
        ]


def test_columns_are_those_of_rows() -> None:
    assert list(row(kept(Article(title="x")), {})) == [column.name for column in COLUMNS]


def test_memory_does_not_grow_with_the_store(tmp_path: Path) -> None:
    def peak(number: int) -> int:
        def made() -> Iterator[Any]:
            for one in range(number):
                yield kept(Article(title=f"Story {one}", blocks=(paragraph("word " * 2000),)), one)

        tracemalloc.start()
        try:
            write_jsonl(made(), tmp_path / f"{number}.jsonl", tmp_path / "x.jsonl", {})
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(100) < 2 * peak(10)


def test_dates_as_told(tmp_path: Path) -> None:
    from datetime import datetime

    told = row(kept(Article(title="x", published=datetime(2024, 3, 1), published_precision="day")), {})
    assert told["published_as_stated"] == "2024-03-01"
    assert told["published"] == SEEN.replace(day=1, hour=0, microsecond=0)


def test_every_column_is_documented() -> None:
    text = runpy.run_path(str(ROOT / "scripts/docs_reference.py"))["export_columns"]()
    assert not [column.name for column in COLUMNS if f"| `{column.name}` | {column.type.value} |" not in text]
