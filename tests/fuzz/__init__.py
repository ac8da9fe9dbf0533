"""`make fuzz`: inputs made by mutation, seeded and bounded, thrown at everything that reads what strangers write.

    python -m tests.fuzz --cases 20000 --seed 1         what `make fuzz` runs; FUZZ=, SEED= and ONLY= there
    python -m tests.fuzz --only core:2000,page          so many times as many cases of a target
    python -m tests.fuzz repeat out/fuzz/page-….bin     one failing input again, with its traceback
    python -m tests.fuzz guided page --seconds 120      guided by coverage, where atheris is installed

`targets` says what is tried and with which samples, `core_entries` calls each function of the compiled core,
`mutations` how an input is made, `cases` what counts as a failure, `campaign` runs many of them in worker processes,
and `guided` hands the same targets to atheris.

A case is a number: the same seed and number give the same input on every machine. It fails when anything leaves but
an error of `tidings.errors`, when it takes more than 5 s of processor time for each megabyte (5 s if it is smaller),
when it needs more than 60 MB and 40 times its size of memory, or when its process dies.
"""

import sys
from pathlib import Path

# The tests of the packages belong to the namespace package `tests`, too: `python -m tests.fuzz` has to find them.
sys.path += [str(path.parent) for path in Path(__file__).parents[2].glob("packages/*/tests")]
