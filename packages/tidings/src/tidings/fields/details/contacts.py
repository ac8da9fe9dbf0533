"""E-mail addresses and telephone numbers on a page.

Precision before recall: links (`mailto:`, `tel:`), structured data, and text that is hardly ambiguous: an address with
a domain, a number with a country code or after a word for telephone. Obfuscated addresses are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote

from tidings.text.patterns import late_pattern

#: RFC 5321: 64 characters before the sign, 255 after it. The local part has only the characters in common use.
_ADDRESS: Final = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w](?:[\w-]{0,61}[\w])?\.){1,8}[^\W\d_](?:[\w-]{0,61}[\w])"
_WHOLE: Final = late_pattern(_ADDRESS)
_IN_TEXT: Final = late_pattern(rf"(?<![\w.!#$%&'*+/=?^`{{|}}~@-]){_ADDRESS}(?![\w@])")
#: Endings of image file names that look like domains.
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_NUMBER: Final = r"(?:\(?\d{1,5}\)?(?:[ .\-/\u00a0\u2011–]{0,3})){2,8}"
_INTERNATIONAL: Final = late_pattern(rf"(?<![\w+])(?:\+|00)(?=[1-9]){_NUMBER}")
#: Words for telephone before a number; fax is excluded.
_LABELLED: Final = late_pattern(
    r"(?<!\w)(?:tel|tél|telephone|téléphone|telefon|telefono|teléfono|telefone|telefoon|telefoni|puhelin|puh|phone|call|"
    r"tlf|τηλ|τηλέφωνο|тел|телефон|هاتف|تلفن|טלפון|电话|電話|전화|điện thoại|telp|telepon)"
    rf"(?:\s?(?:no|nr|number|numarası))?[.:：]{{0,2}}[ \u00a0]{{0,3}}(?P<number>\+?{_NUMBER})",
    re.IGNORECASE,
)
_DIGITS: Final = late_pattern(r"\d")
_FEWEST, _MOST_DIGITS, _FEWEST_ABROAD = 6, 15, 8  # ITU-T E.164 has fifteen at most
_MOST_CHARACTERS: Final = 200_000
_LONGEST: Final = 320
MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Email:
    """An e-mail address."""

    address: str
    name: str = ""  # of the person, if the link has it
    by: str = ""


@dataclass(frozen=True, slots=True)
class Telephone:
    """A telephone number."""

    number: str  # digits, with a leading + if the country code is included
    as_written: str = ""  # the spelling on the page
    by: str = ""


def email_of(text: str, name: str = "", by: str = "") -> Email | None:
    """Parse an e-mail address or `mailto:` URL; return None if the text is neither.

    Args:
        text: the address or URL.
        name: the name of the person or department, such as the text of the link.
        by: the source to record in the result.
    """
    address = text.strip()[: 2 * _LONGEST]
    if address[:7].lower() == "mailto:":
        address = unquote(address[7:].partition("?")[0])
    address = address.partition(",")[0].strip()
    if len(address) > _LONGEST or not _WHOLE.fullmatch(address) or not _is_address(address):
        return None
    local, _, domain = address.rpartition("@")
    name = " ".join(name.split())[:200]
    return Email(f"{local}@{domain.lower()}", "" if "@" in name else name, by)


def _is_address(address: str) -> bool:
    local = address.partition("@")[0]
    return not (local[0] == "." or local[-1] == "." or ".." in address or address.lower().endswith(_PICTURES))


def emails_in(text: str, by: str = "text") -> Iterator[Email]:
    """Yield the e-mail addresses in a text, at most `MOST`. `by` is the source to record in each."""
    if "@" not in text:
        return iter(())
    emails = (email_of(match[0], by=by) for match in _IN_TEXT.finditer(text[:_MOST_CHARACTERS]))
    return islice((email for email in emails if email is not None), MOST)


def telephone_of(text: str, as_written: str = "", by: str = "") -> Telephone | None:
    """Parse a telephone number or `tel:` URL; return None if the text is neither.

    Args:
        text: the number or URL.
        as_written: the number as the page shows it, such as the text of the link; by default `text`.
        by: the source to record in the result.
    """
    number = text.strip()[:_LONGEST]
    if number[:4].lower() == "tel:":
        number = unquote(number[4:]).partition(";")[0]
    number = number.strip()
    digits = "".join(str(int(sign)) for sign in _DIGITS.findall(number))
    is_abroad = number.startswith(("+", "00"))
    digits = digits.removeprefix("00") if number.startswith("00") else digits
    if is_abroad:  # +49 (0) 30 …: the trunk zero is for domestic calls
        digits = _without_trunk(number, digits)
    if not (_FEWEST_ABROAD if is_abroad else _FEWEST) <= len(digits) <= _MOST_DIGITS or len(set(digits)) == 1:
        return None
    return Telephone(("+" if is_abroad else "") + digits, " ".join((as_written or number).split())[:60], by)


def _without_trunk(number: str, digits: str) -> str:
    at = number.find("(0)")
    if at < 0:
        return digits
    before = len(_DIGITS.findall(number[:at])) - 2 * number.startswith("00")
    return digits[:before] + digits[before + 1 :]


def telephones_in(text: str, by: str = "text") -> Iterator[Telephone]:
    """Yield the numbers in a text that have a country code, or a word for telephone before them."""
    return islice(_telephones(text[:_MOST_CHARACTERS], by), MOST)


def _telephones(text: str, by: str) -> Iterator[Telephone]:
    if "+" in text or "00" in text:
        for match in _INTERNATIONAL.finditer(text):
            if match[0].startswith("+") and (telephone := telephone_of(match[0].rstrip(" .-/–("), by=by)):
                yield telephone
    for match in _LABELLED.finditer(text):
        if (telephone := telephone_of(match["number"].rstrip(" .-/–("), by=by)) is not None:
            yield telephone
