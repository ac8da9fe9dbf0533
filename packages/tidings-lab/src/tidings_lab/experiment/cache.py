"""Rows on disk, by what they were made of: the page, its gold, the system with its code, and the measures.

One SQLite file. Only the process that watches the workers writes, and each page's rows are written when they are there,
so that a run that was ended in the middle goes on where it was.

A digest of the code behind a result: of the modules it comes from and all of Tidings that these import.

Imports are read from the source, not followed at run time, so that an import inside a function counts too. Data files
(word lists, trained trees) count with the package they are in. Beside a module of a user that is in no package, a file
counts if the source names it. So a change in one extractor makes only what it has a part in be computed again.
"""

from __future__ import annotations

import ast
import json
import os
import sqlite3
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from tidings.errors import InputError
from tidings.processes.shared_files import connect

_ROOT: Final = "tidings"


def digest(modules: Iterable[str]) -> str:
    """A digest of modules and of everything of Tidings behind them."""
    whole = sha256()
    files = {module: file for module in behind(frozenset(modules)) if (file := _file(module)) is not None}
    for module in sorted(files):
        whole.update(f"{module} {_of_file(files[module])}\n".encode())
    packages = {file.parent for module, file in files.items() if "." in module or file.name == "__init__.py"}
    data_files = [file for folder in sorted(packages) for file in _besides(folder)]
    data_files += [file for module in sorted(files) if "." not in module for file in _named_files(files[module])]
    for file in data_files:
        whole.update(f"{file.name} {_of_file(file)}\n".encode())
    return whole.hexdigest()[:32]


def _named_files(module: Path) -> list[Path]:
    """Return the data files beside a module that its source names.

    Others do not count: the folder may hold anything, such as this cache and the results of a run.
    """
    source = module.read_text(encoding="utf-8", errors="replace")
    files = (file for file in sorted(module.parent.iterdir()) if file.is_file() and file.suffix not in (".py", ".pyc"))
    return [file for file in files if file.name in source]


@cache
def behind(modules: frozenset[str]) -> frozenset[str]:
    """The modules and all modules of Tidings that they import, at any distance."""
    found: set[str] = set()
    rest = list(modules)
    while rest:
        module = rest.pop()
        if module not in found:
            found.add(module)
            rest += _imports(module)
    return frozenset(found)


def _of_file(file: Path) -> str:
    """By size and time of change, a digest is good for as long as the process lives."""
    state = file.stat()
    return _digest_of(file, state.st_size, state.st_mtime_ns)


@cache
def _digest_of(file: Path, _size: int, _changed: int) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _besides(folder: Path) -> list[Path]:
    """What lies in a package and is no code, in folders of its own too."""
    if folder.name == _ROOT:
        return []
    found: list[Path] = []
    for one in sorted(folder.iterdir()):
        if one.is_file() and one.suffix not in (".py", ".pyc"):
            found.append(one)
        elif one.is_dir() and one.name != "__pycache__" and not one.joinpath("__init__.py").exists():
            found += _besides(one)
    return found


@cache
def _imports(module: str) -> frozenset[str]:
    """What a module imports of Tidings."""
    return frozenset(
        provider
        for package, name in _names(module)
        if (provider := _provider(package, name) if name else package) != module and _file(provider) is not None
    )


@cache
def _names(module: str) -> tuple[tuple[str, str], ...]:
    """Each import in a module, as the module and the name taken from it."""
    file = _file(module)
    found: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(file.read_bytes())) if file else ():
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [(node.module, alias.name) for alias in node.names]
    return tuple((package, name) for package, name in found if package.partition(".")[0] == _ROOT)


def _provider(package: str, name: str) -> str:
    """The module in which a name is made: a package often only hands on what a module of it holds."""
    if _file(f"{package}.{name}") is not None:
        return f"{package}.{name}"
    for further, handed_on in _names(package):
        if handed_on == name and further != package:
            return _provider(further, name)
    return package


@cache
def _file(module: str) -> Path | None:
    """The source file of a module, None where there is none."""
    try:
        spec = find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)


FILE: Final = "rows.sqlite"
_AT_ONCE: Final = 500  # keys in one question; SQLite takes 999 in its oldest builds


def default_folder() -> Path:
    """Where this platform keeps what may be deleted at any time."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "tidings" / "lab"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tidings" / "lab"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "tidings" / "lab"


class Cache:
    """Records by key, in a folder.

    Raises:
        InputError: the folder cannot be written to, or the file in it is none of ours.
    """

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._base = connect(self.file, 30)
            self._base.execute("CREATE TABLE IF NOT EXISTS rows (key TEXT PRIMARY KEY, record TEXT) WITHOUT ROWID")
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{self.file} cannot be used as a cache: {error}; name another with --cache") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._base.close()

    def get(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The records there are; one that cannot be read is not there."""
        wanted, found = list(keys), {}
        for start in range(0, len(wanted), _AT_ONCE):
            some = wanted[start : start + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = f"SELECT key, record FROM rows WHERE key IN ({marks})"  # noqa: S608  # question marks only
            for key, text in self._base.execute(query, some):
                try:
                    found[str(key)] = json.loads(text)
                except ValueError:
                    continue
        return found

    def put(self, records: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep records; those of the same key are replaced."""
        rows = [(key, json.dumps(record, separators=(",", ":"))) for key, record in records.items()]
        self._base.execute("BEGIN")
        self._base.executemany("INSERT OR REPLACE INTO rows VALUES (?, ?)", rows)
        self._base.execute("COMMIT")
