"""`tidings lab train`: learn anew from pages with gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tidings.processes import cores


def train(
    what: Annotated[
        str,
        typer.Argument(help="default, the extractor that `tidings extract` uses, or another learner by its name."),
    ],
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", "-c", metavar="DIR[#PART]", help="Pages to learn from; may be repeated."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the model.")] = Path("model.npz"),
    folds: Annotated[
        int, typer.Option(help="Measure too, by so many folds of sites that the model has not seen; 0 only trains.")
    ] = 0,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the learner; may be repeated."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """Train a model from pages with gold, and measure it on sites it has not seen.

    The same pages make the same model. Use it with `tidings extract --with "learned(model=model.npz)"`, or in the same
    way with the extractor that has the learner's name.

    For example:

      tidings lab train default --corpus corpora/wcxb-dev --corpus "corpora/fundus-dev#fundus" --out model.npz
      tidings lab train default --corpus corpora/wcxb-dev --folds 5
      tidings lab train memory-based --corpus corpora/wcxb-dev --set k=7 --set weights=chi-square --out memory.npz
    """
    from tidings.errors import InputError
    from tidings.lab.trainers import TrainingOrder, samples_of, trainer

    learn = trainer(what)
    chosen = dict(setting.split("=", 1) for setting in settings or () if "=" in setting)
    if len(chosen) < len(settings or ()):
        raise InputError("a setting is written NAME=VALUE and named once, as in --set k=7")
    samples = samples_of(corpus)
    console = Console(stderr=True)
    with console.status("") as status:
        found = learn(TrainingOrder(samples, out, folds, jobs or cores(), chosen, status.update))
    console.print(f"learned from {len(samples)} pages: {out}, {out.stat().st_size / 1e6:.1f} MB", highlight=False)
    if found is not None:
        shown = Table(*found.columns, box=None, header_style="bold")
        for row in found.rows:
            shown.add_row(*(f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row))
        Console(width=120).print(shown)
