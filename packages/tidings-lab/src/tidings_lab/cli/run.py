"""`tidings lab run`: measure extractors on corpora with ground truth."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from tidings.cli.output import print_table, progress
from tidings.processes import cores

if TYPE_CHECKING:
    from tidings_lab.corpora import Sample
    from tidings_lab.experiment.comparison import Comparison
    from tidings_lab.experiment.rows import ResultRow
    from tidings_lab.experiment.systems import System
    from tidings_lab.tables import Table


FORMATS = ("table", "json", "csv", "markdown", "html", "worst")


#: Failures that are named one by one; the report and `--rows` have all.
_NAMED = 20


#: Columns of text that a table needs; in a narrower window its lines are broken, but no figure is lost.
_NARROWEST = 150


def run(
    corpus: Annotated[
        list[Path],
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="A folder of pages with gold, or `newspaper`; may be repeated."
        ),
    ],
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            "-w",
            metavar="NAMES",
            help="Systems, between commas: extractors and combinations, peers, module:name, `all`, `peers`.",
        ),
    ] = None,
    page_type: Annotated[str | None, typer.Option("--type", help="Only pages of this type, as in article.")] = None,
    whole_gold: Annotated[
        bool, typer.Option("--whole-gold", help="Only pages whose gold is not known to be part of the story.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", "-f", help="table, json, csv, markdown, html or worst.")
    ] = "table",
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="The file to write; html needs one.")
    ] = None,
    rows: Annotated[Path | None, typer.Option(help="Also write a CSV line for each system on each page.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds that a system may take for a page.")] = 60.0,
    cache: Annotated[Path | None, typer.Option(metavar="DIR", help="Where rows are kept between runs.")] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Measure everything anew and keep nothing.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many pages of each corpus, spread evenly.")
    ] = None,
    measure: Annotated[
        str, typer.Option(help="Measures, the main one first: words, word-set, shingles, lcs, characters.")
    ] = "words,lcs",
    speed: Annotated[int, typer.Option(min=0, metavar="N", help="Time all systems in turn on N pages; 0: no.")] = 50,
    rival: Annotated[str, typer.Option(help="The system whose time is 1; the first if not told.")] = "",
    worst: Annotated[int, typer.Option(min=0, help="So many of the first system's worst pages: html, worst.")] = 12,
    workers: Annotated[
        str, typer.Option(metavar="COUNTS", help="Also the first system's pages a second by processes, as in 1,2,4.")
    ] = "",
) -> None:
    """Measure systems on pages with ground truth: accuracy and speed in one run, in comparison with other tools.

    Results are cached: a second run computes only what changed, and an interrupted run continues. If a system raises an
    error, hangs or crashes on a page, it gets no result for that page, and the run continues.

    For example:

      tidings lab run --corpus newspaper
      tidings lab run -c wcxb-dev --type article -w default,trafilatura,newspaper4k
      tidings lab run -c wcxb-dev -w all --speed 0
      tidings lab run -c news -w 'default,n-ext(beta=0.4),mine:SealFinder' -f html -o report.html
    """
    from tidings.errors import InputError, UnknownFormat
    from tidings_lab.experiment.cache import Cache, default_folder
    from tidings_lab.experiment.comparison import check_measures, compare
    from tidings_lab.experiment.run import run as measured
    from tidings_lab.experiment.speed import spread, time_in_turn

    if format_ not in FORMATS:
        raise UnknownFormat(format_, FORMATS)
    if format_ == "html" and out is None:
        raise InputError("a report is a file: name it with --output, as in --output report.html")
    for file in (out, rows):
        if file is not None and not file.absolute().parent.is_dir():
            raise InputError(f"{file} cannot be written: there is no folder {file.absolute().parent}")
    measures = check_measures(measure.split(","))
    counts = _counts(workers)
    systems = find_systems(with_ or ["default"])
    names = [system.name for system in systems]
    if rival and rival not in names:
        raise InputError(f"the rival {rival!r} is not among the systems; add it to --with")
    samples = read_samples(corpus, page_type, limit, whole_gold=whole_gold)
    keeping = nullcontext() if no_cache else Cache(cache or default_folder())
    with keeping as kept, progress("measuring", None) as bar:
        workers_ = jobs or cores()
        wanted = measured(
            systems, samples, measures=measures, cache=kept, jobs=workers_, timeout=timeout, progress=bar.reach
        )
        found = list(wanted)
    timings = []
    if speed:
        with progress("timing", None) as bar:
            timings = time_in_turn(systems, spread(samples, speed), timeout=timeout, progress=bar.reach)
    comparison = compare(found, timings, systems=names, measures=measures, rival=rival)
    if rows is not None:
        from tidings_lab.report import rows_csv

        rows.write_text(rows_csv(found, measures) + "\n", encoding="utf-8")
    extra = _by_workers(systems[0], spread(samples, speed or 50), counts, timeout) if counts else []
    _write(comparison, systems, extra, format_, out, worst)
    _say(found, comparison)


def find_systems(names: list[str]) -> tuple[System, ...]:
    """Return the systems with some names."""
    from tidings.errors import InputError
    from tidings_lab.experiment.system_names import find, split

    wanted = [name for given in names for name in split(given)]
    if any(":" in name for name in wanted):
        sys.path.insert(0, str(Path.cwd()))  # code of one's own lies here, as for `python -m`
    found = find(wanted)
    if not found:
        raise InputError("no system is named; try --with default")
    return found


def read_samples(folders: list[Path], page_type: str | None, limit: int | None, *, whole_gold: bool) -> list[Sample]:
    """Return the pages of some corpora: of the given type, at most `limit` of each corpus."""
    from tidings.errors import InputError
    from tidings_lab.corpora import read
    from tidings_lab.experiment.speed import spread

    console = Console(stderr=True, soft_wrap=True, highlight=False)
    samples: list[Sample] = []
    for folder in folders:
        whole = read(folder)
        for trouble, count in whole.count().most_common():
            console.print(f"{folder.name}: {count} × {trouble}", markup=False)
        mine = [
            sample
            for sample in whole.samples
            if page_type in (None, sample.page_type)
            and not (whole_gold and sample.is_partial)
            and (sample.gold.get("text") is not None or sample.gold.get("with"))
        ]
        samples += mine if limit is None else spread(mine, limit)
    if not samples:
        of_type = f" of type {page_type}" if page_type else ""
        raise InputError(f"{', '.join(map(str, folders))}: no pages{of_type} with gold text or gold segments")
    return samples


def _counts(text: str) -> list[int]:
    from tidings.errors import InputError

    try:
        counts = [int(part) for part in text.split(",") if part.strip()]
    except ValueError:
        counts = [0]
    if any(count < 1 for count in counts):
        raise InputError(f"--workers takes numbers of processes, as in 1,2,4; it is {text!r}")
    return counts


def _by_workers(system: System, samples: list[Sample], counts: list[int], timeout: float) -> list[Table]:
    from tidings_lab.experiment.worker_speed import by_workers
    from tidings_lab.report import throughput_tables

    with progress("by number of processes", None) as bar:
        shifts = by_workers(system, samples, counts, timeout=timeout, progress=bar.reach)
    return throughput_tables(system.name, shifts)


def _write(
    comparison: Comparison, systems: tuple[System, ...], extra: list[Table], format_: str, out: Path | None, worst: int
) -> None:
    from tidings_lab.report import as_json, html_report, summary_csv, tables, worst_table
    from tidings_lab.tables import write

    if format_ == "table" and out is None:
        for table in [*tables(comparison), *extra]:
            _show(table)
        return
    text = {
        "table": lambda: write([*tables(comparison), *extra], "markdown"),
        "markdown": lambda: write([*tables(comparison), *extra], "markdown"),
        "csv": lambda: summary_csv(comparison),
        "json": lambda: as_json(comparison, extra),
        "html": lambda: html_report(comparison, systems, worst=worst, extra=extra),
        "worst": lambda: write([worst_table(comparison, comparison.first, worst)], "markdown"),
    }[format_]()
    if out is None:
        typer.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")
        typer.echo(f"written to {out}", err=True)


def _show(table: Table) -> None:
    typer.secho(table.title, bold=True)
    rows = ([f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in table.rows)
    print_table(table.columns, rows, least=_NARROWEST)
    typer.echo()


def _say(rows: list[ResultRow], comparison: Comparison) -> None:
    """Print to standard error how many rows were computed and cached, and which systems failed."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    kept = sum(row.cached for row in rows)
    console.print(f"{len(rows):,} rows: {len(rows) - kept:,} measured now, {kept:,} from the cache")
    if comparison.failures:
        console.print(f"[bold yellow]{len(comparison.failures)} failures:[/]")
    for row in comparison.failures[:_NAMED]:
        console.print(f"  {row.system} on {row.sample.id}: {row.outcome.value}: {row.reason}", markup=False)
    if len(comparison.failures) > _NAMED:
        console.print(f"  and {len(comparison.failures) - _NAMED} more; --rows FILE has all")
