"""Prices as pages write them: an amount and a currency, in the forms of many countries.

`1,299.00`, `1.299,00`, `1 299,–` and `1'299.-` are one number: the last sign before one or two digits is the decimal
sign, any other parts groups of three. Without a currency there is no price, and sums of millions are none either.
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

#: Signs and short names of currencies that mean one of them wherever they stand.
_SIGNS: Final = {
    "€": "EUR", "£": "GBP", "₺": "TRY", "TL": "TRY", "₽": "RUB", "руб": "RUB", "₴": "UAH", "грн": "UAH", "₹": "INR",
    "₪": "ILS", "₩": "KRW", "원": "KRW", "円": "JPY", "元": "CNY", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON",
    "лв": "BGN", "₫": "VND", "฿": "THB", "₱": "PHP", "₦": "NGN", "₸": "KZT", "US$": "USD", "C$": "CAD", "CA$": "CAD",
    "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "S$": "SGD",
    "Rp": "IDR", "ريال": "SAR", "ریال": "IRR", "درهم": "AED", "جنيه": "EGP", "Fr.": "CHF", "SFr.": "CHF",
}  # fmt: skip
#: Those that mean another one in another language.
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
#: A currency before an amount, or behind it.
_PRICE: Final = late_pattern(
    rf"(?<!{_LETTER})(?<![$€£])(?:(?P<before>{_MONEY})[ \u00a0\u202f]?(?P<first>{_NUMBER})(?![\d%])"
    rf"|(?<![\d.,])(?P<second>{_NUMBER})(?:,?[-–—])?[ \u00a0\u202f]?(?P<behind>{_MONEY})(?!{_LETTER}))"
)
#: A word that makes millions of an amount, right behind it: no price.
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
    """An amount of money."""

    amount: Decimal
    currency: str  # by ISO 4217; empty where a page does not tell
    name: str = ""  # of what
    by: str = ""  # where it was found


def amount_of(text: str) -> Decimal | None:
    """Return the amount that a text is, in the spelling of any country; None if it is none."""
    said = "".join(_digit(sign) for sign in text.strip()[:_LONGEST]).rstrip("-–— ").rstrip(".,")
    if not said or not said[0].isdigit() or not said[-1].isdigit() or len(said) == _LONGEST:
        return None
    parts = [part for part in _GROUPS.split(said) if part]
    signs = _GROUPS.findall(said)
    if not all(part.isdigit() for part in parts) or len(signs) != len(parts) - 1:
        return None
    if signs and len(parts[-1]) <= 2 and signs[-1] in ".,":
        whole, cents = parts[:-1], parts[-1]
    else:
        whole, cents = parts, ""
    if len(whole) > 1 and (len(whole[0]) > 3 or any(len(part) != 3 for part in whole[1:])):
        return None
    if len(signs) == 1 and not cents and whole[0] == "0":  # 0.125 is no price in groups
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
    """Return the ISO 4217 code of a currency's code or sign; empty if it is not known."""
    said = text.strip()[:8]
    if said.upper() in _CODES:
        return said.upper()
    if said in _BY_LANGUAGE:
        known = _BY_LANGUAGE[said]
        return known.get(base_language(language), known[""])
    return _SIGNS.get(said) or _SIGNS.get(said.rstrip("."), "")


def prices_in(text: str, language: str = "", by: str = "text") -> Iterator[Price]:
    """Return the prices that stand in a text with their currency, no more than so many."""
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
