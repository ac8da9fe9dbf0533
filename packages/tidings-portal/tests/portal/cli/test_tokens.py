"""`tidings token`: made once, shown once, listed without what it is, taken back at once."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tidings.cli.app import app
from tidings.errors import InputError
from tidings_portal import store
from tidings_portal.store.records_of_people import LOCAL, NewPerson, Scope
from tidings_portal.web.access import MARK, digest_of


@pytest.fixture
def where(tmp_path: Path) -> str:
    return str(tmp_path / "news.tidings")


def run(*words: str) -> tuple[str, str]:
    told = CliRunner().invoke(app, ["token", *words])
    if told.exception is not None and not isinstance(told.exception, SystemExit):
        raise told.exception
    assert told.exit_code == 0, told.output
    return told.stdout, told.stderr


def test_a_token_is_made_and_shown_once(where: str) -> None:
    out, told = run("new", "--name", "evening digest", "--store", where)
    secret = out.strip()
    assert secret.startswith(MARK)
    assert len(secret) > 45
    assert "not shown again" in told
    assert secret not in told
    with store.open(where) as kept:
        found = kept.token(digest_of(secret), datetime.now(UTC))
    assert found is not None
    assert (found.person, found.settings.name) == (LOCAL, "evening digest")
    assert found.settings.scopes == {Scope.READ}
    assert run("new", "--store", where)[0] != out


def test_it_may_write_and_end(where: str) -> None:
    secret = run("new", "--write", "--expires", "12h", "--store", where)[0].strip()
    now = datetime.now(UTC)
    with store.open(where) as kept:
        found = kept.token(digest_of(secret), now)
        assert found is not None
        assert found.settings.scopes == {Scope.READ, Scope.WRITE}
        assert kept.token(digest_of(secret), now + timedelta(hours=13)) is None


def test_tokens_are_listed_without_what_they_are(where: str) -> None:
    assert run("list", "--store", where) == ("", "there are no tokens; create one with `tidings token new`\n")
    secret = run("new", "--name", "[red]a name\x1b[2J", "--store", where)[0].strip()
    table = run("list", "--store", where)[0]
    lines = run("list", "--format", "jsonl", "--store", where)[0]
    assert "\x1b[2J" not in table
    record = json.loads(lines)
    assert record["token"] == secret[:12] + "…"
    assert record["state"] == "good"
    assert record["last_used"] is None
    for told in (table, lines):
        assert secret not in told
        assert secret[13:] not in told


def test_a_token_is_taken_back(where: str) -> None:
    secret = run("new", "--store", where)[0].strip()
    run("revoke", "1", "--store", where)
    with store.open(where) as kept:
        assert kept.token(digest_of(secret), datetime.now(UTC)) is None
    assert json.loads(run("list", "-f", "jsonl", "--store", where)[0])["state"] == "revoked"
    with pytest.raises(InputError, match="there is no valid token 1"):
        run("revoke", "1", "--store", where)
    with pytest.raises(InputError, match="there is no valid token 9"):
        run("revoke", "9", "--store", where)


def test_tokens_of_somebody_else_are_theirs(where: str) -> None:
    with store.open(where) as kept:
        ann = kept.add_person(NewPerson("Ann", "x"), datetime.now(UTC))
    assert ann is not None
    secret = run("new", "--person", "ann", "--store", where)[0].strip()
    with store.open(where) as kept:
        found = kept.token(digest_of(secret), datetime.now(UTC))
        assert found is not None
        assert found.person == ann.key
    with pytest.raises(InputError, match="there is no valid token"):
        run("revoke", str(found.id), "--store", where)
    assert "Ann" not in run("list", "--store", where)[1]
    run("revoke", str(found.id), "--person", "Ann", "--store", where)
    with pytest.raises(InputError, match="there is no user"):
        run("new", "--person", "Zoe", "--store", where)
