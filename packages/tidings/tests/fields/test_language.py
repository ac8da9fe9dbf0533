"""The language of a story: declared, heard, contradicted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tidings.fields.declared import declared
from tidings.fields.language import find, guess_page, guess_text, tag
from tidings.fields.sourced import Sourced
from tidings.page import Page, Spans
from tidings.text import base_language

TEXTS = {
    "en": "The harbour has been closed since the storm, and nobody knows when the boats will be able to leave it.",
    "de": "Der Hafen ist seit dem Sturm geschlossen, und niemand weiß, wann die Boote ihn wieder verlassen können.",
    "fr": "Le port est fermé depuis la tempête et personne ne sait quand les bateaux pourront en sortir avec nous.",
    "es": "El puerto está cerrado desde la tormenta y nadie sabe cuándo podrán salir de él los barcos de la zona.",
    "pt": "O porto está fechado desde a tempestade e ninguém sabe quando os barcos poderão sair dele, mas não hoje.",
    "it": "Il porto è chiuso dalla tempesta e nessuno sa quando le barche potranno uscire di nuovo con gli altri.",
    "nl": "De haven is sinds de storm gesloten en niemand weet wanneer de boten er weer uit kunnen varen met ons.",
    "sv": "Hamnen har varit stängd sedan stormen och ingen vet när båtarna kan lämna den igen för att fiska som vi.",
    "pl": "Port jest zamknięty od czasu burzy i nikt nie wie, kiedy łodzie będą mogły z niego znowu wypłynąć, ale nie.",
    "tr": "Liman fırtınadan beri kapalı ve kimse teknelerin ne zaman çıkacağını bilmiyor, ama bu kadar da çok değil.",
    "ru": "Порт закрыт со времени шторма, и никто не знает, когда лодки снова смогут из него выйти, но это не так.",
    "uk": "Порт закритий від часу шторму, і ніхто не знає, коли човни знову зможуть з нього вийти, але це не так.",
    "fa": "بندر از زمان توفان بسته است و هیچ کس نمی‌داند که قایق‌ها کی می‌توانند از آن بیرون بروند و این را گفت",
    "ar": "الميناء مغلق منذ العاصفة ولا أحد يعرف متى يمكن للقوارب أن تخرج منه إلى البحر في هذا اليوم أو بعد ذلك",
    "he": "הנמל סגור מאז הסערה ואף אחד לא יודע מתי הסירות יוכלו לצאת ממנו, אבל זה לא מה שהוא אמר על כל אלה",
    "el": "Το λιμάνι είναι κλειστό από την καταιγίδα και κανείς δεν ξέρει πότε θα βγουν τα καράβια.",
    "zh": "自风暴以来港口一直关闭，没有人知道船只什么时候能够再次离开。",
    "ja": "嵐の後、港は閉鎖されており、船がいつ出られるか誰にもわからない。",
    "ko": "폭풍 이후 항구는 폐쇄되었으며 배들이 언제 다시 떠날 수 있을지 아무도 모른다.",
    "hi": "तूफान के बाद से बंदरगाह बंद है और कोई नहीं जानता कि नावें कब उससे बाहर जा सकेंगी, यह उन्होंने कहा है।",
    "th": "ท่าเรือปิดตั้งแต่เกิดพายุและไม่มีใครรู้ว่าเรือจะออกได้เมื่อใด",
}


def language_of_html(html: str) -> Sourced[str] | None:
    page = Page(html)
    return find(page, None, declared(page))


@pytest.mark.parametrize("language", TEXTS)
def test_the_text_alone_tells(language: str) -> None:
    assert language_of_html(f"<p>{TEXTS[language]}") == Sourced(language, "text")


@pytest.mark.parametrize("language", TEXTS)
def test_a_declaration_that_the_text_agrees_with_keeps_its_region(language: str) -> None:
    assert language_of_html(f'<html lang="{language}-XY"><p>{TEXTS[language]}') == Sourced(
        f"{language}-XY", "html lang"
    )


@pytest.mark.parametrize(("said", "spoken"), [("en", "ru"), ("en", "de"), ("de", "zh"), ("ru", "en"), ("en-US", "fa")])
def test_a_declaration_that_the_text_plainly_contradicts(said: str, spoken: str) -> None:
    assert language_of_html(f'<html lang="{said}"><p>{TEXTS[spoken]}' * 3) == Sourced(spoken, "text")


def test_of_several_declarations_the_one_that_the_text_agrees_with() -> None:
    html = f'<html lang="en"><meta property="og:locale" content="de_DE"><p>{TEXTS["de"]}'
    assert language_of_html(html) == Sourced("de-DE", "meta og:locale")


def test_json_ld_declares_too() -> None:
    script = json.dumps({"@type": "Article", "inLanguage": {"@type": "Language", "name": "x"}})
    assert language_of_html(f'<script type="application/ld+json">{script}</script><p>1') is None
    script = json.dumps({"@type": "Article", "inLanguage": "fa"})
    assert language_of_html(f'<script type="application/ld+json">{script}</script><p>1') == Sourced(
        "fa", "json-ld inLanguage"
    )


def test_a_language_without_a_list_is_believed() -> None:
    html = '<html lang="is"><p>Höfnin hefur verið lokuð síðan í óveðrinu og enginn veit hvenær bátarnir komast út á ný.'
    assert language_of_html(html) == Sourced("is", "html lang")
    assert language_of_html(
        '<html lang="sk"><p>Prístav je od búrky zatvorený a nikto nevie, kedy z neho lode budú môcť odísť.'
    )


def test_too_little_text_tells_nothing() -> None:
    assert language_of_html("<p>OK") is None
    assert language_of_html("<p>12 34 56") is None
    assert guess_text("") is None


def test_only_the_story_is_heard() -> None:
    page = Page(f"<p>{TEXTS['en']}</p><p>{TEXTS['en']}</p><div>{TEXTS['de']}</div>")
    start = page.text.index("Der Hafen")
    german = find(page, Spans.of([(start, len(page.text))], len(page.text)), declared(page))
    assert german == Sourced("de", "text")


def test_links_and_hidden_text_are_not_heard() -> None:
    html = f"<nav><a href=x>{TEXTS['en'] * 2}</a></nav><p hidden>{TEXTS['fr'] * 2}</p><p>{TEXTS['de']}"
    assert language_of_html(html) == Sourced("de", "text")


@pytest.mark.parametrize(
    ("declaration", "language"),
    [
        ("en", "en"),
        ("EN-us", "en-US"),
        ("pt_BR", "pt-BR"),
        ("zh-hant-tw", "zh-Hant-TW"),
        ("de-DE, en", "de-DE"),
        ("en_US.UTF-8", "en-US"),
        ("es-419", "es-419"),
        ("english", ""),
        ("{{ lang }}", ""),
        ("x" * 100_000, ""),
        ("", ""),
    ],
)
def test_tags(declaration: str, language: str) -> None:
    assert tag(declaration) == language


@pytest.mark.shared
@pytest.mark.parametrize(("corpus", "least"), [("fundus-dev", 0.97), ("news-multilingual", 0.99), ("rtl", 1.0)])
def test_real_pages(shared_data: Path, corpus: str, least: float, gate: bool) -> None:
    import gzip

    lines = (shared_data / corpus / "pages.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in (lines if gate else lines[::5])]
    right = 0
    for row in rows:
        page = Page(gzip.decompress((shared_data / corpus / row["html_file"]).read_bytes()))
        told = find(page, None, declared(page))
        right += told is not None and base_language(told.value) == base_language(row["lang"])
    assert right >= least * len(rows)


def longest_runs(page: Page, content: Spans | None = None) -> str:
    """Return 240 characters of each of the eight longest visible runs of the content, or of all that is in no link."""
    runs = page.runs
    chosen = set(content.runs(page).nonzero()[0].tolist() if content else (~runs.in_link).nonzero()[0].tolist())
    size = {run: int(runs.text_end[run] - runs.text_start[run]) for run in sorted(chosen) if not bool(runs.hidden[run])}
    longest = sorted((run for run in size if size[run]), key=lambda run: -size[run])[:8]
    starts = [int(runs.text_start[run]) for run in sorted(longest)]
    return " ".join(
        page.text[start : start + min(240, size[run])] for start, run in zip(starts, sorted(longest), strict=True)
    )


@pytest.mark.parametrize("words", [*TEXTS.values(), "", "12 !", "ΣΑΣ THE İN Kelvin \u1d7ce ½ and", "a\u3042", "the 🙂"])
def test_the_longest_runs_of_a_page_tell(words: str) -> None:
    short = "".join(f"<li>{word.upper()} the<p>" for word in words.split())
    page = Page(f"<p>{words}</p><a href=x>{TEXTS['de']}</a><p hidden>{TEXTS['fr']}</p>{short}{'und so weiter ' * 40}")
    some = Spans(np.array([3]), np.array([len(words) + 30]), len(page.text))
    for content in (None, Spans.none(len(page.text)), some):
        assert guess_page(page, content) == guess_text(longest_runs(page, content))


def test_of_runs_of_one_length_the_first_are_heard() -> None:
    page = Page("".join(f"<p>the und {'the' if at < 8 else 'und'}" for at in range(30)))
    heard = guess_page(page)
    assert heard is not None
    assert (heard.words, heard.known_words["en"], heard.known_words["de"]) == (24, 16, 8)


ALPHABETS = (
    *(
        "the",
        "und",
        "не",
        "από",
        "در",
        "של",
        "है",
        "中文",
        "か",
        "한",
        "🙂",
        "Ж",
        "ß",
        "İ",
        "\u200c",
        "\u3000",
        "12",
        "«",
        ".",
    ),
)


@given(st.lists(st.sampled_from((*ALPHABETS, " ", "<p>", "<a href=x>", "</a>", "<p hidden>")), max_size=60))
@example([*("не и в" * 3), "<p>", "中"])
@example(["中", "か", "<p>", "a"])
def test_a_page_in_any_script_sounds_like_its_longest_runs(pieces: list[str]) -> None:
    page = Page(f"<p>{''.join(pieces)}")
    assert guess_page(page) == guess_text(longest_runs(page))
    assert find(page, None, declared(page)) == find(page.within(page.scope), None, declared(page))
