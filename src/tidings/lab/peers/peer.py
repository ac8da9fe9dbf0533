"""A peer: another project's reader as a system that can be measured beside ours.

Each is imported only when it runs, is kept quiet, and gets no network: what it would download, it does without.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from inspect import getsource
from typing import Any

from tidings.errors import MissingExtra
from tidings.lab.experiment.systems import Document, Reading


@dataclass(frozen=True, slots=True)
class Peer:
    """Another project's reader."""

    name: str
    distribution: str  # the package that must be installed
    read: Callable[..., Reading]  # of bytes, url and the options
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def identity(self) -> str:
        """The version of the package, the options and the adapter's own code.

        Raises:
            MissingExtra: the package is not installed.
        """
        try:
            found = version(self.distribution)
        except PackageNotFoundError:
            raise MissingExtra(f"measuring {self.name}", "peers") from None
        adapter = sha256(getsource(import_module(self.read.__module__)).encode()).hexdigest()
        return f"{self.name} {self.distribution}=={found} {self.options!r} {adapter}"

    @property
    def shares_page(self) -> bool:
        """It parses the page itself."""
        return False

    def __call__(self, document: Document, /) -> Reading:
        """What the peer takes out of a page; it raises whatever the peer raises.

        Raises:
            MissingExtra: the package is not installed.
        """
        with quiet():
            try:
                return self.read(document.data, document.url, **dict(self.options))
            except ModuleNotFoundError:
                _ = self.identity  # where the peer itself is missing, this says so
                raise


@contextmanager
def quiet() -> Iterator[None]:
    """Without log lines and warnings: what a peer thinks of a page is not what the lab has to say."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
