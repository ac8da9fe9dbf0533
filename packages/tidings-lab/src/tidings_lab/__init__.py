"""The laboratory: it measures, pictures and teaches everything else, and nothing that ships imports it.

Corpora and annotation, measures and statistics, experiments and studies, learners and training, and the gate, whose
floors go down only with a reason. It needs the extra `tidings[lab]`; what it learns goes to `extractors` as data.
"""
