"""The output folder of a run: article files, a manifest for each, and a description of the run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self

from tidings import __version__
from tidings.bulk import files
from tidings.bulk.schema import VERSION
from tidings.bulk.settings import BulkSettings
from tidings.bulk.splits import InputSplit
from tidings.errors import BadExport, InputError, TargetExists

_RUN: Final = "run.json"
ARTICLES: Final = "articles"
_MANIFESTS: Final = "manifest"


@dataclass(frozen=True, slots=True)
class SplitManifest:
    """The result of a split (one part of the input): numbers of pages, the path of its articles, or its error."""

    split: InputSplit
    statuses: Mapping[str, int] = field(default_factory=dict)  # pages by status
    by_rules: int = 0  # pages extracted by rules
    seconds: float = 0.0  # elapsed time
    cpu: float = 0.0  # total processor time
    reading: float = 0.0  # processor time of pages; the rest is input, output and transfer
    size: int = 0  # of the file in bytes
    digest: str = ""  # SHA-256 of the file
    version: str = __version__
    rules: str = ""
    failure: str = ""  # why there is no file

    @property
    def pages(self) -> int:
        """Return the number of rows."""
        return sum(self.statuses.values())

    def as_json(self) -> bytes:
        """Serialise to JSON."""
        return json.dumps(asdict(self), ensure_ascii=True, indent=1).encode() + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """Parse the JSON of `as_json`.

        Raises:
            ValueError: the JSON is invalid.
        """
        values = json.loads(data)
        try:
            return cls(**{**values, "split": InputSplit.from_dict(values["split"])})
        except (TypeError, KeyError) as error:
            raise ValueError(str(error)) from error


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """The folder of a run."""

    address: str

    def begin(self, settings: BulkSettings, rules: str) -> None:
        """Create the output folder, or check that it belongs to the same run, and remove incomplete files.

        Raises:
            TargetExists: the folder belongs to a run with another version or other settings.
            ExportError: the folder cannot be written to.
        """
        description = {
            "schema": VERSION,
            "version": __version__,
            "settings": settings.digest,
            "rules": rules,
            "how": settings.as_dict(),
        }
        run_file = files.join(self.address, _RUN)
        if files.size_of(run_file) is not None:
            existing = self.run()
            for name in ("schema", "version", "settings", "rules"):
                if existing.get(name) != description[name]:
                    raise TargetExists(
                        f"{self.address} is of another run: its {name} is {existing.get(name)!r}, not "
                        f"{description[name]!r};"
                        " name another folder, or remove this one"
                    )
        elif files.is_folder(self.address) and files.files_in(self.address):
            raise TargetExists(f"{self.address} has files in it that no run wrote; name another folder")
        for name in (ARTICLES, _MANIFESTS):
            files.make_folder(files.join(self.address, name))
            for path in files.files_in(files.join(self.address, name)):
                if path.endswith(files.PART):
                    files.remove(path)
        if files.size_of(run_file) is None:
            with files.whole_file(run_file) as stream:
                stream.write(json.dumps(description, indent=1).encode() + b"\n")

    def run(self) -> dict[str, Any]:
        """Return the description of the run, as stored in the output folder.

        Raises:
            InputError: the folder has no run.
            BadExport: the description cannot be read.
        """
        run_file = files.join(self.address, _RUN)
        if files.size_of(run_file) is None:
            raise InputError(
                f"{self.address} is no folder of a run: `tidings bulk run … --to {self.address}` makes one"
            )
        try:
            description = json.loads(files.read_bytes(run_file))
        except ValueError as error:
            raise BadExport(f"{run_file} is damaged: {error}; remove the folder and run it again") from error
        if not isinstance(description, dict):
            raise BadExport(f"{run_file} is damaged; remove the folder and run it again")
        return description

    def articles(self, split: InputSplit) -> str:
        """Return the path of the article file of a split."""
        return files.join(self.address, ARTICLES, f"{split.name}.parquet")

    def manifest(self, split: InputSplit) -> str:
        """Return the path of the manifest of a split."""
        return files.join(self.address, _MANIFESTS, f"{split.name}.json")

    def done(self, split: InputSplit) -> SplitManifest | None:
        """Return the manifest of a finished split whose file is complete, else None."""
        try:
            manifest = SplitManifest.from_json(files.read_bytes(self.manifest(split)))
        except (InputError, ValueError):
            return None
        if manifest.failure or files.size_of(self.articles(split)) != manifest.size:
            return None
        return manifest

    def write(self, manifest: SplitManifest) -> None:
        """Write the manifest of a split, after its articles.

        Raises:
            ExportError: the manifest cannot be written.
        """
        with files.whole_file(self.manifest(manifest.split)) as stream:
            stream.write(manifest.as_json())

    def manifests(self) -> Iterator[SplitManifest]:
        """Yield the manifests of all finished or failed splits. Unreadable ones count as unfinished."""
        for path in files.files_in(files.join(self.address, _MANIFESTS)):
            if path.endswith(".json"):
                try:
                    yield SplitManifest.from_json(files.read_bytes(path))
                except (InputError, ValueError):
                    continue

    def tables(self) -> list[str]:
        """Return the article files of all finished splits."""
        return [self.articles(manifest.split) for manifest in self.manifests() if not manifest.failure]


def totals(manifests: Iterator[SplitManifest]) -> tuple[SplitManifest, int, list[SplitManifest]]:
    """Return the sums over all splits, the number of finished ones, and the failed ones."""
    summed: SplitManifest = SplitManifest(InputSplit("files", ""))
    statuses: Counter[str] = Counter()
    done, failed = 0, []
    for manifest in manifests:
        if manifest.failure:
            failed.append(manifest)
            continue
        done += 1
        statuses.update(manifest.statuses)
        summed = replace(
            summed,
            by_rules=summed.by_rules + manifest.by_rules,
            seconds=summed.seconds + manifest.seconds,
            cpu=summed.cpu + manifest.cpu,
            reading=summed.reading + manifest.reading,
            size=summed.size + manifest.size,
            rules=manifest.rules,
        )
    return replace(summed, statuses=dict(statuses)), done, failed
