"""The command line: thin commands, each importing what it needs when it runs."""

import sys


def main() -> None:
    """Run the command line. What it imports takes a moment, and Ctrl-C in that moment is no mistake either."""
    try:
        from tidings.cli.app import main as command
    except KeyboardInterrupt:
        sys.exit(130)
    command()


__all__ = ["main"]
