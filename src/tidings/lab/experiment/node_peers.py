"""Readers of others that run in Node, as systems that can be measured beside ours: Readability.js and Defuddle.

They are no packages of Python. `npm install jsdom @mozilla/readability defuddle` puts them into a directory, and the
variable TIDINGS_NODE names it. One Node process is asked for page after page, so that only the first pays for its
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
from tidings.lab.experiment.systems import Document, Reading
from tidings.page import Page
from tidings.page.decode import decode

#: The variable that names the directory in which `npm install` was run.
VARIABLE: Final = "TIDINGS_NODE"
_BLANK: Final = "https://page.invalid/"
_LOOP: Final = """
import { JSDOM, VirtualConsole } from 'jsdom'; import { createInterface } from 'readline';
const quiet = new VirtualConsole();
for await (const line of createInterface({ input: process.stdin })) {
  let made = {};
  try {
    const { html, url } = JSON.parse(line);
    const document = new JSDOM(html, { url, virtualConsole: quiet }).window.document;
    made = await read(document, url);
  } catch (error) { made = { error: String(error) }; }
  process.stdout.write(JSON.stringify(made ?? {}) + '\\n');
}
"""
_READABILITY: Final = """
import { Readability } from '@mozilla/readability';
async function read(document) {
  const made = new Readability(document).parse();
  return made && { html: made.content, title: made.title, author: made.byline, date: made.publishedTime };
}
"""
_DEFUDDLE: Final = """
import { Defuddle } from 'defuddle/node';
console.log = console.warn = console.error = () => {};
async function read(document, url) {
  const made = await Defuddle(document, url, {});
  return made && { html: made.content, title: made.title, author: made.author, date: made.published };
}
"""
_DEFUDDLE_MARKDOWN: Final = """
import { Defuddle } from 'defuddle/node';
console.log = console.warn = console.error = () => {};
async function read(document, url) {
  const made = await Defuddle(document, url, { markdown: true });
  const markdown = made?.contentMarkdown ?? made?.content;
  return made && { markdown, title: made.title, author: made.author, date: made.published };
}
"""


def node_directory() -> Path | None:
    """Where the packages of Node lie; None where the variable names no directory."""
    named = os.environ.get(VARIABLE, "")
    return Path(named) if named and Path(named).is_dir() else None


@cache
def _process(directory: Path, script: str) -> subprocess.Popen[str]:
    file = directory / f"tidings-{sha256(script.encode()).hexdigest()[:12]}.mjs"
    file.write_text(script, encoding="utf-8")  # beside node_modules: that is where imports are looked for
    started = subprocess.Popen(  # noqa: S603  # a program of one's own, on a script of ours
        [shutil.which("node") or "node", str(file)],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    atexit.register(started.kill)
    return started


@dataclass(frozen=True, slots=True)
class NodePeer:
    """Another project's reader that runs in Node."""

    name: str
    package: str  # of npm
    script: str  # defines `read(document, url)`

    @property
    def is_installed(self) -> bool:
        """Whether the directory that the variable names has it."""
        return self._manifest() is not None

    @property
    def identity(self) -> str:
        """The version of the package and the adapter's own code.

        Raises:
            InputError: it is not installed.
        """
        found = self._manifest()
        if found is None:
            raise InputError(
                f"{self.name} runs in Node: `npm install jsdom {self.package}` in a directory that {VARIABLE} names"
            )
        version = json.loads(found.read_text(encoding="utf-8")).get("version", "")
        adapter = sha256((self.script + _LOOP).encode()).hexdigest()
        return f"{self.name} {self.package}@{version} {adapter}"

    @property
    def shares_page(self) -> bool:
        """It parses the page itself."""
        return False

    def __call__(self, document: Document, /) -> Reading:
        """What it takes out of a page: the text of its HTML, block by block, and its fields.

        Raises:
            InputError: it is not installed, or Node ended.
        """
        directory = node_directory()
        if directory is None or not self.is_installed:
            _ = self.identity  # says so
        node = _process(directory or Path(), self.script + _LOOP)
        asked = {"html": decode(document.data, None).text, "url": document.url or _BLANK}
        made = _answer(node, json.dumps(asked))
        if made is None:
            _process.cache_clear()
            raise InputError(f"{self.name}: Node ended")
        content = str(made.get("html") or "")
        author = str(made.get("author") or "").strip()
        markdown = str(made.get("markdown") or "")
        return Reading(
            Page(content).text if content.strip() else markdown,
            str(made.get("title") or ""),
            (author,) if author else (),
            str(made.get("date") or ""),
            markdown,
        )

    def _manifest(self) -> Path | None:
        directory = node_directory()
        found = directory / "node_modules" / self.package / "package.json" if directory else None
        return found if found is not None and found.is_file() else None


def _answer(node: subprocess.Popen[str], line: str) -> dict[str, Any] | None:
    """What a process answers to a line; None if it has ended."""
    if node.stdin is None or node.stdout is None:
        return None
    try:
        node.stdin.write(f"{line}\n")
        node.stdin.flush()
        said = node.stdout.readline()
    except OSError:
        return None
    made = json.loads(said) if said else None
    return made if isinstance(made, dict) else None


#: All of them.
NODE_PEERS: Final[dict[str, NodePeer]] = {
    peer.name: peer
    for peer in (
        NodePeer("readability-js", "@mozilla/readability", _READABILITY),
        NodePeer("defuddle", "defuddle", _DEFUDDLE),
    )
}
#: Those that write Markdown, for pages whose gold names units of structure.
MARKDOWN_NODE_PEERS: Final[dict[str, NodePeer]] = {
    "defuddle-markdown": NodePeer("defuddle-markdown", "defuddle", _DEFUDDLE_MARKDOWN)
}
