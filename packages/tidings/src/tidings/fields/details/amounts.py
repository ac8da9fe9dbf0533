"""Prices in text: amounts with a currency, in the number formats of many countries.

`1,299.00`, `1.299,00`, `1 299,–` and `1'299.-` are the same number: the last sign before one or two digits is the
decimal sign, and the other signs separate groups of three digits. An amount without a currency, or in millions, is not
a price.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Final

from tidings.text import base_language
from tidings.text.patterns import late_pattern

#: Signs and short names that mean the same currency in every language.
_SIGNS: Final = {
    "€": "EUR", "£": "GBP", "₺": "TRY", "TL": "TRY", "₽": "RUB", "руб": "RUB", "₴": "UAH", "грн": "UAH", "₹": "INR",
    "₪": "ILS", "₩": "KRW", "원": "KRW", "円": "JPY", "元": "CNY", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON",
    "лв": "BGN", "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₸": "KZT", "US$": "USD", "C$": "CAD", "CA$": "CAD",
    "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "S$": "SGD",
    "Rp": "IDR", "ريال": "SAR", "ریال": "IRR", "درهم": "AED", "جنيه": "EGP", "Fr.": "CHF", "SFr.": "CHF",
}  # fmt: skip
#: Signs whose currency depends on the language.
_BY_LANGUAGE: Final = {
    "$": {"": "USD"},
    "¥": {"": "JPY", "zh": "CNY"},
    "kr": {"": "", "sv": "SEK", "da": "DKK", "no": "NOK", "nb": "NOK", "nn": "NOK", "is": "ISK"},
}
_CODES: Final = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR IRR ISK JPY KRW KZT MAD MXN MYR "
    "NGN NOK NZD PEN PHP PKR PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split()
)
_SIGN: Final = "|".join(
    sorted((one.replace("$", r"\$").replace(".", r"\.") for one in (*_SIGNS, *_BY_LANGUAGE)), key=len, reverse=True)
)
_NUMBER: Final = r"\d{1,3}(?:[ .,'’\u00a0\u202f\u066c]\d{3})*+(?:[.,\u066b]\d{1,2})?|\d{1,9}(?:[.,\u066b]\d{1,2})?"
_LETTER: Final = r"[^\W\u3040-\u9fff\uac00-\ud7a3]"  # scripts without spaces aside
_MONEY: Final = rf"(?:{_SIGN}|[A-Z]{{3}})"
#: A currency before or after an amount.
_PRICE: Final = late_pattern(
    rf"(?<!{_LETTER})(?<![$€£])(?:(?P<before>{_MONEY})[ \u00a0\u202f]?(?P<first>{_NUMBER})(?![\d%])"
    rf"|(?<![\d.,])(?P<second>{_NUMBER})(?:,?[-–—])?[ \u00a0\u202f]?(?P<behind>{_MONEY})(?!{_LETTER}))"
)
#: A word for thousands or millions right after an amount: not a price.
_SCALE: Final = late_pattern(
    r"[\s\u00a0-]*(?:(?:k|m|mn|b|bn|tn|trn|mil|bin)\b|mln|mio\b|mrd|mld|thousand|mill|bill|trill|tausend|milj|mily|milh|"
    r"тыс|млн|млрд|милли|мільй|тисяч|χιλ|εκατ|δισ|مليون|مليار|میلیون|میلیارد|הזר|מיליון|מיליארד|万|萬|億|亿|만|억)",
    re.IGNORECASE,
)
_MOST_CHARACTERS: Final = 200_000
_LONGEST: Final = 40
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money with its currency."""

    amount: Decimal
    currency: str  # ISO 4217 code; empty if the page does not say
    name: str = ""  # of the product
    by: str = ""  # provenance


def amount_of(text: str) -> Decimal | None:
    """Parse an amount in the number format of any country; None if the text is not an amount."""
    cleaned = "".join(_digit(sign) for sign in text.strip()[:_LONGEST]).rstrip("-–— ").rstrip(".,")
    if not cleaned or not cleaned[0].isdigit() or not cleaned[-1].isdigit() or len(cleaned) == _LONGEST:
        return None
    parts = [part for part in _GROUPS.split(cleaned) if part]
    signs = _GROUPS.findall(cleaned)
    if not all(part.isdigit() for part in parts) or len(signs) != len(parts) - 1:
        return None
    if signs and len(parts[-1]) <= 2 and signs[-1] in ".,":
        whole, cents = parts[:-1], parts[-1]
    else:
        whole, cents = parts, ""
    if len(whole) > 1 and (len(whole[0]) > 3 or any(len(part) != 3 for part in whole[1:])):
        return None
    if len(signs) == 1 and not cents and whole[0] == "0":  # 0.125 is not a grouped amount
        return None
    return Decimal("".join(whole) + (f".{cents}" if cents else ""))


_GROUPS: Final = late_pattern(r"[.,'’ \u00a0\u202f]")


def _digit(sign: str) -> str:
    if sign.isascii():
        return sign
    if sign in "\u066b\u066c":
        return "." if sign == "\u066b" else ","
    value = unicodedata.decimal(sign, None)
    return sign if value is None else str(value)


def currency_of(text: str, language: str = "") -> str:
    """Return the ISO 4217 code of a currency code or sign; an empty string if it is unknown."""
    sign = text.strip()[:8]
    if sign.upper() in _CODES:
        return sign.upper()
    if sign in _BY_LANGUAGE:
        by_language = _BY_LANGUAGE[sign]
        return by_language.get(base_language(language), by_language[""])
    return _SIGNS.get(sign) or _SIGNS.get(sign.rstrip("."), "")


def prices_in(text: str, language: str = "", by: str = "text") -> Iterator[Price]:
    """Yield the prices with a currency in a text, at most `MOST`.

    Args:
        text: the text to search.
        language: the language of the text, which decides between currencies with the same sign.
        by: the source to record in each price.
    """
    return islice(_prices(text[:_MOST_CHARACTERS], language, by), MOST)


def _prices(text: str, language: str, by: str) -> Iterator[Price]:
    if not any(sign.isdigit() for sign in text):
        return
    for match in _PRICE.finditer(text):
        sign, number = match["before"] or match["behind"], match["first"] or match["second"]
        amount, currency = amount_of(number), currency_of(sign, language)
        if amount is None or not currency:
            continue
        if not _SCALE.match(text, match.end()) and not (match["second"] and _SCALE.match(text, match.end("second"))):
            yield Price(amount, currency, by=by)
