"""`tidings lab train`: learn anew from pages with gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from tidings.cli.batch import default_jobs


def train(
    what: Annotated[str, typer.Argument(help="What to train: default, the extractor that `tidings extract` uses.")],
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", "-c", metavar="DIR[#PART]", help="Pages to learn from; may be repeated."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the model.")] = Path("model.npz"),
    folds: Annotated[
        int, typer.Option(help="Measure too, by so many folds of sites that the model has not seen; 0 only trains.")
    ] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
) -> None:
    """Train a model from pages with gold, and measure it on sites it has not seen.

    The same pages make the same model. Use it with `tidings extract --with "learned(model=model.npz)"`.

    For example:

      tidings lab train default --corpus corpora/wcxb-dev --corpus "corpora/fundus-dev#fundus" --out model.npz
      tidings lab train default --corpus corpora/wcxb-dev --folds 5
    """
    from tidings.errors import InputError
    from tidings.lab.train import cross_validate, lessons, samples_of
    from tidings.learn.default import Training

    if what != "default":
        raise InputError(f"there is nothing called {what!r} to train; what can be trained is: default")
    samples = samples_of(corpus)
    training = Training(jobs=jobs or default_jobs())
    console = Console(stderr=True)
    with console.status("") as status:
        training.run(lessons(samples), status.update).save(out)
        console.print(f"learned from {len(samples)} pages: {out}, {out.stat().st_size / 1e6:.1f} MB", highlight=False)
        if folds:
            folder = out.with_suffix(".folds")
            folder.mkdir(exist_ok=True)
            scored = cross_validate(samples, training, folder, folds, status.update)
    if folds:
        shown = Table("corpus", "kind", "pages", "word F1", "token-LCS F1", "kind right", box=None, header_style="bold")
        groups = {(page.corpus, "") for page in scored} | {(page.corpus, page.kind) for page in scored}
        for name, kind in sorted(groups):
            pages = [page for page in scored if page.corpus == name and kind in ("", page.kind)]
            figures = (
                sum(page.word_f1 for page in pages) / len(pages),
                sum(page.lcs_f1 for page in pages) / len(pages),
                sum(page.found_kind == page.kind for page in pages) / len(pages),
            )
            shown.add_row(name, kind or "all", str(len(pages)), *(f"{figure:.4f}" for figure in figures))
        Console(width=120).print(shown)
