"""`tidings lab gate`: fail if the accuracy of the default extractor falls below its recorded floors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import coloured, print_table, tracked
from tidings.processes import cores, in_order

if TYPE_CHECKING:
    from tidings_lab.gate.floors import Key
    from tidings_lab.gate.measure import GateFigure, Tested
    from tidings_lab.gate.verdicts import GateRow


def gate(
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="A folder of pages with gold, or `newspaper`; may be repeated."
        ),
    ] = None,
    floors: Annotated[Path | None, typer.Option("--floors", help="File of floors, if not that of Tidings.")] = None,
    update: Annotated[bool, typer.Option("--update", help="Raise floors, and set those that are not there.")] = False,
    lower: Annotated[
        str, typer.Option("--lower", metavar="WHY", help="Lower floors that are not reached; the file keeps why.")
    ] = "",
    everything: Annotated[bool, typer.Option("--all", help="Show every figure, not only what matters.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """Measure every extractor and compare the scores with their floors; the exit code is 1 if a score is below.

    Without --corpus the sample newspaper is measured. The default extraction is measured on every page, other
    extractors on a fixed sample of 60 pages.
    """
    from datetime import UTC, datetime

    from tidings import newspaper
    from tidings.extractors import DEFAULT
    from tidings_lab.gate.floors import FLOORS, read_floors, write_floors
    from tidings_lab.gate.measure import plan
    from tidings_lab.gate.verdicts import judge, revise

    file = floors or FLOORS
    known, history = read_floors(file)
    measured, digests = _measure(plan(corpus or [newspaper.path()]), jobs or cores())
    rows = judge(known, measured, digests)
    if update or lower.strip():
        today = datetime.now(UTC).date()
        known, lowered = revise(known, rows, update=update, lower=lower.strip(), today=today, default=DEFAULT)
        write_floors(file, known, [*history, *lowered])
        rows = judge(known, measured, digests)
        typer.echo(f"{file}: {len(known)} floors, {len(lowered)} of them lowered now", err=True)
    _show_floors(rows, everything)
    if any(row.standing.fails for row in rows):
        raise typer.Exit(1)


def _measure(tested: Sequence[Tested], jobs: int) -> tuple[dict[Key, GateFigure], dict[Key, str]]:
    """Measure all corpora; return the figures, and the digest of the pages behind each figure."""
    from tidings.errors import TidingsError
    from tidings_lab.gate.floors import DEFAULT_NAME
    from tidings_lab.gate.measure import FigurePart, items, measure_page, tally

    work = list(items(tested))
    marks: list[FigurePart] = []
    done = in_order(measure_page, work, jobs)
    for one in tracked(done, "measuring", len(work)):
        if one.result is None:
            raise TidingsError(f"{one.job.sample.id} of {one.job.corpus} was not measured: {one.reason}")
        marks += one.result
    measured = tally(marks)
    by_corpus = {one.corpus: one.digests() for one in tested}
    return measured, {key: by_corpus[key.corpus][key.extractor == DEFAULT_NAME] for key in measured}


def _show_floors(rows: Sequence[GateRow], everything: bool) -> None:
    """Print the figures of the default extractor and all failing ones, or all figures; then a line that counts the
    others.
    """
    from tidings_lab.gate.floors import DEFAULT_NAME
    from tidings_lab.gate.verdicts import FloorStanding

    shown = [
        row for row in rows if everything or row.key.extractor == DEFAULT_NAME or row.standing is not FloorStanding.HELD
    ]
    headings = ("corpus", "extractor", "measure", "measured", "floor", "above", "pages", "errors", "")
    print_table(headings, map(_floor_row, shown), least=120)
    closed = [row for row in rows if row.standing.fails]
    held = sum(row.standing is FloorStanding.HELD for row in rows)
    typer.echo(f"\n{held} of {len(rows)} floors held" + (", the others are shown above" if closed else ""))
    if any(row.standing is FloorStanding.NEW for row in rows):
        typer.echo("Some figures have no floor yet: `tidings lab gate --update` sets it.")
    if closed:
        typer.echo(
            "A floor goes down only by --lower 'why'; the new pages of a corpus are taken by --update.", err=True
        )


def _floor_row(row: GateRow) -> tuple[object, ...]:
    value = row.measured.value if row.measured else None
    floor = row.floor.floor if row.floor else None
    return (
        *row.key,
        "" if value is None else f"{value:.4f}",
        "" if floor is None else f"{floor:.4f}",
        "" if value is None or floor is None else f"{value - floor:+.4f}",
        row.measured.pages if row.measured else "",
        (row.measured.failed or "") if row.measured else "",
        coloured(row.standing.value, "red" if row.standing.fails else ""),
    )
