"""`tidings lab agreement`: measure how far annotators agree."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.output import print_table
from tidings_lab.cli.corpus import _MOST_SHOWN
from tidings_lab.cli.problems import list_problems

if TYPE_CHECKING:
    from tidings_lab.annotate.agreement import Agreement


class Unit(StrEnum):
    """The unit of agreement; a copy of `tidings_lab.annotate.agreement.AgreementUnit`, which is slow to import."""

    BLOCKS = "blocks"
    WORDS = "words"
    ELEMENTS = "elements"


class AnnotationFormat(StrEnum):
    """Output formats of the comparison."""

    TABLE = "table"
    JSON = "json"


def agreement(
    first: Annotated[Path, typer.Argument(metavar="DIR_A", help="A folder annotated by one person.")],
    second: Annotated[Path, typer.Argument(metavar="DIR_B", help="The same pages annotated by another.")],
    unit: Annotated[
        Unit, typer.Option("--unit", help="What is counted: blocks, their words, or texts and tails.")
    ] = Unit.BLOCKS,
    format_: Annotated[
        AnnotationFormat, typer.Option("--format", "-f", help="table or json.")
    ] = AnnotationFormat.TABLE,
) -> None:
    """Show how far two annotators agree: Cohen's kappa, a table by class, and every difference."""
    from tidings_lab.annotate import agreement
    from tidings_lab.annotate.double_annotation import read_twice

    twice, problems = read_twice(first, second)
    list_problems(problems, Console(stderr=True))
    found = agreement.agreement(twice, agreement.AgreementUnit(unit.value))
    if format_ is AnnotationFormat.JSON:
        typer.echo(json.dumps(_plain(found), ensure_ascii=False, indent=1))
    else:
        _print(found, unit)


def _plain(agreement: Agreement) -> dict[str, object]:
    return {
        "kappa": agreement.kappa,
        "observed": agreement.observed,
        "pages": agreement.pages,
        "same_type": agreement.same_type,
        "names": agreement.names,
        "confusion": agreement.confusion.tolist(),
        "classes": [
            {"class": it.name, "first": it.first, "second": it.second, "both": it.both, "f1": it.f1, "kappa": it.kappa}
            for it in agreement.classes
        ],
        "differences": [
            {"page": it.page, "unit": it.unit, "first": it.first, "second": it.second, "text": it.text}
            for it in agreement.differences
        ],
    }


def _print(agreement: Agreement, unit: Unit) -> None:
    console = Console()
    rows = [
        (it.name, it.first, it.second, it.both, f"{it.f1:.3f}", f"{it.kappa:.3f}")
        for it in agreement.classes
        if it.first or it.second
    ]
    print_table(("class", "first", "second", "both", "F1", "κ"), rows)
    total = int(agreement.confusion.sum())
    console.print(
        f"\nκ [bold]{agreement.kappa:.3f}[/] over {total} {unit} of {agreement.pages} pages;"
        f" the same on {agreement.observed:.1%}.",
        highlight=False,
    )
    console.print(f"The same page type on {agreement.same_type} of {agreement.pages} pages.", highlight=False)
    if not agreement.differences:
        return
    differences = (
        (it.page, str(it.unit), it.first, it.second, it.text[:80]) for it in agreement.differences[:_MOST_SHOWN]
    )
    print_table(("page", "unit", "first", "second", "text"), differences)
    rest = len(agreement.differences) - _MOST_SHOWN
    console.print(
        (f"… and {rest} more; --format json lists all. " if rest > 0 else "")
        + "A third annotator decides: tidings lab annotate --differences DIR_A DIR_B",
        highlight=False,
    )
