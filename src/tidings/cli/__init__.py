"""The command line: thin commands, each importing what it needs when it runs."""

from tidings.cli.app import main

__all__ = ["main"]
