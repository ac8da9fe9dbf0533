"""A comparison as tables, for the terminal, Markdown, CSV, JSON, and the HTML report."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any, Final

from tidings_lab.experiment.comparison import Comparison, ScoreDifference, SystemLine
from tidings_lab.experiment.rows import ResultRow, StepOutcome
from tidings_lab.experiment.worker_speed import Shift
from tidings_lab.metrics.fields import FieldScore
from tidings_lab.metrics.structure import STRUCTURE
from tidings_lab.statistics.anova import anova
from tidings_lab.statistics.scheffe import scheffe
from tidings_lab.tables import Cell, Table

#: Names of measures in headings.
TITLES: Final = {
    "words": "word F1",
    "word-set": "word-set F1",
    "shingles": "shingle F1",
    "lcs": "LCS F1",
    "characters": "character F1",
    "segments": "segment F1",
}


def accuracy(comparison: Comparison) -> Table:
    """Return the accuracy of each system: mean, interval, and difference from the first system."""
    other_measures = list(dict.fromkeys(name for line in comparison.lines for name in line.other_means))
    columns = ("system", TITLES[comparison.measure], "95 %", "median", "precision", "recall")
    difference = f"vs {comparison.first}"
    rows = [
        (
            line.system,
            line.summary.mean,
            f"{line.summary.low:.3f}–{line.summary.high:.3f}",
            line.summary.median,
            line.precision,
            line.recall,
            *(line.other_means.get(name, "") for name in other_measures),
            *_difference(line.difference),
        )
        for line in comparison.lines
    ]
    names = (*columns, *(TITLES[name] for name in other_measures), difference, "95 % of that", "p")
    return Table(f"Accuracy on {comparison.pages} pages of {', '.join(comparison.corpora)}", names, tuple(rows))


def _difference(difference: ScoreDifference | None) -> tuple[Cell, Cell, Cell]:
    if difference is None:
        return "", "", ""
    mark = "*" if difference.significant else ""
    return f"{difference.mean:+.3f}{mark}", f"{difference.low:+.3f} to {difference.high:+.3f}", f"{difference.p:.4f}"


def fields(comparison: Comparison) -> Table:
    """Return the shares of right headlines, authors and dates, segments, and numbers of failures."""
    rows = [
        (
            line.system,
            _share(line.headline),
            _share(line.authors),
            _share(line.date),
            "" if line.segments is None else line.segments.recall,
            "" if line.segments is None else 1 - _rate(line.segments.fp, line.segments.fp + line.segments.tn),
            line.summary.returned_nothing,
            *(line.outcomes.get(outcome, 0) for outcome in (StepOutcome.RAISED, StepOutcome.KILLED, StepOutcome.DIED)),
        )
        for line in comparison.lines
    ]
    best = comparison.lines[0]
    pages = ", ".join(
        f"{name} {score.pages}"
        for name, score in (("headline", best.headline), ("authors", best.authors), ("date", best.date))
    )
    names = ("system", "headline", "authors", "date", "kept", "left out", "nothing", "raised", "killed", "died")
    return Table(f"Fields exactly right (pages with gold: {pages}), segments, failures", names, tuple(rows))


def _share(score: FieldScore) -> Cell:
    """Return the accuracy of a field; an empty cell without ground truth, and for a system that never returns the
    field.
    """
    return score.accuracy if score.pages and score.right + score.wrong + score.invented else ""


def _rate(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def speed(comparison: Comparison) -> Table | None:
    """Return the speed of each system; None if nothing was timed."""
    rows = [
        (
            line.system,
            line.pace.median,
            line.pace.mean,
            line.pace.pages_per_second,
            line.pace.megabytes_per_second,
            "" if line.pace.ratio is None else line.pace.ratio,
        )
        for line in sorted(comparison.lines, key=lambda line: line.pace.mean if line.pace else 0.0)
        if line.pace is not None
    ]
    if not rows:
        return None
    names = ("system", "ms/page median", "ms/page mean", "pages/s", "MB/s", f"times as fast as {comparison.rival}")
    title = f"Speed on {comparison.timed} pages, bytes to article with fields, all systems in turn on each page"
    return Table(title, names, tuple(rows))


def groups(comparison: Comparison) -> list[Table]:
    """Return the means by page type and by language."""
    tables = []
    for kind in dict.fromkeys(group.kind for group in comparison.groups):
        members = [group for group in comparison.groups if group.kind == kind]
        names = ("system", *(f"{group.name} ({group.pages})" for group in members))
        rows = tuple(
            (line.system, *(group.means.get(line.system, "") for group in members)) for line in comparison.lines
        )
        tables.append(Table(f"{TITLES[comparison.measure]} by {kind} (pages)", names, rows))
    return tables


def tables(comparison: Comparison) -> list[Table]:
    """Return all tables."""
    timed = speed(comparison)
    structure_table = structure(comparison)
    parts = [accuracy(comparison), fields(comparison), structure_table, timed, *groups(comparison)]
    return [table for table in parts if table is not None]


def structure(comparison: Comparison) -> Table | None:
    """Return the share of structural units that each system preserves in Markdown; None without ground truth of
    units.
    """
    sums: dict[tuple[str, str], float] = defaultdict(float)
    count: dict[tuple[str, str], int] = defaultdict(int)
    for row in comparison.rows:
        for name, (value, size) in row.measured.units.items():
            sums[row.system, name] += value
            count[row.system, name] += size
    names = list(dict.fromkeys(row.system for row in comparison.rows))
    rows: list[tuple[Cell, ...]] = []
    for name, title in STRUCTURE.items():
        if units := max(count[system, name] for system in names):
            rows.append((title, units, *(sums[system, name] / (count[system, name] or 1) for system in names)))
    return Table("Structure kept in Markdown", ("what", "units", *names), tuple(rows)) if rows else None


def throughput_tables(system: str, shifts: Sequence[Shift]) -> list[Table]:
    """Return pages per second by number of processes, with ANOVA and Scheffé's test (N-EXT thesis 6.2.3)."""
    rows = tuple(
        (shift.workers, fmean(shift.pages_per_second), min(shift.pages_per_second), max(shift.pages_per_second))
        for shift in shifts
    )
    tables = [Table(f"Pages a second of {system} by processes", ("processes", "mean", "least", "most"), rows)]
    if len(shifts) > 1:
        variance = anova([shift.pages_per_second for shift in shifts])
        pairs = tuple(
            (f"{shifts[pair.first].workers} and {shifts[pair.second].workers}", pair.f, pair.p, _yes(pair.differs))
            for pair in scheffe(variance)
        )
        freedom = f"F({variance.df_among}, {variance.df_within})"
        title = f"Scheffé's test; ANOVA: {freedom} = {variance.f:.2f}, p = {variance.p:.4f}"
        tables.append(Table(title, ("processes", "F", "p", "differ"), pairs))
    return tables


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def summary_csv(comparison: Comparison) -> str:
    """Return one CSV line per system with all figures."""
    records = [flat(line) for line in comparison.lines]
    names = list(dict.fromkeys(name for record in records for name in record))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().rstrip("\n")


