"""Who made a picture: what the page marks as its credit, how captions say it in several languages, what it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tidings.article.article_tables import CREDIT_WORDS
from tidings.article.blocks import Image
from tidings.article.units import classes_of, inside, start_tags, text_of
from tidings.fields.declared import address, text, types
from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.text.patterns import is_usual, late_pattern

#: Class names of what stands beside or in a caption and says whose picture it is.
_CREDIT_CLASS: Final = late_pattern(
    r"(?:^|[\s_-])(?:(?:photo|image|img|picture|media|caption|figure)[_-]{0,2})?(?:credits?|copyrights?|photographer|photo-?source|"
    r"image-?source|creditline|attribution|bildnachweis|rights|agency|photocredit|imagecredit)(?:$|[\s_-])"
)
_LABEL: Final = (
    r"(?:(?:photo(?:graph)?s?|image|picture|illustration|graphic|video|file|screenshot|photo credit|image credit|"
    r"credit|source|photo illustration|foto(?:s|graf\w*|grafía|ğraf)?|bild(?:quelle|nachweis)?|grafik|quelle|"
    r"crédits?(?: photos?)?|©?\s?photos?|imagen|crédito|fuente|imagem|divulgação|фото|зображення|ілюстрація|"
    r"zdjęcie|fot|źródło|kuva|bilde|foto di|immagine|写真|撮影|图片来源|图片|摄影|圖|사진|عکس|تصویر|صورة|الصورة)\.?\s*"
    r"(?:by|von|par|por|di|door|av|af|de|от|via|courtesy of)?\s*[:：/=|]|"
    r"(?:photo(?:graph)?|image|illustration|picture|foto) (?:by|von|par|por|de|di|door|courtesy of|via)\b|"
    r"courtesy(?: of)?\b|©|\(c\)|copyright\b)"
)
_SAID: Final = late_pattern(rf"(?:^|[\s(\[|.–—-])({_LABEL}\s*(?P<who>[^\n]{{2,100}}?))[)\].\s]*\Z", re.IGNORECASE)
_LABELLED: Final = late_pattern(rf"\A{_LABEL}\s*", re.IGNORECASE)
_AGENCIES: Final = (
    r"AP|AFP|Reuters|REUTERS|Getty(?: Images)?|dpa|EPA(?:-EFE)?|EFE|ANSA|TASS|Xinhua|Shutterstock|iStock(?:photo)?|"
    r"Alamy|PA(?: Media| Wire| Images)?|imago|IMAGO|Imago Images|picture[- ]alliance|Belga|ANP|Scanpix|Lehtikuva|TT|"
    r"NTB|Ritzau|Keystone|Bloomberg|Anadolu(?: Agency)?|AA|Kyodo|Yonhap|Unsplash|NurPhoto|ZUMA|SIPA|Sipa USA|APA|"
    r"LaPresse|Agência Brasil|Lusa|PTI|IRNA|ISNA|UNIAN"
)
#: How each of them begins: most captions have none.
_AGENCY_WORDS: Final = tuple(re.findall(r"(?:^|\|)([\w -]+)", _AGENCIES))
#: How what says whose a picture is may be told, in small letters: words of which one is in each label.
_LABEL_WORDS: Final = tuple(
    "photo image picture illustration graphic video file screenshot credit source foto bild grafik quelle crédit "
    "fuente imagem immagine divulgação фото зображення ілюстрація zdjęcie fot źródło kuva 写真 撮影 图片 摄影 圖 사진 "
    "عکس تصویر صورة courtesy © (c) copyright".split()
)
#: `(AP Photo/Anna Holm)`, `Anna Holm / Reuters`, `Getty Images` at the end of a caption.
_SIGNED: Final = late_pattern(
    rf"[(\[]\s*(?P<brackets>[^()\[\]\n]{{0,80}}\b(?:{_AGENCIES})\b[^()\[\]\n]{{0,60}})[)\]]\s*\Z|"
    rf"(?:^|[.!?…\"”»|]\s*|\s[–—|]\s*)(?P<slash>[^\n.!?…|]{{2,60}}?\s?/\s?(?:[^\n.!?|/]{{0,40}}/\s?)?(?:{_AGENCIES})[^\n.!?|]{{0,30}})\s*\Z|"
    rf"(?:^|[.!?…\"”»|]\s*)(?P<agency>(?:{_AGENCIES})(?:\s?/\s?[^\n.!?|]{{2,50}})?)\s*\Z"
)
_TRIMMED: Final = " \t\n.,;:|()[]-–—"
#: A credit is short; what is longer is text.
_LONGEST: Final = 120
_FIRST: Final = 60


def _has(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110  # `any` takes twice the time
        if word in text:
            return True
    return False


def credit_in(caption: str) -> str:
    """Whose picture a caption says it is; nothing if it does not say."""
    if not caption:
        return ""
    end = caption[-2 * _LONGEST :]
    match = _SIGNED.search(end) if _has(end, _AGENCY_WORDS) else None
    if match is not None:
        said = match["brackets"] or match["slash"] or match["agency"]
        return _LABELLED.sub("", said.strip(_TRIMMED)).strip(_TRIMMED)
    small = end.lower()
    if is_usual(end) and not _has(small, _LABEL_WORDS):
        return ""
    match = _SAID.search(end)
    return match["who"].strip(_TRIMMED) if match is not None else ""


def credit_beside(page: Page, box: int) -> str:
    """What a figure marks as the credit of its picture."""
    elements = page.elements
    within = inside(page, box)[:_FIRST]
    some = elements.last[within.start : within.stop] > elements.first[within.start : within.stop]
    holding = [element for element, holds_text in zip(within, some.tolist(), strict=True) if holds_text]
    tags = "".join(start_tags(page, holding)).lower()
    if not _has(tags, CREDIT_WORDS):
        return ""
    for element in holding:
        if _CREDIT_CLASS.search(classes_of(page, element)):
            said = text_of(page, element)
            if 0 < len(said) <= _LONGEST:
                match = _SAID.search(said)
                return (match["who"] if match is not None and match.start() == 0 else said).strip(_TRIMMED)
    return ""


class _DeclaredPicture(NamedTuple):
    """What structured data says of a picture."""

    caption: str
    credit: str


#: What of an `ImageObject` says who made the picture, the best first.
_MAKERS: Final = ("creditText", "author", "creator", "copyrightHolder", "copyrightNotice", "contributor")
_PICTURES: Final = ("image", "primaryImageOfPage", "associatedMedia", "mainEntity", "@graph", "hasPart")
_MOST_OBJECTS, _DEEPEST = 300, 4
_LONGEST_CAPTION: Final = 600
#: Names of files that are the same everywhere say nothing; sizes at their end do not count.
_SHORTEST_NAME: Final = 8
_SIZED: Final = late_pattern(r"[-_](?:\d{2,4}x\d{2,4}|scaled|\d{3,4}w?)(?=\.\w{2,5}\Z)")


@memoized
def declared_pictures(page: Page) -> dict[str, _DeclaredPicture]:
    """What structured data says of pictures, by their addresses and by the names of their files."""
    found: dict[str, _DeclaredPicture] = {}
    for thing in _objects(page):
        maker = next((said for name in _MAKERS if (said := text(thing.get(name)))), "")
        credit = _LABELLED.sub("", maker).strip(_TRIMMED) if len(maker) <= _LONGEST else ""
        caption = text(thing.get("caption")) or text(thing.get("description"))
        told = _DeclaredPicture(caption if len(caption) <= _LONGEST_CAPTION else "", credit)
        url = address(thing.get("contentUrl")) or address(thing.get("url")) or address(thing.get("@id"))
        if url and any(told):
            for name in _names(url):
                found.setdefault(name, told)
    return found


def _objects(page: Page) -> Iterator[Mapping[str, Any]]:
    waiting: list[tuple[Any, int]] = [(one, 0) for one in reversed(page.signals.json_ld[:_MOST_OBJECTS])]
    for _ in range(_MOST_OBJECTS):
        if not waiting:
            return
        thing, depth = waiting.pop()
        inner: list[Any] = []
        if isinstance(thing, list):
            inner = thing[:_FIRST]
        elif isinstance(thing, dict):
            if "ImageObject" in types(thing):
                yield thing
            inner = [thing[name] for name in _PICTURES if name in thing]
        waiting += [(one, depth + 1) for one in reversed(inner) if depth < _DEEPEST]


def _names(url: str) -> Iterator[str]:
    bare = url.partition("#")[0].partition("?")[0].rpartition("://")[2]
    yield bare
    name = _SIZED.sub("", bare.rpartition("/")[2]).lower()
    if len(name) > _SHORTEST_NAME:
        yield name


def with_credit(image: Image, told: Mapping[str, _DeclaredPicture]) -> Image:
    """Return a picture with what structured data says of it, where the page itself says nothing."""
    known = next((told[name] for name in _names(image.src) if name in told), None) if told else None
    if known is None:
        return image
    return replace(image, caption=image.caption or known.caption, credit=image.credit or known.credit)
