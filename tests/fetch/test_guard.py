"""HOSTILE 1 to 5: one guard for every address, on every hop; the checked address is the one connected to."""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address, IPv6Address, ip_address

import httpcore2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fetch.server import AT_ONCE, LOCAL, Server, moved, reply
from tidings.errors import BadAddress, RefusedAddress, UnknownHost
from tidings.fetch import Guard, Live, Request, Response, why_refused
from tidings.fetch.addresses import IP
from tidings.fetch.guard import BAD_PORTS
from tidings.fetch.network import GuardedNetwork

REFUSED = """
    0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1
    64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:10::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:a9fe:a9fe::1 3fff::1 fc00::1 fd12:3456::1 fe80::1
    fec0::1 ff02::1 2400:cb00::5efe:10.0.0.1 2400:cb00::200:5efe:127.0.0.1 4000::1
""".split()
PUBLIC = """
    1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.0.1
    172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
    2606:4700:4700::1111 2a00:1450:4001::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2002:808:808::1
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
        with pytest.raises(BadAddress):
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
    assert isinstance(outcome, BadAddress)


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