def flat(line: SystemLine) -> dict[str, Any]:
    """Return the figures of a system as plain values."""
    record: dict[str, Any] = {
        "system": line.system,
        "pages": line.pages,
        "f1": line.summary.mean,
        "f1_low": line.summary.low,
        "f1_high": line.summary.high,
        "f1_median": line.summary.median,
        "precision": line.precision,
        "recall": line.recall,
    }
    record |= {f"{name}_f1": mean for name, mean in line.other_means.items()}
    if line.difference is not None:
        names = ("difference", "difference_low", "difference_high", "p")
        difference = line.difference
        record |= dict(zip(names, (difference.mean, difference.low, difference.high, difference.p), strict=True))
    for name, score in (("headline", line.headline), ("authors", line.authors), ("date", line.date)):
        if score.pages:
            record |= {name: score.accuracy, f"{name}_pages": score.pages}
    if line.segments is not None:
        record |= {"segments_f1": line.segments.f1, "segments_accuracy": line.segments.accuracy}
    record |= {outcome.value: line.outcomes.get(outcome, 0) for outcome in StepOutcome}
    record |= {"returned_nothing": line.summary.returned_nothing, "empty_gold": line.summary.empty_gold}
    if line.pace is not None:
        pace = line.pace
        record |= {"ms_median": pace.median, "ms_mean": pace.mean, "pages_per_second": pace.pages_per_second}
        record |= {"megabytes_per_second": pace.megabytes_per_second, "times_as_fast": pace.ratio}
    return record


def as_json(comparison: Comparison, extra: Sequence[Table] = ()) -> str:
    """Return everything except single pages as JSON."""
    return json.dumps(
        {
            "corpora": comparison.corpora,
            "pages": comparison.pages,
            "measure": comparison.measure,
            "compared_with": comparison.first,
            "rival": comparison.rival,
            "timed_pages": comparison.timed,
            "systems": [flat(line) for line in comparison.lines],
            "groups": [
                {"by": group.kind, "name": group.name, "pages": group.pages, "f1": dict(group.means)}
                for group in comparison.groups
            ],
            "failures": [
                {"system": row.system, "page": row.sample.id, "what": row.outcome.value, "why": row.reason}
                for row in comparison.failures
            ],
            "more": [table.records() for table in extra],
        },
        ensure_ascii=False,
        indent=2,
    )


def rows_csv(rows: Iterable[ResultRow], measures: tuple[str, ...]) -> str:
    """Return one CSV line for each system on each page."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = [f"{name}_{part}" for name in measures for part in ("precision", "recall", "f1")]
    names = ["corpus", "page", "site", "lang", "type", "system", "outcome", *scores, "kept", "left_out"]
    writer.writerow([*names, "headline", "authors", "date", "words", "seconds", "page_seconds", "reason"])
    for row in rows:
        sample, measured = row.sample, row.measured
        figures: list[Cell] = []
        for name in measures:
            score = measured.scores.get(name)
            figures += ["", "", ""] if score is None else [score.precision, score.recall, score.f1]
        counts = measured.segments
        kept = "" if counts is None else f"{counts.tp}/{counts.tp + counts.fn}"
        left_out = "" if counts is None else f"{counts.tn}/{counts.tn + counts.fp}"
        verdicts = (measured.headline.value, measured.authors.value, measured.date.value)
        metadata = (sample.corpus, sample.id, sample.site, sample.lang, sample.page_type, row.system, row.outcome.value)
        times = (row.seconds, row.page_seconds)
        cells = (*metadata, *figures, kept, left_out, *verdicts, measured.words, *times, row.reason)
        writer.writerow([_guarded(cell) for cell in cells])
    return out.getvalue().rstrip("\n")


def _guarded(cell: Cell) -> Cell:
    """Escape a table cell that a spreadsheet would interpret as a formula: names and reasons come from pages."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(tuple("=+-@\t\r\n")) else cell
