"""`tidings sites`: show, learn, test and delete the templates of known sites."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.inputs import Input, find
from tidings.errors import BadRules, InputError, PageError

if TYPE_CHECKING:
    from tidings.sites import Site
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tidings.cli.output import Form, ListFormat, Output, plain, print_table, tracked, write_list
from tidings.cli.state import HELP_OPTIONS

if TYPE_CHECKING:
    from tidings.sites import SiteMemory


File = Annotated[
    Path | None,
    typer.Option(
        "--sites", help="The file of the templates. Default: TIDINGS_SITES, else sites.db in your data folder."
    ),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="FILE", help="Use the templates in this store of the portal: a file or postgresql://…."
    ),
]


@contextmanager
def known_sites(file: Path | None, store: str | None, *, make: bool = False) -> Iterator[SiteMemory]:
    """Open a file of learned sites, or the sites of a store.

    Args:
        file: a file of templates.
        store: a store of the portal instead.
        make: create the store if it does not exist.

    Raises:
        InputError: both a file and a store are named, or the store does not exist.
    """
    if file is not None and store is not None:
        raise InputError("use --sites or --store, not both")
    with _in_file(file) if store is None else _in_store(store, make) as memory:
        try:
            yield memory
        finally:
            memory.close()


@contextmanager
def _in_file(file: Path | None) -> Iterator[SiteMemory]:
    from tidings.sites import SiteMemory
    from tidings.sites.storage.backends import SitesFile
    from tidings.sites.storage.default_paths import default_file

    storage = SitesFile(file or default_file())
    if storage.set_aside is not None:
        typer.echo(
            f"{storage.path} was damaged: it was renamed to {storage.set_aside.name}, and a new file was created",
            err=True,
        )
    yield SiteMemory(storage)


@contextmanager
def _in_store(store: str, make: bool) -> Iterator[SiteMemory]:
    from tidings.plugins import store_feature
    from tidings.sites import SiteMemory

    open_sites = store_feature("sites", "--store").load()
    with open_sites(store, make=make) as storage:
        yield SiteMemory(storage)


sites = typer.Typer(
    name="sites",
    help="Templates of known sites, which extract their pages by cutting strings.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)

_Name = Annotated[str, typer.Argument(metavar="SITE", help="The host without www.")]
_Pages = Annotated[list[str], typer.Argument(metavar="PAGE…", help="Pages of the site: files, folders or patterns.")]


@sites.command("list")
def list_(form: Form = ListFormat.TABLE, output: Output = None, file: File = None, store: Store = None) -> None:
    """List the known sites, and how often their templates were used and failed."""
    from tidings.sites import Site

    headings = ("site", "templates", "served", "mismatched", "last served", "last mismatch", "damaged")
    rows = []
    with known_sites(file, store) as memory:
        sites = {name: memory.site(name) for name in memory.names()}
        quarantined = memory.storage.quarantined()  # after all were read
        for name, site in sorted({**{name: Site(name) for name in quarantined}, **sites}.items()):
            health = [known.health for known in site.valid]
            last = max((one.last_served for one in health if one.last_served), default=None)
            doubt = next((one.last_mismatch for one in health if one.last_mismatch), "")
            counts = (sum(one.served for one in health), sum(one.mismatched for one in health))
            rows.append(
                (
                    name,
                    len(site.valid),
                    *counts,
                    last.isoformat() if last else "",
                    doubt,
                    "set aside" * (name in quarantined),
                )
            )
    records = [dict(zip((one.replace(" ", "_") for one in headings), row, strict=True)) for row in rows]
    write_list(records, form, output, headings, rows, "no site is known; `tidings sites learn` learns one")


@sites.command()
def show(
    name: _Name,
    form: Annotated[
        str, typer.Option("--format", "-f", help="table, xml (hybrid paper), text (site configuration) or json.")
    ] = "table",
    log: Annotated[bool, typer.Option("--log", help="Show the log of the site: what happened, and why.")] = False,
    page: Annotated[
        Path | None,
        typer.Option("--page", metavar="FILE", help="With --format xml: add what the rules cut out of this page."),
    ] = None,
    file: File = None,
    store: Store = None,
) -> None:
    """Show the templates of a site. Output as xml, text or json can be edited and loaded with `learn --rules`."""
    from tidings.sites import formats
    from tidings.sites.formats import xml_rules

    with known_sites(file, store) as memory:
        site = memory.site(name)
        if log:
            rows = ((f"{event.at:%Y-%m-%d %H:%M:%S}", event.what, event.why) for event in memory.log(name))
            print_table(("when", "what", "why"), rows)
        elif page is not None:
            if form != "xml":
                raise InputError("--page needs --format xml")
            typer.echo(xml_rules.dumps(site, _contents(site, Input(str(page)).read(), page)), nl=False)
        elif form == "table":
            _show(site)
        else:
            typer.echo(formats.write(site, form), nl=False)


def _contents(site: Site, data: bytes, file: Path) -> dict[str, dict[str, str]]:
    """Return the values of all fields that a site's templates extract from a page, by the name of the first matching
    template.
    """
    from tidings.sites.extraction.cut import RuleMismatch, cut
    from tidings.sites.templates.rule import MAIN

    doubts = []
    for template in (known.template for known in site.valid):
        try:
            article = cut(template, data, _address(data, site.name, file.stem)).article
        except RuleMismatch as doubt:
            doubts.append(f"{template.name}: {doubt}")
            continue
        content = {MAIN: article.text}
        for rule in template.rules:
            value = getattr(article, rule.field, "")
            content.setdefault(rule.field, ", ".join(map(_field, value)) if isinstance(value, tuple) else _field(value))
        return {template.name: content}
    raise InputError(f"no template of {site.name} matches {file}: {'; '.join(doubts) or 'it has none'}")


def _field(value: object) -> str:
    """Return a field value of an article as text: for a picture its URL, for other records their texts."""
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if is_dataclass(value):
        parts = [getattr(value, one.name) for one in fields(value)]
        return next((str(part) for part in parts if isinstance(part, str) and part), "")
    return str(value)


def _show(site: Site) -> None:
    for known in site.templates:
        template, health = known.template, known.health
        ended = f", ended {template.valid_until}" if template.valid_until else ""
        agreement = "" if template.agreement is None else f", agreement {template.agreement:.3f}"
        fared = f"served {health.served:,}, mismatched {health.mismatched:,}"
        typer.echo(plain(f"{template.name}: {template.learned}{agreement}{ended}; {fared}"))
        rows = ((rule.field, str(rule.way), str(rule).partition(": ")[2]) for rule in template.rules)
        print_table(("field", "way", "rule"), rows)


@sites.command()
def learn(
    name: _Name,
    pages: Annotated[list[str] | None, typer.Argument(metavar="PAGE…", help="Pages of the site.")] = None,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", help="Load the rules from this file (xml, text or json) instead of learning them."),
    ] = None,
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher", metavar="NAME", help="The extractor to learn from, or tree. Default: the default extractor."
        ),
    ] = "",
    file: File = None,
    store: Store = None,
) -> None:
    """Learn templates of a site from some of its pages (about five), or load them from a file.

    They are learned from the results of the default extractor. `--teacher tree` uses the decision tree of the hybrid
    approach.
    """
    from tidings.extractors import DEFAULT, extractor
    from tidings.sites import Reader, formats
    from tidings.sites.storage.backends import SitePage

    with known_sites(file, store, make=True) as memory:
        if rules is not None:
            site, unread = formats.read(_text(rules), name)
            if site.name != name:
                raise BadRules(f"{rules} has the rules of {site.name}, not of {name}")
            for line in unread:
                typer.echo(f"not read: {line}", err=True)
            memory.write(site, f"from {rules}")
            typer.echo(f"{name}: {sum(len(known.template.rules) for known in site.templates)} rules", err=True)
            return
        if not pages:
            raise InputError("name pages to learn from, or a file of rules with --rules")
        who = extractor({"": DEFAULT, "tree": "block-tree"}.get(teacher, teacher))
        inputs = find(pages)
        memory.storage.drop_pages(name)
        for page in tracked(inputs, "reading"):
            data = page.read()
            memory.keep(name, SitePage(_address(data, name, page.stem), data))
        made = Reader(memory, learn_from=max(len(inputs), 1), teacher=who).learn(name, least=min(2, len(inputs)))
        if not made:
            typer.echo(
                f"{name}: no template could be learned from these pages; use `tidings extract` for them", err=True
            )
            raise typer.Exit(1)
        _show(memory.site(name))


@sites.command("test")
def compare_templates(name: _Name, pages: _Pages, file: File = None, store: Store = None) -> None:
    """Compare the templates of a site with the default extractor on pages. Nothing is learned or counted."""
    import time

    from tidings import extract
    from tidings.sites.extraction.cut import RuleMismatch, cut
    from tidings.sites.learning import word_f1

    rows = []
    served = 0
    with known_sites(file, store) as memory:
        known = memory.site(name).valid
    inputs = find(pages)
    for page in tracked(inputs, "cutting"):
        data = page.read()
        url = _address(data, name, page.stem)
        doubts: list[str] = []
        row = ("", "", "")
        for template in (entry.template for entry in known):
            try:
                begin = time.perf_counter()
                cutting = cut(template, data, url)
                took = time.perf_counter() - begin
                begin = time.perf_counter()
                text = extract(data, url).text
                ratio = (time.perf_counter() - begin) / max(took, 1e-9)
                row = (template.name, f"{word_f1(cutting.article.text, text):.3f}", f"{ratio:.0f} ×")
                served += 1
                break
            except RuleMismatch as doubt:
                doubts.append(f"{template.name}: {doubt}")
            except PageError as error:
                doubts.append(str(error))
        rows.append((page.name, *row, "; ".join(doubts)))
    print_table(("page", "template", "agreement", "speed-up", "why not"), rows)
    typer.echo(f"{served} of {len(inputs)} pages served by templates", err=True)


@sites.command()
def replay(
    name: _Name,
    pages: _Pages,
    learn_from: Annotated[int, typer.Option("--learn-from", min=1, help="Number of pages to learn from.")] = 5,
    file: File = None,
    store: Store = None,
) -> None:
    """Extract pages one after another as a watcher would: use templates where they match, and learn from the others."""
    from tidings.sites import Reader

    rows: list[tuple[object, ...]] = []
    with known_sites(file, store) as memory:
        reader = Reader(memory, learn_from=learn_from)
        for page in tracked(find(pages), "reading"):
            data = page.read()
            try:
                article = reader.extract(data, _address(data, name, page.stem))
            except PageError as error:
                rows.append((page.name, "", str(error), ""))
                continue
            rows.append((page.name, article.provenance.get("body", ""), article.title, len(article.words)))
        events = memory.log(name)[-10:]
    print_table(("page", "extracted by", "title", "words"), rows)
    for event in events:
        typer.echo(f"{event.at:%H:%M:%S} {event.what}: {event.why}", err=True)


@sites.command("export")
def export_(
    to: Annotated[str, typer.Argument(metavar="FILE", help="Output file (.parquet), for `tidings bulk run --rules`.")],
    file: File = None,
    store: Store = None,
) -> None:
    """Write the templates of all sites to one file."""
    from tidings.bulk.rules import write_rules

    with known_sites(file, store) as memory:
        library = write_rules(to, (memory.site(name) for name in memory.names()))
    typer.echo(f"{len(library.texts):,} sites with templates in {to}, version {library.version}", err=True)


@sites.command("import")
def import_(
    rules: Annotated[str, typer.Argument(metavar="FILE", help="File of templates (.parquet).")],
    file: File = None,
    store: Store = None,
) -> None:
    """Add the templates of a file. Templates that a site has already are kept."""
    from tidings.bulk.rules import merged, read_rules

    with known_sites(file, store, make=True) as memory:
        count = 0
        for site in read_rules(rules).sites():
            memory.change(
                site.name,
                lambda known, site=site: merged([known, site]),  # type: ignore[misc]
                "imported",
                f"from {rules}",
            )
            count += 1
    typer.echo(f"{count:,} sites", err=True)


@sites.command("merge")
def merge(
    rules: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files of templates (.parquet).")],
    to: Annotated[str, typer.Option("--output", "-o", "--to", metavar="FILE", help="Output file.")] = "rules.parquet",
    without: Annotated[
        str,
        typer.Option(
            "--without",
            metavar="FILE",
            help="Leave out the retired templates of this file, written by `tidings bulk report`.",
        ),
    ] = "",
) -> None:
    """Merge files of templates, without those that audits have retired."""
    import json

    from tidings.bulk.files import read_bytes
    from tidings.bulk.rules import read_rules, without_retired, write_rules

    try:
        retired = json.loads(read_bytes(without)) if without else {}
    except ValueError as error:
        raise BadRules(f"{without} is not a list of retired templates: {error}") from error
    sites_found = [site for file in rules for site in without_retired(read_rules(file), retired)]
    library = write_rules(to, sites_found)
    typer.echo(f"{len(library.texts):,} sites with templates in {to}, version {library.version}", err=True)


@sites.command()
def forget(name: _Name, file: File = None, store: Store = None) -> None:
    """Delete the templates and pages of a site."""
    with known_sites(file, store) as memory:
        memory.forget(name)
    typer.echo(f"{name} was deleted", err=True)


def _address(data: bytes, site: str, stem: str) -> str:
    """Return the URL that a page declares if it belongs to the site, else a URL made from its file name."""
    from tidings import Page
    from tidings.urls import site_of

    try:
        signals = Page(data).signals
    except PageError:
        return f"http://{site}/{stem}"
    for url in (*(href for rel, href in signals.links if rel == "canonical"), *signals.all("og:url")):
        if site_of(url) == site:
            return url
    return f"http://{site}/{stem}"


def _text(path: Path) -> str:
    from tidings.sites.formats import LARGEST

    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
