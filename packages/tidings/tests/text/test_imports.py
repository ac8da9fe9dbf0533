"""What importing `tidings.text` loads, and what it exports."""

import os
import subprocess
import sys
from pathlib import Path

import tidings.text

LOADED = """
import sys, tidings
before = set(sys.modules)
import tidings.text
print(*sorted({name for name in set(sys.modules) - before}))
tidings.text.stem("cats", "en")
print("snowballstemmer" in sys.modules)
"""


def test_importing_loads_numpy_and_nothing_else_from_outside() -> None:
    """DESIGN: text imports nothing of Tidings but errors, and nothing from outside but NumPy."""
    where = {**os.environ, "PYTHONPATH": str(Path(tidings.text.__file__).parents[2])}
    command = [sys.executable, "-c", LOADED]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, env=where)
    loaded, after_stemming = ran.stdout.splitlines()
    packages = {name.partition(".")[0] for name in loaded.split()}
    assert packages - set(sys.stdlib_module_names) <= {"numpy", "tidings"}
    ours = {name for name in loaded.split() if name.startswith("tidings.")}
    assert {name for name in ours if not name.startswith(("tidings.text", "tidings.errors"))} == set()
    assert after_stemming == "True"


def test_exported_names_exist_and_are_sorted() -> None:
    assert tidings.text.__all__ == sorted(tidings.text.__all__)
    assert [name for name in tidings.text.__all__ if not hasattr(tidings.text, name)] == []
