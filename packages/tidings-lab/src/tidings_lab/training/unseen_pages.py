"""Results for pages of models that were not trained on their sites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from tidings.errors import InputError
from tidings.processes import results
from tidings_lab.corpora import Sample
from tidings_lab.learners.default import Training
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.training.default import fold_models
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import TrainingOrder

Answer = TypeVar("Answer")
#: The number of folds of sites for training and measurement.
FOLDS: Final = 4


def unseen(
    order: TrainingOrder, work: Callable[..., Answer], is_selected: Callable[[Sample], bool]
) -> Iterator[tuple[Sample, Answer]]:
    """Yield samples with a function's result for the model that was not trained on their site."""
    settings = dict(order.settings)
    models_folder = settings.pop("models", "")
    folder = Path(models_folder) if models_folder else order.folder
    folds = len(list(folder.glob("without-fold-*.npz"))) if models_folder else order.folds or FOLDS
    if not folds:
        raise InputError(f"there are no models in {models_folder}: `tidings lab train default --folds` leaves some")
    training = with_settings(Training(jobs=order.jobs), settings)
    selected = [sample for sample in order.samples if is_selected(sample)]
    for out, model in enumerate(fold_models(order.samples, training, folder, folds, order.report)):
        order.report(f"reading the pages that {model.name} has not seen")
        pages = [sample for sample in selected if fold_of(sample.site, folds) == out]
        yield from zip(pages, results(partial(work, model=str(model)), pages, order.jobs), strict=True)
