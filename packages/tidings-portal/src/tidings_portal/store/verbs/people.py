"""Store methods for accounts, logins, tokens, preferences and saved articles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from tidings.text import fold_space
from tidings_portal.store.database import Row, Session, Verbs, clean, is_possible, key, place_of
from tidings_portal.store.records_of_articles import ArticleHeadline, Listed
from tidings_portal.store.records_of_people import (
    LOCAL,
    AccessToken,
    Login,
    NewLogin,
    NewPerson,
    NewToken,
    Person,
    Scope,
)
from tidings_portal.store.records_of_work import maybe_micros, maybe_moment, micros, moment
from tidings_portal.store.search_words import fold
from tidings_portal.store.verbs.stories import COLUMNS, WIDTH, count_followers, headlines
from tidings_portal.store.verbs.unread import subscribe_to_rest

_PERSON: Final = "id, name, password, language, theme, admin, created"
_LOGIN: Final = "id, digest, expires, device, created, used"
#: The maximum number of logins per user; the least recently used is deleted.
MOST_LOGINS: Final = 100
#: The tables of what a user reads, saves and follows, and all tables of a user.
_READING: Final = (
    "saved",
    "follower",
    "author_follower",
    "read_mark",
    "read_up_to",
    "subscription",
    "label",
    "preference",
    "note",
    "reader_rule",
    "hidden",
    "target",
)
_KEPT: Final = (*_READING, "token")


class AccountVerbs(Verbs):
    """Store methods for accounts and logins."""

    def add_person(self, new: NewPerson, at: datetime, *, only_first: bool = False) -> Person | None:
        """Add a user.

        The first user is an administrator and gets the saved articles and reading marks of the portal without accounts.
        Return None if the name is in use, or with `only_first` if there is a user already.

        Args:
            new: the new user.
            at: now.
            only_first: add the user only if there is none yet.
        """

        def work(session: Session) -> Person | None:
            # Concurrent sign-ups wait here, so that there is one first user.
            session.run(
                "INSERT INTO setting (name, value) VALUES ('people', ?) ON CONFLICT (name) DO UPDATE SET value ="
                " excluded.value",
                str(micros(at)),
            )
            first = session.value("SELECT 1 FROM person LIMIT 1") is None
            if only_first and not first:
                return None
            row = session.first(
                "INSERT INTO person (name, name_key, password, language, theme, admin, created)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name_key) DO NOTHING RETURNING {_PERSON}",
                *(clean(fold_space(new.name)), person_key(new.name), clean(new.password)),
                *(clean(new.language), clean(new.theme), int(new.admin or first), micros(at)),
            )
            added = None if row is None else _person(row)
            if added is not None and first:
                for table in _READING:  # tokens stay with the operator
                    session.run(f"UPDATE {table} SET person = ? WHERE person = ?", added.key, LOCAL)
                # LOCAL reads all sources, whatever it subscribes to; an account reads its subscriptions if it has any.
                if session.value("SELECT 1 FROM subscription WHERE person = ? LIMIT 1", added.key) is not None:
                    subscribe_to_rest(session, added.key, at)
            return added

        return self.database.write(work)

    def person(self, number: int) -> Person | None:
        """Return a user by number."""
        return self._person("id = ?", number) if is_possible(number) else None

    def person_named(self, name: str) -> Person | None:
        """Return a user by name, regardless of case and accents."""
        return self._person("name_key = ?", person_key(name))

    def persons(self) -> list[Person]:
        """Return all users, oldest account first."""
        with self.database.reading() as session:
            return [_person(row) for row in session.all(f"SELECT {_PERSON} FROM person ORDER BY id")]

    def change_person(self, number: int, *, language: str, theme: str) -> bool:
        """Change the language and theme of a user; return False if there is no such user."""
        sql = "UPDATE person SET language = ?, theme = ? WHERE id = ?"
        return is_possible(number) and self.database.write(
            lambda session: session.run(sql, clean(language), clean(theme), number) > 0
        )

    def set_admin(self, number: int, admin: bool) -> bool:
        """Grant or revoke administrator rights; return False if there is no such user."""
        sql = "UPDATE person SET admin = ? WHERE id = ?"
        return is_possible(number) and self.database.write(lambda session: session.run(sql, int(admin), number) > 0)

    def change_password(self, number: int, password: str, *, staying: str = "") -> bool:
        """Change a password and end all logins except `staying` (a digest)."""

        def work(session: Session) -> bool:
            changed = session.run("UPDATE person SET password = ? WHERE id = ?", clean(password), number)
            session.run("DELETE FROM login WHERE owner = ? AND digest <> ?", number, key(staying))
            return changed > 0

        return is_possible(number) and self.database.write(work)

    def rehash_password(self, number: int, old: str, new: str) -> bool:
        """Replace a password hash by one with other parameters; return False if the password was changed meanwhile."""
        sql = "UPDATE person SET password = ? WHERE id = ? AND password = ?"
        return is_possible(number) and self.database.write(
            lambda session: session.run(sql, clean(new), number, clean(old)) > 0
        )

    def remove_person(self, number: int) -> bool:
        """Delete a user with all their data; return False if there is no such user."""

        def work(session: Session) -> bool:
            row = session.first(f"SELECT {_PERSON} FROM person WHERE id = ?", number)
            if row is None:
                return False
            name = _person(row).key
            stories = [story for (story,) in session.all("SELECT story FROM follower WHERE person = ?", name)]
            for table in _KEPT:
                session.run(f"DELETE FROM {table} WHERE person = ?", name)
            for story in stories:
                count_followers(session, story)
            session.run("DELETE FROM person WHERE id = ?", number)
            return True

        return is_possible(number) and self.database.write(work)

    def begin_login(self, person: int, new: NewLogin, at: datetime) -> Login | None:
        """Store a new login; None if there is no such user."""

        def work(session: Session) -> Login | None:
            if session.value("SELECT 1 FROM person WHERE id = ?", person) is None:
                return None
            session.run("DELETE FROM login WHERE expires <= ?", micros(at))
            row = session.first(
                "INSERT INTO login (owner, digest, device, created, used, expires) VALUES (?, ?, ?, ?, ?, ?)"
                f" RETURNING {_LOGIN}",
                *(person, key(new.digest), clean(new.device), micros(at), micros(at), micros(new.expires)),
            )
            session.run(
                "DELETE FROM login WHERE owner = ? AND id NOT IN (SELECT id FROM login WHERE owner = ?"
                " ORDER BY used DESC, id DESC LIMIT ?)",
                *(person, person, MOST_LOGINS),
            )
            return None if row is None else _login(row)

        return self.database.write(work) if is_possible(person) else None

    def login(self, digest: str, at: datetime) -> tuple[Login, Person] | None:
        """Return the login with this digest and its user; None if there is none or it has expired."""
        with self.database.reading() as session:
            row = session.first(
                f"SELECT {_LOGIN}, owner FROM login WHERE digest = ? AND expires > ?", key(digest), micros(at)
            )
            owner = None if row is None else session.first(f"SELECT {_PERSON} FROM person WHERE id = ?", row[-1])
        return None if row is None or owner is None else (_login(row[:-1]), _person(owner))

    def logins(self, person: int, at: datetime) -> list[Login]:
        """Return the active logins of a user, last used first."""
        sql = f"SELECT {_LOGIN} FROM login WHERE owner = ? AND expires > ? ORDER BY used DESC, id DESC"
        with self.database.reading() as session:
            return [_login(row) for row in session.all(sql, person, micros(at))] if is_possible(person) else []

    def logins_used(self, used: Mapping[str, datetime]) -> None:
        """Store when logins were last used, by digest."""
        rows = [(micros(at), key(digest), micros(at)) for digest, at in sorted(used.items())]
        sql = "UPDATE login SET used = ? WHERE digest = ? AND used < ?"
        if rows:
            self.database.write(lambda session: session.many(sql, rows))

    def end_login(self, digest: str) -> bool:
        """End a login; return False if there was none."""
        sql = "DELETE FROM login WHERE digest = ?"
        return self.database.write(lambda session: session.run(sql, key(digest)) > 0)

    def end_logins(self, person: int, numbers: Iterable[int]) -> int:
        """End some of the user's logins; return their number. Logins of other users are ignored."""
        possible_numbers = [number for number in numbers if is_possible(number)]
        sql = "DELETE FROM login WHERE owner = ? AND id IN ({})"
        return (
            self.database.write(lambda session: session.run_in(sql, possible_numbers, person))
            if is_possible(person)
            else 0
        )

    def _person(self, condition: str, value: int | str) -> Person | None:
        with self.database.reading() as session:
            row = session.first(f"SELECT {_PERSON} FROM person WHERE {condition}", value)
        return None if row is None else _person(row)


