"""The compiled scanner against the Python that specifies it: every column of every page the same."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from benchmarks import pages
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import missing, needs_core
from tests.page import soup
from tests.page.both_ways import assert_same, in_python
from tidings import Page, core
from tidings.news import newspaper
from tidings.page import tags

#: What trips scanners: quotes that never end, raw text in all its forms, references of all kinds, odd white space.
ODD = (
    "<p>",
    "</p>",
    '<div class="a b">',
    "</div>",
    "<a href='x>y'>",
    "</a>",
    "<b",
    "<i a=b c>",
    "<br>",
    "<br/>",
    "<pre>",
    "</pre>",
    "<xmp a='>'>",
    "</xmp>",
    "<textarea>",
    "</textarea >",
    "<title/>",
    "<title>",
    "</title>",
    "<svg>",
    "</svg>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!doctype html>",
    "<style>",
    "</style/>",
    "<script />",
    "<td>",
    "<table>",
    "</table>",
    "<tr>",
    "<li>",
    "<ul>",
    "</ul>",
    "<h1>",
    "</h2>",
    "<select>",
    "<option>",
    "<template>",
    "<ruby>",
    "<rt>",
    "<rp>",
    "<FoO-bar>",
    "</foo-bar>",
    "<foreignObject>",
    "<desc>",
    "<path/>",
    "<input>",
    "<datalist>",
    "&amp;",
    "&nbsp;",
    "&notit;",
    "&#x41",
    "&#128;",
    "&#1;",
    "&#1114112;",
    "&#xd800;",
    "&",
    "&;",
    "&lt",
    "&CounterClockwiseContourIntegral;",
    " ",
    "\n",
    "\u00a0",
    "\u2003",
    "\t  ",
    "a",
    "bc d",
    "中文字",
    "𠀀",
    "é",
    "؟",
    "‌",
    "<",
    ">",
    "</",
    "<?x",
    '"',
    "'",
    "=",
    "/",
    "<html>",
    "<body>",
    "<head>",
    "<button>",
    "<nobr>",
    "<dd>",
    "<dt>",
    "<math>",
    "<p\x0b>",
    "</p\x0c>",
    "<dialog>",
    "</dialog>",
    "</template>",
    "<form>",
)

#: Start tags with words in them.
WORDED = (
    "<p class=Author>",
    '<p class="postAUTHOR date">',
    "<p>",
    "<p title=é-x>",
    "<p title='中'>",
    '<a href="?author">',
    "<br ab>",
    "<script date>author</script>",
    "text author",
)

PIECES = (
    *soup.tagged([*soup.INLINE, *soup.FLOW, *soup.TABLE, *soup.OTHERS, *soup.RUBY]),
    soup.starts(soup.VOID),
    soup.hiding(soup.FLOW),
    soup.nuls_and_line_ends,
    *(st.sampled_from(pieces) for pieces in (soup.COMMENTS, soup.RAW, soup.ODD_TAGS, soup.REFERENCES, ODD)),
)


@pytest.fixture(autouse=True, scope="module")
def _has_core() -> None:
    needs_core()


@given(soup.soup(*PIECES, size=40))
@example("<p>&#" + "9" * 5000 + ";")
@example('<p title="never closed>text')
@example("<p a='>'b='never closed>")
@example("<a x='>'" * 14)
@example('<noscript><iframe src="x" /></noscript><p>text<iframe>more</p><title>x<b>y')
@example("<svg><style/></svg><p>text")
@example("<p中>text")
@example("x")
def test_made_up_pages_have_the_same_columns(html: str) -> None:
    assert_same(html)


@pytest.mark.parametrize("seed", range(20))
def test_odd_pieces_in_any_order_have_the_same_columns(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        assert_same("".join(chance.choices(ODD, k=chance.randint(1, 60))))


@given(soup.soup(*PIECES, size=40))
@example("<p>a<p>b<p>c<p>d<p>e<p>f<svg><style/>")
@example("<p>a<p>b<p>c<p>d<p>e<p>f<new-name title='>")
@example("<p>a<p>b<p>c<p>d<p>e<p>f &lt; 3 < 4")
def test_pages_with_more_tags_than_are_told_apart_have_the_same_columns(html: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tidings.page.cut.MAX_TAGS", 6)
        assert_same(html)


def test_every_reference_means_the_same() -> None:
    from html.entities import html5

    assert_same("<p>" + "<p>".join(f"&{name} &{name}x &{name.rstrip(';')}" for name in html5))


@pytest.mark.parametrize("plane", range(18))
def test_every_number_means_the_same(plane: int) -> None:
    numbers = range(plane << 16, (plane << 16) + 0x1_0000, 1 if plane == 0 else 257)
    assert_same("<p>" + "<p>".join(f"a&#{number};b&#x{number:x}c" for number in (*numbers, (plane << 16) - 1)))


@pytest.mark.parametrize("code", [0x41, 0xE9, 0x4E2D, 0x2_0000])
def test_characters_of_every_width_and_encoding_have_the_same_columns(code: int) -> None:
    html = f"<p>{chr(code) * 3} <b>x{chr(code)}</b></p><td title='{chr(code)}>'>{chr(code)}&amp;"
    assert_same(html)
    assert_same(html.encode())
    assert_same(html.encode("utf-16"))
    assert_same(html.encode().replace(b" ", b"\r\n\0"))


@given(
    st.lists(st.sampled_from(WORDED), max_size=12).map("".join),
    st.lists(st.sampled_from(("author", "uth", "ate", '="?', "é", "ab", "-")), min_size=1, max_size=5, unique=True),
    st.sampled_from((0, tags.NUMBERS["p"], tags.NUMBERS["script"])),
)
def test_words_are_found_in_the_same_start_tags(html: str, words: list[str], tag: int) -> None:
    found = Page(html + "x").holding(tuple(words), tag)
    assert found.tolist() == in_python(html + "x").holding(tuple(words), tag).tolist()
    page = Page(html + "x")
    spelled = (page.cut.tag(at).lower() if at >= 0 else "" for at in page.opened.tolist())
    spelled = (one.partition(">")[0] if one.startswith("<script") else one for one in spelled)
    asked = (not tag or tag == one for one in page.elements.tag.tolist())
    holding = (is_it and any(word in one for word in words) for is_it, one in zip(asked, spelled, strict=True))
    assert found.tolist() == [element for element, is_it in enumerate(holding) if is_it]


@pytest.mark.parametrize("most", range(1, 13))
def test_pages_of_too_many_tags_have_the_same_columns(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tidings.page.cut.MAX_TAGS", most)
    for html in (
        "<p>one</p><style>p{x:y}</style> two < three<!-- four --><?five>six<b title='>'>seven</b></ eight><p>nine",
        "<xmp><i>a</i></xmp><xmp>b</xmp><title>c</title><script>'<p>'</script><p>d<svg><path/></svg><pre> e\n</pre>f",
        "<div>" * 9 + "x" + "</div>" * 9 + "<p hidden>y<p>z<a href='never closed>w",
    ):
        assert_same(html)


def test_the_newspaper_has_the_same_columns() -> None:
    for page in newspaper.pages():
        assert_same(page.html)


@pytest.mark.shared
@pytest.mark.parametrize(
    "corpus",
    ["wcxb-dev", "fundus-dev", "sites", "news-multilingual", "rtl", "trafilatura-eval", "news-modern", "frontpages"],
)
def test_real_pages_have_the_same_columns(corpus: str, shared_data: Path, gate: bool) -> None:
    assert shared_data.is_dir()
    for data in pages.each(corpus, every=1 if gate else 20):
        assert_same(data)


def test_columns_outlive_their_page() -> None:
    """Arrays keep the memory of the core alive; it goes with the last of them."""
    words = Page("<p>one two<p>three").runs.words
    for _ in range(50):
        Page("<p>x" * 1000)
    assert words.tolist() == [2, 1]
    with pytest.raises(ValueError, match="read-only"):
        words[0] = 5


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the size of the process")
def test_memory_is_flat_over_many_small_reads() -> None:
    """What stays behind from page to page would show: 50 bytes each are 4.5 MB."""
    command = [sys.executable, "-m", "benchmarks.memory", "small", "100000"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert core.state().reason in ran.stdout
    grown = re.search(r"growth after the first 10,000: (\S+) MB", ran.stdout)
    assert grown, ran.stdout
    assert float(grown[1]) < 4, ran.stdout


def _state_of(code: str, **environment: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return ran.stdout.strip()


SAMPLE = "<title>Seals</title><h1>Seals are back</h1><p>In the <b>estuary</b>, said&nbsp;the warden.<pre> 1\n 2</pre>"


def _summed(path: Path, content: bytes) -> None:
    """A library with a sum that is right."""
    path.write_bytes(content)
    path.with_suffix(".sum").write_text(f"{len(content)} {zlib.crc32(content):08x}\n")


def _damage(path: Path, damage: str) -> None:  # noqa: C901  # one case each
    """Put a library that is no good where `core` looks for it."""
    real = Path(core.state().reason)
    content = real.read_bytes()
    shutil.copyfile(real, path)
    shutil.copyfile(real.with_suffix(".sum"), path.with_suffix(".sum"))
    match damage:
        case "missing":
            path.unlink()
        case "cut off":
            path.write_bytes(content[: len(content) // 2])
        case "one bit changed":
            middle = len(content) // 2
            path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
        case "a sum that is no text":
            path.with_suffix(".sum").write_bytes(b"\xff\xfe")
        case "empty":
            _summed(path, b"")
        case "not a library":
            _summed(path, b"x" * 5000)
        case "of another machine":  # e_machine of the ELF header: an architecture that nobody has
            _summed(path, content[:18] + b"\x01\xf0" + content[20:])
        case "without a function":
            _summed(path, content.replace(b"tidings_look_tables", b"tidings_loop_tables"))
        case "without a sum and not a library":
            path.write_bytes(b"\x7fELF" + b"x" * 5000)
            path.with_suffix(".sum").unlink()
        case "a folder":
            path.unlink()
            path.mkdir()
        case "unreadable":
            path.chmod(0)


DAMAGES = {
    "missing": "no core was built",
    "cut off": "damaged",
    "one bit changed": "damaged",
    "a sum that is no text": "cannot be loaded",
    "empty": "cannot be loaded",
    "not a library": "cannot be loaded",
    "of another machine": "cannot be loaded",
    "without a function": "tidings_look_tables",
    "without a sum and not a library": "cannot be loaded",
    "a folder": "cannot be loaded",
    "unreadable": "cannot be loaded",
    "of another version": f"another version (interface {core.INTERFACE}, not 999)",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_cannot_be_used_is_an_error_of_one_line(damage: str, tmp_path: Path) -> None:
    if damage == "of another machine" and sys.platform != "linux":
        missing("writes into the header of an ELF file")
    _damage(tmp_path / Path(core.state().reason).name, damage)
    code = f"""
