"""HOSTILE 1 to 5: one guard for every address, on every hop; the checked address is the one connected to."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

import httpcore2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.server import AT_ONCE, LOCAL, Server, moved, reply
from tidings.errors import InvalidURL, RefusedAddress, UnknownHost
from tidings.fetch import Guard, Live, Request, Response, why_refused
from tidings.fetch.network.guard import BAD_PORTS, carried
from tidings.fetch.network.guarded_network import GuardedNetwork
from tidings.urls import IP

REFUSED = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:a9fe:a9fe::1 3fff::1 fc00::1 fd12:3456::1 fe80::1
    fec0::1 ff02::1 fd00::5efe:808:808 fd00::200:5efe:808:808 fe80::5efe:808:808 fe80::200:5efe:8.8.8.8
    fec0::5efe:808:808 ff02::5efe:808:808 100::5efe:808:808 4000::5efe:808:808 ::5efe:808:808 ::8.8.8.8 ::ffff:0:8.8.8.8
    64:ff9b:1::8.8.8.8 64:ff9b:1::5efe:808:808 2001:db8::5efe:808:808 3fff::5efe:808:808 2001:0:808:808::f7f7:f7f7
    2001::5efe:808:808
    2002:7f00:1::5efe:808:808 2002:c0a8:1::5efe:808:808 2002:808:808::5efe:a00:1 2002:808:808::200:5efe:7f00:1
    2400:cb00::100:5efe:a00:1 2400:cb00::300:5efe:7f00:1 2400:cb00::5efe:10.0.0.1 2400:cb00::200:5efe:127.0.0.1 4000::1
""".split()
PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.0.1
    172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
    2606:4700:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1 2400:cb00::5efe:808:808
    2002:808:808::5efe:808:808
