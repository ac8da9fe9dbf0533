"""Our own layout: `pages.jsonl` with one page a line, and the pages beside it, gzipped or not.

A line holds id, html_file and gold, and may hold corpus, split, url, site (or outlet), lang, page_type, html_sha1,
gold_kind, headline_in_text and more.

The layout of the article extraction benchmark of Scrapinghub: `ground-truth.json` and `html/ID.html.gz`.

CleanEval 2007: numbered pages with a `<text id= title= encoding=>` header, and cleaned texts with marked lines.

    URL: http://www.example.org/

    <h>A heading
    <p>A paragraph, which may
    run over several lines
    <l>An item of a list

The address may also stand in a comment. Pages and texts lie in one folder or in two (`1.html` and `1-cleaned.txt`, or
`original/1.html` and `cleaned/1.txt`).

Pages with their gold in a file beside them: `page.html` with `page.txt`, or with `page.hra`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tidings.errors import EmptyPage, InputError, PageError, PageTooLarge
from tidings.fields import read
from tidings.page import Page
from tidings.page.decode import decode
from tidings.text import fold_space
from tidings.urls import site_of
from tidings_lab import annotation_format, marks
from tidings_lab.corpora.corpus import CorpusProblem, CorpusTrouble, Sample, opens_with

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
#: Longer ones first: `page.gold.txt` is no gold of `page.gold`.
TEXT_ENDINGS: Final = (".gold.txt", ".clean.txt", ".gold", ".txt", ".text")
HRA_ENDINGS: Final = (".hra",)
_NOTES: Final = ("README", "LICENSE", "LICENCE")
#: Folders of pages and of gold that lie beside each other.
_TWINS: Final = ("html", "pages", "text", "gold", "hra")


def page_files(folder: Path) -> dict[str, Path]:
    """Every page of a folder by its path without the ending; of two with one name the first."""
    return _files(folder, PAGE_ENDINGS)


def gold_files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    """Every file of gold by its path without the ending, and without that of a page before it (`page.html.txt`)."""
    return _files(folder, endings)


def _files(folder: Path, endings: tuple[str, ...]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for file, ending in files_in(folder, endings):
        found.setdefault(_name(folder, file, ending), file)
    return found


def files_in(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[Path, str]]:
    """Files with one of the endings, and which it is. A link that leads out of the folder is not followed."""
    root = folder.resolve()
    for file in sorted(folder.rglob("*")):
        ending = ending_of(file, endings)
        if not ending or not file.is_file() or file.name.upper().startswith(_NOTES):
            continue
        if file.resolve().is_relative_to(root):
            yield file, ending


def ending_of(file: Path, endings: tuple[str, ...]) -> str:
    """Which of the endings a file has, or nothing."""
    return max((ending for ending in endings if file.name.lower().endswith(ending)), key=len, default="")


def _name(folder: Path, file: Path, ending: str) -> str:
    inner = file.relative_to(folder)
    name = inner.name[: -len(ending)]
    if second := ending_of(Path(name), PAGE_ENDINGS):
        name = name[: -len(second)]
    parents = [part for part in inner.parent.parts if part.lower() not in _TWINS]
    return "/".join([*parents, name])


def read_beside(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Pages with their gold text in a file of the same name."""
    for name, page, gold in pairs(folder, TEXT_ENDINGS):
        if page is None or gold is None:
            yield without(name, page)
            continue
        try:
            text = plain_text(gold)
            yield sample(folder, name, page, Page(_bytes(page)), {"text": text})
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))


