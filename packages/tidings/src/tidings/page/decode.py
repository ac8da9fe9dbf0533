"""Encoding detection and decoding of pages.

In order: a byte order mark; UTF-16 without one (recognised by its zeros); UTF-8, if all of it is valid, whatever the
page declares, because text in other encodings is practically never valid UTF-8; the HTTP header; the `meta` element or
XML declaration; detection by charset-normalizer. A declared encoding that does not fit the bytes is ignored.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, NamedTuple

from tidings.core.byte_texts import CleanPage, clean_page
from tidings.errors import BadArgument, EmptyPage, NotHTML, PageTooLarge, printable
from tidings.page.compiled import scan
from tidings.page.invisible import NOTHING, by_class, cleaned

#: Larger input is rejected: the largest article pages on the web have a few MB.
MAX_BYTES: Final = 64 * 1024 * 1024

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MARKS: Final = tuple(mark for mark, _ in _BOMS)
_VALID: Final = "valid utf-8"
#: Number of bytes at the start that are first checked for non-blank content.
_BEGINNING: Final = 64

#: Encodings of labels on the web (WHATWG Encoding Standard, 4.2).
_MEANT: Final = {
    label: encoding
    for encoding, labels in (
        ("cp1252", "ascii us-ascii iso-8859-1 iso8859-1 latin-1 latin1 x-user-defined"),
        ("cp1254", "iso-8859-9 latin5"),
        ("cp874", "iso-8859-11 tis-620 windows-874"),
        ("gb18030", "gb2312 gb_2312-80 gbk x-gbk"),
        ("cp932", "shift_jis shift-jis sjis x-sjis windows-31j"),
        ("cp949", "euc-kr ks_c_5601-1987 ksc5601 windows-949"),
        ("big5hkscs", "big5 x-x-big5"),
        ("utf-8", "unicode utf8 utf-16"),  # utf-16, said inside a page that could be read to here, cannot be true
        ("iso-8859-8", "iso-8859-8-i logical"),
    )
    for label in labels.split()
}

_META: Final = re.compile(
    rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([a-zA-Z0-9_:.\-]+)|<\?xml\s[^>]*?encoding\s*=\s*["']([a-zA-Z0-9_:.\-]+)""",
    re.IGNORECASE,
)
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]")
#: Python also has codecs such as base64 and unicode_escape, which pages must not select.
_TEXT_ENCODING: Final = re.compile(
    r"(?:utf-8|cp(?:125\d|437|85[0258]|866|874|932|949|950)|iso8859-\d+|koi8-[rtu]|gb18030|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|mac[-_]\w+|johab"
    r"|tis-620|ptcp154|kz1048)$"
)
_HEADER: Final = re.compile(r"""charset\s*=\s*["']?\s*([a-zA-Z0-9_:.\-]+)""", re.IGNORECASE)
#: Longest str that is checked for being a URL or path passed by mistake.
_LONGEST_PATH: Final = 4096
_URL: Final = re.compile(r"(?:https?://|www\.)\S+|(?:[a-z\d-]+\.)+[a-z]{2,}(?::\d+)?/\S*", re.IGNORECASE)
_PATH: Final = re.compile(
    r"(?:[\w.~-]*[/\\][^\n]*|\S*[^\s.])\.(?:x?html?|mhtml?|php|aspx?|warc|pdf)(?:\.gz)?", re.IGNORECASE
)
#: Browsers search the first 1024 bytes for a `meta` element; some pages put scripts first.
_META_WITHIN: Final = 16_384
_SAMPLE: Final = 32_768
#: Letters of Western European text. Central European, Turkish or Baltic bytes, decoded as windows-1252, result in other
#: letters too; Cyrillic, Greek or Arabic bytes result in hardly any ASCII.
_WESTERN: Final = frozenset("àâäáãåæçéèêëíìîïñóòôöõøœúùûüßÀÂÄÁÃÅÆÇÉÈÊËÍÌÎÏÑÓÒÔÖÕØŒÚÙÛÜ")
#: Legacy encodings by language, the browsers' choice first (HTML standard, 13.2.3.2).
_BY_LANGUAGE: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("ar", "fa", "ps", "ur"), ("cp1256",)),
    **dict.fromkeys(("be", "bg", "kk", "ky", "mk", "tg", "tt"), ("cp1251",)),
    **dict.fromkeys(("ru", "uk"), ("cp1251", "koi8_r")),
    **dict.fromkeys(("cs", "hr", "hu", "pl", "ro", "sk", "sl"), ("cp1250",)),
    **dict.fromkeys(("et", "lt", "lv"), ("cp1257",)),
    **dict.fromkeys(("az", "ku", "tr"), ("cp1254",)),
    "el": ("cp1253",),
    "he": ("cp1255",),
    "ja": ("cp932", "euc_jp"),
    "ko": ("cp949",),
    "sr": ("cp1251", "cp1250"),
    "th": ("cp874",),
    "vi": ("cp1258",),
    "zh": ("gb18030", "big5"),
}
_LANGUAGE: Final = (
    rb"""(?i)<html\s[^>]*?\blang\s*=\s*["']?([a-z]{2})\b"""
    rb"""|<meta\s[^>]*?content-language["']?\s+content\s*=\s*["']?([a-z]{2})\b"""
)
#: Encodings of web pages; charset-normalizer knows many more.
_ON_THE_WEB: Final = [
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "iso8859_2", "iso8859_5",
    "gb18030", "big5", "cp932", "euc_jp", "cp949", "euc_kr", "tis_620", "utf_8",
]  # fmt: skip

