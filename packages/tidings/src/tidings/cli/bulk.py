"""`tidings bulk`: archives, folders and tables of pages in, Parquet out."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.app import EPILOGUE
from tidings.cli.fetch_options import AllowHost
from tidings.cli.output import ProgressBar, progress_bars
from tidings.cli.state import HELP_OPTIONS

if TYPE_CHECKING:
    from tidings.bulk import InputSplit, MadeColumn, SplitManifest

bulk = typer.Typer(
    name="bulk",
    help="Many pages: archives (WARC), folders, tar and Parquet in, Parquet out; on one machine, Ray or Spark.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)

_MB: Final = 1024 * 1024
#: Characters of the bar's line for what is not ok: all of it fits into 80 columns.
_WIDEST: Final = 30
#: Copies of input files that are named.
_NAMED_COPIES: Final = 10
_Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="INPUT…",
        help="Files (.warc .warc.gz .warc.zst .tar .parquet .cdx .html), folders, patterns; also s3://… and the like.",
    ),
]
_Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of a run.")]
_Engine = Annotated[str, typer.Option("--engine", help="plain (processes of this machine), ray or spark.")]
_Workers = Annotated[int, typer.Option("--workers", "-j", min=0, help="Splits at a time; 0 for one a core.")]
_Base = Annotated[
    str, typer.Option("--archives", metavar="DIR", help="Where the archives lie that a CDX names: also http://….")
]
_Size = Annotated[int, typer.Option("--split-size", min=1, metavar="MB", help="A larger file is read in parts.")]
_Store = Annotated[
    str | None, typer.Option("--store", metavar="FILE", help="The pages that a watch has kept: its store.")
]


@bulk.command("run", epilog=EPILOGUE)
def run_(
    inputs: _Inputs = None,
    to: Annotated[str, typer.Option("--output", "-o", "--to", metavar="DIR", help="Folder for the result.")] = "",
    engine: _Engine = "plain",
    workers: _Workers = 0,
    rules: Annotated[
        str, typer.Option("--rules", metavar="FILE", help="Rules of sites, of `tidings bulk learn`.")
    ] = "",
    audit_every: Annotated[
        int, typer.Option("--audit-every", min=0, help="Of so many pages served by rules one is read both ways.")
    ] = 200,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", "-w", metavar="NAME", help="Extractors; each after the first has a column `text_…`."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="A column with the article as Markdown.")] = False,
    signatures: Annotated[
        bool, typer.Option("--signatures", help="A column with a signature (MinHash) that tells near-duplicates.")
    ] = False,
    timing: Annotated[bool, typer.Option("--timing", help="A column with the processor time of each page.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Processor time that a page may take.")] = 20.0,
    memory: Annotated[int, typer.Option("--memory", min=64, metavar="MB", help="Memory that a page may take.")] = 1536,
    largest: Annotated[int, typer.Option("--largest", min=1, metavar="MB", help="Size that a page may have.")] = 16,
    split_size: _Size = 1024,
    archives: _Base = "",
    store: _Store = None,
    allow_host: AllowHost = None,
) -> None:
    """Read pages into a folder of Parquet files. Run it again after it was stopped: what is done is not done again."""
    from tidings.bulk import BulkSettings, run
    from tidings.errors import InputError

    if not to:
        raise InputError("say where the result goes: --output DIR")
    splits = _splits(inputs, split_size, archives, store, allow_host)
    settings = BulkSettings(
        extractors=tuple(with_ or ("default",)),
        rules=rules,
        audit_every=audit_every,
        markdown=markdown,
        timing=timing,
        made=_made(signatures),
        seconds=seconds,
        memory=memory * _MB,
        largest=largest * _MB,
    )
    with progress_bars("reading", counted=False) as (shown,):
        bar = _Bar(splits, shown)
        done = []
        for one in run(splits, to, settings, engine=engine, workers=workers, tell=bar):
            bar.finished(one)
            done.append(one)
    _say(done)


def _made(signatures: bool) -> tuple[MadeColumn, ...]:
    from tidings.bulk import MadeColumn
    from tidings.plugins import store_feature

    if not signatures:
        return ()
    return (MadeColumn("signature", "binary", store_feature("signature", "--signatures").value),)


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
        typer.echo(f"not read: {len(copies) - _NAMED_COPIES:,} more files with the content of others", err=True)
    if store is not None:
        from tidings.plugins import store_feature

        pages = store_feature("pages", "--store").value
        count = store_feature("page_count", "--store").load()(store)
        found.append(InputSplit("call", store, size=count, base=pages))
    if not found:
        raise InputError("name files, folders or patterns to read, or a store with --store")
    return found


def _say(done: list[SplitManifest]) -> None:
    """What became of it, on standard error; the exit code says whether all went well."""
    from tidings.bulk.output import totals

    summed, whole, failed = totals(iter(done))
    told = ", ".join(f"{count:,} {status}" for status, count in sorted(summed.statuses.items()))
    typer.echo(f"{summed.pages:,} pages in {whole} file{'s' * (whole != 1)}: {told or 'nothing'}", err=True)
    for one in failed:
        typer.echo(f"failed: {one.split.source}: {one.failure}", err=True)
    if failed:
        raise typer.Exit(3 if not whole else 1)


class _Bar:
    """Pages, rate, time left and statuses, on a terminal."""

    def __init__(self, splits: list[InputSplit], shown: ProgressBar) -> None:
        self._shown = shown
        self._total = sum(split.bytes for split in splits)
        self._begun = monotonic()
        self._of = {split.name: [split.bytes, 0, 0] for split in splits}  # bytes, pages, whether it is done
        self.statuses: Counter[str] = Counter()

    def __call__(self, split: InputSplit, statuses: Counter[str]) -> None:
        """Some pages are done."""
        self.statuses.update(statuses)
        self._of[split.name][1] += statuses.total()
        self._tell()

    def finished(self, manifest: SplitManifest) -> None:
        """A split is done."""
        entry = self._of[manifest.split.name]
        if not entry[1]:  # done before, or elsewhere
            self.statuses.update(manifest.statuses)
        entry[1], entry[2] = manifest.pages, 1
        self._tell()

    def _tell(self) -> None:
        """Bytes that are done: of a split under way by the pages of those that are done, as far as that is known."""
        whole = [entry for entry in self._of.values() if entry[2] and entry[1]]
        a_page = sum(entry[0] for entry in whole) / max(1, sum(entry[1] for entry in whole)) if whole else 20_000
        done = sum(entry[0] if entry[2] else min(entry[0], a_page * entry[1]) for entry in self._of.values())
        others = ", ".join(f"{count:,} {name}" for name, count in sorted(self.statuses.items()) if name != "ok")
        if len(others) > _WIDEST:
            others = f"{self.statuses.total() - self.statuses['ok']:,} not ok"
        pages, taken = self.statuses.total(), monotonic() - self._begun
        rate = f", {pages / taken:,.0f} a second" if taken > 1 else ""
        self._shown.reach(int(done), self._total, f"{pages:,} pages" + (f" ({others})" if others else "") + rate)


@bulk.command()
def status(folder: _Folder) -> None:
    """How far a run is: splits done and failed, pages by status, how fast."""
    from tidings.bulk import OutputFolder
    from tidings.bulk.output import totals
    from tidings.cli.output import print_table

    place = OutputFolder(folder)
    told = place.run()
    summed, whole, failed = totals(place.manifests())
    rows: list[tuple[str, object]] = [("files done", whole), ("failed", len(failed)), ("pages", summed.pages)]
    rows += [(f"  {name}", count) for name, count in sorted(summed.statuses.items())]
    if summed.pages:
        rows.append(("served by rules", f"{summed.by_rules:,} ({summed.by_rules / summed.pages:.1%})"))
        rows.append(("processor time a page", f"{1000 * summed.cpu / summed.pages:.2f} ms"))
    rows += [("bytes written", summed.size), ("version, schema", f"{told.get('version')}, {told.get('schema')}")]
    print_table(("what", "how many"), rows)
    for one in failed:
        typer.echo(f"failed: {one.split.source}: {one.failure}", err=True)


@bulk.command()
def learn(
    inputs: _Inputs = None,
    to: Annotated[
        str, typer.Option("--output", "-o", "--to", metavar="FILE", help="File for the rules.")
    ] = "rules.parquet",
    workers: Annotated[int, typer.Option("--workers", "-j", min=0, help="Processes; 0 for one a core.")] = 0,
    least: Annotated[int, typer.Option("--least", min=8, help="Pages that a host must have.")] = 20,
    split_size: _Size = 1024,
    archives: _Base = "",
    store: _Store = None,
    allow_host: AllowHost = None,
    reasons: Annotated[bool, typer.Option("--reasons", help="Say of each host without rules why it has none.")] = False,
) -> None:
    """Learn rules of all sites with enough pages, into one file for `tidings bulk run --rules`."""
    from tidings.bulk import learn as learn_all

    splits = _splits(inputs, split_size, archives, store, allow_host)
    with progress_bars("counting", "learning") as (counting, learning):
        bars = {"counting": counting, "learning": learning}

        def tell(what: str, done: int, total: int) -> None:
            bars[what].reach(done, total)

        report = learn_all(splits, to, workers=workers, least=least, tell=tell)
    typer.echo(
        f"{report.pages:,} pages of {report.hosts:,} hosts; {report.enough:,} have {least} pages or more, and"
        f" {report.learned:,} of them rules: {to}, version {report.rules.version}",
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
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The file; else DIR/report.html.")] = "",
    sample: Annotated[int, typer.Option("--sample", min=0, help="Articles shown beside their pages.")] = 8,
) -> None:
    """A run at a glance, as one HTML file: statuses, sites, languages, speed, audits, articles beside their pages."""
    from tidings.bulk import OutputFolder, files
    from tidings.bulk.report import write_report

    to = output or files.joined(folder, "report.html")
    retired = write_report(to, OutputFolder(folder), sample).retired()
    typer.echo(to)
    if retired:
        typer.echo(
            f"audits speak against the rules of {len(retired)} sites: `tidings sites merge RULES --without"
            f" {files.joined(folder, 'retired.json')} --to RULES`",
            err=True,
        )
