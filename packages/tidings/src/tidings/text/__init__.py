"""Text comparison: words, sentences, stop words, stems, term vectors and similarities.

Imports nothing from other parts of Tidings and, on import, only NumPy. All functions are pure.
"""

from tidings.text.letter_pairs import letter_pair_similarities, letter_pair_similarity, letter_pairs
from tidings.text.normalise import base_language, fold_case, fold_space, unify_letters, without_breaks
from tidings.text.sentences import sentence_spans, sentences
from tidings.text.similarity import (
    Measure,
    cosine,
    cosines,
    dice,
    dices,
    jaccard,
    jaccards,
    overlap,
    overlaps,
    similarities,
)
from tidings.text.stems import stem, stem_languages, stems
from tidings.text.story_similarity import story_similarities, story_similarity
from tidings.text.terms import stop_word_languages, stop_words, terms
from tidings.text.title_scores import aggregate_score, aggregate_scores, overlap_score, overlap_scores
from tidings.text.turkish import turkish_keys
from tidings.text.vectors import (
    FloatArray,
    IntArray,
    Vectors,
    count_against,
    count_terms,
    inverse_document_frequencies,
    maximum_frequencies,
    relative_frequencies,
    salton_weights,
    tf_idf,
)
from tidings.text.words import (
    characters,
    content_words,
    count_words,
    letter_run_matches,
    letter_runs,
    letter_runs_at,
    words,
)

__all__ = [
    "FloatArray",
    "IntArray",
    "Measure",
    "Vectors",
    "aggregate_score",
    "aggregate_scores",
    "base_language",
    "characters",
    "content_words",
    "cosine",
    "cosines",
    "count_against",
    "count_terms",
    "count_words",
    "dice",
    "dices",
    "fold_case",
    "fold_space",
    "inverse_document_frequencies",
    "jaccard",
    "jaccards",
    "letter_pair_similarities",
    "letter_pair_similarity",
    "letter_pairs",
    "letter_run_matches",
    "letter_runs",
    "letter_runs_at",
    "maximum_frequencies",
    "overlap",
    "overlap_score",
    "overlap_scores",
    "overlaps",
    "relative_frequencies",
    "salton_weights",
    "sentence_spans",
    "sentences",
    "similarities",
    "stem",
    "stem_languages",
    "stems",
    "stop_word_languages",
    "stop_words",
    "story_similarities",
    "story_similarity",
    "terms",
    "tf_idf",
    "turkish_keys",
    "unify_letters",
    "without_breaks",
    "words",
]
