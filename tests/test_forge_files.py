"""The files that a forge reads: workflows, templates, citation, hooks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import tidings
from tests.support import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs() -> list[tuple[str, dict[str, Any]]]:
    return [(f"{path.name}:{name}", job) for path in WORKFLOWS for name, job in read(path)["jobs"].items()]


def test_there_are_workflows() -> None:
    assert {path.name for path in WORKFLOWS} >= {"ci.yml", "wheels.yml"}


@pytest.mark.parametrize(("name", "job"), jobs())
def test_a_job_uses_pinned_actions_and_targets_that_exist(name: str, job: dict[str, Any]) -> None:
    assert job["runs-on"], name
    for step in job["steps"]:
        assert ("uses" in step) != ("run" in step), name
        if "uses" in step:
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", step["uses"]), step["uses"]
        for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", "")):
            assert target in TARGETS


def test_ci_runs_on_each_python_that_the_package_supports() -> None:
    pythons = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert pythons == ["3.11", "3.12", "3.13", "3.14"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_an_issue_template_has_questions_with_labels(path: Path) -> None:
    template = read(path)
    if path.stem == "config":
        assert template == {"blank_issues_enabled": True}
        return
    assert template["name"]
    assert template["description"]
    for question in template["body"]:
        assert question["type"] in ("input", "textarea")
        assert question["attributes"]["label"]


def test_the_citation_names_this_version_and_the_five_publications() -> None:
    citation = read(ROOT / "CITATION.cff")
    assert citation["version"] == tidings.__version__
    assert len(citation["references"]) == 5
    assert all(reference["title"] and reference["authors"] for reference in citation["references"])


def test_hooks_before_a_commit_call_programs_of_make_test() -> None:
    for repository in read(ROOT / ".pre-commit-config.yaml")["repos"]:
        assert repository["repo"] == "local"
        for hook in repository["hooks"]:
            assert hook["entry"].startswith((".venv/bin/ruff", ".venv/bin/mypy", "cargo fmt")), hook["id"]
