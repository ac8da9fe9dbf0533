"""`tidings sites`: look at what is known of sites, teach it, try it, take it away."""

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
    typer.Option("--sites", help="File to keep it in; else TIDINGS_SITES, else sites.db in your data folder."),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="FILE", help="What a watch has learned instead: its store, a file or postgresql://…"
    ),
]


@contextmanager
def known_sites(file: Path | None, store: str | None, *, make: bool = False) -> Iterator[SiteMemory]:
    """What is known of sites; `make` begins a store that is not there.

    Raises:
        InputError: a file and a store were named, or a store that is not there.
    """
    if file is not None and store is not None:
        raise InputError("what is known of sites is in one place: name it with --sites or with --store, not with both")
    with _in_file(file) if store is None else _in_store(store, make) as memory:
        try:
            yield memory
        finally:
            memory.close()


@contextmanager
def _in_file(file: Path | None) -> Iterator[SiteMemory]:
    from tidings.sites import SiteMemory
    from tidings.sites.place import default_file
    from tidings.sites.storage import SitesFile

    storage = SitesFile(file or default_file())
    if storage.set_aside is not None:
        typer.echo(f"{storage.path} was damaged: it is kept as {storage.set_aside.name}, and a new one begun", err=True)
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
    help="What is known of sites: rules by which their pages are cut out as strings.",
    no_args_is_help=True,
    context_settings={"help_option_names": HELP_OPTIONS},
)

_Name = Annotated[str, typer.Argument(metavar="SITE", help="The host, without www.")]
_Pages = Annotated[list[str], typer.Argument(metavar="PAGE…", help="Files, folders or patterns; pages of the site.")]


@sites.command("list")
def list_(form: Form = ListFormat.TABLE, output: Output = None, file: File = None, store: Store = None) -> None:
    """Every site of which something is known, and how its rules have fared."""
    from tidings.sites import Site

    headings = ("site", "templates", "served", "doubted", "last served", "last doubt", "damaged")
    rows = []
    with known_sites(file, store) as memory:
        sites = {name: memory.site(name) for name in memory.names()}
        quarantined = memory.storage.quarantined()  # after all were read
        for name, site in sorted({**{name: Site(name) for name in quarantined}, **sites}.items()):
            health = [known.health for known in site.valid]
            last = max((one.last_served for one in health if one.last_served), default=None)
            doubt = next((one.last_doubt for one in health if one.last_doubt), "")
            counts = (sum(one.served for one in health), sum(one.doubted for one in health))
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
    write_list(records, form, output, headings, rows, "nothing is known of any site; `tidings sites learn` learns one")


@sites.command()
def show(
    name: _Name,
    form: Annotated[
        str, typer.Option("--format", "-f", help="table, xml (hybrid paper), text (site configuration) or json.")
    ] = "table",
    log: Annotated[bool, typer.Option("--log", help="What happened to the site, and why.")] = False,
    page: Annotated[
        Path | None, typer.Option("--page", metavar="FILE", help="As xml: with what the rules cut out of this page.")
    ] = None,
    file: File = None,
    store: Store = None,
) -> None:
    """The rules of one site; as xml, text or json they can be edited and given back with `learn --rules`."""
    from tidings.sites import formats
    from tidings.sites.formats import xml_rules

    with known_sites(file, store) as memory:
        site = memory.site(name)
        if log:
            rows = ((f"{event.at:%Y-%m-%d %H:%M:%S}", event.what, event.why) for event in memory.log(name))
            print_table(("when", "what", "why"), rows)
        elif page is not None:
            if form != "xml":
                raise InputError("what rules cut out of a page is shown in xml; add --format xml")
            typer.echo(xml_rules.dumps(site, _contents(site, Input(str(page)).read(), page)), nl=False)
        elif form == "table":
            _show(site)
        else:
            typer.echo(formats.write(site, form), nl=False)


