"""Two checkouts of Tidings against each other: on how many pages are headline, authors or date wrong?

Each checkout reads the pages in a process of its own; what it says is judged by the measures of the Tidings that runs
this, so that both are held to the same. An error is a page whose gold has the field and on which it is wrong or
missing; in brackets pages whose gold says that there is none, and on which something was given. Sites are parted into
two halves by a hash of their name, so that rules may be made with the errors of one half in view and held to the other.
Run: python -m benchmarks.field_errors BEFORE AFTER [--corpus news-modern …] [--list half] [--on-the-page]

`--on-the-page` counts only gold that the page itself states: a headline or names that stand in its source, one name to
a string, and a day that is written there and is not the one that the page declares to be that of its last change.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

from benchmarks.pages import SHARED
from tidings_lab.metrics.fields import FieldVerdict, authors_verdict, date_verdict, headline_verdict
from tidings_lab.metrics.headline_equality import fold_typography

CORPORA = ("fundus-dev", "wcxb-dev", "news-modern")
HALVES = ("first", "second")
FIELDS = ("headline", "authors", "date")
ERRORS = (FieldVerdict.WRONG, FieldVerdict.MISSED)
# What runs in each checkout, whatever its version: an address, a length and a page in, the fields out.
READER = """
import json, sys
import tidings
while line := sys.stdin.buffer.readline():
    told = json.loads(line)
    article = tidings.extract(sys.stdin.buffer.read(told["length"]), url=told["url"])
    day = [getattr(article, name + "_told", None) or getattr(article, name) for name in ("published", "modified")]
    day = day[0] or day[1]  # one date, as gold has
    print(json.dumps([article.title, list(article.authors), day.isoformat() if day else ""]), flush=True)
"""
# How a day is written, for `strftime`, and what joins several names to one string.
DAYS = (
    "%Y-%m-%d %Y/%m/%d %Y%m%d %B_%-d,_%Y %b_%-d,_%Y %b._%-d,_%Y %-d_%B_%Y %-d_%b_%Y %m/%d/%Y %-m/%-d/%Y %d/%m/%Y "
    "%-d/%-m/%Y %d.%m.%Y %-d.%-m.%Y %B_%d,_%Y %b_%d,_%Y %d_%B_%Y %d_%b_%Y %m/%d/%y %-m/%-d/%y"
)
JOINED = (", ", " and ", " & ", " | ", "; ")
CHANGED = re.compile(r"(?:dateModified|modified_time|updated_time)[^<>]{1,40}?(\d{4}-\d\d-\d\d)")


@dataclass(frozen=True)
class Case:
    """A page with its gold, and which half its site is in."""

    id: str
    half: str
    url: str
    gold: dict[str, Any]
    html: bytes


def cases(corpus: str) -> Iterator[Case]:
    """The articles of a corpus."""
    for line in (SHARED / corpus / "pages.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["page_type"] == "article":
            half = HALVES[sha256(row["site"].encode()).digest()[0] % 2]
            html = gzip.decompress((SHARED / corpus / row["html_file"]).read_bytes())
            yield Case(row["id"], half, row["url"], row["gold"], html)


def is_on_page(page: Case) -> tuple[bool, ...]:
    """Whether the page states what gold says of each field."""
    source = unescape(page.html.decode("utf-8", "replace")).replace("\\/", "/")
    text, gold = fold_typography(source), page.gold
    names = [gold["authors"]] if isinstance(gold.get("authors"), str) else gold.get("authors") or []
    named = all(fold_typography(name) in text and not any(sign in name for sign in JOINED) for name in names)
    day = gold.get("date", "")[:10]
    try:
        forms = [date.fromisoformat(day).strftime(form).replace("_", " ") for form in DAYS.split()]
    except ValueError:
        forms = [day]
    changed = day in CHANGED.findall(source)
    return (
        fold_typography(gold.get("title") or "") in text,
        named,
        any(form in source for form in forms) and not changed,
    )


def answers(checkout: Path, pages: list[Case]) -> Iterator[tuple[str, list[str], str]]:
    """What a checkout says of each page: headline, authors, date."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "PYTHONSAFEPATH": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", READER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for page in pages:
            asked = json.dumps({"url": page.url, "length": len(page.html)})
            process.stdin.write(asked.encode() + b"\n" + page.html)
            process.stdin.flush()
            title, authors, day = json.loads(process.stdout.readline())
            yield title, authors, day
        process.stdin.close()


def verdicts(answer: tuple[str, list[str], str], gold: dict[str, Any]) -> tuple[FieldVerdict, ...]:
    """What became of each field."""
    title, authors, day = answer
    return headline_verdict(title, gold), authors_verdict(authors, gold), date_verdict(day, gold)


def shown(counts: Counter[FieldVerdict]) -> str:
    """Errors, and in brackets what was invented."""
    return f"{sum(counts[error] for error in ERRORS)} ({counts[FieldVerdict.INVENTED]})"


def table(rows: list[tuple[str, str, tuple[tuple[FieldVerdict, ...], ...]]]) -> Iterator[str]:
    """For each corpus, half and field the errors of both checkouts."""
    yield "| | headline before | after | authors before | after | date before | after | all, before | after |"
    yield "| --- |" + " ---: |" * 8
    for corpus in dict.fromkeys(corpus for corpus, _, _ in rows):
        for name, halves in ((corpus, HALVES), *((f"– {half} half", (half,)) for half in HALVES)):
            some = [of_both for set_, half, of_both in rows if set_ == corpus and half in halves]
            cells = [
                Counter(of_both[checkout][place] for of_both in some)
                for place in range(len(FIELDS))
                for checkout in range(2)
            ]
            sums = [sum(cells[checkout::2], Counter[FieldVerdict]()) for checkout in range(2)]
            yield f"| {name}, {len(some)} pages | " + " | ".join(map(shown, [*cells, *sums])) + " |"


def differences(page: Case, answer: tuple[str, list[str], str], found: tuple[FieldVerdict, ...]) -> Iterator[str]:
    """The errors of a page, a line each."""
    for field, verdict, value in zip(FIELDS, found, answer, strict=True):
        if verdict in {*ERRORS, FieldVerdict.INVENTED}:
            gold = page.gold["title" if field == "headline" else field]
            yield f"{field}\t{verdict.value}\t{page.id}\tgold {gold!r}\tgiven {value!r}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.field_errors", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("before", type=Path, help="the folder of one checkout")
    parser.add_argument("after", type=Path, help="the folder of the other")
    parser.add_argument("--corpus", nargs="+", default=CORPORA, help="corpora of ../shared/data")
    parser.add_argument("--list", choices=HALVES, help="also print the errors of the second checkout in one half")
    parser.add_argument("--on-the-page", action="store_true", help="only gold that the page states")
    options = parser.parse_args()
    rows = []
    for corpus in options.corpus:
        pages = list(cases(corpus))
        for page, *both in zip(pages, *(answers(one, pages) for one in (options.before, options.after)), strict=True):
            found = tuple(verdicts(answer, page.gold) for answer in both)
            if options.on_the_page:
                stated = is_on_page(page)
                found = tuple(
                    tuple(
                        one if is_stated else FieldVerdict.UNSCORED for one, is_stated in zip(of, stated, strict=True)
                    )
                    for of in found
                )
            rows.append((corpus, page.half, found))
            if page.half == options.list:
                for line in differences(page, both[1], found[1]):
                    print(line)
    print(*table(rows), sep="\n")


if __name__ == "__main__":
    main()
