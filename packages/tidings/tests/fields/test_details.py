"""Prices, e-mail addresses, telephone numbers and products: what is found, where, and what is not."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

import tidings
from tidings.article import article_from_json
from tidings.errors import InputError
from tidings.fields.details import Details, Product, ProductDetail, find
from tidings.fields.details.amounts import Price, amount_of, currency_of, prices_in
from tidings.fields.details.contacts import Email, Telephone, email_of, emails_in, telephone_of, telephones_in
from tidings.page import Page
from tidings.sites.extraction.article_text import cut_text
from tidings.sites.extraction.cut import cut
from tidings.sites.formats.text_rules import dumps, loads

STORY = "<p>" + "The ferry to the island runs every hour from the old harbour, and a ticket is cheap. " * 12 + "</p>"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("1,299.00", "1299.00"), ("1.299,00", "1299.00"), ("1 299,–", "1299"), ("1'299.-", "1299"), ("12,-", "12"),
        ("19,90", "19.90"), ("٣٬٥٠٠", "3500"), ("۱۲٫۵", "12.5"), ("1.299", "1299"), ("0.125", None), ("1,2,3", None),
        ("", None), ("-", None), ("12a", None), ("9" * 60, None), ("1.2345", None),
    ],
)  # fmt: skip
def test_amounts_of_many_countries(said: str, expected: str | None) -> None:
    assert amount_of(said) == (None if expected is None else Decimal(expected))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Jetzt 1.299,00 € statt 1.499 €", ["1299.00 EUR", "1499 EUR"]),
        ("en", "now $19.99, or US$ 20, GBP 5 with £2.50 off", ["19.99 USD", "20 USD", "5 GBP", "2.50 GBP"]),
        ("en", "The fund lost $3 billion, $40m and 5 million euros; €2bn in all", []),
        ("fr", "Le billet coûte 12,50 € et le menu 1 250 €", ["12.50 EUR", "1250 EUR"]),
        ("tr", "Bilet 1.250,50 TL, gişede 40 ₺; bütçe 5 milyon TL", ["1250.50 TRY", "40 TRY"]),
        ("ru", "Билет стоит 12 500 руб., всего 3 млн руб.", ["12500 RUB"]),
        ("sv", "Biljetten kostar 199 kr", ["199 SEK"]),
        ("da", "Billetten koster 199 kr", ["199 DKK"]),
        ("en", "it is 199 kr", []),  # of which country?
        ("ja", "料金は3,000円、予算は5億円", ["3000 JPY"]),
        ("zh", "票价 ¥120", ["120 CNY"]),
        ("pl", "Bilet 49,99 zł", ["49.99 PLN"]),
        ("pt", "Por R$ 1.299,90", ["1299.90 BRL"]),
        ("fa", "بلیت ۱۲۰۰ ریال", ["1200 IRR"]),
        ("de", "CHF 12.50 mit Rabatt", ["12.50 CHF"]),
        ("en", "The ABC 123 and NOT 5, page 12", []),
    ],
)  # fmt: skip
def test_prices_in_texts(language: str, text: str, expected: list[str]) -> None:
    assert [f"{one.amount} {one.currency}" for one in prices_in(text, language)] == expected


def test_currencies() -> None:
    assert [currency_of(one) for one in ("eur", "€", "руб.", "$", "kr", "xyz", "")] == [
        "EUR", "EUR", "RUB", "USD", "", "", "",
    ]  # fmt: skip


def test_addresses_in_texts_and_links() -> None:
    assert email_of("mailto:Ann.Lee%40Harbour.example?subject=x", "Ann Lee", "link") == Email(
        "Ann.Lee@harbour.example", "Ann Lee", "link"
    )
    text = "Write to desk+tips@harbour.example, not to a@b, x@2x.png, me@@x.example or a..b@c.example."
    assert [one.address for one in emails_in(text)] == ["desk+tips@harbour.example"]
    assert email_of("javascript:alert(1)") is None
    assert email_of("a" * 100_000 + "@harbour.example") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call +49 (0)30 1234-567 now", ["+49301234567"]),
        ("Tel.: 030/123456, Fax: 030/999999", ["030123456"]),
        ("Telefon 0212 555 12 34", ["02125551234"]),
        ("Tél. 01 23 45 67 89", ["0123456789"]),
        ("тел. 8 (495) 123-45-67", ["84951234567"]),
        ("هاتف: ٠١٢٣٤٥٦٧٨", ["012345678"]),
        ("电话：010-12345678", ["01012345678"]),
        ("In 2020 and 2021 some 1234567890 of 5,000,000 were +1 more", []),
        ("phone +00000000000", []),
    ],
)
def test_telephones_in_texts(text: str, expected: list[str]) -> None:
    assert list(dict.fromkeys(one.number for one in telephones_in(text))) == expected


def test_telephone_links() -> None:
    assert telephone_of("tel:+49-30-1234567;ext=5", "030 1234567", "link") == Telephone(
        "+49301234567", "030 1234567", "link"
    )
    assert telephone_of("tel:12") is None
    assert telephone_of("tel:" + "1" * 1000) is None


def _shop(data: object) -> str:
    told = json.dumps(data)
    return f'<html lang="en"><script type="application/ld+json">{told}</script><body><h1>Shop</h1>{STORY}</body></html>'


def test_products_of_structured_data() -> None:
    page = Page(
        _shop(
            {
                "@type": "Product", "name": "Oar", "brand": {"name": "Wherry"}, "sku": "O-12", "color": "red",
                "additionalProperty": [{"@type": "PropertyValue", "name": "Length", "value": 2.4, "unitText": "m"}],
                "offers": [
                    {"@type": "Offer", "price": "1299.00", "priceCurrency": "EUR"},
                    {"@type": "AggregateOffer", "lowPrice": 12, "highPrice": "1.450,00", "priceCurrency": "EUR"},
                ],
                "seller": {"@type": "Organization", "name": "Oars Ltd", "telephone": "+44 20 7946 0000",
                           "email": "oars@harbour.example"},
            }
        )
    )  # fmt: skip
    assert find(page) == Details(
        prices=tuple(Price(Decimal(one), "EUR", "Oar", "json-ld offers") for one in ("1299.00", "12", "1450.00")),
        emails=(Email("oars@harbour.example", "Oars Ltd", "json-ld"),),
        telephones=(Telephone("+442079460000", "+44 20 7946 0000", "json-ld"),),
        products=(
            Product(
                "Oar", "Wherry", "O-12", (ProductDetail("color", "red"), ProductDetail("Length", "2.4 m")), "json-ld"
            ),
        ),
    )


def test_microdata_meta_and_links() -> None:
    page = Page(
        """<html><head><meta property="product:price:amount" content="7.50"><meta property="product:price:currency"
        content="GBP"></head><body><div itemscope itemtype="https://schema.org/Product">
        <h1 itemprop="name">Boat hook</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <span itemprop="price" content="24.90">24,90</span><meta itemprop="priceCurrency" content="EUR"></div></div>
        <a href="MAILTO:desk@harbour.example">The desk</a> <a href="tel:+44-20-7946-0001">ring us</a>
        <a href="mailto:unseen@harbour.example" style="display:none">x</a><a href="/mailto:no">no</a></body></html>"""
    )
    assert find(page) == Details(
        (Price(Decimal("24.90"), "EUR", "Boat hook", "microdata offers"),
         Price(Decimal("7.50"), "GBP", "", "product:price:amount")),
        (Email("desk@harbour.example", "The desk", "link"),),
        (Telephone("+442079460001", "ring us", "link"),),
        (Product("Boat hook", by="microdata"),),
    )  # fmt: skip


def test_given_on_request_and_read_back() -> None:
    last = "<p>Karten zu 12,50 € unter info@harbour.example.</p>"
    html = f"<html lang='de'><body><article><h1>Fähre</h1>{last}{STORY}</article>"
    assert tidings.extract(html).details is None
    assert json.loads(tidings.extract(html).json())["details"] is None
    article = tidings.extract(html, details=True)
    assert article.details is not None
    assert article.details.prices == (Price(Decimal("12.50"), "EUR", by="text"),)
    assert article.details.emails == (Email("info@harbour.example", by="text"),)
    assert json.loads(article.json())["details"]["prices"] == [{"amount": "12.50", "currency": "EUR", "by": "text"}]
    assert article_from_json(article.json()) == article
    hash(article)


@pytest.mark.parametrize("amount", ["NaN", "1e999999999", "x", 5, None, "9" * 50])
def test_amounts_that_are_none_are_refused(amount: object) -> None:
    with pytest.raises(InputError, match=r"details\.prices"):
        article_from_json(json.dumps({"details": {"prices": [{"amount": amount, "currency": "EUR"}]}}))


def test_by_rule() -> None:
    site, unread = loads(
        "body: //div[@class='story']\ntitle: //h1\nprice: //b[@class='price']\nemail: //a[@class='mail']/@href\n"
        "telephone: //i[@class='phone']\n",
        "harbour.example",
    )
    assert not unread
    html = (
        f"<html><body><h1>Ferry</h1><div class='story'>{STORY}</div><b class='price'>12,50 €</b>"
        "<b class='price'>8 €</b><a class='mail' href='mailto:desk@harbour.example'>m</a>"
        "<i class='phone'>030 123456</i></body></html>"
    ).encode()
    article = cut(site.templates[0].template, html, "https://harbour.example/1").article
    assert article.details == Details(
        (Price(Decimal("12.50"), "EUR", by="rule"), Price(Decimal(8), "EUR", by="rule")),
        (Email("desk@harbour.example", by="rule"),),
        (Telephone("030123456", "030 123456", "rule"),),
    )
    assert article.provenance["prices"].startswith("rule")
    assert cut_text(site.templates[0].template, html, "https://harbour.example/1").article.details == article.details
    assert "price: " in dumps(site)


def test_hostile_pages_are_bounded() -> None:
    deep: object = {"@type": "Offer", "price": 1, "priceCurrency": "EUR"}
    for _ in range(200):
        deep = {"offers": deep, "name": "x" * 5_000}
    many = [
        {"@type": "Product", "name": f"n{one}", "offers": {"price": one, "priceCurrency": "USD"}} for one in range(900)
    ]
    found = find(Page(_shop([deep, *many])))
    assert len(found.prices) == len(found.products) == 60
    text = "€1 " * 100_000 + "a@" * 100_000 + "+1" * 100_000 + "tel " * 100_000 + "1 " * 100_000
    found = find(page := Page(f"<html><body><p>{text}</p></body></html>"), page.visible, "en")
    assert len(found.prices) == 1
    assert not found.emails
    links = "".join(f"<a href='mailto:a{one}@harbour.example'>m</a>" for one in range(5_000))
    assert len(find(Page(f"<html><body>{links}</body></html>")).emails) == 60