def person_key(name: str) -> str:
    """Return the lookup key of a user name. Names that look alike have the same key."""
    return key(fold(fold_space(name)))


def _person(row: Row) -> Person:
    number, name, password, language, theme, admin, created = row
    return Person(number, NewPerson(name, password, language, theme, bool(admin)), moment(created))


def _login(row: Row) -> Login:
    number, digest, expires, device, created, used = row
    return Login(number, NewLogin(digest, moment(expires), device), moment(created), moment(used))


_COLUMNS: Final = "id, person, digest, beginning, name, scopes, expires, created, used, revoked"
#: Per user, including revoked ones.
MOST_TOKENS: Final = 100


class TokenVerbs(Verbs):
    """Store methods for access tokens."""

    def add_token(self, new: NewToken, person: str, at: datetime) -> AccessToken | None:
        """Add an access token; None if the user has too many. Expired tokens are deleted first."""

        def work(session: Session) -> AccessToken | None:
            session.run(
                "DELETE FROM token WHERE person = ? AND (revoked IS NOT NULL OR expires <= ?) AND id NOT IN"
                " (SELECT id FROM token WHERE person = ? ORDER BY id DESC LIMIT ?)",
                *(key(person), micros(at), key(person), MOST_TOKENS - 1),
            )
            if session.value("SELECT count(*) FROM token WHERE person = ?", key(person)) >= MOST_TOKENS:
                return None
            row = session.first(
                "INSERT INTO token (person, digest, beginning, name, scopes, created, expires)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
                *(key(person), key(new.digest), clean(new.beginning), clean(new.name)),
                *(" ".join(sorted(new.scopes)), micros(at), maybe_micros(new.expires)),
            )
            return None if row is None else _token(row)

        return self.database.write(work)

    def token(self, digest: str, at: datetime) -> AccessToken | None:
        """Return the valid token with this digest, or None."""
        with self.database.reading() as session:
            row = session.first(f"SELECT {_COLUMNS} FROM token WHERE digest = ?", key(digest))
        token = None if row is None else _token(row)
        return token if token is not None and token.good(at) else None

    def tokens(self, person: str) -> list[AccessToken]:
        """Return the user's tokens, latest first, including expired ones."""
        with self.database.reading() as session:
            rows = session.all(f"SELECT {_COLUMNS} FROM token WHERE person = ? ORDER BY id DESC", key(person))
        return [_token(row) for row in rows]

    def revoke_token(self, number: int, person: str, at: datetime) -> bool:
        """Revoke a token; return False if the user has no such valid token."""
        sql = "UPDATE token SET revoked = ? WHERE id = ? AND person = ? AND revoked IS NULL"
        return is_possible(number) and self.database.write(
            lambda session: session.run(sql, micros(at), number, key(person)) > 0
        )

    def tokens_used(self, used: Mapping[str, datetime]) -> None:
        """Store when tokens were last used, by digest."""
        rows = [(micros(at), key(digest), micros(at)) for digest, at in sorted(used.items())]
        sql = "UPDATE token SET used = ? WHERE digest = ? AND (used IS NULL OR used < ?)"
        if rows:
            self.database.write(lambda session: session.many(sql, rows))


