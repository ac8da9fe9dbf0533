"""Topics: what outlets say, what words tell, agencies, copies of one text."""

from __future__ import annotations

import gzip
import json
import tomllib
from collections import Counter
from importlib.resources import files

import pytest

from tests.portal.stories.wire import report
from tests.support import SHARED
from tidings import extract
from tidings.errors import BadState
from tidings.text.stems import stem_languages
from tidings_portal.stories.copies import CopyFacts, agency_of, copies_in
from tidings_portal.stories.duplicates import Signature
from tidings_portal.stories.report import Report
from tidings_portal.stories.topics import Topic, TopicModel, declared, section_topic, topic_languages, topic_names


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Sports", "sport"), ("SPOR", "sport"), ("Ekonomi", "economy"), ("EKONOMİ", "economy"), ("Dünya", "world"),
        ("Business & Money", "economy"), ("Wirtschaft", "economy"), ("Política", "politics"), ("كلام", ""),
        ("رياضة", "sport"), ("体育", "sport"), ("Kültür-Sanat", "culture"), ("Climate change", "environment"),
        ("SİYASET", "politics"), ("YAŞAM", "lifestyle"), ("", ""), ("2024", ""), ("x" * 10_000, ""),
        ("how one small town in the north votes on sport", ""), ("IT", "technology"), ("Make it so", ""),
        ("Sức khỏe", "health"), ("صحت", "health"), ("Espectáculos", "culture"), ("Ekonomia", "economy"),
        ("Difesa", "world"), ("Αστυνομικά", "crime"), ("Komentáře", "opinion"), ("விளையாட்டு", "sport"),
        ("Կրթություն", "science"), ("Keskkond", "environment"), ("Gyvenimo būdas", "lifestyle"),
        ("राजनीति", "politics"),
    ],
)  # fmt: skip
def test_names_of_sections(name: str, expected: str) -> None:
    assert section_topic(name) == expected


def test_each_name_stands_for_one_topic() -> None:
    told = tomllib.loads((files("tidings_portal.stories") / "categories.toml").read_text(encoding="utf-8"))
    names = [name for topic, names in told.items() for name in (topic, *names)]
    assert [name for name, number in Counter(names).items() if number > 1] == []
    assert set(topic_names()) == set(told)
    assert len(topic_names()) == 13  # twelve, and opinion


def test_feed_before_section_before_address() -> None:
    address = "https://harbour.example/sport/2024/03/seals-back"
    assert declared(["News", "Culture"], "Politics", address) == Topic("culture", "feed")
    assert declared(["News"], "Politics", address) == Topic("politics", "section")
    assert declared((), "", address) == Topic("sport", "address")
    assert declared((), "", "https://sport.harbour.example/seals") == Topic("sport", "address")
    assert declared((), "", "https://harbour.example/sport") is None  # the last part is the article
    assert declared((), "", "https://[bad/sport/x") is None
    assert declared() is None


def test_tags_that_agree_tell_where_nothing_else_does() -> None:
    assert declared((), "", "", ("Zdrowie", "angina")) == Topic("health", "tags")
    assert declared((), "", "", ("政治", "スポーツ")) is None  # an outlet that gives every page all its sections
    assert declared((), "", "", ("health of the harbour", "local", "opinion")) is None  # no whole name of a subject
    assert declared((), "Sport", "", ("Health",)) == Topic("sport", "section")
    assert declared((), "", "", ("health",) * 10_000 + ("sport",)) == Topic("health", "tags")  # so many and no more


def test_keywords_of_a_whole_site_tell_nothing() -> None:
    assert declared((), "", "", ("Politics", "Radical", "Athens")) == Topic("politics", "tags")
    for news in ("News", "Новости", "ειδήσεις", "新闻"):
        assert declared((), "", "", ("Politics", news, "Athens")) is None
    assert declared((), "Health", "", ("Politics", "news")) == Topic("health", "section")


def test_folders_with_technical_names_tell_nothing() -> None:
    assert declared((), "", "https://harbour.example/apps/pbcs.dll/article") is None
    assert declared((), "", "https://harbour.example/medien/meldungen/1") is None
    assert declared((), "Medien") == Topic("culture", "section")


