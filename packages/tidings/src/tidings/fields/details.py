"""Prices, e-mail addresses, telephone numbers and products of a page, for those who ask for them.

Both theses name them as what their methods could find next (memory-based thesis 7, hybrid paper 6: name, price and
details of what a shop sells). They are looked for on request alone (`tidings.extract(page, details=True)`), so that
nobody else waits for them: in structured data first, then in links, then in the chosen text. Each says where it was
found, a thing found twice is given once, and no more than so many are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np

from tidings.fields.amounts import Price, amount_of, currency_of, prices_in
from tidings.fields.contacts import Email, Telephone, email_of, emails_in, telephone_of, telephones_in
from tidings.fields.declared import text, types
from tidings.page import Page, Spans
from tidings.page.microdata import described
from tidings.text.patterns import late_pattern

MOST: Final = 60
#: Objects of structured data that are looked at, and how deep they stand in each other.
_MOST_OBJECTS, _DEPTH = 2_000, 8
_ITEMS: Final = late_pattern(
    r"""itemtype\s*+=\s*+["']?[^"'\s>]*?(?:Product|Offer|Organization|Person|Business|PostalAddress)"""
)
_SOLD: Final = late_pattern(
    r"(?:Product|Book|Vehicle|Car|SoftwareApplication|IndividualProduct|ProductModel|ProductGroup)$"
)
_OFFER: Final = late_pattern(r"(?:Offer|PriceSpecification)$")
_NUMBERS: Final = ("sku", "gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn", "mpn", "productID")
_NAMED: Final = ("model", "color", "material", "size", "weight", "category", "pattern", "width", "height", "depth")
_AMOUNTS: Final = ("price", "lowPrice", "highPrice")
_META: Final = (("product:price:amount", "product:price:currency"), ("og:price:amount", "og:price:currency"))
_LONGEST: Final = 300

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ProductDetail:
    """A property of a product: its colour, its weight."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Product:
    """What a page offers for sale."""

    name: str
    brand: str = ""
    number: str = ""  # of the shop, the maker or the trade
    details: tuple[ProductDetail, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Details:
    """What a page says besides its story: prices, addresses, numbers, products."""

    prices: tuple[Price, ...] = ()
    emails: tuple[Email, ...] = ()
    telephones: tuple[Telephone, ...] = ()
    products: tuple[Product, ...] = ()


def find(page: Page, content: Spans | None = None, language: str = "") -> Details:
    """What a page says of prices, addresses, numbers and products.

    Args:
        page: the page.
        content: the chosen text; None looks only at what is declared and linked.
        language: of the page, which tells whose crowns are meant.
    """
    products: list[Product] = []
    prices: list[Price] = []
    emails: list[Email] = []
    telephones: list[Telephone] = []
    told = [("json-ld", thing) for thing in page.signals.json_ld]
    if "itemtype" in page.cut.source:
        told += [("microdata", thing) for thing in described(page, _ITEMS)]
    for by, thing, name in islice(_objects(told), _MOST_OBJECTS):
        if any(map(_SOLD.search, types(thing))) and (made := _product(thing, by)):
            products.append(made)
        prices += _offered(thing, by, name, language)
        emails += [one for said in _texts(thing.get("email")) if (one := email_of(said, text(thing.get("name")), by))]
        telephones += [tel for said in _texts(thing.get("telephone")) if (tel := telephone_of(said, by=by))]
    prices += _in_meta(page, language)
    for address, shown in _links(page):
        if address[:7].lower() == "mailto:":
            emails += [one for one in (email_of(address, shown, "link"),) if one]
        else:
            telephones += [one for one in (telephone_of(address, shown, "link"),) if one]
    if content is not None:
        written = page.shown(content).text(page)
        prices += prices_in(written, language)
        emails += emails_in(written)
        telephones += telephones_in(written)
    return Details(
        _once(prices, lambda one: (one.amount, one.currency)),
        _once(emails, lambda one: one.address.lower()),
        _once(telephones, lambda one: one.number.lstrip("+")),
        _once(products, lambda one: (one.name, one.number)),
    )


def details_of(name: str, said: Iterable[str], language: str, by: str) -> tuple[Price | Email | Telephone, ...]:
    """What strings say that a rule has cut out: `prices`, `emails` or `telephones`."""
    found: Iterator[Price | Email | Telephone | None]
    if name == "prices":
        found = (one for text in said for one in (*prices_in(text, language, by),) or (_bare(text, by),))
    elif name == "emails":
        found = (email_of(text, by=by) or next(emails_in(text, by), None) for text in said)
    else:
        found = (telephone_of(text, by=by) for text in said)
    return tuple(dict.fromkeys(one for one in found if one is not None))[:MOST]


def _bare(said: str, by: str) -> Price | None:
    amount = amount_of(said)
    return None if amount is None else Price(amount, "", by=by)


def _once(found: Iterable[T], key: Any) -> tuple[T, ...]:
    """Return the first of each, no more than so many."""
    return tuple({key(one): one for one in reversed([*found])}.values())[::-1][:MOST]


def _texts(value: Any) -> list[str]:
    many = value if isinstance(value, list) else [value]
    return [said for one in many[:MOST] if (said := text(one)[:_LONGEST])]


def _objects(told: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield every object in structured data, with how it is declared and the name of what it stands in."""
    waiting = [(by, thing, "", 0) for by, thing in reversed(told)]
    while waiting:
        by, thing, around, depth = waiting.pop()
        yield by, thing, around
        if depth == _DEPTH:
            continue
        name = text(thing.get("name"))[:_LONGEST] or around
        inside: list[Any] = []
        for value in thing.values():
            inside += (value if isinstance(value, list) else (value,))[:_MOST_OBJECTS]
        waiting += [(by, one, name, depth + 1) for one in reversed(inside) if isinstance(one, Mapping)]


