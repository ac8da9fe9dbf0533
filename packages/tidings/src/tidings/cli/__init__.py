"""The command line. Each command is a module that is imported when the command runs."""

import gc
import os
import sys


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback, also while modules are imported."""
    # The garbage collector runs after every 700 new objects: 200 times while modules are imported, and once more at
    # the end. That is a tenth of the time that one page takes, and it finds nothing.
    gc.set_threshold(100_000, 10, 10)
    # OpenBLAS starts a thread for each core when NumPy is imported. They spin, which takes more processor time than the
    # rest of the import, and our matrices are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from tidings.cli.app import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        gc.freeze()


__all__ = ["main"]
