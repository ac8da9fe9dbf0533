"""`tidings bulk` with the portal: pages of a store, and signatures of near-duplicates."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.bulk.made import address, page, response
from tests.bulk.test_command import bulk
from tests.bulk.test_run import files, rows
from tidings import extract
from tidings_portal import store
from tidings_portal.store.records_of_articles import NewArticle, RawPage
from tidings_portal.stories.duplicates import Signature

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_pages_of_a_store(tmp_path: Path) -> None:
    where = str(tmp_path / "news.tidings")
    with store.open(where) as kept:
        for number in range(5):
            raw = RawPage(address(number), page(number), NOON, "text/html; charset=utf-8")
            kept.keep([NewArticle(extract(page(number), address(number)), NOON, page=raw)])
    done = bulk("run", "--store", where, "--to", tmp_path / "out")
    assert done.exit_code == 0, done.output
    found = rows(tmp_path / "out")
    assert sorted(row["url"] for row in found) == [address(number) for number in range(5)]
    assert {row["status"] for row in found} == {"ok"}
    assert {row["source"] for row in found} == {where}
    assert sorted(row["offset"] for row in found) == list(range(5))
    assert {row["fetched"] for row in found} == {NOON}
    before = files(tmp_path / "out")
    assert bulk("run", "--store", where, "--to", tmp_path / "out").exit_code == 0
    assert files(tmp_path / "out") == before


def test_signatures_tell_near_copies(tmp_path: Path) -> None:
    other = page(1).replace(b"on Friday", b"on Monday")
    strange = (
        b"<html lang=en><h1>Budget</h1><article>" + b"<p>The council voted on taxes, roads and the school.</p>" * 9
    )
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join(response(address(n), body) for n, body in enumerate([page(1), other, strange])))
    done = bulk("run", path, "--to", tmp_path / "out", "--signatures")
    assert done.exit_code == 0, done.output
    one, near, far = (Signature.from_bytes(row["signature"]) for row in rows(tmp_path / "out"))
    assert len(rows(tmp_path / "out")[0]["signature"]) == 516
    assert one.jaccard(near) > 0.7
    assert one.jaccard(far) < 0.2
    (tmp_path / "plain.warc.gz").write_bytes(response(address(1), page(1)))
    assert bulk("run", tmp_path / "plain.warc.gz", "--to", tmp_path / "plain").exit_code == 0
    assert "signature" not in rows(tmp_path / "plain")[0]