def _product(thing: Mapping[str, Any], by: str) -> Product | None:
    name = text(thing.get("name"))[:_LONGEST]
    if not name:
        return None
    number = next((said for key in _NUMBERS for said in _texts(thing.get(key))), "")
    details = [ProductDetail(key, said) for key in _NAMED for said in _texts(thing.get(key))[:1]]
    more = thing.get("additionalProperty")
    for one in (more if isinstance(more, list) else [more])[:MOST]:
        if isinstance(one, Mapping) and (label := text(one.get("name"))[:_LONGEST]):
            said = text(one.get("value")) or _number(one.get("value"))
            details += [ProductDetail(label, f"{said} {text(one.get('unitText'))}".strip()[:_LONGEST])] if said else []
    return Product(name, text(thing.get("brand"))[:_LONGEST], number, tuple(details[:MOST]), by)


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _offered(thing: Mapping[str, Any], by: str, name: str, language: str) -> list[Price]:
    """Return the prices of an offer."""
    if not any(map(_OFFER.search, types(thing))) and "priceCurrency" not in thing:
        return []
    currency = currency_of(text(thing.get("priceCurrency")), language)
    found = []
    for key in _AMOUNTS:
        value = thing.get(key)
        value = value[0] if isinstance(value, list) and value else value
        said = text(value) or _number(value)
        amount = _declared_amount(said)
        if amount is not None and currency:
            found.append(Price(amount, currency, name, f"{by} offers"))
        elif said and amount is None:
            found += [replace(one, name=name) for one in prices_in(said, language, f"{by} offers")]
    return found


def _declared_amount(said: str) -> Decimal | None:
    """Return an amount in structured data, where a full stop is the decimal sign; but many write as they speak."""
    if len(said) <= 20 and _PLAIN.fullmatch(said):
        return Decimal(said)
    return amount_of(said)


_PLAIN: Final = late_pattern(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)


def _in_meta(page: Page, language: str) -> list[Price]:
    named = page.signals.named
    found = []
    for amounts, currencies in _META:
        for said, sign in zip(named.get(amounts, ()), named.get(currencies, ()), strict=False):
            amount, currency = _declared_amount(said.strip()), currency_of(sign, language)
            if amount is not None and currency:
                found.append(Price(amount, currency, by=amounts))
    return found[:MOST]


def _links(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the `mailto:` and `tel:` links of a page that somebody sees, with their texts."""
    source = page.cut.source
    if not any(scheme in source for scheme in ("mailto:", "tel:", "MAILTO:", "TEL:", "Mailto:", "Tel:")):
        return
    found = page.holding(("mailto:", "tel:"))
    for element in found[: 4 * MOST].tolist():
        address = page.attributes(element).get("href", "").strip()
        if address[:7].lower() == "mailto:" or address[:4].lower() == "tel:":
            runs = np.arange(page.elements.first[element], page.elements.last[element])
            shown = " ".join(page.shown(Spans.of_runs(page, runs)).text(page)[:_LONGEST].split())
            if shown:
                yield address, shown
