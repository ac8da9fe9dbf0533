"""Store methods for mail: confirmed addresses, rate limits, unsubscription."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from tidings_portal.store.database import Session, Verbs, is_possible, key
from tidings_portal.store.records_of_work import micros
from tidings_portal.store.verbs.sending import Delivery, SendingTarget

#: Limits of confirmation mails: per address a day and a month, and per account a day.
_CONFIRMATIONS_DAY: Final = 1
_CONFIRMATIONS_MONTH: Final = 3
_CONFIRMATIONS_BY_PERSON: Final = 10
#: Limits of other mails a day: per address, and per account.
_MAILS_TO_ADDRESS: Final = 200
_MAILS_BY_PERSON: Final = 500
_DAY: Final = timedelta(days=1)
_MONTH: Final = timedelta(days=30)


class MailVerbs(Verbs):
    """Store methods for confirmation, rate limits and unsubscription of mail targets."""

    def may_ask_confirmation(self, target: SendingTarget, at: datetime) -> bool:
        """Count a confirmation mail; return False if its limit is reached or the recipient has unsubscribed."""
        address = _recipient(target)

        def work(session: Session) -> bool:
            def count(column: str, value: str, since: timedelta) -> int:
                sql = f"SELECT count(*) FROM mail_log WHERE is_confirmation = 1 AND {column} = ? AND sent > ?"
                return int(session.value(sql, value, micros(at - since)))

            if (
                session.value("SELECT 1 FROM mail_blocked WHERE address = ?", address)
                or count("address", address, _DAY) >= _CONFIRMATIONS_DAY
                or count("address", address, _MONTH) >= _CONFIRMATIONS_MONTH
                or count("person", key(target.person), _DAY) >= _CONFIRMATIONS_BY_PERSON
            ):
                return False
            session.run("DELETE FROM mail_log WHERE sent < ?", micros(at - _MONTH))
            session.run("INSERT INTO mail_log VALUES (?, ?, 1, ?)", key(target.person), address, micros(at))
            return True

        return self.database.write(work)

    def may_mail(self, target: SendingTarget, at: datetime) -> bool:
        """Count a mail to a confirmed target; return False if its account or recipient has reached the daily limit."""
        address = _recipient(target)

        def work(session: Session) -> bool:
            sql = "SELECT count(*) FROM mail_log WHERE is_confirmation = 0 AND {} = ? AND sent > ?"
            since = micros(at - _DAY)
            to_address = session.value(sql.format("address"), address, since)
            by_person = session.value(sql.format("person"), key(target.person), since)
            if to_address >= _MAILS_TO_ADDRESS or by_person >= _MAILS_BY_PERSON:
                return False
            session.run("INSERT INTO mail_log VALUES (?, ?, 0, ?)", key(target.person), address, micros(at))
            return True

        return self.database.write(work)

    def postpone(self, delivery: Delivery, until: datetime) -> None:
        """Send a message later, without counting an attempt."""
        sql = "UPDATE delivery SET next_try = ? WHERE id = ?"
        self.database.write(lambda session: session.run(sql, micros(until), delivery.id))

    def confirm_target(self, number: int, address: str) -> bool:
        """Confirm the address of a target; return False if the target was deleted."""
        sql = "UPDATE target SET confirmed = 1, problem = '' WHERE id = ? AND kind = 'mail' AND address = ?"
        return is_possible(number) and self.database.write(lambda session: session.run(sql, number, address) > 0)

    def block_recipient(self, target: SendingTarget, at: datetime) -> None:
        """Block all mail to the recipient of a target, from any account."""
        address = _recipient(target)

        def work(session: Session) -> None:
            sql = "INSERT INTO mail_blocked (address, blocked) VALUES (?, ?) ON CONFLICT (address) DO NOTHING"
            session.run(sql, address, micros(at))
            mine = "(SELECT id FROM target WHERE kind = 'mail' AND lower(address) = ?)"
            session.run(f"DELETE FROM delivery WHERE target IN {mine}", address)
            problem = "the recipient has unsubscribed"
            session.run(f"UPDATE target SET confirmed = 0, problem = ? WHERE id IN {mine}", problem, address)

        self.database.write(work)


def _recipient(target: SendingTarget) -> str:
    return target.settings.address.lower()
