"""`tidings mcp`: serve articles of the store to language models (Model Context Protocol)."""

from __future__ import annotations

from tidings.cli.fetch_options import BrowserFetchOptions
from tidings_portal.cli.store_options import StoreOption, store_path


def mcp(
    where: StoreOption = None,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """Serve the Model Context Protocol over standard input and output: read articles, search the store.

    It is started by the program that uses it, which is told the command, as in

      {"mcpServers": {"tidings": {"command": "tidings", "args": ["mcp", "--store", "/home/ann/news.tidings"]}}}

    Nothing is written: the store is opened read-only, and addresses on private networks are refused.
    """
    from tidings_portal.mcp import NewsService, server

    server(NewsService(store_path(where), web.live, web.browser, readers=1)).run("stdio")
