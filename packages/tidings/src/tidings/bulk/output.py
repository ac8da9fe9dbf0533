"""Where a run writes to: files of articles, a manifest for each, and what the run was."""

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
    """What became of a split."""

    split: InputSplit
    statuses: Mapping[str, int] = field(default_factory=dict)  # pages by status
    by_rules: int = 0  # pages that rules have served
    seconds: float = 0.0  # from beginning to end
    cpu: float = 0.0  # of processor time, all in all
    reading: float = 0.0  # of it that pages took; the rest is archives, files and handing over
    size: int = 0  # of the file, in bytes
    digest: str = ""  # of the file, SHA-256
    version: str = __version__
    rules: str = ""
    failure: str = ""  # why there is no file

    @property
    def pages(self) -> int:
        """How many rows there are."""
        return sum(self.statuses.values())

    def as_json(self) -> bytes:
        """For its file."""
        return json.dumps(asdict(self), ensure_ascii=True, indent=1).encode() + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """As `as_json` wrote it.

        Raises:
            ValueError: it did not.
        """
        said = json.loads(data)
        try:
            return cls(**{**said, "split": InputSplit.from_dict(said["split"])})
        except (TypeError, KeyError) as error:
            raise ValueError(str(error)) from error


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """The folder of a run."""

    address: str

    def begin(self, settings: BulkSettings, rules: str) -> None:
        """Make it, or see that it is of the same run; what an earlier run left behind half-written is swept away.

        Raises:
            TargetExists: it is of a run with another version or other settings.
            ExportError: it cannot be written to.
        """
        said = {
            "schema": VERSION,
            "version": __version__,
            "settings": settings.digest,
            "rules": rules,
            "how": settings.as_dict(),
        }
        told = files.joined(self.address, _RUN)
        if files.size_of(told) is not None:
            there = self.run()
            for name in ("schema", "version", "settings", "rules"):
                if there.get(name) != said[name]:
                    raise TargetExists(
                        f"{self.address} is of another run: its {name} is {there.get(name)!r}, not {said[name]!r};"
                        " name another folder, or remove this one"
                    )
        elif files.is_folder(self.address) and files.files_in(self.address):
            raise TargetExists(f"{self.address} has files in it that no run wrote; name another folder")
        for name in (ARTICLES, _MANIFESTS):
            files.make_folder(files.joined(self.address, name))
            for one in files.files_in(files.joined(self.address, name)):
                if one.endswith(files.PART):
                    files.remove(one)
        if files.size_of(told) is None:
            with files.whole_file(told) as stream:
                stream.write(json.dumps(said, indent=1).encode() + b"\n")

    def run(self) -> dict[str, Any]:
        """What the run says of itself.

        Raises:
            InputError: no run has written here.
            BadExport: what it says cannot be read.
        """
        told = files.joined(self.address, _RUN)
        if files.size_of(told) is None:
            raise InputError(
                f"{self.address} is no folder of a run: `tidings bulk run … --to {self.address}` makes one"
            )
        try:
            found = json.loads(files.read_bytes(told))
        except ValueError as error:
            raise BadExport(f"{told} is damaged: {error}; remove the folder and run it again") from error
        if not isinstance(found, dict):
            raise BadExport(f"{told} is damaged; remove the folder and run it again")
        return found

    def articles(self, split: InputSplit) -> str:
        """The file of a split."""
        return files.joined(self.address, ARTICLES, f"{split.name}.parquet")

    def manifest(self, split: InputSplit) -> str:
        """The manifest of a split."""
        return files.joined(self.address, _MANIFESTS, f"{split.name}.json")

    def done(self, split: InputSplit) -> SplitManifest | None:
        """What became of a split that is done, and whose file is whole; None if it is to be done."""
        try:
            found = SplitManifest.from_json(files.read_bytes(self.manifest(split)))
        except (InputError, ValueError):
            return None
        if found.failure or files.size_of(self.articles(split)) != found.size:
            return None
        return found

    def write(self, manifest: SplitManifest) -> None:
        """Keep what became of a split; the file of its articles is there already.

        Raises:
            ExportError: it cannot be written.
        """
        with files.whole_file(self.manifest(manifest.split)) as stream:
            stream.write(manifest.as_json())

    def manifests(self) -> Iterator[SplitManifest]:
        """Of all splits that are done or failed; one that cannot be read counts as not done."""
        for one in files.files_in(files.joined(self.address, _MANIFESTS)):
            if one.endswith(".json"):
                try:
                    yield SplitManifest.from_json(files.read_bytes(one))
                except (InputError, ValueError):
                    continue

    def tables(self) -> list[str]:
        """The files of all splits that are done."""
        return [self.articles(one.split) for one in self.manifests() if not one.failure]


def totals(manifests: Iterator[SplitManifest]) -> tuple[SplitManifest, int, list[SplitManifest]]:
    """Of all splits together: the sums, how many are done, and those that failed."""
    summed: SplitManifest = SplitManifest(InputSplit("files", ""))
    statuses: Counter[str] = Counter()
    done, failed = 0, []
    for one in manifests:
        if one.failure:
            failed.append(one)
            continue
        done += 1
        statuses.update(one.statuses)
        summed = replace(
            summed,
            by_rules=summed.by_rules + one.by_rules,
            seconds=summed.seconds + one.seconds,
            cpu=summed.cpu + one.cpu,
            reading=summed.reading + one.reading,
            size=summed.size + one.size,
            rules=one.rules,
        )
    return replace(summed, statuses=dict(statuses)), done, failed
