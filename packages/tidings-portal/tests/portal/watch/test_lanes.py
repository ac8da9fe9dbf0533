"""Pages in lanes: each site's for one reader, none for ever behind others, no more than there is room for."""

from __future__ import annotations

import asyncio

import pytest

from tidings_portal.watch.pages import SiteQueues


def test_a_site_has_one_reader() -> None:
    async def main() -> tuple[list[str], list[str]]:
        lanes: SiteQueues[str] = SiteQueues(2, batch=4, room=20)
        for n in range(3):
            for site in "ab":
                await lanes.put(f"{site}{n}", site)
        return await lanes.take(0), await lanes.take(1)

    assert asyncio.run(main()) == (["a0", "a1", "a2"], ["b0", "b1", "b2"])


def test_a_batch_is_of_one_site_as_far_as_it_can_be() -> None:
    async def main() -> tuple[list[str], list[str]]:
        lanes: SiteQueues[str] = SiteQueues(1, batch=4, room=20)
        for n in range(3):
            for site in "abc":
                await lanes.put(f"{site}{n}", site)
        return await lanes.take(0), await lanes.take(0)

    assert asyncio.run(main()) == (["a0", "a1", "a2", "b0"], ["c0", "c1", "c2", "b1"])


def test_who_has_nothing_takes_over_from_the_busiest() -> None:
    async def main() -> tuple[list[str], list[str]]:
        lanes: SiteQueues[str] = SiteQueues(2, batch=2, room=20)
        for n in range(5):
            await lanes.put(f"a{n}", "a")
        return await lanes.take(1), await lanes.take(0)

    # What its reader would come to last; its own in their order.
    assert asyncio.run(main()) == (["a4", "a3"], ["a0", "a1"])


def test_a_batch_that_its_reader_will_come_to_is_left_to_it() -> None:
    async def main() -> None:
        lanes: SiteQueues[str] = SiteQueues(2, batch=2, room=20)
        await lanes.put("a0", "a")
        await lanes.put("a1", "a")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await lanes.take(1)
        assert await lanes.take(0) == ["a0", "a1"]

    asyncio.run(main())


def test_who_brings_too_much_waits() -> None:
    async def main() -> None:
        lanes: SiteQueues[int] = SiteQueues(1, batch=2, room=3)
        bringing = [asyncio.create_task(lanes.put(n, "a")) for n in range(8)]
        for _ in range(6):
            await asyncio.sleep(0)
        assert sum(task.done() for task in bringing) == 3
        got: list[int] = []
        while len(got) < len(bringing):
            got += await lanes.take(0)
        assert got == list(range(8))
        await asyncio.gather(*bringing)

    asyncio.run(main())


def test_sites_are_spread_evenly() -> None:
    async def main() -> list[int]:
        lanes: SiteQueues[int] = SiteQueues(3, batch=100, room=100)
        for n in range(30):
            await lanes.put(n, f"site {n}")
        return [len(await lanes.take(lane)) for lane in range(3)]

    assert asyncio.run(main()) == [10, 10, 10]
