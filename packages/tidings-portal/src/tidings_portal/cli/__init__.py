"""The commands that the portal adds to `tidings`, one module for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_CLI: Final = "tidings_portal.cli"

#: Commands by heading of the help; `tidings.plugins` says how they are found.
COMMANDS: Final[Mapping[str, Mapping[str, str]]] = {
    "Follow the news": {
        "add": f"{_CLI}.add:add",
        "list": f"{_CLI}.list:list_",
        "remove": f"{_CLI}.remove:remove",
        "import": f"{_CLI}.import_:import_",
        "recipes": f"{_CLI}.recipes:recipes",
        "watch": f"{_CLI}.watch:watch",
        "crawl": f"{_CLI}.crawl:crawl",
        "status": f"{_CLI}.status:status",
        "reread": f"{_CLI}.reread:reread",
        "compare-recipes": f"{_CLI}.compare_recipes:compare_recipes",
    },
    "Search and read stored articles": {
        "search": f"{_CLI}.search:search",
        "read": f"{_CLI}.read:read",
        "trends": f"{_CLI}.trends:trends",
        "mute": f"{_CLI}.mute:mute",
    },
    "Publish them": {
        "serve": f"{_CLI}.serve:serve",
        "edition": f"{_CLI}.edition:edition",
        "feed": f"{_CLI}.feed:feed",
        "export": f"{_CLI}.export:export",
        "mcp": f"{_CLI}.mcp:mcp",
    },
    "Run the service": {
        "doctor": f"{_CLI}.doctor:doctor",
        "user": f"{_CLI}.user:user",
        "token": f"{_CLI}.token:token",
        "backup": f"{_CLI}.backup:backup",
        "restore": f"{_CLI}.restore:restore",
        "copy": f"{_CLI}.copy:copy",
        "check": f"{_CLI}.check:check",
        "prune": f"{_CLI}.prune:prune",
    },
    "": {"person": f"{_CLI}.user:user"},  # its name before 0.3
}
