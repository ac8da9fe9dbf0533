"""Read picture credits from marked elements, captions in several languages, and structured data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from tidings.article.model.blocks import Image
from tidings.article.units.article_tables import CREDIT_WORDS
from tidings.article.units.units import classes_of, inside, start_tags, text_of
from tidings.fields.declared import address, text, types
from tidings.fields.memo import memoized
from tidings.page import Page
from tidings.text.patterns import is_usual, late_pattern

#: Class names of picture credits in or next to captions.
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
#: Prefixes of the agency names, for a fast pre-check.
_AGENCY_WORDS: Final = tuple(re.findall(r"(?:^|\|)([\w -]+)", _AGENCIES))
#: Lower-case words of which each label contains one, for a fast pre-check.
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
#: Longest credit; longer text is not one.
_LONGEST: Final = 120
_FIRST: Final = 60


def _has(text: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110  # `any` takes twice the time
        if word in text:
            return True
    return False


def credit_in(caption: str) -> str:
    """Return the credit in a caption; empty if there is none."""
    if not caption:
        return ""
    end = caption[-2 * _LONGEST :]
    match = _SIGNED.search(end) if _has(end, _AGENCY_WORDS) else None
    if match is not None:
        credit = match["brackets"] or match["slash"] or match["agency"]
        return _LABELLED.sub("", credit.strip(_TRIMMED)).strip(_TRIMMED)
    lower_end = end.lower()
    if is_usual(end) and not _has(lower_end, _LABEL_WORDS):
        return ""
    match = _SAID.search(end)
    return match["who"].strip(_TRIMMED) if match is not None else ""


def credit_beside(page: Page, box: int) -> str:
    """Return the credit of a figure's picture, from an element marked as credit."""
    elements = page.elements
    within = inside(page, box)[:_FIRST]
    has_text = elements.last[within.start : within.stop] > elements.first[within.start : within.stop]
    holding = [element for element, holds_text in zip(within, has_text.tolist(), strict=True) if holds_text]
    tags = "".join(start_tags(page, holding)).lower()
    if not _has(tags, CREDIT_WORDS):
        return ""
    for element in holding:
        if _CREDIT_CLASS.search(classes_of(page, element)):
            credit = text_of(page, element)
            if 0 < len(credit) <= _LONGEST:
                match = _SAID.search(credit)
                return (match["who"] if match is not None and match.start() == 0 else credit).strip(_TRIMMED)
    return ""


class _PictureMetadata(NamedTuple):
    """Caption and credit of a picture in structured data."""

    caption: str
    credit: str


#: Properties of an `ImageObject` that name the photographer, best first.
_MAKERS: Final = ("creditText", "author", "creator", "copyrightHolder", "copyrightNotice", "contributor")
_PICTURES: Final = ("image", "primaryImageOfPage", "associatedMedia", "mainEntity", "@graph", "hasPart")
_MOST_OBJECTS, _DEEPEST = 300, 4
_LONGEST_CAPTION: Final = 600
#: Shorter file names are too common to identify a picture. Size suffixes are ignored.
_SHORTEST_NAME: Final = 8
_SIZED: Final = late_pattern(r"[-_](?:\d{2,4}x\d{2,4}|scaled|\d{3,4}w?)(?=\.\w{2,5}\Z)")


@memoized
def declared_pictures(page: Page) -> dict[str, _PictureMetadata]:
    """Return the picture metadata in structured data, by URL and by file name."""
    pictures: dict[str, _PictureMetadata] = {}
    for thing in _objects(page):
        maker = next((name_text for name in _MAKERS if (name_text := text(thing.get(name)))), "")
        credit = _LABELLED.sub("", maker).strip(_TRIMMED) if len(maker) <= _LONGEST else ""
        caption = text(thing.get("caption")) or text(thing.get("description"))
        metadata = _PictureMetadata(caption if len(caption) <= _LONGEST_CAPTION else "", credit)
        url = address(thing.get("contentUrl")) or address(thing.get("url")) or address(thing.get("@id"))
        if url and any(metadata):
            for name in _names(url):
                pictures.setdefault(name, metadata)
    return pictures


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


def with_credit(image: Image, declared: Mapping[str, _PictureMetadata]) -> Image:
    """Return a picture with the declared caption and credit where the page shows none."""
    metadata = next((declared[name] for name in _names(image.src) if name in declared), None) if declared else None
    if metadata is None:
        return image
    return replace(image, caption=image.caption or metadata.caption, credit=image.credit or metadata.credit)
