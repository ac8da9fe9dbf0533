"""The HTML report of a bulk run: a single file without external resources."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from tidings.bulk import files
from tidings.bulk.output import OutputFolder, SplitManifest, totals
from tidings.bulk.readers import pages
from tidings.bulk.schema import AGREED, OTHERWISE, STATUSES, parquet
from tidings.charts import Chart, ChartKind, Series, chart_svg
from tidings.errors import TidingsError
from tidings.page import Page

#: Least number and share of failed audits that retire a template.
_OTHERWISE, _SHARE = 2, 0.1
_SHOWN: Final = 15
_SAMPLE: Final = 8
_COLUMNS: Final = ("status", "reason", "site", "language", "kind", "confidence", "words", "by", "audit")
#: Embedded pages run no scripts and load no pictures or styles.
_POLICY: Final = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)
_STYLE: Final = """body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}td.n{text-align:right}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:1rem 0 2rem}.pair>*{height:26rem;overflow:auto;
border:1px solid #ccc;width:100%;box-sizing:border-box;padding:.6rem}svg{max-width:100%;height:auto}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(24rem,1fr));gap:1rem}figure{margin:0}
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}"""


@dataclass(slots=True)
class RunCounts:
    """Counts over the output rows of a run."""

    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    sites: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    confidence: Counter[int] = field(default_factory=Counter)  # by tenths
    words: Counter[str] = field(default_factory=Counter)
    by: Counter[str] = field(default_factory=Counter)
    audits: Counter[tuple[str, str, bool]] = field(default_factory=Counter)  # site, template, whether it agreed

    def add(self, columns: dict[str, list[Any]]) -> None:
        """Add the counts of further rows."""
        self.statuses.update(columns["status"])
        self.reasons.update(
            f"{status}: {reason}" for status, reason in zip(columns["status"], columns["reason"], strict=True) if reason
        )
        self.sites.update(filter(None, columns["site"]))
        self.languages.update((value or "?").partition("-")[0] for value in columns["language"] if value is not None)
        self.kinds.update(filter(None, columns["kind"]))
        self.confidence.update(min(9, int(10 * value)) for value in columns["confidence"] if value is not None)
        self.words.update(_size(value) for value in columns["words"] if value is not None)
        self.by.update("rules" if value.startswith("rule ") else value for value in filter(None, columns["by"]))
        for site, by, audit in zip(columns["site"], columns["by"], columns["audit"], strict=True):
            if audit is not None:
                template = by.removeprefix("rule ") if audit == AGREED else audit.removeprefix(OTHERWISE)
                self.audits[site, template, audit == AGREED] += 1

    def retired(self) -> dict[str, list[str]]:
        """Return the names of templates that failed their audits (comparisons with the full extraction), by site."""
        result: dict[str, list[str]] = {}
        for (site, template, agreed), count in sorted(self.audits.items()):
            both = count + self.audits[site, template, True]
            if not agreed and count >= _OTHERWISE and count > _SHARE * both:
                result.setdefault(site, []).append(template)
        return result


def _size(words: int) -> str:
    return next((f"{low:,}+" for low in (5000, 2000, 1000, 500, 200, 100, 50, 1) if words >= low), "0")


def run_counts(folder: OutputFolder) -> RunCounts:
    """Count the rows of a run, reading only the necessary columns."""
    counts = RunCounts()
    for address in folder.tables():
        with files.open_file(address) as stream:
            for batch in parquet().ParquetFile(stream).iter_batches(columns=list(_COLUMNS)):
                counts.add({name: batch.column(name).to_pylist() for name in _COLUMNS})
    return counts


def write_report(to: str, folder: OutputFolder, sample: int = _SAMPLE) -> RunCounts:
    """Write the report of a run, and `retired.json` with the templates that failed their audits.

    Raises:
        InputError: the folder has no run.
        ExportError: the report cannot be written.
    """
    run = folder.run()
    counts = run_counts(folder)
    manifests = list(folder.manifests())
    with files.whole_file(to) as stream:
        stream.write(
            "".join(_html(run, counts, manifests, _sample(folder, manifests, sample))).encode("utf-8", "replace")
        )
    if retired := counts.retired():
        with files.whole_file(files.join(folder.address, "retired.json")) as stream:
            stream.write(json.dumps(retired, indent=1).encode())
    return counts


def _html(
    run: dict[str, Any], counts: RunCounts, manifests: Sequence[SplitManifest], sample: Iterable[tuple[str, str, str]]
) -> Iterator[str]:
    summed, whole, failed = totals(iter(manifests))
    yield f"<!doctype html><html lang=en><meta charset=utf-8><title>Bulk report</title><style>{_STYLE}</style>"
    in_files = f"{whole:,} file" + "s" * (whole != 1)
    yield f"<h1>{summed.pages:,} pages, {in_files}</h1><p>Tidings {escape(str(run.get('version')))}, schema "
    yield f"{escape(str(run.get('schema')))}, rules {escape(str(run.get('rules') or 'none'))}.</p>"
    pages_ = max(1, summed.pages)
    yield _table(
        ("processor time a page", f"{1000 * summed.cpu / pages_:.2f} ms"),
        ("pages a second and core", f"{pages_ / summed.cpu:,.0f}" if summed.cpu else "–"),
        ("served by rules", f"{summed.by_rules:,} ({summed.by_rules / pages_:.1%})"),
        ("bytes written", f"{summed.size:,}"),
        *((f"{name}: {STATUSES.get(name, '')}", f"{count:,}") for name, count in counts.statuses.most_common()),
    )
    if failed:
        yield "<h2>Files that failed</h2>" + _table(*((manifest.split.source, manifest.failure) for manifest in failed))
    yield "<h2>What the pages are</h2><div class=charts>"
    for title, what, counter in (
        ("Sites", "site", counts.sites),
        ("Languages", "language", counts.languages),
        ("Kinds of page", "kind", counts.kinds),
        ("Read by", "by", counts.by),
    ):
        yield _bars(title, what, counter.most_common(_SHOWN))
    yield _bars("Confidence", "from", [(f"0.{tenth}", counts.confidence[tenth]) for tenth in range(10)])
    sizes = ("0", "1+", "50+", "100+", "200+", "500+", "1,000+", "2,000+", "5,000+")
    yield _bars("Length of the text", "words", [(size, counts.words[size]) for size in sizes]) + "</div>"
    if counts.reasons:
        yield "<h2>Why pages are not ok</h2>"
        yield _table(*((name, f"{count:,}") for name, count in counts.reasons.most_common(_SHOWN)))
    if counts.audits:
        agreed = sum(count for (*_, is_so), count in counts.audits.items() if is_so)
        otherwise = counts.audits.total() - agreed
        yield f"<h2>Audits</h2><p>{agreed:,} results of rules agreed with the full extraction, "
        yield f"{otherwise:,} did not.</p>"
        retired = [(site, f"{name} is to be retired") for site, names in counts.retired().items() for name in names]
        yield _table(*retired) if retired else ""
    yield "<h2>Some articles next to their pages</h2>"
    for title, text, source in sample:
        framed = escape(_POLICY + source, quote=True)
        yield f"<h3 dir=auto>{escape(title)}</h3><div class=pair><div>{_paragraphs(text)}</div>"
        yield f'<iframe sandbox srcdoc="{framed}" title="the page"></iframe></div>'
    yield "</html>\n"


def _table(*rows: tuple[str, str]) -> str:
    return "<table>" + "".join(f"<tr><td>{escape(a)}<td class=n>{escape(b)}" for a, b in rows) + "</table>"


def _bars(title: str, what: str, counts: Sequence[tuple[str, int]]) -> str:
    if not any(count for _, count in counts):
        return ""
    names, values = zip(*counts, strict=True)
    chart = Chart(
        title.lower(), title, what, "pages", tuple(names), (Series("pages", tuple(map(float, values))),), ChartKind.BARS
    )
    return f"<figure>{chart_svg(chart)}</figure>"


def _paragraphs(text: str) -> str:
    return "".join(f"<p dir=auto>{escape(part)}</p>" for part in text.split("\n\n"))


def _sample(folder: OutputFolder, manifests: Sequence[SplitManifest], most: int) -> Iterator[tuple[str, str, str]]:
    """Yield title, text and page of some articles for the report: those with the smallest ids in the first files."""
    remaining = most
    whole = [manifest for manifest in manifests if not manifest.failure]
    for manifest in whole:
        if not remaining:
            break
        with files.open_file(folder.articles(manifest.split)) as stream:
            table = parquet().read_table(stream, columns=["id", "status", "title", "text", "url"])
        rows = sorted((row for row in table.to_pylist() if row["status"] == "ok"), key=lambda row: row["id"])
        selected = {row["id"]: row for row in rows[: -(-most // min(4, len(whole)))]}
        try:
            for record in pages(manifest.split):
                if record.id in selected and remaining:
                    row = selected.pop(record.id)
                    remaining -= 1
                    yield row["title"] or row["url"], row["text"], Page(record.content, record.url or None).source
                if not selected:
                    break
        except TidingsError:  # the input was removed or changed
            continue
