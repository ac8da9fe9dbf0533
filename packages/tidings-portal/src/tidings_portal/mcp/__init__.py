"""A Model Context Protocol (MCP) server that lets language models read articles and search the store.

`tidings mcp` runs it over standard input and output. It opens the store read-only, fetches URLs through the guard
against internal addresses, and limits the size of responses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidings.errors import MissingExtra
from tidings_portal.mcp.service import NewsService

if TYPE_CHECKING:
    from mcp.server import MCPServer

__all__ = ["NewsService", "server"]


def server(service: NewsService) -> MCPServer[None]:
    """Create the MCP server of a store; `server(service).run("stdio")` serves until the client disconnects.

    Raises:
        MissingExtra: the library is not installed.
    """
    try:
        from tidings_portal.mcp.tools import make_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types", "pydantic", "anyio"}:
            raise
        raise MissingExtra("the MCP server", "mcp") from error
    return make_server(service)
