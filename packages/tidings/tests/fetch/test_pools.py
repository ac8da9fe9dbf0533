"""Connections by site: shared by those who ask a site, closed when it is not asked any more, never those in use."""

from __future__ import annotations

import asyncio

import pytest

from tidings.fetch.network import connection_pools as pools
from tidings.fetch.network.connection_pools import ConnectionPools


class Pool:
    """Stands for a pool: only knows whether it is closed."""

    closed = False

    async def aclose(self) -> None:
        await asyncio.sleep(0)
        assert not self.closed
        self.closed = True


def new_pools(most: int, seconds: float = 15.0) -> tuple[ConnectionPools, list[Pool]]:
    every: list[Pool] = []

    def make() -> Pool:
        every.append(Pool())
        return every[-1]

    return ConnectionPools(make, most, seconds), every  # type: ignore[arg-type]  # as much of a pool as is used


async def ask(kept: ConnectionPools, *origins: str) -> None:
    for origin in origins:
        async with kept.lent(origin) as pool:
            assert not pool.closed  # type: ignore[attr-defined]


def test_a_site_keeps_its_pool_and_the_longest_unasked_goes() -> None:
    kept, every = new_pools(most=2)
    asyncio.run(ask(kept, "a", "b", "a", "c", "a"))
    assert [pool.closed for pool in every] == [False, True, False]


def test_one_in_use_is_not_closed() -> None:
    kept, every = new_pools(most=1)

    async def main() -> None:
        async with kept.lent("a"):
            await ask(kept, "b", "c")
            assert [pool.closed for pool in every] == [False, True, False]
        await kept.aclose()

    asyncio.run(main())
    assert all(pool.closed for pool in every)


def test_who_is_not_asked_for_a_while_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, every = new_pools(most=9)
    now = [100.0]
    monkeypatch.setattr(pools, "monotonic", lambda: now[0])

    async def main() -> None:
        await ask(kept, "a", "b")
        now[0] += 10
        await ask(kept, "b")
        now[0] += 10
        await ask(kept, "c")

    asyncio.run(main())
    assert [pool.closed for pool in every] == [True, False, False]


def test_many_at_once_close_each_pool_once() -> None:
    kept, every = new_pools(most=3)

    async def one(n: int) -> None:
        async with kept.lent(f"{n * 7 % 20}.example"):
            await asyncio.sleep(0)

    async def main() -> None:
        await asyncio.gather(*(one(n) for n in range(200)))
        await ask(kept, "last")
        assert sum(not pool.closed for pool in every) == 3
        await kept.aclose()

    asyncio.run(main())
    assert all(pool.closed for pool in every)
