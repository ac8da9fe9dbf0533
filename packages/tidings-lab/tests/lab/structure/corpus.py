"""The written pages as a corpus for `tidings lab run`, with units and Markdown as gold.

python -m tests.lab.structure.corpus /tmp/structure
tidings lab run -c /tmp/structure/corpus -w default,tests.lab.structure.corpus:by_element,trafilatura-markdown

The Markdown is written here, of the units alone: the paragraphs around them, and each unit as Markdown has it.
"""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path
from typing import Any

from tests.lab.structure.test_structure import pages
from tests.lab.structure.test_tools import pages as tool_pages
from tests.lab.structure.written import ABOVE, BELOW, WrittenPage
from tidings.page import Page, Spans, tags
from tidings_lab.corpora import Sample, write

URL = "https://example.org/story"
_TAG = re.compile("<[^<>]*>")


def by_element(page: Page) -> Spans:
    """An extractor that needs not choose: the text of the `article` element."""
    return Spans.of_elements(page, page.elements.tag == tags.NUMBERS["article"])


def paragraphs(html: str) -> list[str]:
    """What the paragraphs say that stand around a pattern."""
    return [unescape(_TAG.sub("", part)).strip() for part in html.split("</p>") if part.strip()]


def written_as_markdown(kind: str, unit: Any) -> str:
    """A unit as a person would write it in Markdown."""
    forms = {
        "code": lambda: f"```{unit[1]}\n{unit[0]}\n```",
        "formula": lambda: f"${unit}$", "display": lambda: f"$$\n{unit}\n$$",
        "note": lambda: f"[^{unit[0]}]: {unit[1]}", "heading": lambda: f"## {unit}", "item": lambda: f"- {unit}",
        "quote": lambda: f"> {unit[0]}\n>\n> — {unit[1]}", "callout": lambda: f"> [!{unit[0]}]\n> {unit[1]}",
        "figure": lambda: f"![]({unit[0]})\n\n{unit[1]}", "link": lambda: f"[{unit[0]}]({unit[1]})",
        "table": lambda: "\n".join("| " + " | ".join(row) + " |" for row in unit),
    }  # fmt: skip
    return forms[kind]() if kind in forms else ""


def gold(page: WrittenPage) -> dict[str, Any]:
    """What a perfect reader makes of a page."""
    middle = [made for kind, said in page.units if (made := written_as_markdown(kind, said))]
    around = [*paragraphs(ABOVE), *paragraphs(BELOW)]
    markdown = "\n\n".join([*paragraphs(ABOVE), *middle, *paragraphs(BELOW)])
    return {"with": around, "without": ["© The Harbour Post"], "units": page.units, "markdown": markdown}


def tool_gold(page: WrittenPage) -> dict[str, Any]:
    """Return the gold of a page that a tool wrote: its units, and text that is not part of the article."""
    wanted = [said for kind, said in page.units if kind in ("heading", "item")]
    absent = [said for kind, said in page.units if kind == "absent"]
    return {"with": wanted, "without": absent, "units": [one for one in page.units if one[0] != "absent"]}


def main(folder: Path, *, of_tools: bool = False) -> None:
    """Write the corpus of the written pages, or that of the pages of tools."""
    folder.mkdir(parents=True)
    made = []
    told = tool_gold if of_tools else gold
    for number, page in enumerate(tool_pages() if of_tools else pages()):
        file = folder / f"{number}.html"
        file.write_text(page.html, encoding="utf-8")
        name = page.name.partition(":")[0]
        made.append(Sample(page.name, f"{number}.example.org", "en", name, file, told(page), URL, "structure"))
    write(made, folder / "corpus")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