def read_hra(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Pages with an annotation file of the same name."""
    for name, file, annotation in pairs(folder, HRA_ENDINGS):
        if file is None or annotation is None:
            yield without(name, file)
            continue
        try:
            page = Page(_bytes(file))
            records, wrong = annotation_format.parse(plain_text(annotation))
        except (PageError, InputError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_PAGE, name, str(error))
            continue
        placed = annotation_format.place(records, page)
        wrong += [f"#{record.element} <{record.tag}> is not on the page" for record in placed.lost]
        if wrong:
            more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, f"{name}.hra", wrong[0] + more)
        if records and len(placed.lost) < len(records):
            yield sample(folder, name, file, page, marks.gold(page, marks.of_classes(page, placed.classes)))


def pairs(folder: Path, endings: tuple[str, ...]) -> Iterator[tuple[str, Path | None, Path | None]]:
    """Names with their page and their gold, either of which may be missing."""
    pages, golds = page_files(folder), gold_files(folder, endings)
    for name in dict.fromkeys([*pages, *golds]):
        yield name, pages.get(name), golds.get(name)


def without(name: str, page: Path | None) -> CorpusProblem:
    """What is wrong with a page or a gold that is alone."""
    return CorpusProblem(CorpusTrouble.NO_PAGE if page is None else CorpusTrouble.NO_GOLD, name)


def sample(folder: Path, name: str, file: Path, page: Page, gold: dict[str, Any]) -> Sample:
    """A sample with what the page tells of itself."""
    fields = read(page)
    title = gold.get("title") or ""
    return Sample(
        id=name,
        site=site_of(fields.canonical),
        lang=fields.language.split("-")[0].lower(),
        page_type="article",
        file=file,
        gold=gold,
        url=fields.canonical,
        corpus=folder.resolve().name,
        gold_kind="annotators",
        headline_in_text=opens_with(gold["text"], title) if title and gold.get("text") else None,
    )


def plain_text(file: Path) -> str:
    """A text file in whatever encoding.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return decode(_bytes(file)).text
    except EmptyPage:
        return ""


def _bytes(file: Path) -> bytes:
    return Sample(str(file), "", "", "", file, {}).html


INDEX: Final = "pages.jsonl"
_KNOWN: Final = frozenset("id site outlet lang page_type html_file gold url corpus gold_kind headline_in_text".split())


def read_lines(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Every page of a folder, and a problem for each line or page that cannot be used."""
    seen: set[str] = set()
    listed: set[Path] = set()
    for number, line in enumerate(folder.joinpath(INDEX).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"{INDEX}, line {number}"
        try:
            row = json.loads(line)
            sample = _sample(folder, row)
        except (ValueError, TypeError, RecursionError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, where, str(error))
            continue
        if sample.id in seen:
            yield CorpusProblem(CorpusTrouble.TWICE, sample.id, where)
            continue
        seen.add(sample.id)
        listed.add(sample.file)
        if problem := _page_problem(folder, sample):
            yield problem
            continue
        if not sample.gold:
            yield CorpusProblem(CorpusTrouble.NO_GOLD, sample.id)
        yield sample
    for file in sorted(folder.joinpath("html").rglob("*")):
        if file not in listed and file.is_file():
            yield CorpusProblem(CorpusTrouble.NO_GOLD, str(file.relative_to(folder)), f"not in {INDEX}")


def _sample(folder: Path, row: Any) -> Sample:
    if not isinstance(row, dict):
        raise TypeError("the line is no JSON object")
    gold = row.get("gold") or {}
    texts = {name: row.get(name) or "" for name in ("id", "site", "lang", "page_type", "html_file", "url", "corpus")}
    texts["site"] = texts["site"] or row.get("outlet") or ""
    texts["gold_kind"] = row.get("gold_kind") or ""
    for name, value in texts.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is no text")
        value.encode()  # half a character cannot be printed, nor can it name a file
    for name in ("id", "html_file"):
        if not texts[name] or "\0" in texts[name]:
            raise ValueError(f"{name} is missing")
    if not isinstance(gold, dict):
        raise TypeError("gold is no JSON object")
    file = folder / texts.pop("html_file")
    texts["corpus"] = texts["corpus"] or folder.resolve().name
    return Sample(
        **texts,
        file=file,
        gold=gold,
        headline_in_text=_headline_in_text(row.get("headline_in_text"), gold),
        more={name: value for name, value in row.items() if name not in _KNOWN},
    )


def _headline_in_text(told: Any, gold: dict[str, Any]) -> bool | None:
    if isinstance(told, bool):
        return told
    title, text = gold.get("title"), gold.get("text")
    if isinstance(title, str) and isinstance(text, str) and title.strip() and text.strip():
        return opens_with(text, title)
    return None


def _page_problem(folder: Path, sample: Sample) -> CorpusProblem | None:
    if not sample.file.resolve().is_relative_to(folder.resolve()):
        return CorpusProblem(CorpusTrouble.OUTSIDE, sample.id, str(sample.file))
    try:
        there = sample.file.is_file()
    except OSError as error:  # a name that is too long
        return CorpusProblem(CorpusTrouble.BROKEN_LINE, sample.id, str(error.strerror))
    if not there:
        return CorpusProblem(CorpusTrouble.NO_PAGE, sample.id, f"there is no {sample.file.relative_to(folder)}")
    return None


def check_page(sample: Sample) -> CorpusProblem | None:
    """Read a page and compare it with its digest, where the corpus tells one."""
    try:
        content = sample.html
    except (InputError, PageTooLarge) as error:
        return CorpusProblem(CorpusTrouble.BROKEN_PAGE, sample.id, str(error))
    told = sample.more.get("html_sha1")
    if told and hashlib.sha1(content, usedforsecurity=False).hexdigest() != told:
        return CorpusProblem(CorpusTrouble.CHANGED, sample.id, "its html_sha1 is another")
    return None


GROUND_TRUTH: Final = "ground-truth.json"
#: Their names and ours.
_FIELDS: Final = {"articleBody": "text", "headline": "title", "datePublished": "date"}


def read_ground_truth(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Every page that has both a record and a file.

    Raises:
        InputError: the index cannot be read at all.
    """
    records, twice = _records(folder / GROUND_TRUTH)
    for name in twice:
        yield CorpusProblem(CorpusTrouble.TWICE, name, GROUND_TRUTH)
    html = folder / "html"
    pages = {
        file.name[: -len(ending)]: file
        for file in sorted(html.glob("*"))
        if (ending := ending_of(file, PAGE_ENDINGS)) and file.resolve().is_relative_to(folder.resolve())
    }
    for name, record in records.items():
        if not isinstance(record, dict) or not all(isinstance(record.get(key) or "", str) for key in _FIELDS):
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, name, "no record with texts")
        elif name not in pages:
            yield CorpusProblem(CorpusTrouble.NO_PAGE, name, f"there is no html/{name}.html.gz")
        else:
            yield _ground_truth_sample(folder, name, pages[name], record)
    for name in sorted(pages.keys() - records.keys()):
        yield CorpusProblem(CorpusTrouble.NO_GOLD, name)


def _records(index: Path) -> tuple[dict[str, Any], list[str]]:
    """The records by id, and the ids that are there twice."""
    twice: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: dict[str, Any] = {}
        for name, value in pairs:
            if name in seen and isinstance(value, dict):
                twice.append(name)
            seen.setdefault(name, value)
        return seen

    try:
        records = json.loads(index.read_bytes(), object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{index} cannot be read: {error}") from error
    if not isinstance(records, dict):
        raise InputError(f"{index} is no JSON object with a page for each id")
    return records, twice


def _ground_truth_sample(folder: Path, name: str, file: Path, record: Mapping[str, Any]) -> Sample:
    gold = {ours: record[theirs] or "" for theirs, ours in _FIELDS.items() if theirs in record}
    if "author" in record:
        author = record["author"] or []
        gold["authors"] = author if isinstance(author, list) else [author]
    url = record.get("url")
    url = url if isinstance(url, str) else ""
    title, text = gold.get("title"), gold.get("text")
    return Sample(
        id=name,
        site=site_of(url),
        lang="",
        page_type="article",
        file=file,
        gold=gold,
        url=url,
        corpus=folder.resolve().name,
        gold_kind="annotators",
        headline_in_text=opens_with(text, title) if title and text else None,
    )


def record_of(sample: Sample) -> dict[str, Any]:
    """A page's record in their index."""
    record = {theirs: sample.gold[ours] for theirs, ours in _FIELDS.items() if ours in sample.gold}
    if "authors" in sample.gold:
        record["author"] = sample.gold["authors"]
    return record | ({"url": sample.url} if sample.url else {})


_HEADER: Final = re.compile(rb"\A\s*<text\s+[^<>]{0,2000}\bid\s*=", re.IGNORECASE)
_URL: Final = re.compile(r"\A\s*(?:<!--)?\s*URL:\s*(\S+?)\s*(?:-->\s*)?(?:\n|\Z)", re.IGNORECASE)
_MARKED: Final = re.compile(r"^[ \t]*<([hpl])>", re.IGNORECASE | re.MULTILINE)
_LANGUAGES: Final = {"en": "en", "english": "en", "zh": "zh", "ch": "zh", "chinese": "zh"}


def is_cleaneval(page: Path, gold: Path) -> bool:
    """Whether a page has the header or its gold the marks."""
    try:
        with page.open("rb") as stream:
            if _HEADER.match(stream.read(4096)):
                return True
        return _MARKED.search(plain_text(gold)) is not None
    except (OSError, InputError, PageError):
        return False


def gold_by_stem(folder: Path) -> dict[str, list[Path]]:
    """Cleaned texts by the name of the page they belong to."""
    found = defaultdict(list)
    for file, ending in files_in(folder, TEXT_ENDINGS):
        found[file.name[: -len(ending)].removesuffix("-cleaned")].append(file)
    return dict(found)


def read_cleaneval(folder: Path) -> Iterator[Sample | CorpusProblem]:
    """Every page with a cleaned text."""
    golds = gold_by_stem(folder)
    used: set[Path] = set()
    for name, page in page_files(folder).items():
        stem = page.name[: -len(ending_of(page, PAGE_ENDINGS))]
        nearby = golds.get(stem, [])
        if len(nearby) > 1:  # en/1.html and zh/1.html: the text whose folder has the same parent
            nearby = [gold for gold in nearby if gold.parent in (page.parent, *page.parent.parent.glob("*"))]
            nearby = [gold for gold in nearby if gold.parent == page.parent] or nearby
        if not nearby:
            yield without(name, page)
            continue
        if len(nearby) > 1:
            several = ", ".join(str(gold.relative_to(folder)) for gold in nearby)
            yield CorpusProblem(CorpusTrouble.TWICE, name, f"several texts: {several}")
            continue
        used.add(nearby[0])
        try:
            url, gold = parse_gold(plain_text(nearby[0]))
        except (InputError, PageError) as error:
            yield CorpusProblem(CorpusTrouble.BROKEN_LINE, name, str(error))
            continue
        yield Sample(
            id=name,
            site=site_of(url),
            lang=next((_LANGUAGES[part] for part in _folders(folder, page) if part in _LANGUAGES), ""),
            page_type="",
            file=page,
            gold=gold,
            url=url,
            corpus=folder.resolve().name,
            gold_kind="annotators",
        )
    for stem, files in golds.items():
        for file in files:
            if file not in used and (ending_of(file, TEXT_ENDINGS) != ".txt" or _MARKED.search(_safe_text(file))):
                yield CorpusProblem(CorpusTrouble.NO_PAGE, stem, str(file.relative_to(folder)))


def _safe_text(file: Path) -> str:
    try:
        return plain_text(file)
    except (InputError, PageError):
        return ""


def _folders(folder: Path, page: Path) -> list[str]:
    """Names of the folders around a page, and their first parts: `en_original` is English."""
    names = [part.lower() for part in (folder.name, *page.relative_to(folder).parent.parts)]
    return [part for name in reversed(names) for part in (name, re.split(r"[_-]", name)[0])]


def parse_gold(content: str) -> tuple[str, dict[str, Any]]:
    """The address and the gold of a cleaned text."""
    content = content.replace("\r\n", "\n")
    told = _URL.match(content)
    body = content[told.end() :] if told else content
    pieces = _MARKED.split(body)
    # What stands before the first mark, and in texts with no marks at all, is a paragraph too.
    segments = [("p", pieces[0]), *zip(map(str.lower, pieces[1::2]), pieces[2::2], strict=True)]
    kept = [(kind, text) for kind, raw in segments if (text := fold_space(raw))]
    return told[1] if told else "", {
        "text": "\n\n".join(text for _, text in kept),
        "paragraphs": [text for _, text in kept],
        "headings": [text for kind, text in kept if kind == "h"],
    }


def write_gold(url: str, gold: Any) -> str:
    """A cleaned text."""
    headings = set(gold.get("headings") or ())
    paragraphs = gold.get("paragraphs") or [part for part in (gold.get("text") or "").split("\n\n") if part.strip()]
    lines = [f"<{'h' if text in headings else 'p'}>{fold_space(text)}\n" for text in paragraphs]
    return (f"URL: {fold_space(url)}\n\n" if url else "") + "\n".join(lines)
