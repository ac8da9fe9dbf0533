"""Every command in the documentation is run, in a folder with example files and without a network.

Examples name files, stores and sites that are not there: a command may refuse with a sentence. It may not fail with a
traceback or a usage error.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.test_docs import _documented_commands, write_example_files

pytestmark = pytest.mark.gate

#: Loaded at the start of each process: names of other machines cannot be looked up.
OFFLINE = """
import socket
look_up = socket.getaddrinfo
def local_alone(host, *words, **named):
    if host not in (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", b"localhost"):
        raise socket.gaierror(socket.EAI_NONAME, "there is no network")
    return look_up(host, *words, **named)
socket.getaddrinfo = local_alone
"""
SECONDS = 15
CRASH = re.compile(r"Traceback \(most recent|this should not have happened|No such (?:option|command)|unexpected extra")


def commands() -> dict[tuple[str, ...], str]:
    """Return the words of each command, with the place of the first one."""
    found: dict[tuple[str, ...], str] = {}
    for place, text in _documented_commands():
        if "…" not in text:
            words = shlex.split(re.sub(r"\s#\s.*| [<>]+ ?\S+| &$", "", text), comments=True)
            found.setdefault(tuple(words), place)
    return found


def run(words: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> tuple[int | None, str]:
    """Run a command; return its exit code, or None if it still runs after some seconds, and its output."""
    command = [sys.executable, "-m", "tidings", *words]
    # No input: a command that would ask gets an end of file.
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    try:
        output = process.communicate(timeout=SECONDS)[0]
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            return None, process.communicate(timeout=10)[0]
        except subprocess.TimeoutExpired:
            process.kill()
            return None, process.communicate()[0]
    return process.returncode, output


def test_every_command_in_the_documentation_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(OFFLINE)
    work = tmp_path / "work"
    work.mkdir()
    write_example_files(work)
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "NO_COLOR": "1",
    }
    documented = commands()
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda words: run(words, work, environment), documented))
    outcomes = list(zip(documented.items(), results, strict=True))
    crashes = [
        f"{place}\n{output[-600:]}"
        for (_, place), (code, output) in outcomes
        if code not in (None, 0, 1, 2, 3) or CRASH.search(output)
    ]
    assert not crashes, "\n\n".join(crashes)
    succeeded = [words for (words, _), (code, _) in outcomes if code in (None, 0)]
    assert len(succeeded) >= 50, "the others name files, corpora and sites that only their readers have"