def test_very_clear_words_go_before_a_place_or_a_folder() -> None:
    text = "The striker scored; the coach praised the team, the league season and the goalkeeper. " * 3
    match = Report(1, "Goalkeeper saves the cup final for the club", text, "en")
    model = TopicModel()
    assert model.decide(match, Topic("local", "section")) == Topic("sport", "words")
    assert model.decide(match, Topic("world", "feed")) == Topic("sport", "words")
    assert model.decide(match, Topic("science", "address")) == Topic("sport", "words")
    assert model.decide(match, Topic("science", "section")) == Topic("science", "section")
    assert model.decide(match, Topic("opinion", "address")) == Topic("opinion", "address")
    assert model.decide(match, None) == Topic("sport", "words")
    vote = Report(1, "Parliament election", "The minister and the opposition party lost the vote in parliament.", "en")
    assert model.decide(vote, Topic("world", "section")) == Topic("world", "section")
    assert model.decide(Report(1), Topic("local", "feed")) == Topic("local", "feed")


def test_compounds_and_set_spaces() -> None:
    model = TopicModel()
    football = model.probabilities(Report(1, "", "Bundesligaspieltag und Fußballnationalmannschaft", "de"))
    assert max(football, key=lambda name: football[name]) == "sport"
    assert model.guess(Report(1, "", "環 保 團 體 冀 減 空 氣 污 染", "zh")) == Topic("environment", "words")
    assert model.probabilities(Report(1, "", "x" * 100_000, "de")) == {}


def test_a_subject_before_a_place_and_opinion_before_all() -> None:
    assert declared((), "news/local/crime-courts") == Topic("crime", "section")
    assert declared(("World",), "", "https://harbour.example/wirtschaft/x") == Topic("economy", "address")
    assert declared(("World",), "") == Topic("world", "feed")
    assert declared(("Politics",), "", "https://harbour.example/opinion/x") == Topic("opinion", "address")


def test_every_language_that_is_stemmed_has_words() -> None:
    assert stem_languages() <= topic_languages()


@pytest.mark.parametrize(
    ("language", "title", "text", "expected"),
    [
        ("en", "Striker scores twice", "The coach praised his team; the league title is near.", "sport"),
        ("de", "Der Bundestag stimmt ab", "Die Koalition aus SPD und Grünen bringt das Gesetz ein.", "politics"),
        ("tr", "Faiz kararı açıklandı", "Merkez bankası faizi artırdı; dolar ve borsa düştü.", "economy"),
        ("fa", "تیم ملی پیروز شد", "بازیکن تیم در دقیقه آخر گل زد و هواداران در ورزشگاه جشن گرفتند", "sport"),
        ("ar", "لقاح جديد", "قال الطبيب إن المريض في المستشفى تلقى علاج ضد المرض والفيروس", "health"),
        ("ja", "新しい映画が公開", "監督と俳優が舞台であいさつし、映画の音楽も話題になった。", "culture"),
        ("ru", "Суд вынес приговор", "Полиция задержала подозреваемого в убийстве.", "crime"),
        ("pl", "Naukowcy odkryli planetę", "Teleskop uniwersytetu znalazł planetę w odległej galaktyce.", "science"),
        ("es", "El juez ordena prisión", "La fiscalía acusa al detenido de robo y homicidio.", "crime"),
        ("it", "Terremoto e maltempo", "Neve e pioggia, temperatura in calo; il meteo di domani.", "environment"),
        ("cs", "Lékaři varují", "Pacienti v nemocnici dostali lék, očkování chrání před chřipkou.", "health"),
        ("da", "Ny film i biografen", "Instruktøren og skuespilleren fik en pris på festivalen.", "culture"),
        ("uk", "Банк підвищив ставку", "Гривня, експорт і прибуток компанії на біржі.", "economy"),
        ("el", "Ο Ολυμπιακός νίκησε", "Ο προπονητής και η ομάδα στο πρωτάθλημα, γκολ στον τελικό.", "sport"),
        ("hu", "Új okostelefon", "A szoftver és az alkalmazás mesterséges intelligencia chipet használ.", "technology"),
        ("fi", "Resepti", "Keittiö: uuni, jauho, voi ja sokeri; ravintolan kokki.", "lifestyle"),
    ],
)  # fmt: skip
def test_words_tell_the_topic(language: str, title: str, text: str, expected: str) -> None:
    assert TopicModel().guess(Report(1, title, text, language)) == Topic(expected, "words")


