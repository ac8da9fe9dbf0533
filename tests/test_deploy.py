"""The files for servers say what the program understands; the unit's own command is run, and its health is asked.

No container is built here: what the Containerfile and compose.yaml name is checked against the command line, the
project's extras and the routes of the portal.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from tests.conftest import missing
from tests.test_docs import _commands

ROOT = Path(__file__).resolve().parents[1]
CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy/tidings.service").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
GUIDES = [ROOT / "docs/how-to" / name for name in ("deploy.md", "install.md")]


def settings(name: str) -> list[str]:
    """The values of a setting of the unit."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def told(instruction: str) -> list[str]:
    """The list that an instruction of the Containerfile has."""
    found = re.search(rf"^{instruction}\s+(?:--\S+\s+|\\\n\s+CMD\s+)*(\[.*\])$", CONTAINER, re.MULTILINE)
    assert found, instruction
    parts: list[str] = ast.literal_eval(found[1])
    return parts


def calls() -> Iterator[tuple[str, list[str]]]:
    """Every call of the program in the files and the guides: where it stands, and its words."""
    yield "Containerfile", told("CMD")
    yield "compose.yaml", COMPOSE["services"]["portal"]["command"]
    yield "tidings.service", shlex.split(settings("ExecStart")[0])[1:]
    texts = {"Containerfile": CONTAINER, "tidings.service": UNIT, "compose.yaml": (ROOT / "compose.yaml").read_text()}
    for name, text in {**texts, **{path.name: path.read_text(encoding="utf-8") for path in GUIDES}}.items():
        fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL) if name.endswith(".md") else [text]
        for line in "\n".join(fenced).splitlines():
            for words in re.findall(r"(?:^|[\s/;|(])tidings ((?:[a-z]+ )+[^|>#\n]*)", line):
                yield name, words.split()


def test_every_call_is_one_that_the_program_understands() -> None:
    from tidings.cli.app import app

    commands = dict(_commands("", typer.main.get_command(app)))
    seen = 0
    for where, words in calls():
        depth = 2 if " ".join(words[:2]) in commands else 1
        command = commands.get(" ".join(words[:depth]))
        if command is None:
            continue  # a sentence, not a call
        seen += 1
        known = {flag for one in command.params for flag in one.opts + one.secondary_opts}
        for word in words[depth:]:
            assert not word.startswith("--") or word.split("=")[0].rstrip(".,`") in known, (where, words)
    assert seen >= 8


def test_the_container_has_what_it_copies_and_installs() -> None:
    for line in re.findall(r"^COPY (?!--from)(.*)$", CONTAINER, re.MULTILINE):
        for name in line.split()[:-1]:
            assert (ROOT / name).exists(), name
            assert f"!{name}" in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"extras=\"?(?:\$extras,)?([\w,]+)", CONTAINER)
    assert extras
    assert {one for some in extras for one in some.split(",")} <= set(project["optional-dependencies"])
    wanted = re.search(r"ARG PYTHON=(\S+)", CONTAINER)
    assert wanted
    assert f"Programming Language :: Python :: {wanted[1]}" in project["classifiers"]


def test_nothing_runs_as_root() -> None:
    users = re.findall(r"^USER (\S+)", CONTAINER, re.MULTILINE)
    assert users
    assert users[-1] not in {"0", "root"}
    assert CONTAINER.index(f"USER {users[-1]}") < CONTAINER.index("ENTRYPOINT")
    assert settings("User") == ["tidings"]
    assert settings("NoNewPrivileges") == ["yes"]
    assert settings("ProtectSystem") == ["strict"]


def test_compose() -> None:
    portal, store = COMPOSE["services"]["portal"], COMPOSE["services"]["store"]
    assert portal["ports"] == ["127.0.0.1:8080:8080"]  # a proxy stands before it
    assert "ports" not in store
    assert portal["read_only"] is True
    assert portal["cap_drop"] == ["ALL"]
    assert portal["build"]["dockerfile"] == "Containerfile"
    assert portal["environment"]["TIDINGS_STORE"].startswith("postgresql://")
    assert portal["environment"]["PGPASSWORD"] == store["environment"]["POSTGRES_PASSWORD"]
    assert "?" in portal["environment"]["PGPASSWORD"]  # no password is built in
    assert portal["depends_on"]["store"]["condition"] == "service_healthy"
    assert {one.partition(":")[0] for one in portal["volumes"] + store["volumes"]} == set(COMPOSE["volumes"])


def test_the_unit_is_one_that_systemd_understands(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        missing("needs systemd-analyze: the package systemd")
    unit = tmp_path / "tidings.service"
    unit.write_text(UNIT.replace("/opt/tidings/bin/tidings", sys.executable), encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    assert "tidings.service" not in verified.stderr, verified.stderr
    assert verified.returncode == 0


def get(address: str, host: str = "localhost") -> tuple[int, str]:
    asked = urllib.request.Request(address, headers={"Host": host})  # noqa: S310  # our own server
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.mark.skipif(sys.platform == "win32", reason="a unit of systemd, ended by a signal")
def test_the_command_of_the_unit_serves(tmp_path: Path) -> None:
    """With the unit's own settings, on a free port: it is healthy, has accounts, answers to its name, and ends well."""
    told_to = dict(one.split("=", 1) for one in settings("Environment"))
    told_to = {name: value.replace("/var/lib/tidings", str(tmp_path)) for name, value in told_to.items()}
    told_to["TIDINGS_ADDRESS"] = "https://news.example"
    line = re.sub(r"\$\{(\w+)\}", lambda name: told_to[name[1]], settings("ExecStart")[0])
    words = shlex.split(line.replace("--port 8080", "--port 0"))[1:]
    command = [sys.executable, "-W", "error", "-m", "tidings", *words, "--no-sample"]
    with subprocess.Popen(command, env={**os.environ, **told_to}, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        try:
            home = next(found[0] for line in serving.stderr if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            assert get(f"{home}/healthz")[0] == 200
            assert get(f"{home}/readyz")[0] == 200
            check = told("HEALTHCHECK")
            check = [sys.executable, *(word.replace("http://127.0.0.1:8080", home) for word in check[1:])]
            assert subprocess.run(check, check=False).returncode == 0
            status, page = get(f"{home}/", "news.example")
            assert status == 200
            assert "/sign-in" in page
            assert get(f"{home}/", "evil.example")[0] == 421
        finally:
            serving.send_signal(signal.SIGTERM)
            told_last = serving.stderr.read()
    assert serving.returncode == 0, told_last
    assert "Traceback" not in told_last
    assert (tmp_path / "news.tidings").exists()
