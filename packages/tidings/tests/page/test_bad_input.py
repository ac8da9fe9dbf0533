"""Input that is no page: a typed error whose sentence says what it is, or the text that is there."""

from __future__ import annotations

import gzip
import io
import zipfile
from typing import Any

import pytest

from tidings.errors import EmptyPage, NotHTML, PageError, PageTooLarge, TidingsError
from tidings.page import Page
from tidings.page import decode as decode_module


def zipped() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("page.html", "<p>inside</p>")
    return archive.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", "", b" \t\r\n ", "\u00a0\u2003\n", b"\0", b"\0" * 5000, "\0 \0", b"\xef\xbb\xbf", b"\xff\xfe", "\ufeff \n"],
    ids=repr,
)
def test_nothing_is_an_empty_page(data: bytes | str) -> None:
    with pytest.raises(EmptyPage, match="the page is empty: there is no text in it"):
        Page(data)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj", "a PDF document"),
        (b"\n  %PDF-1.4", "a PDF document"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01", "a JPEG picture"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "a PNG picture"),
        (b"GIF89a\x01\x00\x01\x00", "a GIF picture"),
        (gzip.compress(b"<p>inside</p>"), "gzip data; decompress it first"),
        (zipped(), "a ZIP archive or an office document"),
        (b"RIFF\x24\x00\x00\x00WEBPVP8 ", "a picture or media file"),
        (b"\x00\x00\x00\x18ftypmp42", "a picture or media file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 8, "an old office document"),
        (bytes(range(32)) * 40, "binary data"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_html_is_named(data: bytes, what: str) -> None:
    with pytest.raises(NotHTML, match=f"the input is not HTML: it is {what}"):
        Page(data)


@pytest.mark.parametrize("kind", [bytes, str])
def test_a_page_over_the_size_limit_is_refused(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode_module, "MAX_BYTES", 1000)
    data: Any = "<p>" + "x" * 998
    with pytest.raises(PageTooLarge, match=r"1,001 .*1,000"):
        Page(data if kind is str else data.encode())
    assert len(Page(data[:1000]).text) == 997


def test_200_megabytes_are_refused_before_they_are_read() -> None:
    with pytest.raises(PageTooLarge, match=r"the input has 209,715,200 bytes and a page may have 67,108,864"):
        Page(bytes(200 * 1024 * 1024))


@pytest.mark.parametrize("data", [None, 5, ["<p>"], object()])
def test_the_wrong_type_is_a_type_error(data: Any) -> None:
    with pytest.raises(TypeError, match=f"a page must be bytes or str, not {type(data).__name__}"):
        Page(data)


@pytest.mark.parametrize("text", ["<p>a\ud800b</p>", "<p>a\udfff b</p>", "<p>a&#xD800;b</p>", "\ud83d<p>ab</p>"])
def test_lone_surrogates_become_something_that_can_be_stored(text: str) -> None:
    page = Page(text)
    assert page.text.encode("utf-8")
    assert page.source.encode("utf-8")
    assert {"a", "b"} <= set(page.text)


def test_every_refusal_is_a_page_error() -> None:
    for refusal in (EmptyPage, NotHTML, PageTooLarge):
        assert issubclass(refusal, PageError)
        assert issubclass(refusal, TidingsError)


@pytest.mark.parametrize("html", ["x", "<p>", "<", "&", "</", "<!--", "&nbsp;", "<script>", "<title>a</title>"])
def test_little_is_still_a_page(html: str) -> None:
    page = Page(html)
    assert len(page.text) <= len(html)
    assert page.visible.size == len(page.text)
