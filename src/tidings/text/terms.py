"""Terms: what of a text is compared. Content words without stop words, as stems.

The preparation that N-EXT (thesis 4.1.4), LBNEST (III.B) and TrendFinder (DANA thesis 2.1.4.4) share;
TitleFinder drops stop words and does not stem. Stop words are looked up before stemming, as the lists hold
full forms. Persian, Urdu, Pashto and Arabic letters are unified first.
"""

from tidings.text.normalise import unify_letters
from tidings.text.stems import stems
from tidings.text.stopwords import stop_words
from tidings.text.words import content_words


def terms(text: str, language: str = "", *, without_stop_words: bool = True, stemmed: bool = True) -> list[str]:
    """The terms of a text in reading order, repetitions included.

    With no known language the terms are the content words.
    """
    found = content_words(unify_letters(text, language), language)
    if without_stop_words:
        stopped = stop_words(language)
        found = [word for word in found if word not in stopped]
    return stems(found, language) if stemmed else found
