"""Store methods for the quarantine table. See `tidings_portal.store.quarantine` for its use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tidings_portal.store.database import Session, Verbs, key
from tidings_portal.store.records_of_work import QuarantineEntry, Stage, micros
from tidings_portal.store.verbs.links import COLUMNS, add_task, entry_of, lift, put_aside


class QuarantineVerbs(Verbs):
    """Store methods for quarantined items."""

    def set_aside(self, entries: Sequence[QuarantineEntry]) -> None:
        """Quarantine items. An item that is quarantined already keeps its start and counts another attempt."""
        self.database.write(lambda session: put_aside(session, entries))

    def quarantine(self, stage: Stage | None = None, *, limit: int = 1000) -> list[QuarantineEntry]:
        """Return the quarantined items of a stage or of all stages, latest first."""
        where, values = ("", ()) if stage is None else (" WHERE stage = ?", (stage.value,))
        order = "ORDER BY tried DESC, stage, kind, item LIMIT ?"
        with self.database.reading() as session:
            rows = session.all(f"SELECT {COLUMNS} FROM quarantine{where} {order}", *values, limit)
        return [entry for row in rows if (entry := entry_of(row)) is not None]

    def quarantine_counts(self) -> dict[Stage, int]:
        """Return the number of quarantined items by stage."""
        with self.database.reading() as session:
            rows = session.all("SELECT stage, count(*) FROM quarantine GROUP BY stage ORDER BY stage")
        return {Stage(stage): number for stage, number in rows if stage in set(Stage)}

    def lift_quarantine(self, stage: Stage, items: Sequence[str]) -> int:
        """Release items from quarantine; return their number."""
        return self.database.write(lambda session: lift(session, stage, items))

    def retry_quarantine(self, at: datetime, *, unless: str | None = None) -> int:
        """Release quarantined items, so that their processing stages retry them; return their number.

        Sources become due, links are queued, and articles are processed at the next run of their stage.

        Args:
            at: now.
            unless: leave out items that failed with this version of Tidings; None leaves out none.
        """
        chosen = "version <> ''" + ("" if unless is None else " AND version <> ?")
        values = () if unless is None else (key(unless),)

        def work(session: Session) -> int:
            rows = session.all(f"SELECT stage, item FROM quarantine WHERE {chosen}", *values)
            numbers = {
                stage: [int(item) for of, item in rows if of == stage] for stage in (Stage.POLLING, Stage.READING)
            }
            session.run_in(
                "UPDATE source SET next_poll = ?, gone = 0, leased_until = 0 WHERE id IN ({})",
                *(numbers[Stage.POLLING], micros(at)),
            )
            addresses = "SELECT id, address, priority FROM link WHERE id IN ({})"
            for number, address, priority in session.in_all(addresses, numbers[Stage.READING]):
                add_task(session, number, address, priority, micros(at))
            return session.run(f"UPDATE quarantine SET version = '' WHERE {chosen}", *values)

        return self.database.write(work)
