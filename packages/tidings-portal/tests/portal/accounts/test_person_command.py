"""`tidings user`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.portal.accounts.browsing import PASSWORD, QUICK
from tidings.cli.app import app
from tidings.errors import InputError
from tidings_portal import store


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("tidings_portal.accounts.passwords.Passwords", lambda: QUICK)
    return str(tmp_path / "news.tidings")


def run(*words: str, told: str = "") -> Result:
    return CliRunner().invoke(app, ["user", *words], input=told)


def test_people_from_the_command_line(where: str) -> None:
    assert run("add", "Ann", "--store", where, told=f"{PASSWORD}\n").exit_code == 0
    assert run("add", "Bo", "--store", where, told=f"{PASSWORD}\n").exit_code == 0
    assert run("admin", "bo", "--store", where).exit_code == 0
    listed = run("list", "--store", where, "--format", "jsonl").stdout.splitlines()
    assert [(one["name"], one["admin"]) for one in map(json.loads, listed)] == [("Ann", True), ("Bo", True)]
    assert "Ann" in run("list", "--store", where).stdout
    assert run("admin", "bo", "--no-more", "--store", where).exit_code == 0
    assert run("password", "ANN", "--store", where, told="three gulls over the quay\n").exit_code == 0
    with store.open(where) as kept:
        ann, bo = kept.persons()
        assert not bo.settings.admin
        assert QUICK.is_right(ann.settings.password, "three gulls over the quay")
        assert PASSWORD not in repr(bo)
        assert bo.settings.password not in repr(bo)
    assert run("remove", "Ann", "--store", where).exit_code == 0
    assert "Ann" not in run("list", "--store", where).stdout


@pytest.mark.parametrize(
    ("words", "told", "sentence"),
    [
        (("add", "Ann"), "short\n", "too weak"),
        (("add", "Ann"), "", "too weak"),
        (("add", "a\u200fb"), PASSWORD, "cannot be a user name"),
        (("remove", "Nobody"), "", "tidings user list"),
        (("password", "Nobody"), PASSWORD, "there is no user"),
    ],
)
def test_what_is_refused(where: str, words: tuple[str, ...], told: str, sentence: str) -> None:
    found = run(*words, "--store", where, told=told)
    assert isinstance(found.exception, InputError)
    assert sentence in str(found.exception)


def test_a_name_that_is_taken(where: str) -> None:
    run("add", "Ann", "--store", where, told=PASSWORD)
    found = run("add", "ann", "--store", where, told=PASSWORD)
    assert "has an account already" in str(found.exception)
    assert run("list", "--store", where).exit_code == 0
