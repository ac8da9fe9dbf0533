"""Readers give every page of a split once, whatever it lies in and wherever they begin."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest

from tests.bulk.made import address, answer, archive, page, response
from tests.support import needs
from tidings.bulk.readers import PageRecord, cdx_line, decoded_body, pages
from tidings.bulk.splits import SPLIT_SIZE, InputSplit, plan
from tidings.errors import InputError
from tidings.fetch.bodies.decompress import BadData

pa = needs("pyarrow")
from pyarrow import parquet  # noqa: E402


def every(*inputs: Path | str, split_size: int = SPLIT_SIZE) -> list[PageRecord]:
    return [one for split in plan(map(str, inputs), split_size=split_size) for one in pages(split)]


def whole(records: list[PageRecord]) -> list[tuple[str, bytes]]:
    return [(one.url, one.content) for one in records]


EXPECTED = [(address(number), page(number)) for number in range(5)]


def test_an_archive_gives_its_pages_and_nothing_else(tmp_path: Path) -> None:
    packed = archive(tmp_path / "a.warc.gz")
    found = every(packed)
    assert whole(found) == EXPECTED
    assert found[0].content_type == "text/html"
    assert found[0].fetched == 1_700_000_000.0
    plain = tmp_path / "b.warc"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))
    assert whole(every(plain)) == EXPECTED


def test_an_archive_in_zstandard(tmp_path: Path) -> None:
    zstandard = needs("zstandard")
    packed = archive(tmp_path / "a.warc.gz")
    frames = b""
    with gzip.open(packed) as stream:
        for piece in stream.read().split(b"WARC/1.1\r\n")[1:]:
            frames += zstandard.ZstdCompressor().compress(b"WARC/1.1\r\n" + piece)
    (tmp_path / "c.warc.zst").write_bytes(frames)
    assert whole(every(tmp_path / "c.warc.zst")) == EXPECTED
    assert whole(every(tmp_path / "c.warc.zst", split_size=700)) == EXPECTED


@pytest.mark.parametrize("size", [100, 333, 1000, 2500])
@pytest.mark.parametrize("ending", ["warc", "warc.gz"])
def test_parts_of_an_archive_have_each_page_once(tmp_path: Path, size: int, ending: str) -> None:
    packed = archive(tmp_path / "a.warc.gz", 12)
    if ending == "warc":
        path = tmp_path / "a.warc"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        packed = path
    splits = plan([str(packed)], split_size=size)
    assert len(splits) > 2
    found = [one for split in splits for one in pages(split)]
    assert whole(found) == [(address(number), page(number)) for number in range(12)]
    assert len({one.id for one in found}) == 12


def test_reading_goes_on_from_any_page(tmp_path: Path) -> None:
    one_member = tmp_path / "one.warc.gz"
    one_member.write_bytes(gzip.compress(gzip.decompress(archive(tmp_path / "a.warc.gz").read_bytes())))
    folder = tmp_path / "saved"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.html").write_bytes(page(number))
    for name in (tmp_path / "a.warc.gz", one_member, folder):
        (split,) = plan([str(name)])
        found = list(pages(split))
        assert len(found) == 5
        assert len({record.id for record in found}) == 5
        for at, record in enumerate(found):
            assert list(pages(split, record.next)) == found[at + 1 :]
            assert next(pages(split, record.place)) == record


def test_a_truncated_member_is_a_row_and_the_rest_is_read(tmp_path: Path) -> None:
    first, bad, last = (response(address(number), page(number)) for number in range(3))
    path = tmp_path / "a.warc.gz"
    path.write_bytes(first + bad[: len(bad) // 2] + last)
    found = every(path)
    assert [one.url for one in found if not one.status] == [address(0), address(2)]
    (damage,) = [one for one in found if one.status]
    assert damage.status == "error"
    assert "damaged" in damage.reason
    assert damage.offset == len(first)
    path.write_bytes(first + bad[: len(bad) // 2])  # at the end of the file
    assert [one.status for one in every(path)] == ["", "error"]


def test_an_archive_that_is_none_is_a_row_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"<html>no archive</html>" * 50)
    (found,) = every(path)
    assert found.status == "error"
    assert "no WARC record" in found.reason
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    assert every(tmp_path / "empty.warc.gz") == []


def test_a_record_over_the_cap_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(response(address(0), b"<p>" + b"long " * 600_000) + response(address(1), page(1)))
    (split,) = plan([str(path)])
    found = list(pages(split, largest=2000))
    assert [one.status for one in found] == ["refused", ""]
    assert "a page may have 2,000" in found[0].reason


@pytest.mark.parametrize(
    ("record", "status"),
    [
        (response("http://a.test/", b"gone", code=404), "nothing"),
        (response("http://a.test/", b"%PDF", "application/pdf"), "not-html"),
        (response("http://a.test/", b"x", more="Content-Encoding: unheard-of\r\n"), "error"),
        (response("http://a.test/", b"not gzip", more="Content-Encoding: br\r\n"), "error"),
    ],
)
def test_answers_that_are_no_pages(tmp_path: Path, record: bytes, status: str) -> None:
    (tmp_path / "a.warc.gz").write_bytes(record)
    (found,) = every(tmp_path / "a.warc.gz")
    assert found.status == status
    assert found.reason


def test_bodies_are_decoded() -> None:
    body = gzip.compress(page(1))
    assert decoded_body(body, {"content-encoding": "gzip"}, 10_000) == page(1)
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:100], body[100:])) + b"0\r\n\r\n"
    assert decoded_body(chunked, {"content-encoding": "gzip", "transfer-encoding": "chunked"}, 10_000) == page(1)
    with pytest.raises(BadData, match="become more"):
        decoded_body(gzip.compress(b"\0" * 50_000_000), {"content-encoding": "gzip"}, 10_000_000)


def test_folders_tar_and_tables(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.html").write_bytes(page(0))
    (folder / "deep" / "b.html.gz").write_bytes(gzip.compress(page(1)))
    (folder / "deep" / "c.html.gz").write_bytes(gzip.compress(page(2))[:50])
    (folder / "picture.png").write_bytes(b"x")
    found = every(folder)
    assert [one.content for one in found] == [page(0), page(1), b""]
    assert found[2].status == "error"
    with tarfile.open(tmp_path / "saved.tar.gz", "w:gz") as tar:
        for number in range(3):
            info = tarfile.TarInfo(f"saved/{number}.html")
            info.size = len(page(number))
            tar.addfile(info, io.BytesIO(page(number)))
        tar.addfile(tarfile.TarInfo("saved/readme.txt"))
    assert [one.content for one in every(tmp_path / "saved.tar.gz")] == [page(number) for number in range(3)]
    table = pa.table(
        {"URL": [address(number) for number in range(200)], "html": [page(number) for number in range(200)]}
    )
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=70)
    expected = [(address(number), page(number)) for number in range(200)]
    assert whole(every(tmp_path / "t.parquet")) == expected
    splits = plan([str(tmp_path / "t.parquet")], split_size=1)
    assert len(splits) > 1
    assert whole([one for split in splits for one in pages(split)]) == expected


def test_a_table_with_another_schema_says_what_is_missing(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"name": ["a"]}), tmp_path / "t.parquet")
    with pytest.raises(InputError, match=r"no column of pages.*it has name"):
        every(tmp_path / "t.parquet")
    (tmp_path / "u.parquet").write_bytes(b"none")
    with pytest.raises(InputError, match="no Parquet"):
        every(tmp_path / "u.parquet")


def test_records_by_the_lines_of_an_index(tmp_path: Path) -> None:
    first, second = response(address(0), page(0)), response(address(1), page(1))
    (tmp_path / "a.warc.gz").write_bytes(first + second)
    said = {"url": address(1), "filename": "a.warc.gz", "offset": str(len(first)), "length": str(len(second))}
    lines = [
        f"test,post)/ 20240101000000 {json.dumps(said)}",
        f"post) 20240101 {address(0)} text/html 200 X - - {len(first)} 0 a.warc.gz",
        "nothing of the kind",
        json.dumps(said | {"filename": "missing.warc.gz"}),
    ]
    (tmp_path / "a.cdxj").write_text("\n".join(lines), encoding="utf-8")
    splits = plan([str(tmp_path / "a.cdxj")], base=str(tmp_path))
    found = [one for split in splits for one in pages(split)]
    assert whole(found[:2]) == [(address(1), page(1)), (address(0), page(0))]
    assert [one.status for one in found] == ["", "", "error", "error"]
    assert "line 3" in found[2].reason
    assert cdx_line(lines[0].encode())[2] == len(first)


def test_what_stands_for_nothing_is_named(tmp_path: Path) -> None:
    for name, reason in ((tmp_path / "none", "no file or folder"), (tmp_path / "*.warc", "no file matches")):
        with pytest.raises(InputError, match=reason):
            plan([str(name)])
    (tmp_path / "a.zip").write_bytes(b"")
    with pytest.raises(InputError, match="has no format that is read in bulk"):
        plan([str(tmp_path / "a.zip")])
    with pytest.raises(InputError, match="contains nothing"):
        plan([str(tmp_path)])
    with pytest.raises(InputError, match="on the web"):
        plan(["https://a.test/crawl.warc.gz"])


def test_addresses_of_other_systems(tmp_path: Path) -> None:
    fsspec = needs("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/bulk-in/a.warc.gz", archive(tmp_path / "a.warc.gz").read_bytes())
    try:
        assert whole(every("memory://bulk-in/a.warc.gz")) == EXPECTED
        assert whole(every("memory://bulk-in")) == EXPECTED
        assert whole(every("memory://bulk-in/*.warc.gz")) == EXPECTED
    finally:
        memory.rm("/bulk-in", recursive=True)


def test_splits_have_names_that_last() -> None:
    split = InputSplit("warc", "/data/a b.warc.gz", 0, 100, 200)
    assert split.name == InputSplit("warc", "/data/a b.warc.gz", 0, 100, 200).name
    assert split.name != InputSplit("warc", "/data/a b.warc.gz", 100, None, 200).name
    assert split.name.startswith("warc-")
    assert InputSplit.from_dict(json.loads(json.dumps(split.as_dict()))) == split
    assert answer(b"x").startswith(b"HTTP/1.1 200")
