"""Stems by Snowball."""

import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from itertools import product

import pytest

from tidings.text import content_words, stem, stem_languages, stems, terms
from tidings.text.stems import _ALGORITHMS, _Stems

snowball = import_module("snowballstemmer")


@pytest.fixture
def eager_switching() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_every_snowball_language_has_a_code() -> None:
    """All but the algorithms that are older or other forms of listed ones."""
    available = set(snowball.algorithms())
    others = {"porter", "dutch_porter", "kraaij_pohlmann", "lovins", "german2"}
    assert available - others <= set(_ALGORITHMS.values())
    assert stem_languages() == {code for code, name in _ALGORITHMS.items() if name in available}


def test_english_examples_of_the_dana_thesis() -> None:
    """DANA thesis 2.1.4.3 maps "cats", "catlike" and "catty" to "cat"; Snowball only the first."""
    assert stems(["cats", "catlike", "catty"], "en") == ["cat", "catlik", "catti"]


def test_turkish_terms_of_n_ext() -> None:
    """N-EXT thesis figure B.1 (by Zemberek). Snowball agrees but for akşam → akşa and baba → babas."""
    forms = ["Ali", "akşam", "eve", "evde", "geç", "geldi", "babası", "gelmesine", "kızdı", "üzüldü"]
    assert stems(forms, "tr") == ["ali", "akşa", "ev", "ev", "geç", "gel", "babas", "gelme", "kız", "üzül"]


def test_turkish_capitals_are_lowered_by_turkish_rules() -> None:
    assert stem("IŞIKLAR", "tr") == stem("ışıklar", "tr") == "ışık"
    assert stem("İZMİRDE", "tr") == stem("izmirde", "tr")


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("de", "Häuser", "Haus"),
        ("ru", "новостей", "новость"),
        ("fa", "کتاب\u200cها", "کتابها"),
        ("ar", "الكتاب", "كتاب"),
        ("el", "Ελλάδας", "ΕΛΛΑΔΑ"),
        ("sr", "Београду", "Beogradu"),
        ("no", "avisene", "avisen"),
        ("nb-NO", "avisene", "avisen"),
    ],
)
def test_forms_of_a_word_meet(language: str, first: str, second: str) -> None:
    assert stem(first, language) == stem(second, language)


def test_a_language_without_stemmer_keeps_its_words() -> None:
    assert stems(["חדשות", "Words", "خبریں"], "he") == ["חדשות", "words", "خبریں"]
    assert stem("Running", "") == "running"


def test_an_overlong_word_is_its_own_stem() -> None:
    assert stem("running" * 100_000, "en") == "running" * 100_000


@pytest.mark.parametrize("language", sorted(stem_languages()))
def test_half_a_character_is_no_reason_to_fail(language: str) -> None:
    """HOSTILE 16: queries and JSON may hold one; the stemmers in C take whole characters only."""
    assert stem("seal\ud800s", language).startswith("seal\ud800")


@pytest.mark.usefixtures("eager_switching")
def test_threads_do_not_disturb_each_other() -> None:
    """A Snowball stemmer keeps its state in itself; shared, it mixes the words of two threads."""
    forms = [f"{start}{middle}ization{end}" for start in "abcdefgh" for middle in "aeiou" for end in ("", "s")]
    expected = [snowball.stemmer("english").stemWord(form) for form in forms]
    wrong: list[str] = []

    def work() -> None:
        for _ in range(20):
            found = list(map(_Stems("en").__getitem__, forms))  # nothing remembered
            wrong.extend(form for form, right in zip(found, expected, strict=True) if form != right)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("tidings.text.stems"), "_REMEMBERED", 10)
    known = _Stems("en")
    for number in range(100):
        assert known[f"runs{number}"] == f"runs{number}"
        assert known["running" * 100] == "running" * 100
        assert len(known) <= 10
    assert "running" * 100 not in known


def test_terms_are_stemmed_content_words_without_stop_words() -> None:
    text = "The cats didn’t see the running dogs."
    assert terms(text, "en") == ["cat", "run", "dog"]
    assert terms(text, "en", stemmed=False) == ["cats", "running", "dogs"]
    assert terms(text, "en", without_stop_words=False) == ["the", "cat", "didn't", "see", "the", "run", "dog"]
    assert terms(text, "") == content_words(text)


def test_terms_of_persian_typed_with_arabic_letters() -> None:
    assert terms("ايران اين كتاب را", "fa") == terms("ایران این کتاب را", "fa") == ["ایران", "کتاب"]


#: The letters that short words of a language are made of.
_LATIN = "abcdefghijklmnopqrstuvwxyzàáâäåæçèéêëíîïñóôöøúûüčěřšžğışąćęłńśżő"
_LETTERS = {
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءآأؤإئ",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    "fa": "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی",
    "hi": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्",
    "hy": "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
    "ne": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "ta": "அஆஇஈஉஊஎஏஐஒஓகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோௌ்",
    "yi": "אבגדהוזחטיכלמנסעפצקרשתךםןףץ",
}


@pytest.mark.parametrize("language", sorted(_ALGORITHMS))
def test_no_stem_is_empty(language: str) -> None:
    """Of all words of up to three letters; where there are many letters, those of three without marks."""
    letters = _LETTERS.get(language, _LATIN)
    few = letters if len(letters) < 40 else letters[:26]
    short = ["".join(word) for length in (1, 2) for word in product(letters, repeat=length)]
    short += map("".join, product(few, repeat=3))
    assert not [word for word, found in zip(short, stems(short, language), strict=True) if not found]


@pytest.mark.parametrize(
    ("language", "word"), [("el", "ιού"), ("el", "έως"), ("el", "εις"), ("el", "ούτατος"), ("ne", "को"), ("ne", "छ")]
)
def test_a_word_of_endings_alone_is_its_own_stem(language: str, word: str) -> None:
    raw = snowball.stemmer(_ALGORITHMS[language]).stemWord(word)
    assert raw in ("", stem(word, language))
    assert stem(word, language) == (raw or word)
    assert "" not in terms(f"{word} {word.upper()}", language, without_stop_words=False)