def _contents(site: Site, data: bytes, file: Path) -> dict[str, dict[str, str]]:
    """What the rules of the first template that fits cut out of a page, by field."""
    from tidings.sites.cut import RuleMismatch, cut
    from tidings.sites.rule import MAIN

    doubts = []
    for template in (known.template for known in site.valid):
        try:
            article = cut(template, data, _address(data, site.name, file.stem)).article
        except RuleMismatch as doubt:
            doubts.append(f"{template.name}: {doubt}")
            continue
        told = {MAIN: article.text}
        for rule in template.rules:
            value = getattr(article, rule.field, "")
            told.setdefault(rule.field, ", ".join(map(_field, value)) if isinstance(value, tuple) else _field(value))
        return {template.name: told}
    raise InputError(f"no rule of {site.name} fits {file}: {'; '.join(doubts) or 'there is none'}")


def _field(value: object) -> str:
    """Return a value of an article as text: of a picture its address, of other records their texts."""
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
        fared = f"served {health.served:,}, doubted {health.doubted:,}"
        typer.echo(plain(f"{template.name}: {template.learned}{agreement}{ended}; {fared}"))
        rows = ((rule.field, str(rule.way), str(rule).partition(": ")[2]) for rule in template.rules)
        print_table(("field", "way", "rule"), rows)


@sites.command()
def learn(
    name: _Name,
    given: Annotated[list[str] | None, typer.Argument(metavar="PAGE…", help="Pages of the site.")] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", help="Take the rules from this file (xml, text or json) instead.")
    ] = None,
    teacher: Annotated[
        str,
        typer.Option("--teacher", metavar="NAME", help="Who reads the pages: tree, or an extractor."),
    ] = "",
    file: File = None,
    store: Store = None,
) -> None:
    """Learn the rules of a site from some of its pages (five are good, one is better than none), or from a file.

    The default extractor teaches; `--teacher tree` has the decision tree of the hybrid approach do it.
    """
    from tidings.extractors import DEFAULT, extractor
    from tidings.sites import Reader, formats
    from tidings.sites.storage import SitePage

    with known_sites(file, store, make=True) as memory:
        if rules is not None:
            site, unread = formats.read(_text(rules), name)
            if site.name != name:
                raise BadRules(f"{rules} holds the rules of {site.name}, not of {name}")
            for line in unread:
                typer.echo(f"not read: {line}", err=True)
            memory.write(site, f"from {rules}")
            typer.echo(f"{name}: {sum(len(known.template.rules) for known in site.templates)} rules", err=True)
            return
        if not given:
            raise InputError("name pages to learn from, or a file of rules with --rules")
        who = extractor({"": DEFAULT, "tree": "block-tree"}.get(teacher, teacher))
        found = find(given)
        memory.storage.drop_pages(name)
        for one in tracked(found, "reading"):
            data = one.read()
            memory.keep(name, SitePage(_address(data, name, one.stem), data))
        made = Reader(memory, learn_from=max(len(found), 1), teacher=who).learn(name, least=min(2, len(found)))
        if not made:
            typer.echo(f"{name}: no rule serves these pages; read them with `tidings extract`", err=True)
            raise typer.Exit(1)
        _show(memory.site(name))


@sites.command("test")
def try_(name: _Name, given: _Pages, file: File = None, store: Store = None) -> None:
    """Cut pages out by a site's rules and compare with the default extractor. Nothing is learned or counted."""
    import time

    from tidings import extract
    from tidings.sites.cut import RuleMismatch, cut
    from tidings.sites.induce import word_f1

    rows = []
    served = 0
    with known_sites(file, store) as memory:
        known = memory.site(name).valid
    found = find(given)
    for one in tracked(found, "cutting"):
        data = one.read()
        url = _address(data, name, one.stem)
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
        rows.append((one.name, *row, "; ".join(doubts)))
    print_table(("page", "served by", "like the default", "quicker", "doubts"), rows)
    typer.echo(f"{served} of {len(found)} pages served by rules", err=True)


