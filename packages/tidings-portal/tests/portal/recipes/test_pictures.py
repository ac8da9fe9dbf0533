"""The lead picture by LBNEST's rule, where the page declares none or the site's default."""

from __future__ import annotations

from tidings import Reader
from tidings_portal.recipes.catalogue import shipped
from tidings_portal.recipes.recipe_reader import RecipeReader

STORY = "<p>The harbour bridge carried cars again on Tuesday, and the harbour was quiet.</p>" * 4
DEFAULT = '<meta property="og:image" content="https://a.example/share.jpg">'


def page(number: int, head: str = "", picture: str = "bridge") -> str:
    image = f'<img src="/{picture}-{number}.jpg" width="600" height="400">' if picture else ""
    title = f"Harbour bridge open again, part {number}"
    return f"<html lang=en><title>{title}</title>{head}<h1>{title}</h1>{image}{STORY}<p>Contact</p></html>"


def lead(reader: RecipeReader, number: int, head: str = "", picture: str = "bridge") -> str:
    article = reader.extract(page(number, head, picture), f"https://a.example/{number}")
    return article.image.src if article.image else ""


def test_lead_picture_without_a_declared_one() -> None:
    assert lead(RecipeReader(shipped("lbnest"), Reader()), 1) == "https://a.example/bridge-1.jpg"


def test_declared_lead_picture_stays() -> None:
    own = '<meta property="og:image" content="https://a.example/own-{}.jpg">'
    reader = RecipeReader(shipped("lbnest"), Reader())
    assert [lead(reader, n, own.format(n)) for n in (1, 2)] == [f"https://a.example/own-{n}.jpg" for n in (1, 2)]


def test_image_that_other_pages_declare_too_is_replaced() -> None:
    reader = RecipeReader(shipped("lbnest"), Reader())
    lead(reader, 1, DEFAULT)
    assert lead(reader, 2, DEFAULT) == "https://a.example/bridge-2.jpg"
    assert lead(reader, 3, DEFAULT, picture="") == ""


def test_page_that_is_read_again_keeps_its_picture() -> None:
    reader = RecipeReader(shipped("lbnest"), Reader())
    assert [lead(reader, 1, DEFAULT) for _ in range(2)] == ["https://a.example/share.jpg"] * 2
