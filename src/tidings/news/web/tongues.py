"""Languages of articles: what they call themselves, and which way they are written."""

from __future__ import annotations

from typing import Final

from tidings.article.direction import is_written_leftwards

#: Languages of news sites, by the names they have in themselves. A code that is not here is shown as it is.
_NAMES: Final = {
    "ar": "العربية", "az": "Azərbaycanca", "bg": "Български", "bn": "বাংলা", "ca": "Català", "ckb": "کوردی",
    "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español",
    "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "ga": "Gaeilge",
    "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "id": "Bahasa Indonesia", "it": "Italiano",
    "ja": "日本語", "ka": "ქართული", "ko": "한국어", "ku": "Kurdî", "lt": "Lietuvių", "lv": "Latviešu",
    "ms": "Bahasa Melayu", "nb": "Norsk", "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "ps": "پښتو",
    "pt": "Português", "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina", "sq": "Shqip",
    "sr": "Српски", "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்", "th": "ไทย", "tr": "Türkçe",
    "ug": "ئۇيغۇرچە", "uk": "Українська", "ur": "اردو", "vi": "Tiếng Việt", "yi": "ייִדיש", "zh": "中文",
}  # fmt: skip


def name_of(code: str) -> str:
    """What a language calls itself."""
    return _NAMES.get(code.split("-", maxsplit=1)[0].lower(), code)


def direction_of(code: str) -> str:
    """The way a language is written: ltr or rtl."""
    return "rtl" if is_written_leftwards(code) else "ltr"