import logging, os, sys
logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, format="%(name)s: %(message)s")
from tidings import core, Page
from tidings.errors import CoreMissing
if {damage!r} == "of another version":
    core.INTERFACE = 999
core.__file__ = {str(tmp_path / "__init__.py")!r}
if {damage!r} == "unreadable" and os.geteuid() == 0:
    os.seteuid(65534)  # root reads everything
    core.state()
    os.seteuid(0)
for page in ({SAMPLE!r}, {SAMPLE!r}.encode(), "Größe".encode("cp1252")):
    try:
        Page(page)
    except CoreMissing as error:
        print(error)
"""
    log, *errors = _state_of(code).splitlines()
    assert log.startswith("tidings.core: ")
    assert DAMAGES[damage] in log
    assert len(errors) == 3
    assert all(error.startswith("the compiled core is missing: ") and DAMAGES[damage] in error for error in errors)


def test_the_version_says_in_one_line_why_there_is_no_core(tmp_path: Path) -> None:
    _damage(tmp_path / Path(core.state().reason).name, "cut off")
    code = f"""
import sys
from tidings import core
core.__file__ = {str(tmp_path / "__init__.py")!r}
sys.argv = ["tidings", "--version"]
from tidings.cli import main
main()
"""
    (told,) = _state_of(code).splitlines()
    assert "no compiled core: " in told
    assert "damaged" in told


def test_a_core_that_knows_other_tags_leaves_pages_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    from tidings.page import compiled, tags

    names = tuple("paragraph" if name == "p" else name for name in tags.NAMES)
    monkeypatch.setattr(tags, "NAMES", names)
    compiled.scanner.cache_clear()
    try:
        assert compiled.scanner() is None
        assert compiled.scan(SAMPLE) is None
    finally:
        monkeypatch.undo()
        compiled.scanner.cache_clear()
