"""Tokens: what a program shows to the API instead of a password. Kept as digests; they are shown once, when made."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from tidings.news.store.clock import maybe_micros, maybe_moment, micros, moment
from tidings.news.store.database import Row, Session
from tidings.news.store.records_of_people import NewToken, Scope, Token
from tidings.news.store.verbs.base import Verbs, clean, key, known

_COLUMNS: Final = "id, person, digest, beginning, name, scopes, expires, created, used, revoked"
#: Of one person, those that were revoked included.
MOST_TOKENS: Final = 100


class TokenVerbs(Verbs):
    """Making and revoking."""

    def add_token(self, told: NewToken, person: str, at: datetime) -> Token | None:
        """Make a token. None: somebody has too many already; those that are over make room."""

        def work(session: Session) -> Token | None:
            session.run(
                "DELETE FROM token WHERE person = ? AND (revoked IS NOT NULL OR expires <= ?) AND id NOT IN"
                " (SELECT id FROM token WHERE person = ? ORDER BY id DESC LIMIT ?)",
                *(key(person), micros(at), key(person), MOST_TOKENS - 1),
            )
            if session.value("SELECT count(*) FROM token WHERE person = ?", key(person)) >= MOST_TOKENS:
                return None
            row = session.one(
                "INSERT INTO token (person, digest, beginning, name, scopes, created, expires)"
                f" VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
                *(key(person), key(told.digest), clean(told.beginning), clean(told.name)),
                *(" ".join(sorted(told.scopes)), micros(at), maybe_micros(told.expires)),
            )
            return None if row is None else _token(row)

        return self.database.write(work)

    def token(self, digest: str, at: datetime) -> Token | None:
        """The token that this is the digest of; None where there is none that is still good."""
        with self.database.reading() as session:
            row = session.one(f"SELECT {_COLUMNS} FROM token WHERE digest = ?", key(digest))
        found = None if row is None else _token(row)
        return found if found is not None and found.good(at) else None

    def tokens(self, person: str) -> list[Token]:
        """Somebody's tokens, the latest first; also those that are over."""
        with self.database.reading() as session:
            rows = session.all(f"SELECT {_COLUMNS} FROM token WHERE person = ? ORDER BY id DESC", key(person))
        return [_token(row) for row in rows]

    def revoke_token(self, number: int, person: str, at: datetime) -> bool:
        """A token opens nothing any more. False: somebody has no such token, or not any more."""
        sql = "UPDATE token SET revoked = ? WHERE id = ? AND person = ? AND revoked IS NULL"
        return known(number) and self.database.write(
            lambda session: session.run(sql, micros(at), number, key(person)) > 0
        )

    def tokens_used(self, used: Mapping[str, datetime]) -> None:
        """When tokens were last used, by their digests."""
        rows = [(micros(at), key(digest), micros(at)) for digest, at in sorted(used.items())]
        sql = "UPDATE token SET used = ? WHERE digest = ? AND (used IS NULL OR used < ?)"
        if rows:
            self.database.write(lambda session: session.many(sql, rows))


def _token(row: Row) -> Token:
    scopes = frozenset(map(Scope, row[5].split()))
    told = NewToken(row[2], row[3], row[4], scopes, maybe_moment(row[6]))
    return Token(row[0], row[1], told, moment(row[7]), maybe_moment(row[8]), maybe_moment(row[9]))
