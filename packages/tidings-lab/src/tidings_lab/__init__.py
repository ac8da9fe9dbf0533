"""The laboratory: corpora, measures, experiments, annotation and training for Tidings; the library never imports it.

It contains corpora and annotation, measures and statistics, experiments and studies, learners and training, and the
accuracy gate. Trained models are shipped in `tidings.extractors` as data.
"""
