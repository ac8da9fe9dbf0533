"""Rules, targets, messages, hubs, files and notes, in both databases."""

from __future__ import annotations

from datetime import timedelta

from tests.portal.store.made import NOON, new
from tidings.sources import Enclosure
from tidings_portal.store import Store
from tidings_portal.store.records_of_people import NewPerson
from tidings_portal.store.records_of_work import NewSource
from tidings_portal.store.verbs.sending import (
    PAUSES,
    NewTarget,
    ReaderRule,
    RuleEffect,
    SendingEvent,
    TargetKind,
)
from tidings_portal.store.verbs.streams import StreamQuery

ANN, BOB = "person 1", "person 2"


def test_rules_find_what_a_search_does(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://a.example/f")], NOON)
    first, second = (one.article for one in kept.keep([new(1, "Grey seals", sources=(source,)), new(2, "A bridge")]))
    assert first
    assert second
    number = kept.add_rule(ReaderRule("seals", RuleEffect.LABEL, "Sea", source, ANN), NOON)
    assert number
    assert [(one.query, one.effect, one.value, one.source) for one in kept.rules(ANN)] == [
        ("seals", RuleEffect.LABEL, "Sea", source)
    ]
    assert kept.matching("seals", None, [first, second]) == [first]
    assert kept.matching("", source, [first, second]) == [first]
    assert kept.matching("", None, [first, second]) == [first, second]
    assert kept.matching("title:bridge", None, [first]) == []
    assert kept.add_rule(ReaderRule("x", RuleEffect.HIDE, "", 999, ANN), NOON) is None
    assert not kept.remove_rule(number, BOB)
    assert kept.remove_rule(number, ANN)
    assert kept.article_numbers(0) == [first, second]
    assert kept.article_numbers(first) == [second]


def test_a_message_waits_is_tried_and_set_aside(kept: Store) -> None:
    told = NewTarget(TargetKind.WEBHOOK, "Hook", "https://h.example/", "whsec_x", frozenset({SendingEvent.ALARM}), "q")
    number = kept.add_target(told, ANN, NOON)
    assert number
    (target,) = kept.targets(ANN)
    assert (target.settings, kept.targets(BOB)) == (told, [])
    assert kept.send([(number, "alarm", "Seals", "{}")], NOON) == 1
    at = NOON
    for count in range(len(PAUSES) + 1):
        (due,) = kept.due_deliveries(at, timedelta(minutes=2))
        assert kept.due_deliveries(at, timedelta(minutes=2)) == []  # leased
        assert kept.not_delivered(due, "no", at) == (count == len(PAUSES))
        at += timedelta(days=1)
    assert [one.problem for one in kept.deliveries_aside(ANN)] == ["no"]
    assert kept.targets(ANN)[0].aside == 1
    assert kept.try_deliveries_again(number, BOB, at) == 0
    assert kept.try_deliveries_again(number, ANN, at) == 1
    (due,) = kept.due_deliveries(at, timedelta(0))
    kept.delivered(due, at)
    assert (kept.targets(ANN)[0].sent, kept.targets(ANN)[0].last_sent) == (1, at)
    assert kept.set_target_active(number, ANN, False)
    kept.send([(number, "alarm", "Seals", "{}")], at)
    assert kept.due_deliveries(at, timedelta(0)) == []
    assert kept.remove_target(number, ANN)
    assert kept.targets() == []


def test_hubs_files_and_those_whom_others_know(kept: Store) -> None:
    (source,) = kept.add_sources([NewSource("https://a.example/f", headers="Cookie: a", proxy="http://p:1")], NOON)
    assert kept.source(source).settings.headers == "Cookie: a"  # type: ignore[union-attr]
    kept.note_hub(source, "https://hub.example/", "https://a.example/f")
    (hub,) = kept.hubs()
    assert (hub.asked, hub.expires) == (None, None)
    kept.note_hub(source, "", "")
    assert kept.hubs() == []
    (saved,) = kept.keep([new(1, keys=("address:a",))])
    assert saved.article
    file = Enclosure("https://a.example/x.mp3", "audio/mpeg", 5, 60)
    for _ in range(2):
        kept.keep_enclosures({"address:a": (file,), "address:none": (file,)})
    assert kept.enclosures(saved.article) == [file]
    person = kept.add_person(NewPerson("Ann", "x"), NOON)
    assert person
    kept.know_person("https://login.example", "u-1", person.id)
    assert kept.person_known_as("https://login.example", "u-1") == person.id
    assert kept.person_known_as("https://login.example", "u-2") is None
    kept.remove_person(person.id)
    assert kept.person_known_as("https://login.example", "u-1") is None


def test_notes_labels_and_streams(kept: Store) -> None:
    first, second = (one.article for one in kept.keep([new(1), new(2, language="tr")]))
    assert first
    assert second
    assert kept.set_note(first, ANN, "a note", NOON)
    assert kept.set_note(first, ANN, "another", NOON)
    assert (kept.note(first, ANN), kept.note(first, BOB), kept.count_notes(ANN)) == ("another", "", 1)
    assert kept.stream(ANN, StreamQuery(noted=True)).items == (first,)
    assert kept.stream(ANN, StreamQuery(language=("tr",))).items == (second,)
    assert kept.stream(ANN, StreamQuery(read=False, is_oldest_first=True)).items == (second, first)
    assert [one.id for one in kept.headlines_of([second, 99, first])] == [second, first]
    assert not kept.set_note(99, ANN, "x", NOON)
    assert kept.set_note(first, ANN, " ", NOON)
    assert kept.count_notes(ANN) == 0


def test_much_that_was_marked_is_undone(kept: Store) -> None:
    numbers = [one.article for one in kept.keep([new(number) for number in range(1, 6)])]
    for sources, before in ((None, None), (None, NOON - timedelta(hours=3))):
        kept.mark_read(ANN, [numbers[0] or 0])
        unread = {one.id for one in kept.unread(ANN).items}
        kept.mark_all_read(ANN, sources, before=before)
        assert kept.count_unread(ANN).number < len(unread)
        assert kept.can_undo(ANN)
        assert kept.undo_read(ANN)
        assert {one.id for one in kept.unread(ANN).items} == unread
        assert not kept.undo_read(ANN)


def test_search_prefers_in_both_databases(kept: Store) -> None:
    kept.keep(
        [
            new(1, "A day out", "The ferry, and the ferry again. " * 9),
            new(2, "Ferry runs"),
            new(3, "Ferry fährt", language="de"),
            # Words of these are as rare as in any store: the rarity of a stem in one language must not decide.
            *(new(number, f"Other news {number}", language="de" if number % 2 else "en") for number in range(4, 24)),
        ]
    )
    titles = [hit.headline.title for hit in kept.search("ferry", prefer=("en",)).items]
    assert titles[0] == "Ferry runs"
    assert next(hit.headline.title for hit in kept.search("ferry", prefer=("de",)).items) == "Ferry fährt"
