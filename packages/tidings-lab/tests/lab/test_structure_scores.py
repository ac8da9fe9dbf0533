"""Units of structure in Markdown: how they are counted, and that a run of the laboratory shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.structure.corpus import by_element, gold
from tests.lab.structure.test_structure import pages
from tidings.errors import InputError
from tidings.page import Page
from tidings_lab.corpora import Sample, load, write
from tidings_lab.experiment.comparison import compare
from tidings_lab.experiment.node_peers import VARIABLE
from tidings_lab.experiment.rows import from_record, to_record
from tidings_lab.experiment.run import run
from tidings_lab.experiment.system_names import find
from tidings_lab.metrics.structure import structure_scores
from tidings_lab.report import tables

MARKDOWN = """\
# Seals

Some $x^2$ and [a link](https://example.org/a).

```python
count(1)
```

| a | b |
| --- | --- |
| 1 | 2 |

- one
- two

> Said.

![](https://example.org/s.jpg)

[^1]: A note.
"""
UNITS = [
    ("heading", "Seals"), ("formula", "x^2"), ("code", ("count(1)", "Python")), ("table", [["a", "b"], ["1", "2"]]),
    ("item", "two"), ("quote", ("Said.", "")), ("figure", ("https://example.org/s.jpg", "")),
    ("note", ("1", "A note.")), ("link", ("a link", "https://example.org/a")),
]  # fmt: skip


def test_each_unit_is_found() -> None:
    found = structure_scores(MARKDOWN, UNITS, MARKDOWN)
    assert {name: values for name, values in found.items() if values != [1.0]} == {}
    assert len(found) == len(UNITS) + 3


def test_what_is_not_there_counts_nothing() -> None:
    found = structure_scores("Seals count(1).", UNITS, MARKDOWN)
    assert {value for name, values in found.items() for value in values if name != "rouge-2"} == {0.0}
    near = structure_scores("```\ncount(2)\n```\n\n| a | b |\n| --- | --- |\n| 1 | 3 |", UNITS)
    assert near["code"] == [0.0]
    assert near["code edit"] == [0.875]
    assert 0.5 < near["table"][0] < 1
    assert "rouge-2" not in near


def test_a_run_shows_what_systems_keep(tmp_path: Path) -> None:
    some = [next(one for one in pages() if one.name.startswith(kind)) for kind in ("code", "table")]
    samples = []
    for number, page in enumerate(some):
        file = tmp_path / f"{number}.html"
        file.write_text(page.html, encoding="utf-8")
        samples.append(Sample(page.name, str(number), "en", "code", file, gold(page), "https://example.org/", "s"))
    write(samples, tmp_path / "corpus")
    systems = find(["default", "tests.lab.structure.corpus:by_element"])
    rows = list(run(systems, load(tmp_path / "corpus", needs="units"), measures=("words",)))
    assert all(from_record(to_record(row), row.system, row.sample).measured == row.measured for row in rows)
    comparison = compare(rows, systems=[system.name for system in systems], measures=("words",))
    (shown,) = [one for one in tables(comparison) if one.title.startswith("Structure")]
    assert shown.columns == ("what", "units", "default", "tests.lab.structure.corpus:by_element")
    assert {row[0]: row[1:] for row in shown.rows}["code, exact"] == (1, 1.0, 1.0)


def test_the_text_of_an_element() -> None:
    page = Page("<p>Out.</p><article><p>In.</p></article>")
    assert by_element(page).text(page).split() == ["In."]


def test_defuddle_needs_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    (system,) = find(["defuddle-markdown"])
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(InputError, match=VARIABLE):
        _ = system.identity