_MAGIC: Final = (
    (b"%PDF-", "a PDF document"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"GIF87a", "a GIF picture"),
    (b"GIF89a", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"\x1f\x8b", "gzip data; decompress it first"),
    (b"\x28\xb5\x2f\xfd", "zstd data; decompress it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"ID3\x03", "an MP3 sound file"),
    (b"ID3\x04", "an MP3 sound file"),
    (b"OggS", "an Ogg media file"),
    (b"\xd0\xcf\x11\xe0", "an old office document"),
    (b"wOFF", "a font"),
    (b"wOF2", "a font"),
)
_BEGINNINGS: Final = tuple(magic for magic, _ in _MAGIC)


class Decoded(NamedTuple):
    """A page in UTF-8, its original encoding, and how the encoding was determined."""

    data: bytes
    encoding: str
    encoding_source: str
    removed: Mapping[str, int] = NOTHING  # invisible characters that were removed, by class
    width: int = 0  # bytes per character in the narrowest str for the page; 0 if unknown
    size: int = 0  # number of characters, if `width` is known

    @property
    def text(self) -> str:
        """Return the page as a str."""
        return self.data.decode()


class _DetectedText(NamedTuple):
    """The text of a page, its original encoding, and how the encoding was determined."""

    text: str
    encoding: str
    encoding_source: str


def decode(data: bytes | str, content_type: str | None = None) -> Decoded:
    """Decode a page. `content_type` is the HTTP header, if available."""
    if isinstance(data, str):
        _refuse_path(data)
        return _cleaned(_DetectedText(_without_surrogates(data), "unicode", "str"), has_nul="\0" in data)
    if not isinstance(data, bytes | bytearray | memoryview):
        raise _wrong_type(data)
    data = bytes(data)
    _refuse(data)
    page = clean_page(data)
    detected = _certain(data, content_type, page)
    if detected is None and page.width:
        if not page.has_nul:  # a NUL byte may split a character reference
            return _valid(page)
        detected = _DetectedText(data.decode(), "utf-8", _VALID)
    return _cleaned(detected or _as_declared(data, content_type) or _detected(data), page.has_nul)


def _valid(page: CleanPage) -> Decoded:
    """Return a valid UTF-8 page that the core has cleaned."""
    removed = by_class(page.removed)
    if page.has_controls:
        return Decoded(_normalise(page.data.decode()).encode(), "utf-8", _VALID, removed)
    if not page.data[:_BEGINNING].lstrip():
        _refuse_blank(page.data.decode())
    return Decoded(page.data, "utf-8", _VALID, removed, page.width, page.size)


def _cleaned(detected: _DetectedText, has_nul: bool) -> Decoded:
    if len(detected.text) > MAX_BYTES:
        raise PageTooLarge(f"the page has {len(detected.text):,} characters; the limit is {MAX_BYTES:,}")
    text = _normalise(detected.text.replace("\0", "") if has_nul else detected.text)
    visible, removed = cleaned(text)
    text = visible if visible is text else _normalise(visible)
    return Decoded(text.encode("utf-8", "replace"), detected.encoding, detected.encoding_source, removed)


def _wrong_type(data: object) -> BadArgument:
    advice = "; pass its content: path.read_bytes()" if isinstance(data, PurePath) else ""
    return BadArgument(f"a page must be bytes or str, not {type(data).__name__}{advice}")


def _refuse_path(text: str) -> None:
    """Raise NotHTML for a URL or path passed instead of the content of a page."""
    if len(text) > _LONGEST_PATH or "<" in text:
        return
    stripped = text.strip()
    if _URL.fullmatch(stripped):
        raise NotHTML(f"{printable(stripped)} is a URL, not a page; tidings.read(url) fetches and extracts it")
    if _PATH.fullmatch(stripped):
        raise NotHTML(
            f"{printable(stripped)} is a path, not a page; pass the content: tidings.extract(Path(…).read_bytes())"
        )


def _refuse(data: bytes) -> None:
    if len(data) > MAX_BYTES:
        raise PageTooLarge(
            f"the input has {len(data):,} bytes and a page may have {MAX_BYTES:,}; cut it down or split it first"
        )
    head = data[:64].lstrip()
    if head.startswith(_BEGINNINGS):
        what = next(what for magic, what in _MAGIC if head.startswith(magic))
        raise NotHTML(f"the input is not HTML: it is {what}")
    if (head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI ")) or data[4:8] == b"ftyp":
        raise NotHTML("the input is not HTML: it is a picture or media file")


def _certain(data: bytes, content_type: str | None, page: CleanPage) -> _DetectedText | None:
    """Return the encoding if the bytes alone determine it."""
    for bom, encoding in _BOMS if data.startswith(_MARKS) else ():
        if data.startswith(bom):
            return _DetectedText(data[len(bom) :].decode(encoding, "replace"), encoding, "byte order mark")
    wide = _utf16_without_mark(data) if page.has_nul else None
    if wide:
        return _DetectedText(data.decode(wide, "replace"), wide, "zero bytes")
    if page.has_escape:  # an encoding that looks like ASCII
        for name, by in _declared(data, content_type):
            if name.startswith("iso2022"):
                return _DetectedText(data.decode(name, "replace"), name, by)
    return None


def _as_declared(data: bytes, content_type: str | None) -> _DetectedText | None:
    """Return the text in the declared encoding, if it fits the bytes."""
    for name, by in _declared(data, content_type):
        if name == "utf-8":
            if _mostly_utf8(data):
                return _DetectedText(data.decode("utf-8", "tidings-mixed"), "utf-8", by)
            continue
        try:
            return _DetectedText(data.decode(name), name, by)
        except UnicodeDecodeError:
            text = data.decode(name, "replace")
            # A page cut off in the middle of a character, or one bad byte in a long page.
            if text.count("\ufffd") <= 1 + len(text) // 2000:
                return _DetectedText(text, name, by)
    if _mostly_utf8(data):
        return _DetectedText(data.decode("utf-8", "tidings-mixed"), "utf-8", "mostly valid utf-8")
    return None


def _declared(data: bytes, content_type: str | None) -> list[tuple[str, str]]:
    """Return the declared encodings as Python codec names, most trusted first."""
    labels: list[tuple[str, str]] = []
    if content_type and (header := _HEADER.search(content_type)):
        labels.append((header[1], "HTTP header"))
    if meta := _META.search(data[:_META_WITHIN]):
        labels.append(((meta[1] or meta[2]).decode("ascii"), "meta element"))
    codecs_found = []
    for declared_label, by in labels:
        label = declared_label.lower()
        try:
            codecs_found.append((codecs.lookup(_MEANT.get(label, label)).name, by))
        except LookupError:
            continue  # unknown encoding
    return [(name, by) for name, by in codecs_found if _TEXT_ENCODING.match(name)]


def _utf16_without_mark(data: bytes) -> str | None:
    """Return UTF-16 if every other byte at the beginning is zero, as in `<` `h` `t` `m` `l`."""
    head = data[:512]
    if len(head) < 4 or b"\0" not in head:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.6 and even < 0.1:
        return "utf-16-le"
    if even > 0.6 and odd < 0.1:
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes) -> bool:
    """Return whether invalid sequences are rare among valid ones, which means mixed encodings."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = len(text) - bad - len(text.encode("ascii", "ignore"))
    return good > 10 * bad


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    """Decode invalid UTF-8 bytes as windows-1252, which they mostly are in mixed pages."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error("tidings-mixed", _as_windows_1252)


def _detected(data: bytes) -> _DetectedText:
    """Detect the encoding of a page that declares none: windows-1252 if possible, as in browsers."""
    # Only non-ASCII text, because tags and scripts say nothing about the language.
    borders = scan(data.decode("latin-1").encode()).bounds.tolist()
    pieces = (data[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True))
    sample = b" ".join([piece for piece in pieces if not piece.isascii()])[:_SAMPLE] or data[:_SAMPLE]
    language = re.search(_LANGUAGE, data[:_META_WITHIN])
    likely = _BY_LANGUAGE.get((language[1] or language[2]).decode("ascii").lower(), ()) if language else ()
    if len(likely) == 1 and "\ufffd" not in sample.decode(likely[0], "replace"):
        return _DetectedText(data.decode(likely[0], "replace"), likely[0], "language of the page")
    if not likely and _looks_western(sample):
        return _DetectedText(data.decode("cp1252", "replace"), "cp1252", "detection")

    from charset_normalizer import from_bytes  # only for the few pages that need it

    best = from_bytes(sample, cp_isolation=list(likely) or _ON_THE_WEB).best()
    encoding = best.encoding if best is not None else likely[0] if likely else "cp1252"
    return _DetectedText(data.decode(encoding, "replace"), encoding, "detection")


def _looks_western(sample: bytes) -> bool:
    """Return whether a sample in windows-1252 has only Western European letters, mostly ASCII."""
    letters = [char for char in sample.decode("cp1252", "replace") if char.isalpha() or char == "\ufffd"]
    accented = [char for char in letters if not char.isascii()]
    few = 4 * len(accented) <= len(letters) or len(set(accented)) <= 3  # too few to be an alphabet
    return set(accented) <= _WESTERN and few


def _without_surrogates(text: str) -> str:
    """Combine surrogate pairs, and replace lone surrogates."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _normalise(text: str) -> str:
    """Normalise line ends (HTML standard, 13.2.3.5), remove the byte order mark, and reject blank and binary text."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.removeprefix("\ufeff")
    _refuse_blank(text)
    head = text[:1024]
    if len(_CONTROL.findall(head)) > max(8, len(head) // 10):
        raise NotHTML("the input is not HTML: it is binary data")
    return text


def _refuse_blank(text: str) -> None:
    if not text or text.isspace():
        raise EmptyPage("the page is empty: there is no text in it, only white space or NUL bytes or nothing at all")
