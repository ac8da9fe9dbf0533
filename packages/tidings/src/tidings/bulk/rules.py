"""The rules of all sites in one read-only file: learned in the first pass of a bulk run, and fixed during the
second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from tidings.bulk import files
from tidings.bulk.schema import arrow, parquet
from tidings.errors import BadRules
from tidings.sites.extraction.article_text import TextCutting, cut_text
from tidings.sites.extraction.cut import Cutting, RuleMismatch, Tolerance, cut
from tidings.sites.storage import as_json
from tidings.sites.templates.rule import MOST_TEMPLATES, Template, fits
from tidings.sites.templates.site import Site, TrackedTemplate

_MARK: Final = b"rules 1"
#: Number of sites with cached rules.
_READY: Final = 20_000
#: These rules are not corrected while they are applied, so the tolerance is strict: other texts go to the full
#: extraction. Chosen on three samples, measured on others (docs/explanation/scale.md).
TOLERANCE: Final = Tolerance(shorter=0.9, longer=1.5, more_links=0.05)


@dataclass(frozen=True, slots=True)
class SiteRules:
    """The rules of many sites, parsed on demand."""

    version: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)  # by site, as JSON
    _ready: dict[str, tuple[Template, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.texts)

    def templates(self, site: str) -> tuple[Template, ...]:
        """Return the active templates of a site in order."""
        result = self._ready.get(site)
        if result is None:
            text = self.texts.get(site)
            result = tuple(tracked.template for tracked in as_json.loads(text).valid) if text else ()
            if len(self._ready) >= _READY:
                self._ready.clear()
            self._ready[site] = result
        return result

    def cut(
        self, site: str, data: bytes, url: str, *, whole: bool = False
    ) -> tuple[Template, Cutting | TextCutting] | None:
        """Extract a page by the rules of its site, as an article or as text and fields; None if no rule matches."""
        for template in self.templates(site) if site else ():
            if not fits(template.pattern, url):
                continue
            try:
                extract = cut if whole else cut_text
                return template, extract(template, data, url, TOLERANCE)
            except RuleMismatch:
                continue
        return None

    def sites(self) -> Iterator[Site]:
        """Yield all sites."""
        for text in self.texts.values():
            yield as_json.loads(text)


NO_RULES: Final = SiteRules()


@lru_cache(maxsize=2)
def read_rules(address: str) -> SiteRules:
    """Read a file of rules.

    Raises:
        InputError: the file cannot be read.
        BadRules: the file contains no rules.
    """
    pa = arrow()
    with files.open_file(address) as stream:
        try:
            table = parquet().read_table(stream)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise BadRules(f"{address} is not a file of rules: {error}") from error
    metadata = table.schema.metadata or {}
    if metadata.get(b"tidings") != _MARK:
        mark = metadata.get(b"tidings", b"nothing").decode("utf-8", "replace")
        raise BadRules(f"{address} is not a file of rules: its mark is {mark!r}, not {_MARK.decode()!r}")
    texts = dict(zip(table.column("site").to_pylist(), table.column("rules").to_pylist(), strict=True))
    return SiteRules(metadata[b"version"].decode(), texts)


def write_rules(address: str, sites: Iterable[Site]) -> SiteRules:
    """Write rules of sites to a file, and return them. Equal rules get equal versions.

    Raises:
        ExportError: the file cannot be written.
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
    """Return a site with its active templates only, without usage counts."""
    return Site(site.name, tuple(TrackedTemplate(tracked.template) for tracked in site.valid))


def merged(sites: Iterable[Site]) -> Site:
    """Merge what several processes have learned about a site. Templates with different rules are all included."""
    first, *others = sites
    templates = list(first.templates)
    for other in others:
        for tracked in other.templates:
            same = next(
                (candidate for candidate in templates if candidate.template.rules == tracked.template.rules), None
            )
            if same is None:
                names = {candidate.template.name for candidate in templates}
                number = len(names) + 1
                while f"template-{number}" in names:
                    number += 1
                name = tracked.template.name if tracked.template.name not in names else f"template-{number}"
                templates.append(replace(tracked, template=replace(tracked.template, name=name)))
            else:
                expected = same.template.expected.merged_with(tracked.template.expected)
                noise = same.template.noise | tracked.template.noise
                combined = replace(same.template, expected=expected, noise=noise)
                templates[templates.index(same)] = replace(same, template=combined)
    return replace(first, templates=tuple(templates[:MOST_TEMPLATES]))


def without_retired(rules: SiteRules, retired: Mapping[str, Any]) -> list[Site]:
    """Return all sites without the retired templates; `*` means all templates of a site."""
    result = []
    for site in rules.sites():
        names = retired.get(site.name, ())
        remaining = tuple(tracked for tracked in site.templates if not {tracked.template.name, "*"} & set(names))
        if remaining:
            result.append(replace(site, templates=remaining))
    return result
