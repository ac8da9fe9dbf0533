"""What is not to be shown: rules that are queries, and muted sources. Marked on the articles, so that lists stay quick.

An article's mark is 1 by a rule, 2 where all its sources are muted, 3 by both.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tidings.news.store.base import Verbs, clean
from tidings.news.store.clock import maybe_micros, maybe_moment
from tidings.news.store.database import Session
from tidings.news.store.query import parse
from tidings.news.store.records_of_articles import Mute
from tidings.news.store.verbs.select_articles import select


class MuteVerbs(Verbs):
    """Rules, and marking by them."""

    def mutes(self) -> list[Mute]:
        """The rules there are."""
        with self.database.reading() as session:
            return _mutes(session)

    def set_mutes(self, rules: Sequence[Mute]) -> int:
        """Replace all rules; every article is marked anew. How many are muted by a rule now.

        Raises:
            BadQuery: a rule is no query.
        """
        for rule in rules:
            parse(rule.query)

        def work(session: Session) -> int:
            session.run("DELETE FROM mute")
            session.many(
                "INSERT INTO mute (query, reason, until) VALUES (?, ?, ?)",
                [(clean(rule.query), clean(rule.reason), maybe_micros(rule.until)) for rule in rules],
            )
            session.run("UPDATE article SET muted = muted & 2 WHERE muted <> 0")
            return self._mark(session, rules, None)

        return self.database.write(work)

    def lift_mutes(self, at: datetime) -> int:
        """Drop the rules whose time is over; how many there were."""
        kept = [rule for rule in self.mutes() if rule.until is None or rule.until > at]
        dropped = len(self.mutes()) - len(kept)
        if dropped:
            self.set_mutes(kept)
        return dropped

    def mute_fresh(self, session: Session, articles: Sequence[int]) -> None:
        """Mark articles that have just come or changed."""
        fresh = sorted(set(articles))
        if session.value("SELECT count(*) FROM source WHERE muted = 1"):
            session.run_in(
                "UPDATE article SET muted = muted | 2 WHERE EXISTS (SELECT 1 FROM article_source s WHERE s.article ="
                " article.id) AND NOT EXISTS (SELECT 1 FROM article_source s JOIN source o ON o.id = s.source"
                " WHERE s.article = article.id AND o.muted = 0) AND id IN ({})",
                fresh,
            )
            session.run_in(
                "UPDATE article SET muted = muted & 1 WHERE EXISTS (SELECT 1 FROM article_source s JOIN source o"
                " ON o.id = s.source WHERE s.article = article.id AND o.muted = 0) AND id IN ({})",
                fresh,
            )
        rules = _mutes(session)
        if rules:
            session.run_in("UPDATE article SET muted = muted & 2 WHERE muted <> 0 AND id IN ({})", fresh)
            self._mark(session, rules, fresh)

    def _mark(self, session: Session, rules: Sequence[Mute], articles: Sequence[int] | None) -> int:
        for rule in rules:
            chosen = select(self.database, session, parse(rule.query))
            sql = (
                f"UPDATE article SET muted = muted | 1 WHERE id IN (SELECT a.id FROM {chosen.tables}"
                f" WHERE {chosen.where.sql})"
            )
            if articles is None:
                session.run(sql, *chosen.where.values)
            else:
                session.run_in(sql + " AND id IN ({})", articles, *chosen.where.values)
        return int(session.value("SELECT count(*) FROM article WHERE muted & 1 = 1"))


def _mutes(session: Session) -> list[Mute]:
    rows = session.all("SELECT query, reason, until FROM mute ORDER BY id")
    return [Mute(query, reason, maybe_moment(until)) for query, reason, until in rows]
