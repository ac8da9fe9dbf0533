"""Addresses are read in one way only, and odd spellings are seen through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.errors import InvalidURL
from tidings.urls import MAX_URL, URL, host_name, literal


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTP://EXAMPLE.org:80/A?b=C#d", "http://example.org/A?b=C"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("  http://exam\tple.org/\n", "http://example.org/"),
        ("http://example.org./x", "http://example.org/x"),
        ("http:\\\\example.org\\a?b\\c", "http://example.org/a?b%5Cc"),
        ("http://bücher.example/ü?ä", "http://xn--bcher-kva.example/%C3%BC?%C3%A4"),
        ("http://☃.net/", "http://xn--n3h.net/"),
        ("http://example.org/a/../b/./c", "http://example.org/b/c"),
        ("http://example.org/../../etc/passwd", "http://example.org/etc/passwd"),
        ("http://example.org/a/%2e%2E/b", "http://example.org/b"),
        ("http://example.org/a/..", "http://example.org/"),
        ("http://example.org/a b%20c", "http://example.org/a%20b%20c"),
        ("http://example.org?q", "http://example.org/?q"),
        ("http:///example.org/x", "http://example.org/x"),
        ("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"),
        # Odd spellings of addresses, as the C library and browsers read them.
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0177.0.0.01/", "http://127.0.0.1/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0x7f000001/", "http://127.0.0.1/"),
        ("http://127.0.0.1./", "http://127.0.0.1/"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
        ("http://127。0。0。1/", "http://127.0.0.1/"),
        ("http://①②⑦.1/", "http://127.0.0.1/"),
        ("http://%31%32%37.0.0.1/", "http://127.0.0.1/"),
        ("http://0/", "http://0.0.0.0/"),
        ("http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"),
        # What stands before the last @ is not the host.
        ("http://example.org@127.0.0.1/", "http://127.0.0.1/"),
        ("http://a@b@127.1/", "http://127.0.0.1/"),
        ("http://good.example\\@evil.example/", "http://good.example/@evil.example/"),
        ("http://127.0.0.1#@example.org/", "http://127.0.0.1/"),
        ("http://127.0.0.1?@example.org/", "http://127.0.0.1/?@example.org/"),
    ],
)
def test_one_form(text: str, url: str) -> None:
    assert URL.parse(text).url == url


@pytest.mark.parametrize(
    "text",
    [
        "file:///etc/passwd",
        "data:text/html,<p>x",
        "ftp://example.org/",
        "gopher://example.org/",
        "javascript:alert(1)",
        "jar:http://example.org!/x",
        "about:blank",
        "ws://example.org/",
        "FILE:///etc/passwd",
        "\x01file:///etc/passwd",
        "fi\tle:///etc/passwd",
        "",
        "/path",
        "//example.org/",
        "example.org",
        "localhost:8000",
        "http://",
        "http:///",
        "http://a b/",
        "http://a%00b/",
        "http://a%2fb/",
        "http://exa<mple.org/",
        "http://example.org:99999/",
        "http://example.org:0/",
        "http://example.org:8a/",
        "http://example..org/",
        "http://.example.org/",
        "http://-/",
        "http://1.2.3.4.5/",
        "http://256.1.1.1/",
        "http://1.2.3.0x/x.08",
        "http://4294967296/",
        "http://09.1/",
        "http://[::1/",
        "http://[::1]x/",
        "http://[fe80::1%25eth0]/",
        "http://[1.2.3.4]/",
        "http://" + "a" * 300 + ".org/",
        "http://" + "ä" * 300 + ".org/",
        "http://example.org/" + "a" * MAX_URL,
    ],
)
def test_what_is_no_address(text: str) -> None:
    if text == "http://1.2.3.0x/x.08":  # an empty hexadecimal number is 0
        assert URL.parse(text).host == "1.2.3.0"
        return
    with pytest.raises(InvalidURL):
        URL.parse(text)


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/b", "https://example.org/b"),
        ("b", "https://example.org/a/b"),
        ("../c?d", "https://example.org/c?d"),
        ("//other.example/x", "https://other.example/x"),
        ("\\\\other.example\\x", "https://other.example/x"),
        ("/\\other.example/x", "https://other.example/x"),
        ("?q", "https://example.org/a/page?q"),
        ("http://127.1/", "http://127.0.0.1/"),
    ],
)
def test_relative_to_another(location: str, url: str) -> None:
    assert URL.parse("https://example.org/a/page").join(location).url == url


def test_a_location_of_another_scheme_is_refused() -> None:
    base = URL.parse("https://example.org/")
    for location in ("file:///etc/passwd", "data:text/html,x", "javascript:1", "ftp://example.org/", " \tfile:/x"):
        with pytest.raises(InvalidURL, match="only http and https"):
            base.join(location)


def test_credentials_are_no_part_of_the_address() -> None:
    address = URL.parse("https://anna:pass%40word@example.org/feed")
    assert address.url == "https://example.org/feed"
    assert address.credentials == ("anna", "pass@word")
    assert URL.parse("https://example.org/").credentials is None


def test_a_million_at_signs_are_refused_at_once() -> None:
    with pytest.raises(InvalidURL, match="1,000,"):
        URL.parse("http://" + "@" * 1_000_000)
    assert URL.parse("http://" + "@" * 10_000 + "example.org/").host == "example.org"


def test_the_message_has_nothing_that_moves_the_cursor() -> None:
    with pytest.raises(InvalidURL) as caught:
        URL.parse("ftp://x/\x1b[2J" + "y" * 10_000)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 400


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_a_typed_error(text: str) -> None:
    for candidate in (text, "http://" + text, "http://example.org/" + text):
        try:
            address = URL.parse(candidate)
        except InvalidURL:
            continue
        assert address.url.isascii()
        assert URL.parse(address.url).url == address.url  # reading it again changes nothing
        assert not set(address.url) & set(" \t\r\n\0\\")


@given(st.ip_addresses())
def test_every_ip_address_is_read_as_itself(address: object) -> None:
    text = f"[{address}]" if ":" in str(address) else str(address)
    assert literal(URL.parse(f"http://{text}/").host) == address


def test_names_of_hosts() -> None:
    assert host_name("LOCALHOST.") == "localhost"
    assert literal("example.org") is None
