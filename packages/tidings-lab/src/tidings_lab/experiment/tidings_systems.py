"""Tidings' own extractors as systems: the text and fields of the article that a reader of the page would get.

Systems by the names that people write: extractors and combinations, peers, and code of one's own.

default                        what `tidings.extract` does
unseen(default.folds)          the same by models that have not seen a page's site, of a folder that training left
dana, n-ext(beta=0.4)          extractors and combinations, as everywhere else
trafilatura                    a peer
trafilatura-markdown           one that writes Markdown; so do html-to-markdown and defuddle-markdown
all, peers                     every registered extractor, every peer
mine:SealFinder                an extractor, or a system, from a module that Python finds

Readers of others that run in Node, as systems that can be measured beside ours: Readability.js and Defuddle. They are
no packages of Python. `npm install jsdom @mozilla/readability defuddle` puts them into a directory, and the variable
TIDINGS_NODE names it. One Node process is asked for page after page, so that only the first pays for its start. jsdom
runs no scripts of a page and loads nothing.
"""

from __future__ import annotations

import atexit
import dataclasses
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import tidings
from tidings import reading
from tidings.article import Article
from tidings.errors import InputError, UnknownExtractor
from tidings.extractors import DEFAULT, Extractor, entries, extractor
from tidings.extractors.learned import Learned
from tidings.extractors.registry import is_expression, needs_siblings
from tidings.page import Page
from tidings.page.decode import decode
from tidings_lab.experiment.cache import digest
from tidings_lab.experiment.systems import Document, Reading, System, iso
from tidings_lab.learners.default import fold_of

_READING = "tidings.reading"
#: What training calls the models that have not seen a fold of sites.
_OF_FOLDS: Final = "without-fold-*.npz"
_FOLDER: Final = re.compile(r"unseen\((?P<folder>[^()]+)\)")


@dataclass(frozen=True, slots=True)
class Extraction:
    """An extractor, and the article that is made of what it keeps."""

    name: str
    extractor: Extractor

    @property
    def identity(self) -> str:
        """All its parameters, and the code of it and of what it is made of."""
        return f"{self.name} {_parameters(self.extractor)} {digest({_READING, *_modules(self.extractor)})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    @property
    def needs_siblings(self) -> bool:
        """Whether it compares the page with others of its site."""
        return needs_siblings(self.extractor)

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(reading.read(document.page, self.extractor), document)


@dataclass(frozen=True, slots=True)
class Default:
    """What `tidings.extract` does when nothing else is asked for."""

    name: str = "default"

    @property
    def identity(self) -> str:
        """The extractor that is the default now, and the code of all of it."""
        chosen = extractor(DEFAULT)
        return f"{self.name} {DEFAULT} {_parameters(chosen)} {digest({_READING, *_modules(chosen)})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        return _reading(tidings.extract(document.page), document)


@dataclass(frozen=True, slots=True)
class OtherSites:
    """The default with models of folds: each page is read by the one that has not learned from its site."""

    name: str
    models: tuple[Path, ...]

    @classmethod
    def of_folder(cls, folder: Path) -> OtherSites:
        """By the models that `tidings lab train default --folds N`, or `train confidence`, left in a folder.

        Raises:
            InputError: there are none, or one is missing.
        """
        models = tuple(folder / f"without-fold-{out}.npz" for out in range(len(list(folder.glob(_OF_FOLDS)))))
        if len(models) < 2 or not all(model.is_file() for model in models):
            raise InputError(f"{folder} has no models of folds; `tidings lab train default --folds 4` leaves some")
        return cls(f"unseen({folder})", models)

    @property
    def identity(self) -> str:
        """The models, whatever folder they lie in, and the code that reads with them."""
        models = " ".join(sha256(model.read_bytes()).hexdigest() for model in self.models)
        return f"unseen {models} {digest({_READING, Learned.__module__})}"

    @property
    def shares_page(self) -> bool:
        """It works on a `Page`."""
        return True

    def __call__(self, document: Document, /) -> Reading:
        """The article on the page."""
        model = self.models[fold_of(document.site, len(self.models))]
        return _reading(reading.read(document.page, Learned(model=str(model))), document)


