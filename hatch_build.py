"""Builds the compiled core: a hook of hatchling, and a command (`python hatch_build.py`) for a checkout.

Without a Rust compiler, or if it fails, one line says so and the wheel is pure: the default extractor does not work
then. With the core the wheel is for this platform and for every Python of it. `TIDINGS_PURE=1` builds the pure wheel
anyway; `TIDINGS_CORE=required` makes a build without the core fail.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import zlib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PACKAGE = ROOT / "src" / "tidings" / "core"
LIBRARIES = {"win32": "tidings_core.dll", "darwin": "libtidings_core.dylib"}
LIBRARY = LIBRARIES.get(sys.platform, "libtidings_core.so")


def compile_core(profile: str = "release") -> Path | None:
    """The library that cargo makes of `core/`; None, after one line that says why, where there is none."""
    if os.environ.get("TIDINGS_PURE", "") not in {"", "0"}:
        return _without("TIDINGS_PURE is set")
    cargo = shutil.which("cargo")
    if cargo is None:
        return _without("there is no Rust compiler (cargo)")
    target = ROOT / "core" / "target"
    command = [cargo, "build", "--quiet", "--profile", profile, "--locked", "--offline"]
    command += ["--manifest-path", str(ROOT / "core" / "Cargo.toml"), "--target-dir", str(target)]
    # No --target: a triple asked for by CARGO_BUILD_TARGET would put the library elsewhere.
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    try:
        subprocess.run(command, check=True, timeout=600, env=environment)
    except (OSError, subprocess.SubprocessError) as error:
        return _without(f"cargo failed: {error}")
    library = target / profile / LIBRARY
    try:
        library.with_suffix(".sum").write_text(_sum(library), encoding="ascii")
    except OSError as error:  # as where dynamic libraries are unknown
        return _without(f"cargo made no library: {error}")
    return library


def _sum(library: Path) -> str:
    """Size and checksum: `tidings.core` loads no other file."""
    content = library.read_bytes()
    return f"{len(content)} {zlib.crc32(content):08x}\n"


def _without(reason: str) -> None:
    line = f"the compiled core is not built: {reason}; the default extractor needs it, the others work in Python"
    if os.environ.get("TIDINGS_CORE") == "required":
        raise SystemExit(line)
    print(line, file=sys.stderr)


def build() -> bool:
    """Put the core into the package of this checkout. Where it cannot be built, an older one is taken out."""
    built = compile_core()
    try:
        for suffix in (".sum", Path(LIBRARY).suffix):
            put = (PACKAGE / LIBRARY).with_suffix(suffix)
            if built is None:
                put.unlink(missing_ok=True)
            else:
                # Aside and renamed: a process that has the old one open keeps it.
                shutil.copyfile(built.with_suffix(suffix), put.with_name(put.name + ".new"))
                put.with_name(put.name + ".new").replace(put)
    except OSError as error:
        _without(f"{PACKAGE} cannot be written to: {error}")
        return False
    return built is not None


def build_checked(folder: Path) -> bool:
    """Write a copy of the package with a core that has debug assertions and overflow checks.

    `PYTHONPATH=folder python …` then runs the copy. The package itself loads its core from its own folder only.
    """
    library = compile_core("checked")
    if library is None:
        return False
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", Path(LIBRARY).stem + ".*")
    shutil.copytree(PACKAGE.parent, folder / PACKAGE.parent.name, ignore=ignored)
    for file in (library, library.with_suffix(".sum")):
        shutil.copyfile(file, folder / PACKAGE.parent.name / PACKAGE.name / file.name)
    return True


def tag() -> str:
    """The tag of a wheel with the core: any Python 3, this platform."""
    if sys.platform == "darwin":  # what rustc builds for, whatever else a universal Python has in it
        return "py3-none-" + ("macosx_11_0_arm64" if platform.machine() == "arm64" else "macosx_10_12_x86_64")
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a command
    pass
else:

    class CoreBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
        """Adds the core to a wheel."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build it before the wheel's files are gathered; for an editable install, into the checkout."""
            if version == "editable":
                build()
                return
            library = compile_core()
            if library is not None:
                build_data["force_include"].update(
                    {str(one): f"tidings/core/{one.name}" for one in (library, library.with_suffix(".sum"))}
                )
                build_data["pure_python"] = False
                build_data["tag"] = tag()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--checked"]:
        sys.exit(0 if build_checked(Path(sys.argv[2])) else 1)
    build()
