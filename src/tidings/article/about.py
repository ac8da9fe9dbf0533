"""The blocks of an article that answer a question, within a budget of tokens.

A block is as near to the question as the terms they share are rare among the blocks (tf-idf, cosine). Its heading lends
it a part of its own nearness. Blocks are taken from the nearest on until the budget is spent, stand in the order of the
article, and bring the headings above them. No network, no model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log, sqrt
from typing import Final

from tidings.article.blocks import Block, Kind
from tidings.article.model import Article
from tidings.errors import BadArgument, require_str
from tidings.text import count_words
from tidings.text.terms import terms

#: Tokens that models make of a word of most languages, about; and of the markup of a block.
_TOKENS_A_WORD: Final = 4 / 3
_TOKENS_A_BLOCK: Final = 3
#: How much of the nearness of its heading a block gets.
_LENT: Final = 0.5
NO_MATCH: Final = "nothing in the article matches the question"


def about(article: Article, question: str, tokens: int = 2000) -> Article:
    """Return the article with the blocks that answer a question and with no others.

    If no block matches, or none that matches fits into the budget, the result has no blocks and `doubt` says why.

    Args:
        article: the article.
        question: what is asked, in the language of the article.
        tokens: how much of it there may be at most; a single block that is larger is left out.

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
    near = _nearness(article, question)
    above = _headings(blocks)
    scores = [score + _LENT * max((near[place] for place in above[at]), default=0.0) for at, score in enumerate(near)]
    order = sorted(range(len(blocks)), key=lambda at: (-scores[at], at))
    chosen: set[int] = set()
    left = tokens
    for at in order:
        if blocks[at].kind is Kind.HEADING or not blocks[at].text.strip() or scores[at] <= 0:
            continue
        wanted = {at, *above[at]} - chosen
        cost = sum(tokens_of(blocks[place]) for place in wanted)
        if cost <= left:
            chosen |= wanted
            left -= cost
    kept = tuple(block for at, block in enumerate(blocks) if at in chosen)
    doubt = article.doubt
    if not kept:
        matches = any(score > 0 for score in scores)
        doubt = f"no matching block fits into {tokens} tokens" if matches else NO_MATCH
    return replace(article, blocks=kept, images=(), notes=(), comments=(), posts=(), doubt=doubt)


def tokens_of(block: Block) -> int:
    """About how many tokens a model makes of a block."""
    text = block.text
    return round(max(count_words(text) * _TOKENS_A_WORD, len(text) / 5)) + _TOKENS_A_BLOCK


def _nearness(article: Article, question: str) -> list[float]:
    """Return how near each block is to the question, 0 to 1."""
    wanted = Counter(terms(question, article.language))
    texts = [Counter(terms(block.text, article.language)) for block in article.blocks]
    holding = Counter(term for text in texts for term in text)
    rarity = {term: log(1 + len(texts) / count) for term, count in holding.items()}
    size = sqrt(sum((count * rarity.get(term, 0.0)) ** 2 for term, count in wanted.items()))
    found = []
    for text in texts:
        common = sum(text[term] * count * rarity[term] ** 2 for term, count in wanted.items() if term in text)
        length = sqrt(sum((count * rarity[term]) ** 2 for term, count in text.items()))
        found.append(common / (size * length) if common else 0.0)
    return found


def _headings(blocks: tuple[Block, ...]) -> list[tuple[int, ...]]:
    """For each block the headings above it, the outermost first."""
    opened: list[tuple[int, int]] = []
    found = []
    for at, block in enumerate(blocks):
        if block.kind is Kind.HEADING:
            level = block.level or 1
            opened = [one for one in opened if one[0] < level]
            found.append(tuple(place for _, place in opened))
            opened.append((level, at))
        else:
            found.append(tuple(place for _, place in opened))
    return found
