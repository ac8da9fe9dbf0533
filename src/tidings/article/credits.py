"""Who made a picture: what the page marks as its credit, or how captions say it in several languages."""

from __future__ import annotations

import re
from typing import Final

from tidings.article.units import classes_of, inside, text_of
from tidings.page import Page

#: Class names of what stands beside or in a caption and says whose picture it is.
_CREDIT_CLASS: Final = re.compile(
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
_SAID: Final = re.compile(rf"(?:^|[\s(\[|.–—-])({_LABEL}\s*(?P<who>[^\n]{{2,100}}?))[)\].\s]*\Z", re.IGNORECASE)
_LABELLED: Final = re.compile(rf"\A{_LABEL}\s*", re.IGNORECASE)
_AGENCIES: Final = (
    r"AP|AFP|Reuters|REUTERS|Getty(?: Images)?|dpa|EPA(?:-EFE)?|EFE|ANSA|TASS|Xinhua|Shutterstock|iStock(?:photo)?|"
    r"Alamy|PA(?: Media| Wire| Images)?|imago|IMAGO|Imago Images|picture[- ]alliance|Belga|ANP|Scanpix|Lehtikuva|TT|"
    r"NTB|Ritzau|Keystone|Bloomberg|Anadolu(?: Agency)?|AA|Kyodo|Yonhap|Unsplash|NurPhoto|ZUMA|SIPA|Sipa USA|APA|"
    r"LaPresse|Agência Brasil|Lusa|PTI|IRNA|ISNA|UNIAN"
)
#: `(AP Photo/Anna Holm)`, `Anna Holm / Reuters`, `Getty Images` at the end of a caption.
_SIGNED: Final = re.compile(
    rf"[(\[]\s*(?P<brackets>[^()\[\]\n]{{0,80}}\b(?:{_AGENCIES})\b[^()\[\]\n]{{0,60}})[)\]]\s*\Z|"
    rf"(?:^|[.!?…\"”»|]\s*|\s[–—|]\s*)(?P<slash>[^\n.!?…|]{{2,60}}?\s?/\s?(?:[^\n.!?|/]{{0,40}}/\s?)?(?:{_AGENCIES})[^\n.!?|]{{0,30}})\s*\Z|"
    rf"(?:^|[.!?…\"”»|]\s*)(?P<agency>(?:{_AGENCIES})(?:\s?/\s?[^\n.!?|]{{2,50}})?)\s*\Z"
)
_TRIMMED: Final = " \t\n.,;:|()[]-–—"
#: A credit is short; what is longer is text.
_LONGEST: Final = 120
_FIRST: Final = 60


def credit_in(caption: str) -> str:
    """Whose picture a caption says it is; nothing if it does not say."""
    if not caption:
        return ""
    end = caption[-2 * _LONGEST :]
    match = _SIGNED.search(end)
    if match is not None:
        said = match["brackets"] or match["slash"] or match["agency"]
        return _LABELLED.sub("", said.strip(_TRIMMED)).strip(_TRIMMED)
    match = _SAID.search(end)
    return match["who"].strip(_TRIMMED) if match is not None else ""


def credit_beside(page: Page, box: int) -> str:
    """What a figure marks as the credit of its picture."""
    for element in inside(page, box)[:_FIRST]:
        if page.elements.first.item(element) < page.elements.last.item(element) and _CREDIT_CLASS.search(
            classes_of(page, element)
        ):
            said = text_of(page, element)
            if 0 < len(said) <= _LONGEST:
                match = _SAID.search(said)
                return (match["who"] if match is not None and match.start() == 0 else said).strip(_TRIMMED)
    return ""