@sites.command()
def replay(
    name: _Name,
    given: _Pages,
    learn_from: Annotated[int, typer.Option("--learn-from", min=1, help="Pages that rules are learned from.")] = 5,
    file: File = None,
    store: Store = None,
) -> None:
    """Read pages one after another as if they came in today: cut where rules fit, learn where they do not."""
    from tidings.sites import Reader

    rows: list[tuple[object, ...]] = []
    with known_sites(file, store) as memory:
        reader = Reader(memory, learn_from=learn_from)
        found = find(given)
        for one in tracked(found, "reading"):
            data = one.read()
            try:
                article = reader.extract(data, _address(data, name, one.stem))
            except PageError as error:
                rows.append((one.name, "", str(error), ""))
                continue
            rows.append((one.name, article.provenance.get("body", ""), article.title, len(article.words)))
        events = memory.log(name)[-10:]
    print_table(("page", "read by", "title", "words"), rows)
    for event in events:
        typer.echo(f"{event.at:%H:%M:%S} {event.what}: {event.why}", err=True)


@sites.command("export")
def export_(
    to: Annotated[str, typer.Argument(metavar="FILE", help="File (.parquet), for `tidings bulk run --rules`.")],
    file: File = None,
    store: Store = None,
) -> None:
    """The rules of all sites as one file that nobody writes to."""
    from tidings.bulk.rules import write_rules

    with known_sites(file, store) as memory:
        made = write_rules(to, (memory.site(name) for name in memory.names()))
    typer.echo(f"{len(made.texts):,} sites with rules in {to}, version {made.version}", err=True)


@sites.command("import")
def import_(
    given: Annotated[str, typer.Argument(metavar="FILE", help="File of rules (.parquet).")],
    file: File = None,
    store: Store = None,
) -> None:
    """Take over the rules of a file: templates that a site has already stay, others stand beside them."""
    from tidings.bulk.rules import merged, read_rules

    with known_sites(file, store, make=True) as memory:
        count = 0
        for site in read_rules(given).sites():
            memory.change(
                site.name,
                lambda known, site=site: merged([known, site]),  # type: ignore[misc]
                "imported",
                f"from {given}",
            )
            count += 1
    typer.echo(f"{count:,} sites", err=True)


@sites.command("merge")
def merge(
    given: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files of rules (.parquet).")],
    to: Annotated[
        str, typer.Option("--output", "-o", "--to", metavar="FILE", help="File for all of them together.")
    ] = "rules.parquet",
    without: Annotated[
        str, typer.Option("--without", metavar="FILE", help="Retired templates, as `tidings bulk report` writes them.")
    ] = "",
) -> None:
    """What several have learned, in one file; without what audits have retired."""
    import json

    from tidings.bulk.files import read_bytes
    from tidings.bulk.rules import read_rules, without_retired, write_rules

    try:
        retired = json.loads(read_bytes(without)) if without else {}
    except ValueError as error:
        raise BadRules(f"{without} is no list of retired templates: {error}") from error
    found = [site for one in given for site in without_retired(read_rules(one), retired)]
    made = write_rules(to, found)
    typer.echo(f"{len(made.texts):,} sites with rules in {to}, version {made.version}", err=True)


@sites.command()
def forget(name: _Name, file: File = None, store: Store = None) -> None:
    """Forget all that is known of a site."""
    with known_sites(file, store) as memory:
        memory.forget(name)
    typer.echo(f"{name} is forgotten", err=True)


def _address(data: bytes, site: str, stem: str) -> str:
    """The address that a page says it has, if it is one of the site's; else one that stands for it."""
    from tidings import Page
    from tidings.urls import site_of

    try:
        signals = Page(data).signals
    except PageError:
        return f"http://{site}/{stem}"
    for told in (*(href for rel, href in signals.links if rel == "canonical"), *signals.all("og:url")):
        if site_of(told) == site:
            return told
    return f"http://{site}/{stem}"


def _text(path: Path) -> str:
    from tidings.sites.formats import LARGEST

    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return stream.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
