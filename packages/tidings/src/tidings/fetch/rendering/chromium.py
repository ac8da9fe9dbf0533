"""The installed Chromium, started so that it cannot reach the network by itself.

Scripts, prefetches, preconnects and WebRTC could connect without the guard. So no name resolves in the browser and its
proxy does not exist: only requests that we intercept and answer succeed.
"""

from __future__ import annotations

import os
import shutil
from typing import Final

NAMES: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium-headless-shell",
)
#: Options for a proxy that does not exist (RFC 2606, 2), also for local addresses.
ALONE: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://nowhere.invalid:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=Prerender2,NetworkPrediction,OptimizationHints,MediaRouter",
    "--no-first-run",
    "--disable-dev-shm-usage",
)


def find() -> str | None:
    """Return the path of Chromium, if it is on the PATH."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def has_sandbox() -> bool:
    """Return whether Chromium can use its sandbox; as root, for example in a container, it cannot."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def is_own(address: object) -> bool:
    """Return whether a URL is one of Chromium's own pages: an error page or a warning."""
    return not isinstance(address, str) or address.startswith(("chrome-error:", "chrome:", "chrome-untrusted:"))


def readable_message(message: str) -> str:
    """Summarise an error message of Playwright in one sentence."""
    if "sandboxing failed" in message:
        return (
            "Chromium cannot create the namespaces that its sandbox needs; in a container it needs"
            " --security-opt seccomp=unconfined"
        )
    return f"the browser could not render it ({message.partition(chr(10))[0]}); try again"
