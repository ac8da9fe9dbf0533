"""Text normalisation: language codes, white space, case and Arabic-script letters.

Word comparison (N-EXT thesis 4.1.4, DANA thesis 2.1.4) assumes that equal words are equal strings. Three things violate
that on news pages: language-specific case rules (Turkish I/ı and İ/i), several kinds of white space, and Persian or
Urdu pages typed with Arabic letters (ي for ی, ك for ک). The page's own text is never changed; these functions prepare
copies for comparison.
"""

import re
from functools import lru_cache

from tidings.text.patterns import late_pattern

# Languages that write dotted and dotless i as two letters.
_DOTTED_I = frozenset({"tr", "az"})
_TURKIC_CASE = str.maketrans({"I": "ı", "İ": "i"})

# Codes with another canonical code: withdrawn ISO codes and the two written forms of Norwegian.
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi", "prs": "fa"}
_CODE = re.compile(r"[A-Za-z]{2,3}(?![A-Za-z])")

_PERSIAN_LETTERS = {"ي": "ی", "ى": "ی", "ك": "ک"}
# Tatweel is decorative, and harakat are vowel marks that most texts omit.
_ORNAMENTS: dict[str, str | None] = dict.fromkeys("ـًٌٍَُِّْٰ")
# Pashto distinguishes ي and ی, so only kaf is unified there. Urdu has its own heh.
_LETTERS: dict[str, dict[int, str | None]] = {
    "fa": str.maketrans({**_ORNAMENTS, **_PERSIAN_LETTERS}),
    "ur": str.maketrans({**_ORNAMENTS, **_PERSIAN_LETTERS, "ه": "ہ"}),
    "ps": str.maketrans({**_ORNAMENTS, "ك": "ک"}),
    "ar": str.maketrans({**_ORNAMENTS, "ی": "ي", "ک": "ك"}),
}


@lru_cache(maxsize=256)
def base_language(language: str) -> str:
    """Return the ISO 639 code of a language tag (`pt-BR` → `pt`, "nb_NO" → `no`), or an empty string."""
    match = _CODE.match(language)
    if match is None:
        return ""
    code = match.group().lower()
    return _SAME_LANGUAGE.get(code, code)


#: Invisible line break marks: soft hyphen, word joiner, byte order mark. Also the zero-width space, but not in Thai,
#: Lao, Burmese and Khmer, where it separates words. Joiners (U+200C, U+200D) belong to letters.
_BREAK_SIGNS = "\u00ad\u2060\ufeff"
_ZERO_WIDTH = late_pattern("(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b")


def without_breaks(text: str) -> str:
    """Remove invisible line break marks, so that words are whole."""
    if text.isascii() or text.isprintable():  # the common case: none of the marks is printable
        return text
    if "\u200b" in text:
        text = _ZERO_WIDTH.sub("", text)
    for sign in _BREAK_SIGNS:
        text = text.replace(sign, "")
    return text


def fold_space(text: str) -> str:
    """Collapse white space to single spaces, strip the text, and remove invisible line break marks."""
    return " ".join(without_breaks(text).split())


def fold_case(text: str, language: str = "") -> str:
    """Convert to lower case by the rules of the language: in Turkish and Azerbaijani I → ı, İ → i.

    Elsewhere İ becomes a plain i, not Unicode's i with a combining dot, which would split a word.
    """
    if text.islower() and text.isprintable() and "\u0307" not in text:
        return text  # the common case
    if text.isascii() and base_language(language) not in _DOTTED_I:
        return text.lower()
    text = without_breaks(text).replace("I\u0307", "İ")
    if base_language(language) in _DOTTED_I:
        text = text.translate(_TURKIC_CASE)
    # Programs without Turkish case rules produce i with the combining dot.
    return text.replace("İ", "i").lower().replace("i\u0307", "i")


def unify_letters(text: str, language: str) -> str:
    """Normalise Arabic-script letters for a language, without tatweel and vowel marks.

    Persian and Urdu get ی and ک for ي, ى and ك, Arabic the reverse; Pashto keeps its five kinds of ye.
    Text of other languages is unchanged.
    """
    table = _LETTERS.get(base_language(language))
    return text if table is None else text.translate(table)
