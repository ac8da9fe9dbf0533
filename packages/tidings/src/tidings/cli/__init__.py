"""The command line: thin commands, each importing what it needs when it runs."""

import gc
import os
import sys


def main() -> None:
    """Run the command line. What it imports takes a moment, and Ctrl-C in that moment is no mistake either."""
    # Python looks for garbage after every 700 new objects, 200 times while modules are loaded, and once more over all
    # of them when it ends: a tenth of the time that one page takes, and there is none.
    gc.set_threshold(100_000, 10, 10)
    # NumPy's library of matrices starts a thread for each core as it is loaded, which then spins: more processor time
    # than all else that NumPy does to begin with. Matrices here are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from tidings.cli.app import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()


__all__ = ["main"]
