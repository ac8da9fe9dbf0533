"""Prices, e-mail addresses, telephone numbers and products of a page, on request.

Both theses name them as the next thing to extract (memory-based thesis 7, hybrid paper 6: name, price and details of
products). They cost time, so only `tidings.extract(page, details=True)` reads them: from structured data, links and the
selected text, in this order. Each value has its provenance, duplicates are removed, and the number is limited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from typing import Any, Final, TypeVar

import numpy as np

from tidings.fields.declared import text, types
from tidings.fields.details.amounts import Price, amount_of, currency_of, prices_in
from tidings.fields.details.contacts import Email, Telephone, email_of, emails_in, telephone_of, telephones_in
from tidings.page import Page, Spans
from tidings.page.microdata import described
from tidings.text.patterns import late_pattern

MOST: Final = 60
#: Limits on the number of structured data objects and on their depth.
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
    """A property of a product, such as its colour or weight."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Product:
    """A product that a page offers for sale."""

    name: str
    brand: str = ""
    number: str = ""  # SKU, part number, GTIN or ISBN
    details: tuple[ProductDetail, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Details:
    """The prices, e-mail addresses, telephone numbers and products of a page."""

    prices: tuple[Price, ...] = ()
    emails: tuple[Email, ...] = ()
    telephones: tuple[Telephone, ...] = ()
    products: tuple[Product, ...] = ()


def find(page: Page, content: Spans | None = None, language: str = "") -> Details:
    """Return the prices, e-mail addresses, telephone numbers and products of a page.

    Args:
        page: the page.
        content: the selected text; None reads only structured data and links.
        language: the page's language, for ambiguous currency signs.
    """
    products: list[Product] = []
    prices: list[Price] = []
    emails: list[Email] = []
    telephones: list[Telephone] = []
    objects = [("json-ld", thing) for thing in page.signals.json_ld]
    if "itemtype" in page.cut.source:
        objects += [("microdata", thing) for thing in described(page, _ITEMS)]
    for by, thing, name in islice(_nested_objects(objects), _MOST_OBJECTS):
        if any(map(_SOLD.search, types(thing))) and (product := _product(thing, by)):
            products.append(product)
        prices += _offered(thing, by, name, language)
        emails += [
            item for value in _texts(thing.get("email")) if (item := email_of(value, text(thing.get("name")), by))
        ]
        telephones += [tel for value in _texts(thing.get("telephone")) if (tel := telephone_of(value, by=by))]
    prices += _in_meta(page, language)
    for address, link_text in _links(page):
        if address[:7].lower() == "mailto:":
            emails += [item for item in (email_of(address, link_text, "link"),) if item]
        else:
            telephones += [item for item in (telephone_of(address, link_text, "link"),) if item]
    if content is not None:
        selected = page.shown(content).text(page)
        prices += prices_in(selected, language)
        emails += emails_in(selected)
        telephones += telephones_in(selected)
    return Details(
        _distinct(prices, lambda item: (item.amount, item.currency)),
        _distinct(emails, lambda item: item.address.lower()),
        _distinct(telephones, lambda item: item.number.lstrip("+")),
        _distinct(products, lambda item: (item.name, item.number)),
    )


def details_of(name: str, values: Iterable[str], language: str, by: str) -> tuple[Price | Email | Telephone, ...]:
    """Parse the strings that a site rule selected as `prices`, `emails` or `telephones`."""
    items: Iterator[Price | Email | Telephone | None]
    if name == "prices":
        items = (
            item
            for text in values
            for item in (*prices_in(text, language, by),) or (_price_without_currency(text, by),)
        )
    elif name == "emails":
        items = (email_of(text, by=by) or next(emails_in(text, by), None) for text in values)
    else:
        items = (telephone_of(text, by=by) for text in values)
    return tuple(dict.fromkeys(item for item in items if item is not None))[:MOST]


def _price_without_currency(value: str, by: str) -> Price | None:
    amount = amount_of(value)
    return None if amount is None else Price(amount, "", by=by)


def _distinct(items: Iterable[T], key: Any) -> tuple[T, ...]:
    """Return the first item of each key, at most `MOST`."""
    return tuple({key(item): item for item in reversed([*items])}.values())[::-1][:MOST]


def _texts(value: Any) -> list[str]:
    many = value if isinstance(value, list) else [value]
    return [line for item in many[:MOST] if (line := text(item)[:_LONGEST])]


def _nested_objects(objects: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Yield every object in structured data, with its format and the name of the object that contains it."""
    waiting = [(by, thing, "", 0) for by, thing in reversed(objects)]
    while waiting:
        by, thing, parent_name, depth = waiting.pop()
        yield by, thing, parent_name
        if depth == _DEPTH:
            continue
        name = text(thing.get("name"))[:_LONGEST] or parent_name
        inside: list[Any] = []
        for value in thing.values():
            inside += (value if isinstance(value, list) else (value,))[:_MOST_OBJECTS]
        waiting += [(by, item, name, depth + 1) for item in reversed(inside) if isinstance(item, Mapping)]


def _product(thing: Mapping[str, Any], by: str) -> Product | None:
    name = text(thing.get("name"))[:_LONGEST]
    if not name:
        return None
    number = next((value for key in _NUMBERS for value in _texts(thing.get(key))), "")
    details = [ProductDetail(key, value) for key in _NAMED for value in _texts(thing.get(key))[:1]]
    more = thing.get("additionalProperty")
    for item in (more if isinstance(more, list) else [more])[:MOST]:
        if isinstance(item, Mapping) and (label := text(item.get("name"))[:_LONGEST]):
            value = text(item.get("value")) or _number(item.get("value"))
            details += (
                [ProductDetail(label, f"{value} {text(item.get('unitText'))}".strip()[:_LONGEST])] if value else []
            )
    return Product(name, text(thing.get("brand"))[:_LONGEST], number, tuple(details[:MOST]), by)


def _number(value: Any) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _offered(thing: Mapping[str, Any], by: str, name: str, language: str) -> list[Price]:
    """Return the prices of an `Offer` object in structured data."""
    if not any(map(_OFFER.search, types(thing))) and "priceCurrency" not in thing:
        return []
    currency = currency_of(text(thing.get("priceCurrency")), language)
    prices = []
    for key in _AMOUNTS:
        value = thing.get(key)
        value = value[0] if isinstance(value, list) and value else value
        amount_text = text(value) or _number(value)
        amount = _declared_amount(amount_text)
        if amount is not None and currency:
            prices.append(Price(amount, currency, name, f"{by} offers"))
        elif amount_text and amount is None:
            prices += [replace(price, name=name) for price in prices_in(amount_text, language, f"{by} offers")]
    return prices


def _declared_amount(value: str) -> Decimal | None:
    """Parse an amount in structured data. The decimal sign should be a full stop, but other formats occur."""
    if len(value) <= 20 and _PLAIN.fullmatch(value):
        return Decimal(value)
    return amount_of(value)


_PLAIN: Final = late_pattern(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)


def _in_meta(page: Page, language: str) -> list[Price]:
    named = page.signals.named
    prices = []
    for amounts, currencies in _META:
        for value, sign in zip(named.get(amounts, ()), named.get(currencies, ()), strict=False):
            amount, currency = _declared_amount(value.strip()), currency_of(sign, language)
            if amount is not None and currency:
                prices.append(Price(amount, currency, by=amounts))
    return prices[:MOST]


def _links(page: Page) -> Iterator[tuple[str, str]]:
    """Yield the visible `mailto:` and `tel:` links of a page, with their texts."""
    source = page.cut.source
    if not any(scheme in source for scheme in ("mailto:", "tel:", "MAILTO:", "TEL:", "Mailto:", "Tel:")):
        return
    elements = page.holding(("mailto:", "tel:"))
    for element in elements[: 4 * MOST].tolist():
        address = page.attributes(element).get("href", "").strip()
        if address[:7].lower() == "mailto:" or address[:4].lower() == "tel:":
            runs = np.arange(page.elements.first[element], page.elements.last[element])
            link_text = " ".join(page.shown(Spans.of_runs(page, runs)).text(page)[:_LONGEST].split())
            if link_text:
                yield address, link_text
