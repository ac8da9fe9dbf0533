"""The system's Chromium, started so that it can reach nothing by itself.

Scripts, prefetches, preconnects, WebRTC and whatever a browser does unasked would connect past the guard. So every
name is unknown to it and its proxy does not exist: only requests that we take over and answer ourselves get anywhere.
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

#: A proxy that can never be found (RFC 2606, 2), for this machine's own addresses too.
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
    """Where Chromium is, if it is on the PATH."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def has_sandbox() -> bool:
    """Whether Chromium can lock itself in; as root, as in a container, it cannot."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def is_own(address: object) -> bool:
    """Whether an address is of a page that Chromium makes itself: what it shows where a page was blocked, refused or
    could not be had, and its warnings.
    """
    return not isinstance(address, str) or address.startswith(("chrome-error:", "chrome:", "chrome-untrusted:"))


def told(message: str) -> str:
    """A sentence for what Playwright says in many lines."""
    if "sandboxing failed" in message:
        return (
            "Chromium may not make the namespaces that its sandbox needs here; in a container it may with"
            " --security-opt seccomp=unconfined"
        )
    return f"the browser could not show it ({message.partition(chr(10))[0]}); try again"