def _reading(article: Article, document: Document) -> Reading:
    # One date, as gold and the peers have: where a page tells only when it was changed, that one.
    told = iso(article.published_as_stated or article.modified_as_stated)
    markdown = article.markdown(headline=False) if document.wants_markdown else ""
    return Reading(article.text, article.title, article.authors, told, markdown)


def _parameters(extractor: Extractor) -> str:
    """What it was made with. Where an object lies in memory is not part of it."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(extractor))


def _modules(part: object) -> Iterator[str]:
    """The modules of an extractor and of everything it is made of."""
    if isinstance(part, tuple | list):
        for one in part:
            yield from _modules(one)
    elif dataclasses.is_dataclass(part):
        yield type(part).__module__
        for field in dataclasses.fields(part):
            yield from _modules(getattr(part, field.name))
    elif callable(part) and hasattr(part, "__module__"):
        yield part.__module__


DEFAULT_NAME: Final = "default"
_ALL, _PEERS = "all", "peers"


def find(names: Iterable[str]) -> tuple[System, ...]:
    """The systems that the names stand for, each once, in order.

    Raises:
        UnknownExtractor: a name is neither an extractor's nor a peer's.
        BadExpression: a combination cannot be read.
        InputError: code of one's own cannot be imported.
    """
    found = {system.name: system for name in names for system in _stands_for(name.strip())}
    return tuple(found.values())


def split(text: str) -> list[str]:
    """Names between commas; a comma inside parentheses is part of a name."""
    names, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            names.append(text[start:place])
            start = place + 1
    return [name.strip() for name in (*names, text[start:]) if name.strip()]


def _stands_for(name: str) -> Iterator[System]:
    from tidings_lab.experiment.systems import MARKDOWN_PEERS, PEERS
    from tidings_lab.experiment.tidings_systems import MARKDOWN_NODE_PEERS, NODE_PEERS  # peers know of this package

    writing: dict[str, System] = {**MARKDOWN_PEERS, **MARKDOWN_NODE_PEERS}
    if name == DEFAULT_NAME:
        yield Default()
    elif (folds := _FOLDER.fullmatch(name)) is not None:
        yield OtherSites.of_folder(Path(folds["folder"].strip()))
    elif name == _ALL:
        yield from (Extraction(entry.name, entry.make()) for entry in entries())
    elif name == _PEERS:
        yield from PEERS.values()
        yield from (peer for peer in NODE_PEERS.values() if peer.is_installed)
    elif name in PEERS:
        yield PEERS[name]
    elif name in NODE_PEERS:
        yield NODE_PEERS[name]
    elif name in writing:
        yield writing[name]
    elif ":" in name:
        yield _own(name)
    elif is_expression(name) or name in {entry.name for entry in entries(laid_out=True)}:
        yield Extraction(name, extractor(name))
    else:
        known = (DEFAULT_NAME, _ALL, _PEERS, *PEERS, *NODE_PEERS, *writing)
        known += tuple(entry.name for entry in entries(laid_out=True))
        raise UnknownExtractor(name, known)


def _own(name: str) -> System:
    module, _, inside = name.partition(":")
    try:
        found = getattr(import_module(module), inside)
        made = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be used: {error}; write it as module:name, as in mine:SealFinder") from error
    if hasattr(made, "identity") and hasattr(made, "shares_page"):
        system: System = made
        return system
    if not callable(made):
        raise InputError(f"{name} is no extractor: it cannot be called with a page")
    method: Extractor = made
    return Extraction(name, method)


#: The variable that names the directory in which `npm install` was run.
VARIABLE: Final = "TIDINGS_NODE"
_BLANK: Final = "https://page.invalid/"
#: What runs in Node: a reader each, and the loop behind it that answers line by line.
_SCRIPTS: Final = Path(__file__).with_name("node")
_LOOP: Final = (_SCRIPTS / "loop.mjs").read_text("utf-8")
_READABILITY: Final = (_SCRIPTS / "readability.mjs").read_text("utf-8")
_DEFUDDLE: Final = (_SCRIPTS / "defuddle.mjs").read_text("utf-8")
_DEFUDDLE_MARKDOWN: Final = (_SCRIPTS / "defuddle_markdown.mjs").read_text("utf-8")


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
