"""A digest of the code behind a result: the modules it comes from, and all modules of Tidings that these import.

Imports are read from the source, so that imports inside functions count too. Data files (word lists, models) count with
their package. For a user's module outside of packages, files in its folder count if the source names them. So a change
of one extractor invalidates only the results that depend on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_ROOTS: Final = frozenset({"tidings", "tidings_lab", "tidings_portal"})


def digest(modules: Iterable[str]) -> str:
    """Return a digest of modules and of all modules of Tidings that they import."""
    whole = sha256()
    files = {module: file for module in imported_modules(frozenset(modules)) if (file := _file(module)) is not None}
    for module in sorted(files):
        whole.update(f"{module} {_of_file(files[module])}\n".encode())
    packages = {file.parent for module, file in files.items() if "." in module or file.name == "__init__.py"}
    data_files = [file for folder in sorted(packages) for file in _data_files(folder)]
    data_files += [file for module in sorted(files) if "." not in module for file in _named_files(files[module])]
    for file in data_files:
        whole.update(f"{file.name} {_of_file(file)}\n".encode())
    return whole.hexdigest()[:32]


def _named_files(module: Path) -> list[Path]:
    """Return the data files in a module's folder that its source names.

    Other files are ignored: the folder may contain anything, such as this cache and the results of a run.
    """
    source = module.read_text(encoding="utf-8", errors="replace")
    files = (file for file in sorted(module.parent.iterdir()) if file.is_file() and file.suffix not in (".py", ".pyc"))
    return [file for file in files if file.name in source]


@cache
def imported_modules(modules: frozenset[str]) -> frozenset[str]:
    """Return modules and all modules of Tidings that they import, directly or indirectly."""
    result: set[str] = set()
    pending = list(modules)
    while pending:
        module = pending.pop()
        if module not in result:
            result.add(module)
            pending += _imports(module)
    return frozenset(result)


def _of_file(file: Path) -> str:
    """Return the digest of a file, memoised by size and modification time."""
    state = file.stat()
    return _digest_of(file, state.st_size, state.st_mtime_ns)


@cache
def _digest_of(file: Path, _size: int, _changed: int) -> str:
    return sha256(file.read_bytes()).hexdigest()


def _data_files(folder: Path) -> list[Path]:
    """Return the data files of a package, including those in its folders without code."""
    if folder.name in _ROOTS:
        return []
    files: list[Path] = []
    for entry in sorted(folder.iterdir()):
        if entry.is_file() and entry.suffix not in (".py", ".pyc"):
            files.append(entry)
        elif entry.is_dir() and entry.name != "__pycache__" and not entry.joinpath("__init__.py").exists():
            files += _data_files(entry)
    return files


@cache
def _imports(module: str) -> frozenset[str]:
    """Return the modules of Tidings that a module imports."""
    return frozenset(
        provider
        for package, name in _names(module)
        if (provider := _provider(package, name) if name else package) != module and _file(provider) is not None
    )


@cache
def _names(module: str) -> tuple[tuple[str, str], ...]:
    """Return each import of a module as a pair of module and imported name."""
    file = _file(module)
    imports: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(file.read_bytes())) if file else ():
        if isinstance(node, ast.Import):
            imports += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports += [(node.module, alias.name) for alias in node.names]
    return tuple((package, name) for package, name in imports if package.partition(".")[0] in _ROOTS)


def _provider(package: str, name: str) -> str:
    """Return the module that defines a name: packages often re-export names of their modules."""
    if _file(f"{package}.{name}") is not None:
        return f"{package}.{name}"
    for source, exported in _names(package):
        if exported == name and source != package:
            return _provider(source, name)
    return package


@cache
def _file(module: str) -> Path | None:
    """Return the source file of a module; None if there is none."""
    try:
        spec = find_spec(module)
    except (ImportError, AttributeError, ValueError):
        return None
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return None
    return Path(spec.origin)
