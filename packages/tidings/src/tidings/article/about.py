"""Reduce an article to the blocks that answer a question, within a budget of tokens.

A block's score is the cosine similarity of its tf-idf terms to the question; a block also gets a share of its heading's
score. Blocks are added by score until the budget is spent, keep the order of the article, and bring their headings.
Nothing here uses the network or a language model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log, sqrt
from typing import Final

from tidings.article.model.article import Article
from tidings.article.model.blocks import Block, Kind
from tidings.errors import BadArgument, require_str
from tidings.text import count_words
from tidings.text.terms import terms

#: Estimated model tokens per word, in most languages, and per block for its markup.
_TOKENS_A_WORD: Final = 4 / 3
_TOKENS_A_BLOCK: Final = 3
#: Share of its heading's similarity that a block gets.
_LENT: Final = 0.5
NO_MATCH: Final = "nothing in the article matches the question"


def about(article: Article, question: str, tokens: int = 2000) -> Article:
    """Return the article with only the blocks that answer a question.

    If no block matches, or no matching block fits into the budget, the result has no blocks and `doubt` gives the
    reason.

    Args:
        article: the article.
        question: the question, in the language of the article.
        tokens: the budget in estimated tokens; a single block larger than this is left out.

    Raises:
        BadArgument: the question is empty or not a str, or `tokens` is not an integer of at least 1.
    """
    require_str(question=question)
    if not question.strip():
        raise BadArgument("the question is empty")
    if not isinstance(tokens, int):
        raise BadArgument(f"tokens must be an int, not {type(tokens).__name__}")
    if tokens < 1:
        raise BadArgument(f"tokens must be at least 1, not {tokens}")
    blocks = article.blocks
    similarities = _similarities(article, question)
    above = _headings(blocks)
    scores = [
        score + _LENT * max((similarities[place] for place in above[at]), default=0.0)
        for at, score in enumerate(similarities)
    ]
    order = sorted(range(len(blocks)), key=lambda at: (-scores[at], at))
    chosen: set[int] = set()
    budget = tokens
    for at in order:
        if blocks[at].kind is Kind.HEADING or not blocks[at].text.strip() or scores[at] <= 0:
            continue
        addition = {at, *above[at]} - chosen
        cost = sum(tokens_of(blocks[place]) for place in addition)
        if cost <= budget:
            chosen |= addition
            budget -= cost
    blocks_kept = tuple(block for at, block in enumerate(blocks) if at in chosen)
    doubt = article.doubt
    if not blocks_kept:
        matches = any(score > 0 for score in scores)
        doubt = f"no matching block fits into {tokens} tokens" if matches else NO_MATCH
    return replace(article, blocks=blocks_kept, images=(), notes=(), comments=(), posts=(), doubt=doubt)


def tokens_of(block: Block) -> int:
    """Return the estimated number of model tokens of a block."""
    text = block.text
    return round(max(count_words(text) * _TOKENS_A_WORD, len(text) / 5)) + _TOKENS_A_BLOCK


def _similarities(article: Article, question: str) -> list[float]:
    """Return the similarity of each block to the question, 0 to 1."""
    question_terms = Counter(terms(question, article.language))
    texts = [Counter(terms(block.text, article.language)) for block in article.blocks]
    document_frequency = Counter(term for text in texts for term in text)
    rarity = {term: log(1 + len(texts) / count) for term, count in document_frequency.items()}
    size = sqrt(sum((count * rarity.get(term, 0.0)) ** 2 for term, count in question_terms.items()))
    similarities = []
    for text in texts:
        common = sum(text[term] * count * rarity[term] ** 2 for term, count in question_terms.items() if term in text)
        length = sqrt(sum((count * rarity[term]) ** 2 for term, count in text.items()))
        similarities.append(common / (size * length) if common else 0.0)
    return similarities


def _headings(blocks: tuple[Block, ...]) -> list[tuple[int, ...]]:
    """Return the positions of the headings above each block, outermost first."""
    opened: list[tuple[int, int]] = []
    headings = []
    for at, block in enumerate(blocks):
        if block.kind is Kind.HEADING:
            level = block.level or 1
            opened = [heading for heading in opened if heading[0] < level]
            headings.append(tuple(place for _, place in opened))
            opened.append((level, at))
        else:
            headings.append(tuple(place for _, place in opened))
    return headings
