"""Verification of teasers: whether a page is the article that the text next to its link describes (LBNEST
II.C.2.ii).
"""

from __future__ import annotations

from tidings.text import letter_pair_similarities, sentences, terms


def bears_out(teaser: str, text: str, language: str = "") -> bool:
    """Return whether the text of a page is the article of a teaser (LBNEST II.C.2.ii).

    The paper asks for a reasonable similarity without a threshold. A teaser is short and an article long, so half of
    the teaser's stemmed terms without stop words must be in the article.

    Args:
        teaser: the text next to the link.
        text: the article with its headline and summary, from which teasers are mostly cut.
        language: the article's language.
    """
    teaser_terms = set(terms(teaser, language))
    return bool(teaser_terms) and 2 * len(teaser_terms & set(terms(text, language))) >= len(teaser_terms)


def shares_letter_pairs(teaser: str, text: str, language: str = "", similarity: float = 0.5) -> bool:
    """Return whether a sentence of the teaser is similar to one of the article, by letter pairs (LBNEST III.A).

    The paper gives no threshold for this: two sentences are related from 0.20 on, but a teaser is cut from its
    article. At 0.5 all of 41 teasers of the bundled newspaper (the first two sentences) match their articles, and one
    of 146 matches another article in the same language.
    """
    teaser_sentences = [" ".join(terms(sentence, language)) for sentence in sentences(teaser, language)]
    article_sentences = [
        stemmed for sentence in sentences(text, language) if (stemmed := " ".join(terms(sentence, language)))
    ]
    if not article_sentences:
        return False
    return any(
        float(letter_pair_similarities(sentence, article_sentences).max()) >= similarity
        for sentence in teaser_sentences
        if sentence
    )