def _token(row: Row) -> AccessToken:
    scopes = frozenset(map(Scope, row[5].split()))
    new = NewToken(row[2], row[3], row[4], scopes, maybe_moment(row[6]))
    return AccessToken(row[0], row[1], new, moment(row[7]), maybe_moment(row[8]), maybe_moment(row[9]))


_DAY = 24 * 3600 * 1_000_000


class ReaderVerbs(Verbs):
    """Store methods for read counts, saved articles and preferences."""

    def count_reads(self, reads: Mapping[int, int], at: datetime) -> None:
        """Add to the read counts of articles. Deleted articles are ignored."""
        counted = sorted((article, times) for article, times in reads.items() if is_possible(article) and times > 0)

        def work(session: Session) -> None:
            for article, times in counted:
                if session.run("UPDATE article SET reads = reads + ? WHERE id = ?", times, article):
                    session.run(
                        "INSERT INTO reading (day, article, reads) VALUES (?, ?, ?) ON CONFLICT (day, article)"
                        " DO UPDATE SET reads = reading.reads + excluded.reads",
                        *(micros(at) // _DAY, article, times),
                    )

        self.database.write(work)

    def save(self, article: int, person: str, at: datetime) -> bool:
        """Save an article for a user, which protects it from retention; return False if there is no such article."""

        def work(session: Session) -> bool:
            is_stored = (
                is_possible(article) and session.value("SELECT 1 FROM article WHERE id = ?", article) is not None
            )
            if is_stored:
                session.run(
                    "INSERT INTO saved (person, article, at) VALUES (?, ?, ?) ON CONFLICT (person, article) DO NOTHING",
                    *(key(person), article, micros(at)),
                )
            return is_stored

        return self.database.write(work)

    def unsave(self, article: int, person: str) -> bool:
        """Remove an article from the user's saved articles; return False if it was not saved."""
        sql = "DELETE FROM saved WHERE person = ? AND article = ?"
        return is_possible(article) and self.database.write(lambda session: session.run(sql, key(person), article) > 0)

    def preference(self, person: str, name: str) -> str:
        """Return a preference of the user, or ""."""
        with self.database.reading() as session:
            return str(
                session.value("SELECT value FROM preference WHERE person = ? AND name = ?", key(person), name) or ""
            )

    def set_preference(self, person: str, name: str, value: str) -> None:
        """Store a preference of the user."""
        sql = (
            "INSERT INTO preference (person, name, value) VALUES (?, ?, ?)"
            " ON CONFLICT (person, name) DO UPDATE SET value = excluded.value"
        )
        self.database.write(lambda session: session.run(sql, key(person), name, clean(value)))

    def is_saved(self, article: int, person: str) -> bool:
        """Return whether the user saved an article."""
        with self.database.reading() as session:
            sql = "SELECT 1 FROM saved WHERE person = ? AND article = ?"
            return is_possible(article) and bool(session.all(sql, key(person), article))

    def saved(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[ArticleHeadline]:
        """Return the user's saved articles, latest first."""
        with self.database.reading() as session:
            rows = session.all(
                f"SELECT {COLUMNS} FROM saved s JOIN article a ON a.id = s.article WHERE s.person = ? AND a.place < ?"
                " ORDER BY a.place DESC LIMIT ?",
                *(key(person), place_of(after), limit + 1),
            )
            articles = headlines(session, rows[:limit])
        return Listed(tuple(articles), str(rows[limit - 1][WIDTH - 1]) if limit and len(rows) > limit else None)
