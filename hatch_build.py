"""Builds the compiled core: a hook of hatchling, and a command (`python hatch_build.py`) for a checkout.

Where there is no Rust compiler, or it fails, one line says so and Tidings works in Python: the wheel is then pure. With
the core the wheel is for this platform and for every Python of it. `TIDINGS_PURE=1` builds the pure wheel anyway.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
PACKAGE = ROOT / "src" / "tidings" / "core"
LIBRARIES = {"win32": "tidings_core.dll", "darwin": "libtidings_core.dylib"}
LIBRARY = LIBRARIES.get(sys.platform, "libtidings_core.so")


def build() -> Path | None:
    """Build the core and put it into the package; None where it cannot be built."""
    if os.environ.get("TIDINGS_PURE", "") not in {"", "0"}:
        return _without("TIDINGS_PURE is set")
    cargo = shutil.which("cargo")
    if cargo is None:
        return _without("there is no Rust compiler (cargo)")
    command = [
        cargo,
        "build",
        "--quiet",
        "--release",
        "--offline",
        "--manifest-path",
        str(ROOT / "core" / "Cargo.toml"),
    ]
    target = ROOT / "core" / "target"
    try:
        subprocess.run(command, check=True, timeout=600, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    except (OSError, subprocess.SubprocessError) as error:
        return _without(f"cargo failed: {error}")
    built = PACKAGE / LIBRARY
    # Aside and renamed: a process that has the old one open keeps it.
    shutil.copyfile(target / "release" / LIBRARY, built.with_suffix(".new"))
    built.with_suffix(".new").replace(built)
    return built


def _without(reason: str) -> None:
    print(f"the compiled core is not built: {reason}; Tidings works in Python, with the same results", file=sys.stderr)
    (PACKAGE / LIBRARY).unlink(missing_ok=True)


def tag() -> str:
    """The tag of a wheel with the core: any Python 3, this platform."""
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a command
    pass
else:

    class CoreBuildHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
        """Adds the core to a wheel."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 (hatchling's signature)
            """Build it before the wheel's files are gathered."""
            library = build()
            if library is not None:
                build_data["artifacts"].append(str(library.relative_to(ROOT)))
                build_data["pure_python"] = False
                build_data["tag"] = tag()


if __name__ == "__main__":
    sys.exit(0 if build() or os.environ.get("TIDINGS_CORE") != "required" else 1)
