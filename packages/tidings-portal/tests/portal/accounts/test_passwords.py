"""Passwords and attempts, by themselves."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.portal.accounts.browsing import PASSWORD, QUICK
from tidings_portal.accounts.passwords import LONGEST, Passwords, Weakness, weakness
from tidings_portal.accounts.sessions import LoginThrottle
from tidings_portal.web.counters import MemoryCounters
from tidings_portal.web.errors import HttpProblem


def test_what_is_kept_is_argon2_with_salt() -> None:
    one, other = QUICK.hash(PASSWORD), QUICK.hash(PASSWORD)
    assert one.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert one != other
    assert PASSWORD not in one
    assert QUICK.is_right(one, PASSWORD)
    assert not QUICK.is_right(one, PASSWORD + " ")
    assert not QUICK.is_right("nonsense", PASSWORD)


def test_the_parameters_are_those_of_rfc_9106() -> None:
    """Section 4: where memory is short, 3 passes over 64 MiB in 4 lanes."""
    assert Passwords().hash(PASSWORD).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_other_parameters_are_noticed() -> None:
    kept = QUICK.hash(PASSWORD)
    assert not QUICK.is_outdated(kept)
    assert Passwords(2, 8, 1).is_outdated(kept)
    assert Passwords(2, 8, 1).is_right(kept, PASSWORD)


def test_nobody_is_reckoned_with_as_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that nobody has costs one verification with the same parameters, and so does one that somebody has."""
    passwords = Passwords(1, 8, 1)
    kept = passwords.hash(PASSWORD)
    verified: list[str] = []
    hasher = passwords._hasher
    real = type(hasher).verify

    def verify(self: object, told: str, password: bytes) -> bool:
        verified.append(told.rpartition("$")[0].rpartition("$")[0])
        return bool(real(hasher, told, password))

    monkeypatch.setattr(type(hasher), "verify", verify)
    assert not passwords.is_right(None, PASSWORD)
    assert not passwords.is_right(kept, "wrong")
    assert not passwords.is_right(None, "nobody's password")
    assert not passwords.is_right(kept, "x" * (LONGEST + 1))
    assert verified == ["$argon2id$v=19$m=8,t=1,p=1"] * 4


@settings(max_examples=30)
@given(st.text(max_size=50))
def test_any_text_can_be_a_password(text: str) -> None:
    kept = QUICK.hash(text)
    assert QUICK.is_right(kept, text)
    assert not QUICK.is_right(kept, text + "x")


def test_letters_are_the_same_however_they_are_typed() -> None:
    assert QUICK.is_right(QUICK.hash("caf\u00e9 au lait"), "cafe\u0301 au lait")
    assert QUICK.is_right(QUICK.hash("half \ud800"), "half \ud800")


@pytest.mark.parametrize(
    ("password", "wrong"),
    [
        ("", Weakness.SHORT),
        ("123456789", Weakness.SHORT),
        ("aaaaaaaaaaaa", Weakness.PLAIN),
        ("abababababab", Weakness.PLAIN),
        ("Ann of Green Gables", Weakness.PLAIN),
        ("ANN OF GREEN GABLES 1", Weakness.PLAIN),
        ("x" * (LONGEST + 1), Weakness.LONG),
        ("ann sees grey seals", None),
        ("deniz kenarında üç martı", None),
    ],
)
def test_weak_passwords(password: str, wrong: Weakness | None) -> None:
    name = "Ann of Green Gables" if "reen" in password.lower() and "grey" not in password else "Ann"
    assert weakness(password, name) is wrong


def test_reckoning_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many who sign in at once two are reckoned with; who waits too long is told so."""
    monkeypatch.setattr("tidings_portal.accounts.passwords._PATIENCE", 0.0)
    passwords = Passwords(1, 8, 1)
    with passwords._hashing_slot(), passwords._hashing_slot(), pytest.raises(HttpProblem) as told:
        passwords.hash(PASSWORD)
    assert told.value.status == 503
    assert passwords.hash(PASSWORD)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_sixth_attempt_waits_and_the_next_twice_as_long() -> None:
    clock = Clock()
    attempts = LoginThrottle(clock)
    assert [attempts.begin("ann", "1") for _ in range(6)] == [0, 0, 0, 0, 0, 1]
    clock.now += 1
    assert attempts.begin("ann", "1") == 0
    assert attempts.begin("ann", "1") == 2
    clock.now += 2
    assert attempts.begin("ann", "1") == 0
    assert attempts.begin("ann", "1") == 4
    for _ in range(20):
        clock.now += attempts.begin("ann", "1")
        attempts.begin("ann", "1")
    assert attempts.begin("ann", "1") == 900
    clock.now += 3600
    assert attempts.begin("ann", "1") == 0


def test_nobody_can_lock_out_somebody_else() -> None:
    attempts = LoginThrottle(Clock())
    for _ in range(50):
        attempts.begin("ann", "mallory's")
    assert attempts.begin("ann", "mallory's") > 0
    assert attempts.begin("ann", "ann's") == 0
    attempts.succeeded("ann", "ann's")
    assert attempts.begin("ann", "ann's") == 0


def test_one_address_with_many_names_waits() -> None:
    clock = Clock()
    attempts = LoginThrottle(clock)
    waits = [attempts.begin(f"name {number}", "1") for number in range(40)]
    assert waits[:30] == [0] * 30
    assert waits[30] > 0


def test_one_name_from_many_addresses_waits_a_minute_at_most() -> None:
    clock = Clock()
    attempts = LoginThrottle(clock)
    for number in range(400):
        clock.now += attempts.begin("ann", f"{number}")
        attempts.begin("ann", f"{number}")
    assert 0 < attempts.begin("ann", "another") <= 60


def test_a_success_begins_anew() -> None:
    attempts = LoginThrottle(Clock())
    for _ in range(100):
        assert attempts.begin("ann", "1") == 0
        attempts.succeeded("ann", "1")


def test_attempts_of_many_threads_are_all_counted() -> None:
    attempts = LoginThrottle(Clock())
    let_in: list[int] = []
    crew = [threading.Thread(target=lambda: let_in.append(attempts.begin("ann", "1"))) for _ in range(30)]
    for one in crew:
        one.start()
    for one in crew:
        one.join()
    assert let_in.count(0) == 5


def test_attempts_take_bounded_room() -> None:
    counters = MemoryCounters(30)
    attempts = LoginThrottle(Clock(), counters)
    for number in range(500):
        attempts.begin(f"name {number}", f"{number}")
    assert len(counters) == 30
