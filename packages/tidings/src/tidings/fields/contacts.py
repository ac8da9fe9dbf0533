"""E-mail addresses and telephone numbers, as pages link and write them.

Precise rather than many: what a link says (`mailto:`, `tel:`), what structured data declares, and in the text what can
hardly be anything else: an address with a domain, a number that begins with a country's code or stands behind a word
for telephone. What a page disguises from programs is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote

from tidings.text.patterns import late_pattern

#: RFC 5321: 64 characters before the sign, 255 behind it. Of the local part's characters those in use.
_ADDRESS: Final = r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w](?:[\w-]{0,61}[\w])?\.){1,8}[^\W\d_](?:[\w-]{0,61}[\w])"
_WHOLE: Final = late_pattern(_ADDRESS)
_IN_TEXT: Final = late_pattern(rf"(?<![\w.!#$%&'*+/=?^`{{|}}~@-]){_ADDRESS}(?![\w@])")
#: What is no domain but the name of a picture.
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
_NUMBER: Final = r"(?:\(?\d{1,5}\)?(?:[ .\-/\u00a0\u2011–]{0,3})){2,8}"
_INTERNATIONAL: Final = late_pattern(rf"(?<![\w+])(?:\+|00)(?=[1-9]){_NUMBER}")
#: Words for telephone before a number; a fax or the like is none.
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
    name: str = ""  # of whom, if the link says it
    by: str = ""


@dataclass(frozen=True, slots=True)
class Telephone:
    """A telephone number."""

    number: str  # digits alone, with + before them if the country's code is among them
    shown: str = ""  # as the page writes it
    by: str = ""


def email_of(text: str, name: str = "", by: str = "") -> Email | None:
    """Return the address that a text or a `mailto:` address is; None if it is none."""
    said = text.strip()[: 2 * _LONGEST]
    if said[:7].lower() == "mailto:":
        said = unquote(said[7:].partition("?")[0])
    said = said.partition(",")[0].strip()
    if len(said) > _LONGEST or not _WHOLE.fullmatch(said) or not _is_address(said):
        return None
    local, _, domain = said.rpartition("@")
    name = " ".join(name.split())[:200]
    return Email(f"{local}@{domain.lower()}", "" if "@" in name else name, by)


def _is_address(said: str) -> bool:
    local = said.partition("@")[0]
    return not (local[0] == "." or local[-1] == "." or ".." in said or said.lower().endswith(_PICTURES))


def emails_in(text: str, by: str = "text") -> Iterator[Email]:
    """Return the addresses that stand in a text, no more than so many."""
    if "@" not in text:
        return iter(())
    found = (email_of(match[0], by=by) for match in _IN_TEXT.finditer(text[:_MOST_CHARACTERS]))
    return islice((one for one in found if one is not None), MOST)


def telephone_of(text: str, shown: str = "", by: str = "") -> Telephone | None:
    """Return the number that a text or a `tel:` address is; None if it is none."""
    said = text.strip()[:_LONGEST]
    if said[:4].lower() == "tel:":
        said = unquote(said[4:]).partition(";")[0]
    said = said.strip()
    digits = "".join(str(int(sign)) for sign in _DIGITS.findall(said))
    is_abroad = said.startswith(("+", "00"))
    digits = digits.removeprefix("00") if said.startswith("00") else digits
    if is_abroad:  # +49 (0) 30 …: the zero is for those inside
        digits = _without_trunk(said, digits)
    if not (_FEWEST_ABROAD if is_abroad else _FEWEST) <= len(digits) <= _MOST_DIGITS or len(set(digits)) == 1:
        return None
    return Telephone(("+" if is_abroad else "") + digits, " ".join((shown or said).split())[:60], by)


def _without_trunk(said: str, digits: str) -> str:
    at = said.find("(0)")
    if at < 0:
        return digits
    before = len(_DIGITS.findall(said[:at])) - 2 * said.startswith("00")
    return digits[:before] + digits[before + 1 :]


def telephones_in(text: str, by: str = "text") -> Iterator[Telephone]:
    """Return the numbers in a text that have their country's code, or a word for telephone before them."""
    return islice(_telephones(text[:_MOST_CHARACTERS], by), MOST)


def _telephones(text: str, by: str) -> Iterator[Telephone]:
    if "+" in text or "00" in text:
        for match in _INTERNATIONAL.finditer(text):
            if match[0].startswith("+") and (found := telephone_of(match[0].rstrip(" .-/–("), by=by)):
                yield found
    for match in _LABELLED.finditer(text):
        if (found := telephone_of(match["number"].rstrip(" .-/–("), by=by)) is not None:
            yield found
