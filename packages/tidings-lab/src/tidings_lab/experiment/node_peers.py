"""Extractors of other projects that run in Node: Readability.js and Defuddle.

They are not Python packages. `npm install jsdom @mozilla/readability defuddle` installs them into a directory, and the
environment variable TIDINGS_NODE names it. One Node process serves all pages, so that only the first page pays for its
start. jsdom runs no scripts of a page and loads nothing.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from tidings.errors import InputError
from tidings.page import Page
from tidings.page.decode import decode
from tidings_lab.experiment.systems import Document, Reading

#: The environment variable with the directory in which `npm install` was run.
VARIABLE: Final = "TIDINGS_NODE"
_BLANK: Final = "https://page.invalid/"
#: Scripts for Node: one per extractor, and the loop that processes pages line by line.
_SCRIPTS: Final = Path(__file__).with_name("node")
_LOOP: Final = (_SCRIPTS / "loop.mjs").read_text("utf-8")
_READABILITY: Final = (_SCRIPTS / "readability.mjs").read_text("utf-8")
_DEFUDDLE: Final = (_SCRIPTS / "defuddle.mjs").read_text("utf-8")
_DEFUDDLE_MARKDOWN: Final = (_SCRIPTS / "defuddle_markdown.mjs").read_text("utf-8")


def node_directory() -> Path | None:
    """Return the directory of the Node packages from TIDINGS_NODE; None if it is not set to a directory."""
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value and Path(value).is_dir() else None


@cache
def _process(directory: Path, script: str) -> subprocess.Popen[str]:
    file = directory / f"tidings-{sha256(script.encode()).hexdigest()[:12]}.mjs"
    file.write_text(script, encoding="utf-8")  # next to node_modules, where Node looks for imports
    process = subprocess.Popen(  # noqa: S603  # a program of the user's system with our script
        [shutil.which("node") or "node", str(file)],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    atexit.register(process.kill)
    return process


@dataclass(frozen=True, slots=True)
class NodePeer:
    """An extractor of another project that runs in Node."""

    name: str
    package: str  # of npm
    script: str  # defines `read(document, url)`

    @property
    def is_installed(self) -> bool:
        """Return whether the extractor is installed in the directory of the Node packages."""
        return self._manifest() is not None

    @property
    def identity(self) -> str:
        """Return the version of the extractor's package, and the code of this adapter.

        Raises:
            InputError: it is not installed.
        """
        manifest = self._manifest()
        if manifest is None:
            raise InputError(
                f"{self.name} runs in Node: `npm install jsdom {self.package}` in a directory that {VARIABLE} names"
            )
        version = json.loads(manifest.read_text(encoding="utf-8")).get("version", "")
        adapter = sha256((self.script + _LOOP).encode()).hexdigest()
        return f"{self.name} {self.package}@{version} {adapter}"

    @property
    def shares_page(self) -> bool:
        """Return False, because the extractor parses the page itself."""
        return False

    def __call__(self, document: Document, /) -> Reading:
        """Return the text of the extracted HTML, block by block, and its fields.

        Raises:
            InputError: it is not installed, or Node ended.
        """
        directory = node_directory()
        if directory is None or not self.is_installed:
            _ = self.identity  # raises InputError
        node = _process(directory or Path(), self.script + _LOOP)
        request = {"html": decode(document.data, None).text, "url": document.url or _BLANK}
        answer = _answer(node, json.dumps(request))
        if answer is None:
            _process.cache_clear()
            raise InputError(f"{self.name}: Node ended")
        content = str(answer.get("html") or "")
        author = str(answer.get("author") or "").strip()
        markdown = str(answer.get("markdown") or "")
        return Reading(
            Page(content).text if content.strip() else markdown,
            str(answer.get("title") or ""),
            (author,) if author else (),
            str(answer.get("date") or ""),
            markdown,
        )

    def _manifest(self) -> Path | None:
        directory = node_directory()
        manifest = directory / "node_modules" / self.package / "package.json" if directory else None
        return manifest if manifest is not None and manifest.is_file() else None


def _answer(node: subprocess.Popen[str], line: str) -> dict[str, Any] | None:
    """Send a line to a process and return the answer; None if the process has ended."""
    if node.stdin is None or node.stdout is None:
        return None
    try:
        node.stdin.write(f"{line}\n")
        node.stdin.flush()
        line_read = node.stdout.readline()
    except OSError:
        return None
    answer = json.loads(line_read) if line_read else None
    return answer if isinstance(answer, dict) else None


#: All extractors that run in Node.
NODE_PEERS: Final[dict[str, NodePeer]] = {
    peer.name: peer
    for peer in (
        NodePeer("readability-js", "@mozilla/readability", _READABILITY),
        NodePeer("defuddle", "defuddle", _DEFUDDLE),
    )
}
#: Extractors with Markdown output, for pages with structural ground truth.
MARKDOWN_NODE_PEERS: Final[dict[str, NodePeer]] = {
    "defuddle-markdown": NodePeer("defuddle-markdown", "defuddle", _DEFUDDLE_MARKDOWN)
}
