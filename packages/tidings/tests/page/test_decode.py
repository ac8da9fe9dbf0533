"""From bytes to text: the right encoding, or a sentence that says why not."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.core.byte_texts import clean_page
from tidings.errors import NotHTML
from tidings.page import Hints, Page
from tidings.page.decode import _CONTROL, decode

#: A sentence for each encoding, in the language it was made for, with its label on the web.
SENTENCES = {
    "windows-1250": "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl ředitel školy v Ústí.",
    "windows-1251": "Правительство утвердило новый бюджет на следующий год, сообщили в министерстве.",
    "windows-1252": "L’été dernier, les élèves ont visité le château – « c’était magnifique ».",
    "windows-1253": "Η κυβέρνηση ανακοίνωσε νέα μέτρα για την οικονομία, λένε πηγές του υπουργείου.",
    "windows-1254": "Başbakan bugün yaptığı açıklamada yeni köprünün açılacağını söyledi, İstanbul’da.",
    "windows-1255": "ראש הממשלה הודיע היום כי התקציב החדש יאושר בשבוע הבא, כך נמסר ממשרדו.",
    "windows-1256": "أعلنت الحكومة اليوم عن خطة جديدة لتطوير التعليم في جميع المدارس في البلاد.",
    "gb18030": "中国政府今天宣布了一项新的经济计划，预计将在明年初开始实施。",
    "shift_jis": "政府は本日、新しい経済計画を発表した。来年初めに実施される予定である。",
    "euc-jp": "政府は本日、新しい経済計画を発表した。来年初めに実施される予定である。",
    "iso-2022-jp": "政府は本日、新しい経済計画を発表した。来年初めに実施される予定である。",
    "euc-kr": "정부는 오늘 새로운 경제 계획을 발표했다. 내년 초에 시행될 예정이다.",
    "big5": "政府今天宣布了一項新的經濟計劃，預計將在明年初開始實施。",
    "koi8-r": "Правительство утвердило новый бюджет на следующий год, сообщили в министерстве.",
}
#: All but one look unlike UTF-8; iso-2022-jp looks like ASCII and has to be declared.
EIGHT_BIT = [label for label in SENTENCES if label != "iso-2022-jp"]
#: Without a label windows-1252 is mostly taken for something else: see test_reported.
DETECTED = [label for label in EIGHT_BIT if label != "windows-1252"]
FRENCH = SENTENCES["windows-1252"]


def page(data: bytes, content_type: str | None = None) -> Page:
    return Page(data, hints=Hints(content_type=content_type))


# -- what tells the encoding ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_a_byte_order_mark_is_believed_before_anything_else(mark: bytes, encoding: str) -> None:
    found = page(mark + f'<meta charset="koi8-r"><p>{FRENCH}</p>'.encode(encoding), "text/html; charset=big5")
    assert (found.text, found.encoding, found.encoding_source) == (FRENCH, encoding, "byte order mark")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known_by_its_zeros(encoding: str) -> None:
    html = f"<!DOCTYPE html><html><head><title>Journal</title></head><body><p>{FRENCH}</p></body></html>"
    found = page(html.encode(encoding))
    assert (found.text, found.encoding) == (FRENCH, encoding)


@pytest.mark.parametrize("label", SENTENCES)
def test_the_http_header_tells(label: str) -> None:
    found = page(f"<p>{SENTENCES[label]}</p>".encode(label), f"text/html; charset={label}")
    assert (found.text, found.encoding_source) == (SENTENCES[label], "HTTP header")


@pytest.mark.parametrize("label", SENTENCES)
@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="{}">',
        "<META CHARSET={}>",
        "<meta http-equiv=Content-Type content='text/html; charset={}'>",
        '<?xml version="1.0" encoding="{}"?>',
    ],
)
def test_the_page_tells(label: str, declaration: str) -> None:
    found = page((declaration.format(label) + f"<p>{SENTENCES[label]}</p>").encode(label))
    assert (found.text, found.encoding_source) == (SENTENCES[label], "meta element")


def test_the_header_goes_before_the_page() -> None:
    russian = SENTENCES["koi8-r"]
    html = f'<meta charset="windows-1251"><p>{russian}</p>'.encode("koi8-r")
    assert page(html, "text/html; charset=koi8-r").text == russian


@pytest.mark.parametrize("label", DETECTED)
def test_an_undeclared_encoding_is_detected(label: str) -> None:
    # A short article: detection looks at letters, and a single sentence has few.
    paragraphs = f"<p>{SENTENCES[label]}</p>" * 6
    found = page(f"<html><body>{paragraphs}</body></html>".encode(label))
    assert found.encoding_source == "detection"
    assert SENTENCES[label] in found.text


@pytest.mark.parametrize(
    ("label", "bytes_of"),
    [
        ("iso-8859-1", "windows-1252"),
        ("us-ascii", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("gb2312", "gb18030"),
    ],
)
def test_a_label_means_what_the_web_means_by_it(label: str, bytes_of: str) -> None:
    """WHATWG Encoding Standard, 4.2: `iso-8859-1` is windows-1252, with its quotes and dashes."""
    html = f"<p>{SENTENCES[bytes_of]}</p>".encode(bytes_of)
    assert page(html, f"text/html; charset={label}").text == SENTENCES[bytes_of]


# -- mislabelled ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1251", "shift_jis", "utf-16", "utf-8"])
def test_utf_8_is_utf_8_whatever_the_label(label: str) -> None:
    found = page(f'<meta charset="{label}"><p>{FRENCH}</p>'.encode(), f"text/html; charset={label}")
    assert (found.text, found.encoding) == (FRENCH, "utf-8")


@pytest.mark.parametrize("label", DETECTED)
def test_another_encoding_labelled_utf_8_is_detected(label: str) -> None:
    html = '<meta charset="utf-8">' + f"<p>{SENTENCES[label]}</p>" * 6
    assert SENTENCES[label] in page(html.encode(label), "text/html; charset=utf-8").text


@pytest.mark.parametrize("label", ["klingon", "x-unknown-8bit", "none"])
def test_an_unknown_label_tells_nothing(label: str) -> None:
    html = f'<meta charset="windows-1251"><p>{SENTENCES["windows-1251"]}</p>'.encode("windows-1251")
    found = page(html, f"text/html; charset={label}")
    assert (found.text, found.encoding_source) == (SENTENCES["windows-1251"], "meta element")


@pytest.mark.parametrize("label", ["base64", "rot13", "unicode_escape", "idna", "zlib", "hex", "punycode", "utf-7"])
def test_python_codecs_that_are_no_character_sets_are_not_used(label: str) -> None:
    text = r"aGVsbG8= \u0041 +AGEAYg- café"
    html = f"<meta charset={label}><p>{text}</p>"
    assert page(html.encode(), f"text/html; charset={label}").text == text
    assert page((html * 20).encode("windows-1252"), f"text/html; charset={label}").encoding != label


def test_some_windows_1252_bytes_in_a_utf_8_page_are_read_as_such() -> None:
    utf8 = f"<p>{FRENCH}</p>".encode() * 5
    mixed = b'<meta charset="utf-8">' + utf8 + b"<p>caf\xe9 \x93noir\x94</p>" + utf8
    text = page(mixed).text
    assert "café “noir”" in text
    assert text.count(FRENCH) == 10


def test_a_page_cut_off_inside_a_character_keeps_the_rest() -> None:
    html = f'<meta charset="shift_jis"><p>{SENTENCES["shift_jis"] * 40}</p>'.encode("shift_jis")
    assert SENTENCES["shift_jis"] in page(html[: html.rindex(b"</p>") - 1]).text


# -- what the text is after decoding ----------------------------------------------------------------------


def test_line_ends_are_line_feeds() -> None:
    assert Page("<pre>a\r\nb\rc\nd</pre>").text == "a\nb\nc\nd"


def test_nuls_are_dropped() -> None:
    assert Page(b"<p>he\0llo w\0orld</p>").text == "hello world"


def test_a_leading_byte_order_mark_is_no_text() -> None:
    assert Page("\ufeff<p>x</p>").text == "x"


@pytest.mark.parametrize("label", ["utf-8", "utf-16", *EIGHT_BIT])
def test_bytes_and_str_give_the_same_page(label: str) -> None:
    html = f'<meta charset="{label}"><p>{SENTENCES.get(label, FRENCH)}</p>'
    one, other = Page(html), Page(html.encode(label))
    assert (one.source, one.text) == (other.source, other.text)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_other_kinds_of_bytes_are_read_too(kind: type) -> None:
    assert Page(kind(b"<p>x</p>")).text == "x"


@given(st.text(st.sampled_from("<p a>\r\n\u00e9\u00ff\u0100\u0633\u201c\uffff\U00010000\U0010ffff"), max_size=200))
def test_utf8_is_the_text_that_python_decodes(text: str) -> None:
    found = decode(f"<{text}".encode())
    expected = "".join(["<", *text.replace("\r\n", "\n").replace("\r", "\n")])
    assert (found.text, found.encoding_source) == (expected, "valid utf-8")


@given(st.binary(max_size=60).map(b"<".__add__))
def test_what_bytes_hold_is_what_python_finds_in_them(data: bytes) -> None:
    page = clean_page(data)
    assert (page.has_nul, page.has_escape) == (b"\0" in data, b"\x1b" in data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        assert (page.width, page.data) == (0, data)
    else:
        assert page.has_controls or not _CONTROL.search(text)
        clean = page.data.decode()
        width = 1 if max(clean) < "\u0100" else 2 if max(clean) < "\U00010000" else 4
        assert (page.width, page.size) == (width, len(clean))


@pytest.mark.parametrize("sign", ["\x01", "\r", "\ufffd", "\x1b", "\x0c"])
@pytest.mark.parametrize("letter", ["a", "\u0100", "\U00010000"])
@pytest.mark.parametrize("place", [0, 1, 1023, 1024, 5000])
def test_what_stands_at_the_beginning_is_found_as_python_finds_it(sign: str, letter: str, place: int) -> None:
    text = "<" + place * letter + 200 * (sign + "\n") + "b"

    def judged(data: bytes | str) -> str:
        try:
            return decode(data).text
        except NotHTML as error:
            return repr(error)

    assert judged(text.encode()) == judged(text)