def test_nothing_is_guessed_from_nothing() -> None:
    model = TopicModel()
    assert model.guess(Report(1)) is None
    assert model.guess(Report(1, "", "zzz qqq", "en")) is None
    assert model.guess(Report(1, "Match", "A match.", "xx")) is None


def test_words_are_learned_from_articles_whose_topic_is_told() -> None:
    model = TopicModel()
    unheard = Report(1, "Quernwick and zollern", "The zollern of quernwick met the quernwick zollern.", "en")
    assert model.guess(unheard) is None
    for number in range(40):
        assert model.learn(Report(number, "Zollern", f"A quernwick zollern played number{number}.", "en"), "sport")
        assert model.learn(report(number, "election", number), "politics")
    assert not model.learn(report(1, "seals", 1), "opinion")  # not told by words
    assert model.guess(unheard) == Topic("sport", "words")
    again = TopicModel.from_state(model.state())
    assert again.state() == model.state()
    assert again.guess(unheard) == Topic("sport", "words")
    with pytest.raises(BadState):
        TopicModel.from_state(b"nothing")


@pytest.mark.parametrize(
    ("authors", "text", "expected"),
    [
        (("Reuters",), "", "Reuters"),
        (("Ann Lee", "dpa"), "", "dpa"),
        (("The Associated Press",), "", "AP"),
        (("Marenia News Agency",), "", "Marenia News Agency"),
        (("Ann Lee",), "ATLANTA (AP) — The river rose.", "AP"),
        ((), "MOSCOW, March 3. /TASS/. The river rose.", "TASS"),
        ((), "Berlin (dpa/lnw) - Der Fluss steigt.", "dpa"),
        ((), "Der Fluss steigt. © dpa", "dpa"),
        (("Ann Lee",), "The river (which is long) rose. AP courses are taught.", ""),
        (("Anadolu Ajansı",), "", "Anadolu"),
        ((), "", ""),
    ],
)
def test_agencies(authors: tuple[str, ...], text: str, expected: str) -> None:
    assert agency_of(authors, text) == expected


def test_copies_of_one_text() -> None:
    text = " ".join(f"word{number} of the long report" for number in range(40))
    other = " ".join(f"line{number} in another paper" for number in range(40))
    signed = [
        (number, Signature.of(one)) for number, one in enumerate((text, other, text + " Ends.", text, "Short."), 1)
    ]
    assert copies_in(signed) == {3: 1, 4: 1}
    assert copies_in([]) == {}


@pytest.mark.shared
@pytest.mark.skipif(not (SHARED / "news-modern").is_dir(), reason="no ../shared")
def test_words_alone_agree_with_sections() -> None:
    """Eleven topics by words alone, on pages whose outlet tells: 0.65 of the English ones; one in eleven by chance."""
    model, right, every = TopicModel(), 0, 0
    home = SHARED / "news-modern"
    for line in (home / "pages.jsonl").read_text("utf-8").splitlines():
        told = json.loads(line)
        found = extract(gzip.decompress((home / told["html_file"]).read_bytes()), url=told["url"])
        topic = declared((), found.section, told["url"])
        if topic is not None and topic.name not in ("opinion", "local"):
            chances = model.probabilities(Report.of(1, found))
            every += 1
            right += max(chances, key=lambda name: chances[name], default="") == topic.name
    assert every > 80
    assert right / every > 0.58


@pytest.mark.parametrize(
    ("first", "second", "shared", "expected"),
    [
        (("Rates rise", "By 3 per cent in 2026."), ("Rates rise", "By 3 per cent in 2026."), 0.8, True),
        (("Rates rise", "By 3 per cent in 2026."), ("Rates rise", "By 4 per cent in 2026."), 0.99, False),
        (("Rates rise by 3", "In 2026."), ("Rates rise by 4", "In 2026."), 0.99, False),
        (("Rates rise", "In 2026."), ("Seals return to the estuary", "In 2026."), 0.8, False),
        (("Rates rise", "In 2026."), ("What it means for you", "In 2026."), 0.99, True),  # an outlet's own headline
    ],
)
def test_copies_have_the_same_numbers_and_headlines_that_fit(
    first: tuple[str, str], second: tuple[str, str], shared: float, expected: bool
) -> None:
    assert CopyFacts.of(*first).fits(CopyFacts.of(*second), shared) == expected
