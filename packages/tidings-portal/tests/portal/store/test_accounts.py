"""People, logins and tokens in both databases."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from tests.portal.store.made import DAY, HOUR, NOON, new
from tidings_portal import store
from tidings_portal.store import Store, migrations
from tidings_portal.store.records_of_articles import StoryDraft
from tidings_portal.store.records_of_people import LOCAL, NewLogin, NewPerson, NewToken, Person, Scope
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.people import MOST_LOGINS, MOST_TOKENS


def add(kept: Store, name: str = "Ann") -> Person:
    person = kept.add_person(NewPerson(name, f"hash of {name}"), NOON)
    assert person is not None
    return person


def test_the_first_person_is_the_administrator(kept: Store) -> None:
    ann, bo = add(kept), add(kept, "Bo")
    assert (ann.settings.admin, bo.settings.admin) == (True, False)
    assert kept.persons() == [ann, bo]
    assert kept.person(ann.id) == ann
    assert (ann.name, ann.created, ann.settings.password) == ("Ann", NOON, "hash of Ann")
    assert kept.set_admin(bo.id, True)
    found = kept.person(bo.id)
    assert found is not None
    assert found.settings.admin


def test_only_one_is_first(kept: Store) -> None:
    def come(number: int) -> Person | None:
        return kept.add_person(NewPerson(f"person number {number}", "x"), NOON, only_first=True)

    with ThreadPoolExecutor(6) as crew:
        came = [one for one in crew.map(come, range(12)) if one is not None]
    assert kept.persons() == came
    assert [one.settings.admin for one in came] == [True]


@pytest.mark.parametrize("other", ["ayşe yılmaz", " AYŞE  YILMAZ ", "Ayse Yılmaz", "Ａｙşe Yılmaz", "AYSE YILMAZ"])
def test_names_that_look_alike_are_one(kept: Store, other: str) -> None:
    ayse = add(kept, "Ayşe Yılmaz")
    assert kept.add_person(NewPerson(other, "x"), NOON) is None
    assert kept.person_named(other) == ayse
    assert kept.person_named("ayşe") is None


def test_absurd_people(kept: Store) -> None:
    for number in (0, -1, 1 << 70):
        assert kept.person(number) is None
        assert not kept.remove_person(number)
        assert not kept.change_person(number, language="en", theme="dark")
        assert not kept.change_password(number, "x")
        assert kept.logins(number, NOON) == []
        assert kept.begin_login(number, NewLogin("d", NOON + DAY), NOON) is None
        assert kept.end_logins(number, [number]) == 0
        assert not kept.revoke_token(number, LOCAL, NOON)
    assert kept.person_named("\x00\ud800" * 500) is None
    strange = kept.add_person(NewPerson("N\x00ul \ud800", "x"), NOON)
    assert strange is not None
    assert strange.name == "Nul \ufffd"


def test_a_password_that_is_changed_signs_others_out(kept: Store) -> None:
    ann, bo = add(kept), add(kept, "Bo")
    for digest, person in (("a1", ann), ("a2", ann), ("b1", bo)):
        assert kept.begin_login(person.id, NewLogin(digest, NOON + DAY, "Firefox"), NOON) is not None
    assert kept.change_password(ann.id, "new", staying="a2")
    assert [kept.login(digest, NOON) is not None for digest in ("a1", "a2", "b1")] == [False, True, True]
    found = kept.person(ann.id)
    assert found is not None
    assert kept.rehash_password(ann.id, found.settings.password, "newer")
    assert not kept.rehash_password(ann.id, "new", "newest")
    assert kept.login("a2", NOON) is not None


def test_logins_end(kept: Store) -> None:
    ann, bo = add(kept), add(kept, "Bo")
    first = kept.begin_login(ann.id, NewLogin("a1", NOON + DAY, "Firefox"), NOON)
    second = kept.begin_login(ann.id, NewLogin("a2", NOON + 2 * DAY), NOON + HOUR)
    assert first is not None
    assert second is not None
    assert kept.logins(ann.id, NOON) == [second, first]
    assert kept.login("a1", NOON) == (first, ann)
    assert kept.login("a1", NOON + DAY) is None
    assert kept.logins(ann.id, NOON + DAY) == [second]
    kept.logins_used({"a1": NOON + 2 * HOUR, "a2": NOON, "none": NOON})
    assert [(one.id, one.used) for one in kept.logins(ann.id, NOON)] == [
        (first.id, NOON + 2 * HOUR), (second.id, NOON + HOUR),
    ]  # fmt: skip
    assert kept.end_logins(bo.id, [first.id, second.id]) == 0
    assert kept.end_logins(ann.id, [first.id]) == 1
    assert kept.login("a1", NOON) is None
    assert kept.end_login("a2")
    assert not kept.end_login("a2")
    assert kept.login("a2", NOON) is None


def test_logins_are_bounded_and_old_ones_go(kept: Store) -> None:
    ann = add(kept)
    kept.begin_login(ann.id, NewLogin("old", NOON + HOUR), NOON)
    for number in range(MOST_LOGINS + 2):
        kept.begin_login(
            ann.id, NewLogin(f"d{number}", NOON + 9 * DAY), NOON + 2 * HOUR + number * timedelta(seconds=1)
        )
    found = kept.logins(ann.id, NOON)
    assert len(found) == MOST_LOGINS
    assert found[0].settings.digest == f"d{MOST_LOGINS + 1}"
    assert kept.login("old", NOON) is None
    assert kept.login("d1", NOON) is None


def test_tokens(kept: Store) -> None:
    ann = add(kept)
    both = frozenset({Scope.READ, Scope.WRITE})
    made = kept.add_token(NewToken("t1", "tdg_abc", "phone", both, NOON + DAY), ann.key, NOON)
    other = kept.add_token(NewToken("t2", "tdg_def"), LOCAL, NOON)
    assert made is not None
    assert other is not None
    assert (made.person, made.settings.scopes, made.used) == (ann.key, both, None)
    assert kept.token("t1", NOON) == made
    assert kept.token("t1", NOON + DAY) is None
    assert kept.token("t2", NOON + 900 * DAY) == other
    assert kept.token("t3", NOON) is None
    kept.tokens_used({"t1": NOON + HOUR})
    kept.tokens_used({"t1": NOON})
    assert [one.used for one in kept.tokens(ann.key)] == [NOON + HOUR]
    assert not kept.revoke_token(other.id, ann.key, NOON)
    assert kept.revoke_token(made.id, ann.key, NOON + HOUR)
    assert not kept.revoke_token(made.id, ann.key, NOON + HOUR)
    assert kept.token("t1", NOON) is None
    assert [one.revoked for one in kept.tokens(ann.key)] == [NOON + HOUR]
    assert "t1" not in repr(made)


def test_tokens_are_bounded(kept: Store) -> None:
    for number in range(MOST_TOKENS):
        assert kept.add_token(NewToken(f"t{number}", ""), LOCAL, NOON) is not None
    assert kept.add_token(NewToken("more", ""), LOCAL, NOON) is None
    oldest = kept.tokens(LOCAL)[-1]
    assert kept.revoke_token(oldest.id, LOCAL, NOON)
    assert kept.add_token(NewToken("more", ""), LOCAL, NOON) is not None
    assert len(kept.tokens(LOCAL)) == MOST_TOKENS


def everything(kept: Store, person: str) -> None:
    kept.save(1, person, NOON)
    kept.follow(1, person, NOON)
    kept.follow_columnist("Ada Reed", person, NOON)
    kept.subscribe(1, person, NOON, folder="Sea")
    kept.mark_read(person, [2])
    kept.mark_all_read(person, up_to=1)
    kept.add_token(NewToken(f"token of {person}", "tdg"), person, NOON)


def filled(kept: Store) -> tuple[Person, Person]:
    kept.add_sources([NewSource("https://a.example/feed")], NOON)
    kept.keep([new(n, authors=("Ada Reed",), sources=(1,)) for n in range(1, 4)])
    kept.save_stories([StoryDraft((1, 2), "seals")])
    ann, bo = add(kept), add(kept, "Bo")
    for person in (ann, bo):
        kept.begin_login(person.id, NewLogin(f"login of {person.name}", NOON + DAY), NOON)
        everything(kept, person.key)
    return ann, bo


def test_somebody_who_goes_leaves_nothing(kept: Store) -> None:
    ann, bo = filled(kept)
    assert kept.remove_person(ann.id)
    assert not kept.remove_person(ann.id)
    with kept.database.reading() as session:
        for table in ("saved", "follower", "author_follower", "read_mark", "read_up_to", "subscription", "token"):
            assert session.all(" ".join(("SELECT DISTINCT person FROM", table))) == [(bo.key,)], table
    assert kept.login("login of Ann", NOON) is None
    assert kept.login("login of Bo", NOON) is not None
    story = kept.story(1)
    assert story is not None
    assert story.followers == 1
    again = add(kept)
    assert again.key != ann.key
    assert kept.saved(again.key).items == ()


def test_a_copy_has_everybody(both: tuple[Store, Store]) -> None:
    file, served = both
    ann, _ = filled(file)
    file.copy_to(served)
    assert served.persons() == file.persons()
    assert served.tokens(ann.key) == file.tokens(ann.key)
    assert served.login("login of Ann", NOON) == file.login("login of Ann", NOON)
    assert served.subscriptions(ann.key) == file.subscriptions(ann.key)
    assert served.unread(ann.key) == file.unread(ann.key)
    assert served.followed_columnists(ann.key) == file.followed_columnists(ann.key)
    third = served.add_person(NewPerson("Cem", "x"), NOON)
    assert third is not None
    assert third.id == 3


def first_form(where: str, database: str | None) -> None:
    """A store as it was before there were people."""
    if database is not None:
        import psycopg

        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("CREATE SCHEMA tidings")
            connection.execute("SET search_path = tidings")
            connection.execute("CREATE TABLE store_version (number BIGINT NOT NULL)")
            for statement in migrations.steps(0, "postgres", migrations.POSTGRES):
                connection.execute(statement.encode())
            connection.execute("INSERT INTO store_version VALUES (1)")
            connection.execute("INSERT INTO saved (person, article, at) SELECT 'local', 1, 0 WHERE false")
        return
    made = sqlite3.connect(where)
    with made:
        for statement in migrations.steps(0, "sqlite", migrations.SQLITE):
            made.execute(statement)
        made.execute("PRAGMA application_id = 0x5449444E")
        made.execute("PRAGMA user_version = 1")
        made.execute("INSERT INTO setting (name, value) VALUES ('old', 'yes')")
    made.close()


def test_a_store_from_before_there_were_people(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    served = where if where.startswith("postgresql") else None
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "latest", lambda: 1)
        first_form(where, served)
    with store.open(where) as kept:
        assert kept.persons() == []
        assert add(kept).settings.admin
        assert kept.check() == []
        if served is None:
            assert kept.setting("old") == "yes"
    if served is None:
        copy = sqlite3.connect(Path(where + ".version-1"))
        assert copy.execute("PRAGMA user_version").fetchone() == (1,)
        assert copy.execute("SELECT value FROM setting").fetchall() == [("yes",)]
        assert copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'person'").fetchone() == (0,)
        copy.close()
