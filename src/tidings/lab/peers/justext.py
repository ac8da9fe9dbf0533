"""jusText: blocks by length, links and stop words. It must be told the language; the page's own word is taken."""

from __future__ import annotations

import re
from typing import Final

from tidings.lab.experiment.systems import Reading

_LANGUAGE: Final = re.compile(rb"<html[^>]{0,500}?\slang\s*=\s*[\"']?([A-Za-z]{2,3})")
#: Its stop lists by the codes that pages declare.
_STOP_LISTS: Final = {
    "ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ko": "Korean", "lt": "Lithuanian",
    "lv": "Latvian", "nb": "Norwegian_Bokmal", "nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sv": "Swedish",
    "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
}  # fmt: skip


def read(data: bytes, url: str | None) -> Reading:  # noqa: ARG001  # every peer is called with an address
    """The paragraphs that are no boilerplate, by the stop list of the declared language, English if none is told."""
    import justext

    told = _LANGUAGE.search(data[:5000])
    language = _STOP_LISTS.get(told[1].decode().lower() if told else "", "English")
    paragraphs = justext.justext(data, justext.get_stoplist(language))
    return Reading("\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate))
