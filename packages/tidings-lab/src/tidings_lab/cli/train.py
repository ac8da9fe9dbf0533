"""`tidings lab train`: train an extractor on a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tidings.cli.output import print_table
from tidings.processes import cores


def train(
    what: Annotated[
        str,
        typer.Argument(help="default, the extractor that `tidings extract` uses, or another learner by its name."),
    ],
    corpus: Annotated[
        list[str],
        typer.Option(
            "--corpus", "-c", metavar="DIR[#PART]", help="Pages to learn from, or `newspaper`; may be repeated."
        ),
    ],
    out: Annotated[Path, typer.Option("--output", "-o", "--out", help="Where to write the model.")] = Path("model.npz"),
    folds: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Also measure the model by this many folds of sites that it has not learned from. 0: train only."
            " Default: 4 for `default` on at most 500 pages, else 0.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the learner; may be repeated."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """Train a model from pages with ground truth, and measure it on unseen sites.

    The same pages produce the same model. Use it with `tidings extract --with "learned(model=model.npz)"`, or in the
    same way with the extractor that has the learner's name.

    For example:

      tidings lab train default --corpus corpora/wcxb-dev --corpus "corpora/fundus-dev#fundus" --output model.npz
      tidings lab train default --corpus corpora/wcxb-dev --folds 5
      tidings lab train memory-based --corpus corpora/wcxb-dev --set k=7 --set weights=chi-square --output memory.npz
    """
    from tidings.errors import InputError
    from tidings_lab.training.samples import samples_of
    from tidings_lab.training.trainers import TrainingOrder, trainer

    learn = trainer(what)
    chosen = dict(setting.split("=", 1) for setting in settings or () if "=" in setting)
    if len(chosen) < len(settings or ()):
        raise InputError("a setting is written NAME=VALUE and named once, as in --set k=7")
    samples = samples_of(corpus, needs_text=what not in ("default", "confidence", "outline"))
    if folds is None:
        folds = 4 if what == "default" and len(samples) <= 500 else 0
    console = Console(stderr=True)
    with console.status("") as status:
        found = learn(TrainingOrder(samples, out, folds, jobs or cores(), chosen, status.update))
    console.print(f"learned from {len(samples)} pages: {out}, {out.stat().st_size / 1e6:.1f} MB", highlight=False)
    if found is not None:
        rows = ([f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row] for row in found.rows)
        print_table(found.columns, rows, least=120)
