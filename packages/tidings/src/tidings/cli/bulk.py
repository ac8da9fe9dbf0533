"""`tidings bulk`: extract articles from archives, folders and tables of pages to Parquet files."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.app import EPILOGUE
from tidings.cli.fetch_options import AllowHost
from tidings.cli.option_flags import option_flags
from tidings.cli.output import ProgressBar, progress_bars
from tidings.cli.state import HELP_OPTIONS

if TYPE_CHECKING:
    from tidings.bulk import ComputedColumn, InputSplit, SplitManifest
    from tidings.cli.option_flags import OptionFlags as ExtractFlags
else:
    ExtractFlags = option_flags()

bulk = typer.Typer(
    name="bulk",
    help="Extract many pages from WARC, folders, tar or Parquet to Parquet, on one machine, Ray or Spark.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)

_MB: Final = 1024 * 1024
#: Characters for the statuses other than ok, so that the line of the progress bar fits into 80 columns.
_WIDEST: Final = 30
#: Duplicates of input files that are listed.
_NAMED_COPIES: Final = 10
_Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT…",
        help="Files (.warc .warc.gz .warc.zst .tar .parquet .cdx .html), folders, patterns or URLs such as s3://….",
    ),
]
_Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of a run.")]
_Engine = Annotated[str, typer.Option("--engine", help="plain (processes on this machine), ray or spark.")]
_Workers = Annotated[int, typer.Option("--workers", "-j", min=0, help="Number of workers; 0: one per core.")]
_Base = Annotated[
    str, typer.Option("--archives", metavar="DIR", help="Folder or URL of the archives that a CDX file names.")
]
_Size = Annotated[
    int, typer.Option("--split-size", min=1, metavar="MB", help="Read larger files in parts of this size.")
]
_Store = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="Also read the pages of this store of the portal.")
]


@bulk.command("run", epilog=EPILOGUE)
def run_(
    inputs: _Inputs = None,
    to: Annotated[str, typer.Option("--output", "-o", "--to", metavar="DIR", help="Output folder.")] = "",
    engine: _Engine = "plain",
    workers: _Workers = 0,
    rules: Annotated[
        str, typer.Option("--rules", metavar="FILE", help="Site templates, written by `tidings bulk learn`.")
    ] = "",
    audit_every: Annotated[
        int,
        typer.Option(
            "--audit-every", min=0, help="Check one of this many pages that templates served against full extraction."
        ),
    ] = 200,
    with_: Annotated[
        list[str] | None,
        typer.Option(
            "--with", "-w", metavar="NAME", help="Extractor; repeatable. Each after the first fills a column `text_…`."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Add a column with the article as Markdown.")] = False,
    signatures: Annotated[
        bool, typer.Option("--signatures", help="Add a column with a MinHash signature for finding near-duplicates.")
    ] = False,
    timing: Annotated[
        bool, typer.Option("--timing", help="Add a column with the processor time of each page.")
    ] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Longest processor time of a page.")] = 20.0,
    memory: Annotated[int, typer.Option("--memory", min=64, metavar="MB", help="Largest memory of a page.")] = 1536,
    largest: Annotated[int, typer.Option("--largest", min=1, metavar="MB", help="Largest size of a page.")] = 16,
    split_size: _Size = 1024,
    archives: _Base = "",
    store: _Store = None,
    allow_host: AllowHost = None,
    flags: ExtractFlags = ExtractFlags(),
) -> None:
    """Extract articles from pages into a folder of Parquet files. A run that was stopped continues where it ended."""
    from tidings.bulk import BulkSettings, run
    from tidings.errors import InputError

    if not to:
        raise InputError("name the output folder with --output DIR")
    splits = _splits(inputs, split_size, archives, store, allow_host)
    settings = BulkSettings(
        extractors=tuple(with_ or ("default",)),
        rules=rules,
        audit_every=audit_every,
        markdown=markdown,
        timing=timing,
        computed=_signature_columns(signatures),
        seconds=seconds,
        memory=memory * _MB,
        largest=largest * _MB,
        options=flags.options(),
    )
    with progress_bars("reading", counted=False) as (progress,):
        bar = _Bar(splits, progress)
        manifests = []
        for manifest in run(splits, to, settings, engine=engine, workers=workers, tell=bar):
            bar.finished(manifest)
            manifests.append(manifest)
    _print_summary(manifests)


def _signature_columns(signatures: bool) -> tuple[ComputedColumn, ...]:
    from tidings.bulk import ComputedColumn
    from tidings.plugins import store_feature

    if not signatures:
        return ()
    return (ComputedColumn("signature", "binary", store_feature("signature", "--signatures").value),)


def _splits(
    inputs: list[str] | None, split_size: int, archives: str, store: str | None, allow: list[str] | None
) -> list[InputSplit]:
    from tidings.bulk import InputSplit, plan
    from tidings.errors import InputError

    found = plan(inputs or [], split_size=split_size * _MB, base=archives, allow=allow or ())
    copies = {copy: split for split in found for copy in split.copies}
    for copy, split in islice(copies.items(), _NAMED_COPIES):
        typer.echo(f"not read: {copy} has the same content as {split.source}", err=True)
    if len(copies) > _NAMED_COPIES:
        typer.echo(f"not read: {len(copies) - _NAMED_COPIES:,} more files have the same content as others", err=True)
    if store is not None:
        from tidings.plugins import store_feature

        pages = store_feature("pages", "--store").value
        count = store_feature("page_count", "--store").load()(store)
        found.append(InputSplit("call", store, size=count, base=pages))
    if not found:
        raise InputError("name files, folders or patterns to read, or a store with --store")
    return found


def _print_summary(manifests: list[SplitManifest]) -> None:
    """Print the number of pages by status to standard error; exit with 1 or 3 if files failed."""
    from tidings.bulk.output import totals

    summed, whole, failed = totals(iter(manifests))
    statuses = ", ".join(f"{count:,} {status}" for status, count in sorted(summed.statuses.items()))
    typer.echo(f"{summed.pages:,} pages in {whole} file{'s' * (whole != 1)}: {statuses or 'nothing'}", err=True)
    for one in failed:
        typer.echo(f"failed: {one.split.source}: {one.failure}", err=True)
    if failed:
        raise typer.Exit(3 if not whole else 1)


class _Bar:
    """A progress bar with pages, rate, remaining time and statuses."""

    def __init__(self, splits: list[InputSplit], bar: ProgressBar) -> None:
        self._bar = bar
        self._total = sum(split.bytes for split in splits)
        self._begun = monotonic()
        self._of = {split.name: [split.bytes, 0, 0] for split in splits}  # bytes, pages, whether it is finished
        self.statuses: Counter[str] = Counter()

    def __call__(self, split: InputSplit, statuses: Counter[str]) -> None:
        """Count pages of a split that is being read."""
        self.statuses.update(statuses)
        self._of[split.name][1] += statuses.total()
        self._update()

    def finished(self, manifest: SplitManifest) -> None:
        """Count a finished split."""
        entry = self._of[manifest.split.name]
        if not entry[1]:  # finished in an earlier run, or on another machine
            self.statuses.update(manifest.statuses)
        entry[1], entry[2] = manifest.pages, 1
        self._update()

    def _update(self) -> None:
        """Draw the bar. The bytes of an unfinished split are estimated from the bytes per page of finished splits."""
        whole = [entry for entry in self._of.values() if entry[2] and entry[1]]
        a_page = sum(entry[0] for entry in whole) / max(1, sum(entry[1] for entry in whole)) if whole else 20_000
        done = sum(entry[0] if entry[2] else min(entry[0], a_page * entry[1]) for entry in self._of.values())
        others = ", ".join(f"{count:,} {name}" for name, count in sorted(self.statuses.items()) if name != "ok")
        if len(others) > _WIDEST:
            others = f"{self.statuses.total() - self.statuses['ok']:,} not ok"
        pages, taken = self.statuses.total(), monotonic() - self._begun
        rate = f", {pages / taken:,.0f} a second" if taken > 1 else ""
        self._bar.reach(int(done), self._total, f"{pages:,} pages" + (f" ({others})" if others else "") + rate)


@bulk.command()
def status(folder: _Folder) -> None:
    """Show the progress of a run: finished and failed files, pages by status, speed."""
    from tidings.bulk import OutputFolder
    from tidings.bulk.output import totals
    from tidings.cli.output import print_table

    place = OutputFolder(folder)
    settings = place.run()
    summed, whole, failed = totals(place.manifests())
    rows: list[tuple[str, object]] = [("files finished", whole), ("failed", len(failed)), ("pages", summed.pages)]
    rows += [(f"  {name}", count) for name, count in sorted(summed.statuses.items())]
    if summed.pages:
        rows.append(("served by templates", f"{summed.by_rules:,} ({summed.by_rules / summed.pages:.1%})"))
        rows.append(("processor time per page", f"{1000 * summed.cpu / summed.pages:.2f} ms"))
    rows += [
        ("bytes written", summed.size),
        ("version, schema", f"{settings.get('version')}, {settings.get('schema')}"),
    ]
    print_table(("what", "how many"), rows)
    for one in failed:
        typer.echo(f"failed: {one.split.source}: {one.failure}", err=True)


@bulk.command()
def learn(
    inputs: _Inputs = None,
    to: Annotated[str, typer.Option("--output", "-o", "--to", metavar="FILE", help="Output file.")] = "rules.parquet",
    workers: Annotated[int, typer.Option("--workers", "-j", min=0, help="Processes; 0: one per core.")] = 0,
    least: Annotated[int, typer.Option("--least", min=8, help="Learn only hosts with at least this many pages.")] = 20,
    split_size: _Size = 1024,
    archives: _Base = "",
    store: _Store = None,
    allow_host: AllowHost = None,
    reasons: Annotated[bool, typer.Option("--reasons", help="List why hosts have no templates.")] = False,
) -> None:
    """Learn templates of all sites with enough pages, as one file for `tidings bulk run --rules`."""
    from tidings.bulk import learn as learn_all

    splits = _splits(inputs, split_size, archives, store, allow_host)
    with progress_bars("counting", "learning") as (counting, learning):
        bars = {"counting": counting, "learning": learning}

        def tell(what: str, done: int, total: int) -> None:
            bars[what].reach(done, total)

        report = learn_all(splits, to, workers=workers, least=least, tell=tell)
    typer.echo(
        f"{report.pages:,} pages of {report.hosts:,} hosts; {report.enough:,} have at least {least} pages,"
        f" {report.learned:,} got templates: {to}, version {report.rules.version}",
        err=True,
    )
    for site, reason in report.reasons.items() if reasons else ():
        typer.echo(f"{site}: {reason}", err=True)
    for source, reason in report.unread.items():
        typer.echo(f"failed: {source}: {reason}", err=True)
    if report.unread:
        raise typer.Exit(1)


@bulk.command()
def report(
    folder: _Folder,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Output file. Default: DIR/report.html.")
    ] = "",
    sample: Annotated[int, typer.Option("--sample", min=0, help="Number of articles shown beside their pages.")] = 8,
) -> None:
    """Write a report of a run as one HTML file: statuses, sites, languages, speed, audits, sample articles."""
    from tidings.bulk import OutputFolder, files
    from tidings.bulk.report import write_report

    to = output or files.join(folder, "report.html")
    retired = write_report(to, OutputFolder(folder), sample).retired()
    typer.echo(to)
    if retired:
        typer.echo(
            f"audits found wrong templates of {len(retired)} sites; remove them: `tidings sites merge RULES --without"
            f" {files.join(folder, 'retired.json')} --to RULES`",
            err=True,
        )
