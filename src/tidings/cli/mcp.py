"""`tidings mcp`: articles and the store for programs that talk to language models."""

from __future__ import annotations

from tidings.cli.stored import Where, place
from tidings.cli.web import AllowHost, IgnoreRobots, Proxy, ShowFirst, Web


def mcp(
    where: Where = None,
    allow_host: AllowHost = None,
    ignore_robots: IgnoreRobots = False,
    browser: ShowFirst = False,
    proxy: Proxy = None,
) -> None:
    """Serve the Model Context Protocol over standard input and output: read articles, search the store.

    It is started by the program that uses it, which is told the command, as in

      {"mcpServers": {"tidings": {"command": "tidings", "args": ["mcp", "--store", "/home/ann/news.tidings"]}}}

    Nothing is written: the store is opened read-only, and addresses on private networks are refused.
    """
    from tidings.news.mcp import NewsService, server

    web = Web(tuple(allow_host or ()), not ignore_robots, browser, proxy)
    server(NewsService(place(where), web.live, browser, readers=1)).run("stdio")
