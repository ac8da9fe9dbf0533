"""Where sentences end."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.text import sentence_spans, sentences
from tidings.text.sentences import BEFORE_EITHER, BEFORE_MORE, BEFORE_NUMBER, STARTERS, TITLES

CASES: list[tuple[str, str, list[str]]] = [
    ("en", "It rained. We stayed! Why? Who knows…", ["It rained.", "We stayed!", "Why?", "Who knows…"]),
    ("en", "Dr. Smith met J. R. R. Tolkien.", ["Dr. Smith met J. R. R. Tolkien."]),
    ("en", "MR. SMITH CAME. HE LEFT.", ["MR. SMITH CAME.", "HE LEFT."]),
    ("en", "It is 3.14 percent of 1.000. Then less.", ["It is 3.14 percent of 1.000.", "Then less."]),
    ("en", "He lives in the U.S. The U.S. Army came.", ["He lives in the U.S.", "The U.S. Army came."]),
    ("en", "Fruit, e.g. Apples, etc. He ate.", ["Fruit, e.g. Apples, etc.", "He ate."]),
    ("en", "He said no. Then No. 5 won. No. I won't.", ["He said no.", "Then No. 5 won.", "No.", "I won't."]),
    ("en", "He said: “Stop.” Then he left.", ["He said: “Stop.”", "Then he left."]),
    ("en", "“Really?” he asked. “Yes!”", ["“Really?” he asked.", "“Yes!”"]),
    ("en", "(It was over. All left.) So be it.", ["(It was over.", "All left.)", "So be it."]),
    ("en", "Well... maybe. Well... Maybe.", ["Well... maybe.", "Well...", "Maybe."]),
    ("en", "So do I. We went.", ["So do I.", "We went."]),
    ("en", "She was 25. Police came in 1999. Then", ["She was 25.", "Police came in 1999.", "Then"]),
    ("en", "1. First item. 2. Second item.", ["1. First item.", "2. Second item."]),
    ("en", "It works.[1] So it is.[2][note]", ["It works.[1]", "So it is.[2][note]"]),
    ("en", "See example.com. Or node.js.", ["See example.com.", "Or node.js."]),
    ("en", "A heading\n\nA text that\nwraps. End", ["A heading", "A text that\nwraps.", "End"]),
    ("de", "Am 3. Mai kam z.B. Herr Müller. Er ging.", ["Am 3. Mai kam z.B. Herr Müller.", "Er ging."]),
    ("de", "„Das ist gut.“ Er ging. »Nein.« Aus.", ["„Das ist gut.“", "Er ging.", "»Nein.«", "Aus."]),
    ("tr", "Sultan II. Abdülhamid geldi. Bu oldu.", ["Sultan II. Abdülhamid geldi.", "Bu oldu."]),
    ("fr", "« Bonjour ! » dit-il. M. Dupont rit. « Non. » Il part.",
     ["« Bonjour ! » dit-il.", "M. Dupont rit.", "« Non. »", "Il part."]),
    ("es", "¿Qué pasa? ¡Nada! El Sr. López rió.", ["¿Qué pasa?", "¡Nada!", "El Sr. López rió."]),
    ("tr", "Ali geldi. Prof. Dr. Kaya 3. Köprüde.", ["Ali geldi.", "Prof. Dr. Kaya 3. Köprüde."]),
    ("ru", "Это было в 2010 г. Он ушёл и т.д. Но вернулся.",
     ["Это было в 2010 г.", "Он ушёл и т.д.", "Но вернулся."]),
    ("zh", "他走了。“你好！”他说。再见？", ["他走了。", "“你好！”", "他说。", "再见？"]),
    ("zh", '他说。"你好。"走了。', ["他说。", '"你好。"', "走了。"]),
    ("ja", "「行く。」と言った。帰った！", ["「行く。」と言った。", "帰った！"]),
    ("ja", "「終わり。」、彼は言う。", ["「終わり。」、彼は言う。"]),
    ("ar", "قال الرئيس. هل هذا صحيح؟ نعم!", ["قال الرئيس.", "هل هذا صحيح؟", "نعم!"]),
    ("ar", "انتهى الخبر.وقال د. محمد ذلك.", ["انتهى الخبر.", "وقال د. محمد ذلك."]),
    ("fa", "او رفت. چرا؟ «نمی‌دانم.» پایان", ["او رفت.", "چرا؟", "«نمی‌دانم.»", "پایان"]),
    ("ur", "یہ خبر ہے۔ کیا یہ سچ ہے؟ ہاں۔", ["یہ خبر ہے۔", "کیا یہ سچ ہے؟", "ہاں۔"]),
    ("hi", "यह खबर है। डॉ. सिंह आए। क्यों?", ["यह खबर है।", "डॉ. सिंह आए।", "क्यों?"]),
    ("el", "Τι κάνεις; Καλά είμαι.", ["Τι κάνεις;", "Καλά είμαι."]),
    ("en", "One; two. Three: four.", ["One; two.", "Three: four."]),
    ("hy", "Ես գնացի։ Նա եկավ: Մենք", ["Ես գնացի։", "Նա եկավ:", "Մենք"]),
    ("am", "ሰላም ነው። እንዴት ነህ፧ ደህና", ["ሰላም ነው።", "እንዴት ነህ፧", "ደህና"]),
    ("my", "မြန်မာ။ စာ။", ["မြန်မာ။", "စာ။"]),
    ("", " \n\n ", []),
    ("", "...", ["..."]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_sentences(language: str, text: str, expected: list[str]) -> None:
    assert sentences(text, language) == expected


def test_an_ordinal_needs_its_language() -> None:
    assert len(sentences("Sie kam am 3. Oktober", "de")) == 1
    assert len(sentences("Sie kam am 3. Oktober", "en")) == 2


def test_n_ext_example_has_three_sentences() -> None:
    """N-EXT thesis figure B.1."""
    text = "Ali akşam eve geç geldi. Babası, Ali'nin eve geç gelmesine kızdı. Ali buna evde çok üzüldü."
    assert [len(sentence) for sentence in sentences(text, "tr")] == [24, 40, 25]


SNIPPETS = st.lists(st.sampled_from([*" \n.!?…。؟।;:[]()\"'“”«»」と1aAIñДد東ก", "Dr", "etc", "z.B", "The"]))


@given(st.one_of(st.text(), SNIPPETS.map("".join)), st.sampled_from(["", "de", "en"]))
def test_spans_are_ordered_trimmed_and_hold_everything_but_white_space(text: str, language: str) -> None:
    spans = sentence_spans(text, language)
    end = 0
    for start, stop in spans:
        assert text[end:start].strip() == ""
        assert text[start:stop].strip() == text[start:stop] != ""
        end = stop
    assert text[end:].strip() == ""


def test_every_listed_abbreviation_can_be_looked_up() -> None:
    """Look-ups are in lower case, titles capitalised, starters as words of at most twelve letters."""
    for words in (BEFORE_MORE, BEFORE_EITHER, BEFORE_NUMBER):
        assert {word for word in words if word != word.lower() or word.endswith(".")} == set()
    assert {word for word in TITLES if word != word.capitalize()} == set()
    assert (BEFORE_MORE | {word.lower() for word in TITLES}) & BEFORE_EITHER == set()
    assert {word for word in STARTERS if not word.isalpha() or len(word) > 12 or not word[0].isupper()} == set()


# Units at which the splitter looks back over numbers or initials need more text to show a copied sentence.
UNITS = dict.fromkeys([". ", "a.", ".)", "。」と", '。"と', "\n ", ".[1]", ". »", "I. We ", "; ", "[", "x"], 10_000)
UNITS |= dict.fromkeys(["1. ", "Dr. ", "A. "], 60_000)


@pytest.mark.soak
@pytest.mark.parametrize(("unit", "count"), UNITS.items())
def test_hostile_text_takes_linear_time(unit: str, count: int) -> None:
    """HOSTILE 15: eight times the text may take eight times the time, with room for noise, not sixty-four."""
    assert _fastest(unit * (8 * count), 1) < 24 * _fastest(unit * count, 3) + 0.05


def _fastest(text: str, tries: int) -> float:
    taken = []
    for _ in range(tries):
        began = time.perf_counter()
        sentence_spans(text, "de")
        taken.append(time.perf_counter() - began)
    return min(taken)