""".split()


@pytest.mark.parametrize("address", REFUSED)
def test_refused(address: str) -> None:
    assert why_refused(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_let_through(address: str) -> None:
    assert why_refused(ip_address(address)) is None


@given(st.ip_addresses(v=4))
def test_whatever_python_calls_private_is_refused(address: IPv4Address) -> None:
    if not address.is_global or address.is_multicast:
        assert why_refused(address)
    mapped = IPv6Address(f"::ffff:{address}")
    assert why_refused(mapped) == why_refused(address)
    nat64 = IPv6Address((0x64FF9B << 96) | int(address))
    assert why_refused(nat64) == why_refused(address)


@given(st.ip_addresses(v=6))
def test_whatever_python_calls_private_is_refused_in_ipv6(address: IPv6Address) -> None:
    carries = address.ipv4_mapped or address.sixtofour or str(address).startswith("64:ff9b::")
    if not carries and (address.is_private or address.is_link_local or address.is_loopback or address.is_multicast):
        assert why_refused(address)


#: Prefixes that lead nowhere public; the rest of an address is what an attacker chooses.
NOT_PUBLIC = (
    "::/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 2001::/23 2001::/32 2001:db8::/32 3fff::/20 4000::/3 fc00::/7 "
    "fe80::/10 fec0::/10 ff00::/8"
).split()
INSIDE = {  # how an IPv4 address may stand in an IPv6 one: what is laid over the prefix
    "at the end": lambda four: four,
    "ISATAP": lambda four: 0x5EFE << 32 | four,
    "ISATAP, universal": lambda four: 0x0200_5EFE << 32 | four,
    "Teredo's client": lambda four: four ^ 0xFFFF_FFFF,
    "Teredo's server": lambda four: four << 64,
    "6to4": lambda four: four << 80,
}


@given(st.sampled_from(NOT_PUBLIC), st.integers(0, 2**128 - 1), st.sampled_from(sorted(INSIDE)), st.ip_addresses(v=4))
def test_no_carried_address_makes_a_private_prefix_public(prefix: str, rest: int, way: str, four: IPv4Address) -> None:
    network = IPv6Network(prefix)
    inner = INSIDE[way](int(four)) & int(network.hostmask)
    for number in (inner, inner | rest & int(network.hostmask)):
        address = IPv6Address(int(network.network_address) | number)
        assert why_refused(address), address


@given(st.ip_addresses(v=4), st.integers(0, 2**64 - 1), st.integers(0, 2**16 - 1))
def test_no_public_prefix_makes_a_carried_address_public(four: IPv4Address, rest: int, subnet: int) -> None:
    number = int(four)
    six_to_four = 0x2002 << 112 | number << 80 | subnet << 64
    forms = {
        "6to4": IPv6Address(six_to_four | rest),
        "ISATAP": IPv6Address(0x2400CB00 << 96 | subnet << 64 | 0x5EFE << 32 | number),
        "ISATAP, universal": IPv6Address(0x2400CB00 << 96 | subnet << 64 | 0x0200_5EFE << 32 | number),
        "ISATAP in 6to4": IPv6Address(0x2002_0808_0808 << 80 | subnet << 64 | 0x5EFE << 32 | number),
        "mapped": IPv6Address(0xFFFF << 32 | number),
        "NAT64": IPv6Address(0x64FF9B << 96 | number),
    }
    for way, address in forms.items():
        if not four.is_global or four.is_multicast:
            assert why_refused(address), way
        elif why_refused(four) is None and way != "6to4":  # whose rest may carry another one
            assert why_refused(address) is None, way


@given(st.ip_addresses(v=6))
def test_whatever_is_let_through_carries_nothing_that_would_not_be(address: IPv6Address) -> None:
    if why_refused(address) is None:
        assert all(why_refused(one) is None for one in carried(address))
        assert address in IPv6Network("2000::/3") or address.ipv4_mapped or address in IPv6Network("64:ff9b::/96")


# -- at the connection ------------------------------------------------------------------------------------------


class FakeDns:
    """Names and their addresses, one answer after the other; the last one stays."""

    def __init__(self, **names: list[list[str]]) -> None:
        self.names = {name.replace("_", "."): answers for name, answers in names.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str) -> tuple[IP, ...]:
        self.asked.append(host)
        try:
            return (ip_address(host),)
        except ValueError:
            pass
        answers = self.names.get(host)
        if not answers:
            raise UnknownHost(host, "cannot be found")
        return tuple(ip_address(one) for one in (answers.pop(0) if len(answers) > 1 else answers[0]))


class NoNetwork(httpcore2.AsyncNetworkBackend):
    """Notes where a connection would go."""

    def __init__(self) -> None:
        self.connected: list[tuple[str, int]] = []

    async def connect_tcp(self, host: str, port: int, *_: object, **__: object) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        raise httpcore2.ConnectError("nothing there")


def connect(dns: FakeDns, host: str, port: int = 80, guard: Guard | None = None) -> list[tuple[str, int]]:
    network = NoNetwork()
    with pytest.raises(httpcore2.ConnectError):
        asyncio.run(GuardedNetwork(guard or Guard(), dns, network).connect_tcp(host, port, 1.0))
    return network.connected


def test_the_checked_address_is_the_one_connected_to() -> None:
    dns = FakeDns(news_example=[["8.8.8.8"], ["127.0.0.1"]])  # the second lookup would say something else
    assert connect(dns, "news.example") == [("8.8.8.8", 80)]
    assert dns.asked == ["news.example"]


def test_a_name_whose_second_lookup_is_private() -> None:
    dns = FakeDns(news_example=[["8.8.8.8"], ["127.0.0.1"]])
    connect(dns, "news.example")
    network = NoNetwork()
    with pytest.raises(RefusedAddress, match=r"leads to 127\.0\.0\.1"):
        asyncio.run(GuardedNetwork(Guard(), dns, network).connect_tcp("news.example", 80))
    assert network.connected == []


@pytest.mark.parametrize("bad", ["10.0.0.1", "::1", "::ffff:192.168.0.1", "169.254.169.254"])
def test_one_bad_address_among_good_ones_is_enough(bad: str) -> None:
    network = NoNetwork()
    dns = FakeDns(news_example=[["8.8.8.8", bad, "1.1.1.1"]])
    with pytest.raises(RefusedAddress):
        asyncio.run(GuardedNetwork(Guard(), dns, network).connect_tcp("news.example", 80))
    assert network.connected == []


def test_a_dead_address_does_not_end_the_attempt() -> None:
    dns = FakeDns(news_example=[["8.8.8.8", "1.1.1.1", "2606:4700::1", "9.9.9.9", "8.8.4.4"]])
    assert [host for host, _ in connect(dns, "news.example")] == ["8.8.8.8", "1.1.1.1", "2606:4700::1", "9.9.9.9"]


@pytest.mark.parametrize("port", [22, 25, 6667])
def test_ports_that_are_not_for_pages(port: int) -> None:
    assert port in BAD_PORTS
    with pytest.raises(RefusedAddress, match=f"port {port}"):
        asyncio.run(
            GuardedNetwork(Guard(), FakeDns(a_example=[["8.8.8.8"]]), NoNetwork()).connect_tcp("a.example", port)
        )


class TestAllowed:
    def test_only_that_host(self) -> None:
        guard = Guard.allowing(["Intranet.Example."])
        dns = FakeDns(intranet_example=[["10.0.0.1"]], other_example=[["10.0.0.1"]])
        assert connect(dns, "intranet.example", guard=guard) == [("10.0.0.1", 80)]
        for host in ("other.example", "10.0.0.1", "www.intranet.example"):
            with pytest.raises((RefusedAddress, UnknownHost)):
                asyncio.run(GuardedNetwork(guard, dns, NoNetwork()).connect_tcp(host, 80))

    def test_only_that_port(self) -> None:
        guard = Guard.allowing(["localhost:8000", "[::1]:8000"])
        assert guard.exempts("localhost", 8000)
        assert guard.exempts("::1", 8000)
        assert not guard.exempts("localhost", 22)

    def test_addresses_as_people_write_them(self) -> None:
        assert Guard.allowing(["127.1"]).exempts("127.0.0.1", 80)
        assert Guard.allowing(["::1"]).exempts("::1", 80)
        with pytest.raises(InvalidURL):
            Guard.allowing(["not a host"])


# -- from above, against a real server --------------------------------------------------------------------------


def get(url: str, live: Live) -> object:
    async def once() -> object:
        async with live:
            return await live.fetch(Request(url))

    return asyncio.run(once())


@pytest.mark.parametrize(
    "host",
    "127.1 0x7f.1 2130706433 127.0.0.1 [::1] [::ffff:127.0.0.1] 0.0.0.0 localhost localhost.".split(),
)
@pytest.mark.parametrize("robots", [True, False])
def test_this_machine_is_refused_in_every_spelling(host: str, robots: bool) -> None:
    with Server({"*": reply(b"secret")}) as server:
        outcome = get(f"http://{host}:{server.port}/", Live(pace=AT_ONCE, robots=robots))
    assert isinstance(outcome, RefusedAddress)
    assert "allow the host" in str(outcome)
    assert server.connections == 0


@pytest.mark.parametrize("url", ["http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "http://[fd00::1]/"])
def test_private_addresses_are_refused(url: str) -> None:
    assert isinstance(get(url, Live()), RefusedAddress)


@pytest.mark.parametrize("location", ["http://127.0.0.1:{}/x", "http://[::1]:{}/", "//127.1:{}/", "http://0x7f.1:{}/"])
def test_a_redirect_to_a_private_address(location: str) -> None:
    with Server({"/": reply(b"secret")}) as inside:
        target = location.format(inside.port)
        with Server({"/": moved(target)}) as server:
            outcome = get(server.url(), Live(guard=LOCAL, pace=AT_ONCE, robots=False))
    assert isinstance(outcome, RefusedAddress)
    assert inside.connections == 0


@pytest.mark.parametrize(
    "location",
    ["file:///etc/passwd", "data:text/html,x", "ftp://example.org/", "gopher://example.org/", "javascript:1"],
)
def test_a_redirect_to_another_scheme(location: str) -> None:
    with Server({"/": moved(location)}) as server:
        outcome = get(server.url(), Live(guard=LOCAL, pace=AT_ONCE, robots=False))
    assert isinstance(outcome, InvalidURL)


def test_robots_txt_goes_through_the_guard_too() -> None:
    """A robots.txt that redirects to a private address: not followed, and so not known."""
    with Server({"/robots.txt": reply(b"")}) as inside:
        table = {"/robots.txt": moved(f"http://127.0.0.1:{inside.port}/robots.txt"), "/": reply(b"page")}
        with Server(table) as server:
            outcome = get(server.url(), Live(guard=LOCAL, pace=AT_ONCE))
    assert type(outcome).__name__ == "NotNow"
    assert inside.connections == 0
    assert server.paths == ["/robots.txt"]


def test_a_host_the_user_allows_works() -> None:
    with Server({"/": reply(b"ours")}) as server:
        outcome = get(server.url(), Live(guard=LOCAL, pace=AT_ONCE))
    assert isinstance(outcome, Response)
    assert outcome.body == b"ours"


class TestProxy:
    def test_a_proxy_on_this_machine_works(self) -> None:
        with Server({"http://news.example/story": reply(b"by proxy")}) as proxy:
            live = Live(pace=AT_ONCE, robots=False, proxy=f"http://127.0.0.1:{proxy.port}",
                        resolver=FakeDns(news_example=[["8.8.8.8"]]))  # fmt: skip
            outcome = get("http://news.example/story", live)
        assert isinstance(outcome, Response)
        assert outcome.body == b"by proxy"

    @pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://inside.example/", "https://169.254.169.254/"])
    def test_its_targets_are_still_checked(self, url: str) -> None:
        with Server({"*": reply(b"secret")}) as proxy:
            live = Live(pace=AT_ONCE, robots=False, proxy=f"http://127.0.0.1:{proxy.port}",
                        resolver=FakeDns(inside_example=[["10.0.0.1"]]))  # fmt: skip
            outcome = get(url, live)
        assert isinstance(outcome, RefusedAddress)
        assert proxy.connections == 0

    def test_and_so_is_every_redirect(self) -> None:
        with Server({"http://news.example/": moved("http://192.168.0.1/")}) as proxy:
            live = Live(pace=AT_ONCE, robots=False, proxy=f"http://127.0.0.1:{proxy.port}",
                        resolver=FakeDns(news_example=[["8.8.8.8"]]))  # fmt: skip
            outcome = get("http://news.example/", live)
        assert isinstance(outcome, RefusedAddress)
        assert proxy.paths == ["http://news.example/"]

    def test_its_password_goes_to_it(self) -> None:
        with Server({"http://news.example/": reply(b"x")}) as proxy:
            live = Live(pace=AT_ONCE, robots=False, proxy=f"http://anna:word@127.0.0.1:{proxy.port}",
                        resolver=FakeDns(news_example=[["8.8.8.8"]]))  # fmt: skip
            get("http://news.example/", live)
        assert proxy.asked[0].headers["proxy-authorization"] == "Basic YW5uYTp3b3Jk"
        assert "authorization" not in proxy.asked[0].headers
