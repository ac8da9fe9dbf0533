"""Builds the compiled core: a hook of hatchling, and a command for a checkout.

    python hatch_build.py                       build the core into src/tidings/core
    python hatch_build.py --checked FOLDER      write a copy of the package whose core has debug assertions
    python hatch_build.py --sanitised FOLDER    write a copy of the package whose core has AddressSanitizer

Every wheel holds the core, so it is for this platform and for every Python version. Without cargo, or if the build
fails, one sentence says why and the exit code is 1; nothing is changed then.
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

ROOT = Path(__file__).resolve().parent
#: The sources of the core: beside `packages` in a checkout, in the package itself in an sdist.
CORE = next((folder for folder in (ROOT / "core", ROOT.parents[1] / "core") if folder.is_dir()), ROOT / "core")
PACKAGE = ROOT / "src" / "tidings" / "core"
LIBRARIES = {"win32": "tidings_core.dll", "darwin": "libtidings_core.dylib"}
LIBRARY = LIBRARIES.get(sys.platform, "libtidings_core.so")

INSTALL_RUST = "install Rust 1.63 or later (on Debian: apt install cargo; elsewhere: https://rustup.rs), then try again"
#: AddressSanitizer needs an unstable option of rustc, which RUSTC_BOOTSTRAP allows for a stable compiler.
SANITISED = {"RUSTFLAGS": "-Zsanitizer=address", "RUSTC_BOOTSTRAP": "1"}


def find_cargo() -> Path | None:
    """Return cargo from the PATH or from where rustup installs it, or None if it is in neither."""
    rustup = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo") / "bin"
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(rustup))
    return Path(cargo) if cargo else None


def compile_core(profile: str = "release", variables: dict[str, str] | None = None) -> Path:
    """Compile the core with cargo, write the checksum beside the library and return the library.

    Args:
        profile: the profile of `core/Cargo.toml`.
        variables: environment variables of the compiler. A build with some has a target directory of its own.

    Raises:
        SystemExit: there is no cargo, or it failed; the message is one sentence.
    """
    cargo = find_cargo()
    if cargo is None:
        raise _failure(f"there is no Rust compiler (cargo); {INSTALL_RUST}")
    target = CORE / "target"
    if variables:
        target /= "variant"
    command = [str(cargo), "build", "--quiet", "--profile", profile, "--locked", "--offline"]
    command += ["--manifest-path", str(CORE / "Cargo.toml"), "--target-dir", str(target)]
    # No --target: a triple from CARGO_BUILD_TARGET would put the library elsewhere.
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    environment["PATH"] = f"{environment.get('PATH', os.defpath)}{os.pathsep}{cargo.parent}"  # rustc is beside cargo
    try:
        subprocess.run(command, check=True, timeout=900, env=environment | (variables or {}))
    except (OSError, subprocess.SubprocessError) as error:
        raise _failure(f"cargo failed: {error}") from None
    library = target / profile / LIBRARY
    try:
        library.with_suffix(".sum").write_text(_checksum(library), encoding="ascii")
    except OSError as error:  # for example a target without dynamic libraries
        raise _failure(f"cargo made no library: {error}") from None
    return library


def _checksum(library: Path) -> str:
    """Return size and CRC-32 of the library; `tidings.core` loads no other file."""
    content = library.read_bytes()
    return f"{len(content)} {zlib.crc32(content):08x}\n"


def _failure(reason: str) -> SystemExit:
    return SystemExit(f"the compiled core of Tidings cannot be built: {reason}")


def build() -> None:
    """Build the core into the package of this checkout.

    Raises:
        SystemExit: it cannot be built or written; the message is one sentence.
    """
    library = compile_core()
    try:
        for file in (library.with_suffix(".sum"), library):
            # Copy and rename: a process that has the old library open keeps it.
            temporary = PACKAGE / f"{file.name}.new"
            shutil.copyfile(file, temporary)
            temporary.replace(PACKAGE / file.name)
    except OSError as error:
        raise _failure(f"{PACKAGE} cannot be written to: {error}") from None


def build_copy(folder: Path, library: Path) -> None:
    """Write a copy of the package with another library; `PYTHONPATH=folder python …` runs it.

    The package loads its core from its own folder only.
    """
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", Path(LIBRARY).stem + ".*")
    shutil.copytree(PACKAGE.parent, folder / PACKAGE.parent.name, ignore=ignored)
    for file in (library, library.with_suffix(".sum")):
        shutil.copyfile(file, folder / PACKAGE.parent.name / PACKAGE.name / file.name)


def tag() -> str:
    """Return the tag of a wheel: any Python 3, this platform."""
    if sys.platform == "darwin":  # rustc builds for one architecture, even under a universal Python
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
            """Build the core before hatchling collects files; for an editable install, build it into the checkout."""
            if version == "editable":
                build()
                return
            library = compile_core()
            build_data["force_include"].update(
                {str(file): f"tidings/core/{file.name}" for file in (library, library.with_suffix(".sum"))}
            )
            build_data["pure_python"] = False
            build_data["tag"] = tag()


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            build()
        case ["--checked", folder]:
            build_copy(Path(folder), compile_core("checked"))
        case ["--sanitised", folder]:
            build_copy(Path(folder), compile_core("checked", SANITISED))
        case _:
            sys.exit(__doc__)
