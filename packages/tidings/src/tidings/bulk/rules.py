"""Rules of all sites in one file that nobody writes to: learned in one pass, the same for all of the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from tidings.bulk import files
from tidings.bulk.schema import arrow, parquet
from tidings.errors import BadRules
from tidings.sites import as_json
from tidings.sites.article_text import TextCutting, cut_text
from tidings.sites.cut import Cutting, RuleMismatch, Tolerance, cut
from tidings.sites.rule import MOST_TEMPLATES, Template, fits
from tidings.sites.site import Site, TrackedTemplate

_MARK: Final = b"rules 1"
#: Sites whose rules are held ready.
_READY: Final = 20_000
#: Nobody corrects these rules while they are applied, so a text unlike those that they were learned from is read the
#: long way. Three draws of pages to learn from chose it, others measured it (docs/explanation/scale.md).
TOLERANCE: Final = Tolerance(shorter=0.9, longer=1.5, more_links=0.05)


@dataclass(frozen=True, slots=True)
class SiteRules:
    """The rules of many sites. They are made ready when a page of the site comes."""

    version: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)  # by site, as JSON
    _ready: dict[str, tuple[Template, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.texts)

    def templates(self, site: str) -> tuple[Template, ...]:
        """The templates of a site that are tried, in their order."""
        found = self._ready.get(site)
        if found is None:
            text = self.texts.get(site)
            found = tuple(known.template for known in as_json.loads(text).valid) if text else ()
            if len(self._ready) >= _READY:
                self._ready.clear()
            self._ready[site] = found
        return found

    def cut(
        self, site: str, data: bytes, url: str, *, whole: bool = False
    ) -> tuple[Template, Cutting | TextCutting] | None:
        """What the rules of a site cut out of a page, as a whole article or as text and fields; None if none fits."""
        for template in self.templates(site) if site else ():
            if not fits(template.pattern, url):
                continue
            try:
                made = cut if whole else cut_text
                return template, made(template, data, url, TOLERANCE)
            except RuleMismatch:
                continue
        return None

    def sites(self) -> Iterator[Site]:
        """All that is known, site by site."""
        for text in self.texts.values():
            yield as_json.loads(text)


NO_RULES: Final = SiteRules()


@lru_cache(maxsize=2)
def read_rules(address: str) -> SiteRules:
    """The rules in a file.

    Raises:
        InputError: it cannot be read.
        BadRules: it is no file of rules.
    """
    pa = arrow()
    with files.open_file(address) as stream:
        try:
            table = parquet().read_table(stream)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise BadRules(f"{address} is no file of rules: {error}") from error
    told = table.schema.metadata or {}
    if told.get(b"tidings") != _MARK:
        said = told.get(b"tidings", b"nothing").decode("utf-8", "replace")
        raise BadRules(f"{address} is no file of rules: it says {said!r} of itself, not {_MARK.decode()!r}")
    texts = dict(zip(table.column("site").to_pylist(), table.column("rules").to_pylist(), strict=True))
    return SiteRules(told[b"version"].decode(), texts)


def write_rules(address: str, sites: Iterable[Site]) -> SiteRules:
    """Write the rules of sites into one file, and say their version: the same rules have the same one.

    Raises:
        ExportError: it cannot be written.
    """
    pa = arrow()
    named: dict[str, Site] = {}
    for site in sites:
        named[site.name] = merged([named[site.name], site]) if site.name in named else site
    texts = {name: as_json.dumps(_bare(site)) for name, site in sorted(named.items()) if site.valid}
    version = blake2b("\n".join(texts.values()).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    schema = pa.schema(
        [pa.field("site", pa.string()), pa.field("templates", pa.int64()), pa.field("rules", pa.string())],
        metadata={"tidings": _MARK, "version": version},
    )
    counts = [len(named[name].valid) for name in texts]
    table = pa.table([list(texts), counts, list(texts.values())], schema=schema)
    with files.whole_file(address) as stream:
        parquet().write_table(table, stream, compression="zstd")
    read_rules.cache_clear()
    return SiteRules(version, texts)


def _bare(site: Site) -> Site:
    """What is tried of a site, without how it has fared and what it repeats: the noise is in the templates."""
    return Site(site.name, tuple(TrackedTemplate(known.template) for known in site.valid))


def merged(sites: Iterable[Site]) -> Site:
    """What several have learned of one site: templates with other rules stand beside each other."""
    first, *others = sites
    templates = list(first.templates)
    for other in others:
        for known in other.templates:
            same = next((one for one in templates if one.template.rules == known.template.rules), None)
            if same is None:
                taken = {one.template.name for one in templates}
                number = len(taken) + 1
                while f"template-{number}" in taken:
                    number += 1
                name = known.template.name if known.template.name not in taken else f"template-{number}"
                templates.append(replace(known, template=replace(known.template, name=name)))
            else:
                seen = same.template.expected.merged_with(known.template.expected)
                noise = same.template.noise | known.template.noise
                joined = replace(same.template, expected=seen, noise=noise)
                templates[templates.index(same)] = replace(same, template=joined)
    return replace(first, templates=tuple(templates[:MOST_TEMPLATES]))


def without_retired(rules: SiteRules, retired: Mapping[str, Any]) -> list[Site]:
    """All sites, without the templates that are named; `*` is all of a site."""
    found = []
    for site in rules.sites():
        names = retired.get(site.name, ())
        kept = tuple(known for known in site.templates if not {known.template.name, "*"} & set(names))
        if kept:
            found.append(replace(site, templates=kept))
    return found
