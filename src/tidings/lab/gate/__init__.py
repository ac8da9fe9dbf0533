"""The gate: no change may lower accuracy unnoticed.

`floors.jsonl` holds a floor for each corpus, extractor and measure, with the digest of the pages it was measured on.
People review it as they review code. A floor goes up by `tidings lab gate --update`; it goes down only by
`--lower WHY`, which leaves a line in the file that says why.

The default reading is measured on every page (text, headline, authors, date), each extractor by its own name on a fixed
sample of each corpus (text). `default` is a name of its own: whatever becomes the default must hold its floors.
"""

from tidings.lab.gate.floors import DEFAULT_NAME, FLOORS, Floor, Key, Lowering, read_floors, write_floors
from tidings.lab.gate.measure import (
    SAMPLED,
    FigurePart,
    FloorStanding,
    GateFigure,
    GateItem,
    GateRow,
    Tested,
    items,
    judge,
    measure_page,
    plan,
    revise,
    tally,
)

__all__ = [
    "DEFAULT_NAME",
    "FLOORS",
    "SAMPLED",
    "FigurePart",
    "Floor",
    "FloorStanding",
    "GateFigure",
    "GateItem",
    "GateRow",
    "Key",
    "Lowering",
    "Tested",
    "items",
    "judge",
    "measure_page",
    "plan",
    "read_floors",
    "revise",
    "tally",
    "write_floors",
]
